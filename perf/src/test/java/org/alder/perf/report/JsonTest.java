package org.alder.perf.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.text.JsonReader;
import org.junit.Test;

public class JsonTest {
    @Test
    public void whatIsWrittenIsReadBack() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "quote \" backslash \\ newline \n bell \u0007 umlaut ä");
        value.put("list", Arrays.asList(1.0, -2.5, null, true, List.of(), Map.of()));
        value.put("inner", Map.of("a", 1e-9));
        assertEquals(value, JsonReader.parse(Json.write(value)));
    }

    @Test
    public void numbersThatAreNoneAreNull() {
        assertEquals(Arrays.asList(null, null, 3.0), JsonReader.parse(Json.write(List.of(Double.NaN, Double.POSITIVE_INFINITY, 3))));
    }

    @Test
    public void everyEscapeIsUnderstood() {
        assertEquals("\"\\/\b\f\n\r\tA", JsonReader.parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\""));
    }

    @Test
    public void everyTruncationIsRefused() {
        String whole = "{\"a\": [1, \"b\\n\", {\"c\": true}]}";
        JsonReader.parse(whole);
        for (int length = 0; length < whole.length(); length++) {
            String cut = whole.substring(0, length);
            assertThrows(cut, IllegalArgumentException.class, () -> JsonReader.parse(cut));
        }
    }

    @Test
    public void faultsNameTheOffset() {
        for (String wrong : List.of("nul", "01x", "[1,]", "{\"a\" 1}", "{1: 2}", "1 2", "\"\\x\"", "--1", "[1}", ".5")) {
            String message = assertThrows(wrong, IllegalArgumentException.class, () -> JsonReader.parse(wrong)).getMessage();
            assertTrue(message, message.matches("JSON, offset \\d+: expected .*"));
        }
        assertThrows(IllegalArgumentException.class, () -> JsonReader.parse("[".repeat(100) + "]".repeat(100)));
    }
}
