package org.alder.partition.bookkeeper.compare;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.alder.partition.error.StoreException;

/** Lines of words, which members write and read (docs/format/replicated-log.md). Reading checks each word. One thread. */
final class Words {
    /** ZooKeeper takes no more than 1 MiB. */
    static final int MOST_BYTES = 900 << 10;
    private static final String NONE = "-";

    private final String what;
    private final List<String[]> lines = new ArrayList<>();
    private String[] words = {};
    private int at;

    /** @param bytes null for none, which has no lines */
    Words(String what, byte[] bytes) {
        this.what = what;
        if (bytes == null || bytes.length > MOST_BYTES) {
            throw malformed("at most " + MOST_BYTES + " bytes");
        }
        for (String line : new String(bytes, StandardCharsets.US_ASCII).split("\n")) {
            lines.add(line.split(" "));
        }
    }

    boolean hasLine() {
        return !lines.isEmpty();
    }

    /** Whether the next line begins so. */
    boolean isAt(String first) {
        return hasLine() && lines.get(0)[0].equals(first);
    }

    /** Goes to the next line and over its first word. */
    Words line(String first) {
        words = lines.isEmpty() ? new String[0] : lines.remove(0);
        at = 0;
        if (!word().equals(first)) {
            throw malformed("a line \"" + first + " ...\"");
        }
        return this;
    }

    boolean hasWord() {
        return at < words.length;
    }

    String word() {
        if (at == words.length) {
            throw malformed("another word in the line " + String.join(" ", words));
        }
        return words[at++];
    }

    long number() {
        return number(word(), 10);
    }

    /** Of 64 bits, which may be any. */
    long hash() {
        return number(word(), 16);
    }

    private long number(String word, int radix) {
        try {
            return radix == 16 ? Long.parseUnsignedLong(word, radix) : Long.parseLong(word, radix);
        } catch (NumberFormatException e) {
            throw malformed("a number, not \"" + word + '"');
        }
    }

    /** Null for none. */
    byte[] bytes() {
        String word = word();
        try {
            return word.equals(NONE) ? null : HexFormat.of().parseHex(word.substring(1));
        } catch (IllegalArgumentException e) {
            throw malformed("hexadecimal digits");
        }
    }

    /** Null for none. */
    String text() {
        String word = word();
        try {
            return word.equals(NONE) ? null : URLDecoder.decode(word.substring(1), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed("text as in a URL");
        }
    }

    private StoreException malformed(String expected) {
        return new StoreException(StoreException.Kind.CORRUPT, what + " is not as it has to be: expected " + expected);
    }

    static String of(byte[] bytes) {
        return bytes == null ? NONE : '=' + HexFormat.of().formatHex(bytes);
    }

    static String of(String text) {
        return text == null ? NONE : '=' + URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String ofHash(long hash) {
        return Long.toHexString(hash);
    }

    static byte[] ascii(StringBuilder text) {
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
