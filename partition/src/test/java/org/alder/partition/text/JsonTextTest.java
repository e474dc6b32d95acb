package org.alder.partition.text;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Nothing in a text can end its line, its quotes or the direction in which a terminal shows it. */
public class JsonTextTest {
    @Test
    public void mapsListsAndNumbers() {
        assertEquals("{\"a\":[1,true,\"b\"]}", JsonText.of(Map.of("a", List.of(1, true, "b"))));
    }

    @Test
    public void whatIsSeenStaysAsItIs() {
        assertEquals("\"Gr\u00fc\u00dfe \u65e5\u672c \uD83D\uDE00\"", JsonText.of("Gr\u00fc\u00dfe \u65e5\u672c \uD83D\uDE00"));
    }

    @Test
    public void whatIsNotSeenIsANumber() {
        assertEquals("\"\\\"\\\\\\u000a\\u000d\\u0000\\u001b\\u007f\\u0085\\u009b\"", JsonText.of("\"\\\n\r\0\u001b\u007f\u0085\u009b"));
        assertEquals("\"\\u202e\\u2066\\u200f\\u061c\\ufeff\\u2028\\u2029\"", JsonText.of("\u202e\u2066\u200f\u061c\ufeff\u2028\u2029"));
        assertEquals("half a pair, and a tag that is one", "\"\\ud83d \\udb40\\udc01\"", JsonText.of("\uD83D \uDB40\uDC01"));
    }

    @Test
    public void noUnitOfAnyTextIsDangerous() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String json = JsonText.of(new String(Character.toChars(c)));
            int found = json.codePointAt(1);
            int type = Character.getType(found);
            assertTrue(Integer.toHexString(c), found == '\\' || type != Character.CONTROL && type != Character.FORMAT
                    && type != Character.LINE_SEPARATOR && type != Character.PARAGRAPH_SEPARATOR && type != Character.SURROGATE);
        }
    }
}
