package org.alder.partition.schema.value;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import com.unboundid.util.StaticUtils;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/** Generalized Time: what it means is what another library says, however it is written. */
public final class TimeFuzz {
    /** Years from 1583 on, and no leap second, which the other library counts otherwise. */
    private static final String COMPARED = "(?:1[6-9]|[2-9]\\d)\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])"
            + "(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d(?:\\.\\d{1,3})?(?:Z|[+-](?:0\\d|1[0-3])[0-5]\\d)";

    private TimeFuzz() {
    }

    public static void time(byte[] input) throws DirectoryException {
        byte[] form;
        try {
            form = GeneralizedTimeForm.of(input);
        } catch (DirectoryException e) {
            assertEquals(e.getMessage(), ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.resultCode());
            return;
        }
        Instant time = GeneralizedTimeForm.instant(input);
        Instant stored = time.truncatedTo(ChronoUnit.MICROS);
        assertEquals(stored, GeneralizedTimeForm.instant(GeneralizedTimeForm.value(time)));
        String text = new String(input, StandardCharsets.ISO_8859_1);
        if (text.matches(COMPARED)) {
            compare(text, time);
        }
        byte[] again = (new String(form, StandardCharsets.US_ASCII) + "Z").getBytes(StandardCharsets.US_ASCII);
        assertArrayEquals("the normal form of " + text, form, GeneralizedTimeForm.of(again));
    }

    private static void compare(String text, Instant time) {
        try {
            assertEquals(text, StaticUtils.decodeGeneralizedTime(text).toInstant(), time);
        } catch (ParseException e) {
            throw new AssertionError("another library refuses " + text, e);
        }
    }
}
