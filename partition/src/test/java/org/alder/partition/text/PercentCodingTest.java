package org.alder.partition.text;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.nio.charset.StandardCharsets;
import org.junit.Test;

public class PercentCodingTest {
    @Test
    public void octetsAreDecodedWhateverTheyAre() {
        assertArrayEquals("cn=é, b".getBytes(StandardCharsets.UTF_8), PercentCoding.decodedOrNull("cn=%C3%a9%2C%20b"));
        assertArrayEquals(new byte[] {(byte) 0xFF, 0}, PercentCoding.decodedOrNull("%ff%00"));
    }

    @Test
    public void aPercentSignStandsBeforeTwoHexadecimalDigits() {
        for (String text : new String[] {"%", "a%4", "%+1", "%-1", "%4g", "%%41"}) {
            assertNull(text, PercentCoding.decodedOrNull(text));
        }
    }

    @Test
    public void aDnKeepsWhatMayStandInAUrl() {
        assertEquals("cn=a%5C,b+uid=%C3%A9%20%3F%25%23%22,dc=x", PercentCoding.encodedDn("cn=a\\,b+uid=é ?%#\",dc=x"));
    }
}
