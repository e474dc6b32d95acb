package org.alder.server.policy;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.Test;

public class PasswordHistoryTest {
    private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00.123Z");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static List<String> texts(List<byte[]> values) {
        return values.stream().map(value -> new String(value, StandardCharsets.ISO_8859_1)).toList();
    }

    private static PasswordHistory history(String... values) {
        return PasswordHistory.of(List.of(values).stream().map(PasswordHistoryTest::bytes).toList());
    }

    @Test
    public void theNewestPasswordsComeFirstAndTheOldestGo() {
        PasswordHistory history = history("20240101000000Z#1.3.6.1.4.1.1466.115.121.1.40#6#second",
                "20250101000000Z#1.3.6.1.4.1.1466.115.121.1.40#5#third", "20230101000000Z#1.3.6.1.4.1.1466.115.121.1.40#5#first");
        assertEquals(List.of("third", "second", "first"), texts(history.passwords(9)));
        assertEquals(List.of("third", "second"), texts(history.passwords(2)));
        assertEquals(List.of("20260101000000.123000Z#1.3.6.1.4.1.1466.115.121.1.40#12#{SSHA}fourth",
                "20250101000000Z#1.3.6.1.4.1.1466.115.121.1.40#5#third"),
                texts(history.with(List.of(bytes("{SSHA}fourth")), NEW_YEAR, 2)));
        assertEquals("fractions come after what has none", List.of("b", "a"), texts(history("20240101000000Z#1.2#1#a",
                "20240101000000.1Z#1.2#1#b").passwords(9)));
        assertEquals(List.of(), texts(history.with(List.of(bytes("fourth")), NEW_YEAR, 0)));
        assertEquals(List.of("20260101000000.123000Z#1.3.6.1.4.1.1466.115.121.1.40#1#x"),
                texts(history().with(List.of(bytes("x")), NEW_YEAR, 5)));
    }

    @Test
    public void aPolicyMayKeepAsManyAsThereAreNumbersFor() {
        assertEquals(2, history("20240101000000Z#1.2#1#a").with(List.of(bytes("b")), NEW_YEAR, Integer.MAX_VALUE).size());
    }

    @Test
    public void aPasswordMayHaveAnyBytes() {
        PasswordHistory history = PasswordHistory.of(history().with(List.of(bytes("a#b#c\0\u00FF")), NEW_YEAR, 5));
        assertEquals(List.of("a#b#c\0\u00FF"), texts(history.passwords(5)));
    }

    @Test
    public void theFormOf389IsReadTooAndBecomesThatOfHere() {
        String converted = "20250101000000Z#1.3.6.1.4.1.1466.115.121.1.40#8#{SSHA}xy";
        PasswordHistory history = history("20240101000000Z{SSHA}a#b#c", "20250101000000Z{SSHA}xy", converted, "20250101000000Zno scheme");
        assertEquals("each once", List.of("{SSHA}xy", "{SSHA}a#b#c"), texts(history.passwords(9)));
        assertEquals(converted, texts(history.with(List.of(), NEW_YEAR, 1)).get(0));
    }

    @Test
    public void theFormOfOpenDjIsReadToo() {
        assertEquals(List.of("{SSHA}a#b", "{SSHA}c"), texts(history("20240101000000.123Z#1.3.6.1.4.1.1466.115.121.1.40#{SSHA}c",
                "20250101000000.123Z#1.3.6.1.4.1.1466.115.121.1.40#{SSHA}a#b").passwords(9)));
    }

    @Test
    public void whatIsNotOfTheFormIsNoPassword() {
        assertEquals(List.of(), texts(history("", "#", "###", "20250101000000Z", "20250101000000Z#1.2.3", "20250101000000Z#1.2.3#4",
                "20250101000000Z#1.2.3#4#abc", "20250101000000Z#1.2.3#03#abc", "20250101000000Z#1.2.3#-3#abc",
                "#1.2.3#3#abc", "20250101000000Z#1.2.3##abc").passwords(99)));
        assertEquals(List.of("abc"), texts(history("20250101000000Z#1.2.3#3#abc").passwords(99)));
    }
}
