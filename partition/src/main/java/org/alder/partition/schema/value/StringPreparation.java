package org.alder.partition.schema.value;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Utf8;

/**
 * String preparation (RFC 4518): transcode, map, normalise to NFKC, prohibit; what a space means is left to {@link TextForms}.
 * Plain ASCII without control characters takes a short way that gives the same result.
 *
 * <p>Three deliberate choices. Case folding follows the Unicode version of the running JDK instead of Unicode 3.2's table B.2;
 * Unicode's stability policy keeps the folding and NFKC of assigned characters as they are, so forms on disk stay valid. Only
 * what is no character at all is prohibited (noncharacters, malformed UTF-8): a stored value must have a form, and Unicode 3.2's
 * list of unassigned code points would refuse every emoji. Folding and NFKC are repeated until nothing changes, so that a
 * prepared string prepares to itself.
 */
public final class StringPreparation {
    private StringPreparation() {
    }

    /** Whether all bytes are in 0x20 to 0x7E. */
    public static boolean isPlain(byte[] value) {
        for (byte b : value) {
            if (b < 0x20 || b == 0x7F) {
                return false;
            }
        }
        return true;
    }

    /** The prepared UTF-8 of any value; spaces are as they were. */
    static byte[] prepare(byte[] value, boolean foldCase) throws DirectoryException {
        if (isPlain(value)) {
            return foldCase ? lower(value) : value;
        }
        String mapped = map(decode(value));
        String normal = foldCase ? foldAndNormalize(mapped) : Normalizer.normalize(mapped, Normalizer.Form.NFKC);
        prohibit(normal);
        return normal.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] lower(byte[] value) {
        for (int i = 0; i < value.length; i++) {
            if (isUpper(value[i])) {
                byte[] copy = value.clone();
                for (int j = i; j < copy.length; j++) {
                    if (isUpper(copy[j])) {
                        copy[j] += 32;
                    }
                }
                return copy;
            }
        }
        return value;
    }

    private static boolean isUpper(byte b) {
        return b >= 'A' && b <= 'Z';
    }

    /** @throws DirectoryException invalidAttributeSyntax if this is not UTF-8 */
    public static String decode(byte[] value) throws DirectoryException {
        try {
            return Utf8.decode(value);
        } catch (CharacterCodingException e) {
            throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                    "the value " + ValueText.of(value) + " is not UTF-8");
        }
    }

    /** RFC 4518 2.2 without case folding. */
    private static String map(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isSpace(c)) {
                out.append(' ');
            } else if (!isMappedToNothing(c)) {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    private static boolean isSpace(int c) {
        return c == ' ' || c >= 0x09 && c <= 0x0D || c == 0x85
                || c > 0x85 && c != 0x180E && (Character.isSpaceChar(c));
    }

    private static boolean isMappedToNothing(int c) {
        return Character.getType(c) == Character.CONTROL || c == 0x00AD || c == 0x034F || c == 0x06DD || c == 0x070F
                || c >= 0x1806 && c <= 0x180E && c != 0x1807 && c != 0x1808 && c != 0x1809 && c != 0x180A
                || c >= 0x200B && c <= 0x200F || c >= 0x202A && c <= 0x202E || c >= 0x2060 && c <= 0x2063
                || c >= 0x206A && c <= 0x206F || c >= 0xFE00 && c <= 0xFE0F || c == 0xFEFF || c >= 0xFFF9 && c <= 0xFFFC
                || c >= 0x1D173 && c <= 0x1D17A || c == 0xE0001 || c >= 0xE0020 && c <= 0xE007F;
    }

    private static String foldAndNormalize(String text) {
        String before = text;
        String after = Normalizer.normalize(fold(before), Normalizer.Form.NFKC);
        while (!after.equals(before)) {
            before = after;
            after = Normalizer.normalize(fold(before), Normalizer.Form.NFKC);
        }
        return after;
    }

    /** Unicode's default case folding: to upper case, where one letter may become several, then each letter to lower case. */
    private static String fold(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == 0x131) {
                out.appendCodePoint(c);
            } else if (c == 0x130) {
                out.append("i\u0307");
            } else {
                foldOne(c, out);
            }
        });
        return out.toString();
    }

    private static void foldOne(int c, StringBuilder out) {
        if (c < 0x80) {
            out.append((char) Character.toLowerCase(c));
        } else {
            Character.toString(c).toUpperCase(Locale.ROOT).codePoints().map(Character::toLowerCase).forEach(out::appendCodePoint);
        }
    }

    private static void prohibit(String text) throws DirectoryException {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if ((c & 0xFFFE) == 0xFFFE || c >= 0xFDD0 && c <= 0xFDEF) {
                throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                        "the value holds U+" + Integer.toHexString(c).toUpperCase(Locale.ROOT) + ", which is not a character");
            }
        }
    }

    /** Whether a prepared string's space at this index is one that RFC 4518 2.6.1 handles: not followed by a combining mark. */
    static boolean isInsignificantSpace(byte[] prepared, int index) {
        return prepared[index] == ' ' && !isMark(prepared, index + 1);
    }

    /** Whether a prepared string has a combining mark there, which makes one character with the one before. @param index of a character, or the end */
    static boolean isMark(byte[] prepared, int index) {
        if (index == prepared.length || prepared[index] >= 0) {
            return false;
        }
        int lead = prepared[index] & 0xFF;
        int c = Utf8.stored(prepared, index, lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2).codePointAt(0);
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK || type == Character.ENCLOSING_MARK;
    }
}
