package org.alder.partition.filter;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/** Reads the Substring Assertion syntax (RFC 4517 3.3.30), in which an extensible match gives pieces as one value. */
final class SubstringAssertion {
    private SubstringAssertion() {
    }

    /** @throws DirectoryException invalidAttributeSyntax if there is no asterisk */
    static Filter.Substring parse(byte[] value) throws DirectoryException {
        List<byte[]> pieces = split(value);
        if (pieces.size() < 2) {
            throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "a substring assertion without '*'");
        }
        byte[] initial = pieces.get(0);
        byte[] last = pieces.get(pieces.size() - 1);
        List<byte[]> any = pieces.subList(1, pieces.size() - 1).stream().filter(piece -> piece.length > 0).toList();
        return new Filter.Substring(null, initial.length == 0 ? null : initial, any, last.length == 0 ? null : last);
    }

    /** At the asterisks; {@code \2A} and {@code \5C} stand for an asterisk and a backslash in a piece. */
    private static List<byte[]> split(byte[] value) throws DirectoryException {
        List<byte[]> pieces = new ArrayList<>();
        ByteArrayOutputStream piece = new ByteArrayOutputStream();
        for (int i = 0; i < value.length; i++) {
            if (value[i] == '*') {
                if (pieces.size() >= FilterLimits.STANDARD.items()) {
                    throw Filters.tooLarge("a substring assertion of more pieces", FilterLimits.STANDARD.items());
                }
                pieces.add(piece.toByteArray());
                piece.reset();
            } else if (value[i] == '\\' && i + 2 < value.length && escaped(value, i) >= 0) {
                piece.write(escaped(value, i));
                i += 2;
            } else {
                piece.write(value[i]);
            }
        }
        pieces.add(piece.toByteArray());
        return pieces;
    }

    private static int escaped(byte[] value, int backslash) {
        int high = Character.digit(value[backslash + 1], 16);
        int low = Character.digit(value[backslash + 2], 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}
