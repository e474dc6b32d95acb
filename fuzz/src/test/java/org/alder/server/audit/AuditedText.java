package org.alder.server.audit;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.util.json.JSONException;
import com.unboundid.util.json.JSONObject;
import java.util.function.Consumer;

/** Holds a line of the audit log to what its readers rely on. */
public final class AuditedText {
    private static final int MOST_CHARS = 128 << 10;

    private AuditedText() {
    }

    /** @param described writes into the line what a request says */
    public static void require(Consumer<AuditLine> described) {
        AuditLine line = new AuditLine("userPassword"::equalsIgnoreCase, ShownValues.CUT);
        described.accept(line.text("operation", "fuzzed"));
        String text = line.end();
        assertTrue("a line of " + text.length() + " characters", text.length() <= MOST_CHARS);
        assertFalse(text, text.contains("\n"));
        try {
            new JSONObject(text);
        } catch (JSONException e) {
            throw new AssertionError(text, e);
        }
    }
}
