package org.alder.partition.schema;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.value.ValueText;

/**
 * Reads one attribute value of a name's text (RFC 4514 3): plain, escaped, quoted (RFC 2253 4) or {@code #hex}. It ends before
 * {@code ,}, {@code ;}, {@code +} or at the end of the text. One object, one value.
 */
final class NameValueReader {
    private static final String SPECIAL = "\\\"+,;<>#= ";

    private final String text;
    private final int start;
    private int position;

    NameValueReader(String text, int start) {
        this.text = text;
        this.start = start;
        this.position = start;
    }

    /** The value's bytes; leaves the parser behind it and the spaces after it. */
    byte[] read(NameParser parser) throws DirectoryException {
        char first = start < text.length() ? text.charAt(start) : ',';
        byte[] value = first == '#' ? hexValue() : first == '"' ? quoted() : string();
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
        if (position < text.length() && !isEnd(text.charAt(position))) {
            throw invalid("\",\" or \"+\" expected after the value");
        }
        parser.moveTo(position);
        return value;
    }

    private static boolean isEnd(char c) {
        return c == ',' || c == '+' || c == ';';
    }

    /** The usual value is plain ASCII and is copied in one go. */
    private byte[] string() throws DirectoryException {
        while (position < text.length() && !isEnd(text.charAt(position))) {
            char c = text.charAt(position);
            if (c == '\\' || c >= 0x80) {
                return escaped();
            }
            check(c);
            position++;
        }
        int end = position;
        while (end > start && text.charAt(end - 1) == ' ') {
            end--;
        }
        byte[] value = new byte[end - start];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) text.charAt(start + i);
        }
        return value;
    }

    private byte[] escaped() throws DirectoryException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        position = start;
        int significant = 0;
        while (position < text.length() && !isEnd(text.charAt(position))) {
            char c = text.charAt(position);
            if (c == '\\') {
                escape(out);
                significant = out.size();
            } else {
                check(c);
                character(out);
                significant = c == ' ' ? significant : out.size();
            }
        }
        return Arrays.copyOf(out.toByteArray(), significant);
    }

    private byte[] quoted() throws DirectoryException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        position++;
        while (position < text.length() && text.charAt(position) != '"') {
            if (text.charAt(position) == '\\') {
                escape(out);
            } else {
                character(out);
            }
        }
        if (position == text.length()) {
            throw invalid("the closing quote is missing");
        }
        position++;
        return out.toByteArray();
    }

    private void check(char c) throws DirectoryException {
        if (c == '"' || c == '<' || c == '>' || c == 0) {
            throw invalid("the character " + ValueText.of(String.valueOf(c)) + " must be escaped");
        }
    }

    private void character(ByteArrayOutputStream out) throws DirectoryException {
        int end = position + (Character.isHighSurrogate(text.charAt(position)) ? 2 : 1);
        try {
            CharBuffer chars = CharBuffer.wrap(text, position, Math.min(end, text.length()));
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(chars);
            out.write(bytes.array(), 0, bytes.limit());
        } catch (CharacterCodingException e) {
            throw invalid("half a surrogate pair");
        }
        position = end;
    }

    private void escape(ByteArrayOutputStream out) throws DirectoryException {
        char next = position + 1 < text.length() ? text.charAt(position + 1) : 0;
        if (next != 0 && SPECIAL.indexOf(next) >= 0) {
            out.write(next);
            position += 2;
        } else {
            out.write(hexPair(position + 1));
            position += 3;
        }
    }

    private byte[] hexValue() throws DirectoryException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        position++;
        while (position < text.length() && !isEnd(text.charAt(position)) && text.charAt(position) != ' ') {
            out.write(hexPair(position));
            position += 2;
        }
        return contents(out.toByteArray());
    }

    private int hexPair(int at) throws DirectoryException {
        int high = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
        int low = at + 1 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
        if (high < 0 || low < 0 || text.charAt(at) >= 0x80 || text.charAt(at + 1) >= 0x80) {
            throw invalid("two hexadecimal digits expected");
        }
        return high << 4 | low;
    }

    /** The contents of one BER element of definite length, which must be all there is. */
    private byte[] contents(byte[] ber) throws DirectoryException {
        if (ber.length < 2) {
            throw invalid("\"#\" must be followed by a BER element in hexadecimal");
        }
        int lengthBytes = ber[1] >= 0 ? 0 : ber[1] & 0x7F;
        long length = ber[1] >= 0 ? ber[1] : 0;
        int header = 2 + lengthBytes;
        if (ber[1] == (byte) 0x80 || lengthBytes > 4 || header > ber.length || (ber[0] & 0x1F) == 0x1F) {
            throw invalid("the BER element has an unusable tag or length");
        }
        for (int i = 2; i < header; i++) {
            length = length << 8 | ber[i] & 0xFF;
        }
        if (length != ber.length - header) {
            throw invalid("the BER element says " + length + " bytes of contents where " + (ber.length - header) + " are");
        }
        return Arrays.copyOfRange(ber, header, ber.length);
    }

    private DirectoryException invalid(String what) {
        return NameParser.invalid(text, position, what);
    }
}
