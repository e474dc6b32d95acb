package org.alder.partition.error;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.Test;

public class ShortenedTest {
    @Test
    public void aMessageDoesNotRepeatAWholeDnOfTenThousandRdns() {
        String dn = "ou=unit,".repeat(10_000) + "dc=example";
        String message = new DirectoryException(ResultCode.NO_SUCH_OBJECT, "entry \"" + dn + "\" does not exist").getMessage();
        assertTrue(message, message.length() < 1100);
        assertTrue(message, message.startsWith("entry \"ou=unit,ou=unit,") && message.endsWith(",dc=example\" does not exist"));
        assertTrue(message, message.contains("[... 79033 characters ...]"));
    }

    @Test
    public void shortMessagesStayAndCharactersStayWhole() {
        String text = "x".repeat(1000);
        assertSame(text, Shortened.of(text));
        for (int shift = 0; shift < 2; shift++) {
            String cut = Shortened.of("x".repeat(shift) + "\uD83D\uDE00".repeat(2000));
            assertEquals(cut, new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        }
    }
}
