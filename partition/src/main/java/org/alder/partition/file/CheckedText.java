package org.alder.partition.file;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.alder.partition.text.Utf8;

/**
 * Text in UTF-8 whose last line is the CRC32C of all bytes before that line, so that a file that was cut off or damaged is found
 * out: a word, a space, eight hexadecimal digits, a line feed. Several file formats end so. Immutable, thread safe.
 */
public final class CheckedText {
    private static final int DIGITS = 8;

    private final byte[] start;

    /** @param word what the last line begins with, as {@code crc32c} */
    public CheckedText(String word) {
        this.start = (word + " ").getBytes(StandardCharsets.US_ASCII);
    }

    /** @param body whole lines */
    public byte[] encode(String body) {
        byte[] covered = body.getBytes(StandardCharsets.UTF_8);
        return (body + lastLine(covered, covered.length)).getBytes(StandardCharsets.UTF_8);
    }

    private String lastLine(byte[] bytes, int coveredBytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, coveredBytes);
        return new String(start, StandardCharsets.US_ASCII) + HexFormat.of().toHexDigits((int) crc.getValue()) + "\n";
    }

    /**
     * The lines before the last one.
     *
     * @throws IllegalArgumentException naming the last line that was found and the one that was expected; also if the lines are
     *     not UTF-8
     */
    public String decode(byte[] content) {
        int end = content.length - start.length - DIGITS - 1;
        boolean hasCheck = startsAt(content, end);
        String expected = lastLine(content, hasCheck ? end : content.length);
        if (!hasCheck || !expected.equals(Utf8.decodeOrNull(content, end, content.length - end))) {
            throw new IllegalArgumentException("\"" + expected.strip() + "\" expected as the last line, found \""
                    + foundLast(content) + "\"");
        }
        String body = Utf8.decodeOrNull(content, 0, end);
        if (body == null) {
            throw new IllegalArgumentException("text in UTF-8 expected, found other bytes");
        }
        return body;
    }

    private boolean startsAt(byte[] content, int end) {
        for (int i = 0; i < start.length; i++) {
            if (end < 0 || content[end + i] != start[i]) {
                return false;
            }
        }
        return true;
    }

    private static String foundLast(byte[] content) {
        int end = content.length > 0 && content[content.length - 1] == '\n' ? content.length - 1 : content.length;
        int from = end;
        while (from > 0 && content[from - 1] != '\n') {
            from--;
        }
        return Utf8.shown(Arrays.copyOfRange(content, from, end));
    }
}
