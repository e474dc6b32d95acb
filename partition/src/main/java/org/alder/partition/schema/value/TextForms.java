package org.alder.partition.schema.value;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Oids;

/**
 * The normal forms of text. They are index keys, hence part of the on-disk format (docs/format/normal-forms.md, version 1).
 *
 * <ul>
 * <li><b>Compact</b>, for equality and ordering: prepared (RFC 4518), no leading and trailing spaces, one space for each inner
 * run of them; a value without anything else is one space. It says the same as RFC 4518 2.6.1's form in fewer bytes.
 * <li><b>Spaced</b>, for substrings: exactly RFC 4518 2.6.1's form. One space leads, one trails, two stand for each inner run,
 * so that {@code foo *bar} and {@code foo * bar} both match {@code foo bar}. Pieces keep the spaces at their open ends.
 * <li><b>Digits</b> and <b>telephone</b>: what RFC 4518 2.6.2 and 2.6.3 call insignificant is left out.
 * </ul>
 */
final class TextForms {
    private static final byte[] NOTHING = {};
    private static final byte[] SPACE = {' '};
    private static final byte[] SPACES = {' ', ' '};

    private TextForms() {
    }

    static byte[] compact(byte[] value, boolean foldCase) throws DirectoryException {
        byte[] prepared = StringPreparation.prepare(value, foldCase);
        return isCompact(prepared) ? prepared : squeeze(prepared, NOTHING, SPACE, NOTHING, SPACE);
    }

    /** Whether plain text needs no squeezing: the usual case, answered without garbage. */
    private static boolean isCompact(byte[] prepared) {
        byte last = ' ';
        for (byte b : prepared) {
            if (b < 0 || b == ' ' && last == ' ') {
                return false;
            }
            last = b;
        }
        return last != ' ';
    }

    static byte[] spaced(byte[] value, boolean foldCase) throws DirectoryException {
        byte[] prepared = StringPreparation.prepare(value, foldCase);
        return isCompact(prepared) ? spacedCompact(prepared) : squeeze(prepared, SPACE, SPACES, SPACE, SPACES);
    }

    /** The usual case: every space is an inner one and stands alone. */
    private static byte[] spacedCompact(byte[] compact) {
        int spaces = 2;
        for (byte b : compact) {
            spaces += b == ' ' ? 1 : 0;
        }
        byte[] spaced = new byte[compact.length + spaces];
        int at = 0;
        spaced[at++] = ' ';
        for (byte b : compact) {
            spaced[at++] = b;
            if (b == ' ') {
                spaced[at++] = b;
            }
        }
        spaced[at] = ' ';
        return spaced;
    }

    /** RFC 4518 2.6.1 for a piece of a substrings assertion. */
    static byte[] piece(byte[] piece, boolean foldCase, SubstringPosition position) throws DirectoryException {
        byte[] prepared = StringPreparation.prepare(piece, foldCase);
        if (prepared.length == 0) {
            return prepared;
        }
        boolean leads = position == SubstringPosition.INITIAL || StringPreparation.isInsignificantSpace(prepared, 0);
        boolean trails = position == SubstringPosition.FINAL
                || StringPreparation.isInsignificantSpace(prepared, prepared.length - 1);
        return squeeze(prepared, leads ? SPACE : NOTHING, SPACES, trails ? SPACE : NOTHING, SPACE);
    }

    private static byte[] squeeze(byte[] prepared, byte[] lead, byte[] inner, byte[] trail, byte[] onlySpaces) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(prepared.length + 8);
        boolean started = false;
        boolean pending = false;
        for (int i = 0; i < prepared.length; i++) {
            if (StringPreparation.isInsignificantSpace(prepared, i)) {
                pending = true;
                continue;
            }
            if (!started) {
                out.writeBytes(lead);
            } else if (pending) {
                out.writeBytes(inner);
            }
            started = true;
            pending = false;
            out.write(prepared[i]);
        }
        out.writeBytes(started ? trail : onlySpaces);
        return out.toByteArray();
    }

    /**
     * Numeric strings: the digits. @throws DirectoryException invalidAttributeSyntax if something else than digits and spaces is
     * there
     */
    static byte[] digits(byte[] value) throws DirectoryException {
        byte[] out = new byte[value.length];
        int length = 0;
        for (byte b : value) {
            if (Oids.isDigit(b)) {
                out[length++] = b;
            } else if (b != ' ') {
                throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                        "the value " + ValueText.of(value) + " is not a numeric string");
            }
        }
        return Arrays.copyOf(out, length);
    }

    /** Telephone numbers: folded, without spaces and hyphens that no combining mark follows (RFC 4518 2.6.3). */
    static byte[] telephone(byte[] value) throws DirectoryException {
        byte[] prepared = StringPreparation.prepare(value, true);
        ByteArrayOutputStream out = new ByteArrayOutputStream(prepared.length);
        for (int i = 0; i < prepared.length; i++) {
            int hyphen = hyphenLength(prepared, i);
            if (hyphen > 0 && !StringPreparation.isMark(prepared, i + hyphen)) {
                i += hyphen - 1;
            } else if (!StringPreparation.isInsignificantSpace(prepared, i)) {
                out.write(prepared[i]);
            }
        }
        return out.toByteArray();
    }

    /** The bytes of a hyphen after NFKC: U+002D, U+058A, U+2010, U+2212; or 0. */
    private static int hyphenLength(byte[] text, int at) {
        if (text[at] == '-') {
            return 1;
        }
        if (at + 1 < text.length && text[at] == (byte) 0xD6 && text[at + 1] == (byte) 0x8A) {
            return 2;
        }
        boolean three = at + 2 < text.length && text[at] == (byte) 0xE2
                && (text[at + 1] == (byte) 0x80 && text[at + 2] == (byte) 0x90
                || text[at + 1] == (byte) 0x88 && text[at + 2] == (byte) 0x92);
        return three ? 3 : 0;
    }

    /**
     * A list of lines (RFC 4517 3.3.28), each in its form, with a zero byte between them, which no line and no piece can hold.
     */
    static byte[] lines(byte[] value, boolean spaced) throws DirectoryException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(value.length + 8);
        int start = 0;
        for (int i = 0; i <= value.length; i++) {
            if (i == value.length || value[i] == '$') {
                byte[] line = unescapeLine(Arrays.copyOfRange(value, start, i));
                out.writeBytes(spaced ? spaced(line, true) : compact(line, true));
                if (i < value.length) {
                    out.write(0);
                }
                start = i + 1;
            }
        }
        return out.toByteArray();
    }

    private static byte[] unescapeLine(byte[] line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(line.length);
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\\' && i + 2 < line.length && line[i + 1] == '2' && line[i + 2] == '4') {
                out.write('$');
                i += 2;
            } else if (line[i] == '\\' && i + 2 < line.length && line[i + 1] == '5' && (line[i + 2] | 0x20) == 'c') {
                out.write('\\');
                i += 2;
            } else {
                out.write(line[i]);
            }
        }
        return out.size() == line.length ? line : out.toByteArray();
    }
}
