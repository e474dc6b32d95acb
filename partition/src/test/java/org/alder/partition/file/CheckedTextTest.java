package org.alder.partition.file;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.Test;

public class CheckedTextTest {
    private static final CheckedText TEXT = new CheckedText("# crc32c");
    private static final String BODY = "one\ngr\u00fc\u00df dich\n";

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String refused(byte[] content) {
        return assertThrows(IllegalArgumentException.class, () -> TEXT.decode(content)).getMessage();
    }

    @Test
    public void whatIsEncodedIsDecoded() {
        for (String body : new String[] {"", BODY, "# crc32c 00000000\n"}) {
            assertEquals(body, TEXT.decode(TEXT.encode(body)));
        }
    }

    /** RFC 3720 B.4 has the CRC32C of 32 bytes of zeros, bytewise from the lowest: aa 36 91 8a. */
    @Test
    public void theLastLineIsTheCastagnoliChecksumInEightDigits() {
        assertEquals("\0".repeat(32) + "x 8a9136aa\n", new String(new CheckedText("x").encode("\0".repeat(32)),
                StandardCharsets.UTF_8));
    }

    @Test
    public void everyFlippedBitEveryTruncationAndEveryLongerFileIsRefused() {
        byte[] good = TEXT.encode(BODY);
        for (int i = 0; i < good.length; i++) {
            byte[] flipped = good.clone();
            flipped[i] ^= (byte) (1 << i % 8);
            refused(flipped);
            refused(Arrays.copyOf(good, i));
        }
        refused(Arrays.copyOf(good, good.length + 1));
        refused(new CheckedText("crc32c").encode(BODY));
    }

    @Test
    public void theMessageNamesTheLineThatWasFoundAndTheOneThatMakesTheTextWhole() {
        String message = refused(utf8(BODY));
        assertTrue(message, message.endsWith("expected as the last line, found \"gr\u00fc\u00df dich\""));
        String line = message.substring(1, message.indexOf('"', 1));
        assertEquals(BODY, TEXT.decode(utf8(BODY + line + "\n")));
        String changed = new String(TEXT.encode(BODY), StandardCharsets.UTF_8).replace("one", "two");
        String wanted = refused(utf8(changed));
        assertEquals("two\ngr\u00fc\u00df dich\n", TEXT.decode(utf8(changed.replaceFirst("# crc32c .*",
                wanted.substring(1, wanted.indexOf('"', 1))))));
    }
}
