package org.alder.partition.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.schema.value.SubstringPosition;

/**
 * The pieces of a substrings assertion in the normal form of one rule. Immutable, thread safe; arrays are shared.
 *
 * @param initial empty if there is none
 * @param any in order; none is empty
 * @param last empty if there is none
 */
public record SubstringPieces(byte[] initial, List<byte[]> any, byte[] last) {
    private static final byte[] NONE = {};
    private static final int SHORT_PIECE = 32;

    /** @throws DirectoryException invalidAttributeSyntax if the rule cannot read a piece */
    static SubstringPieces of(MatchingRule rule, Filter.Substring item) throws DirectoryException {
        List<byte[]> any = new ArrayList<>();
        for (byte[] piece : item.any()) {
            byte[] form = rule.normalizeSubstring(piece, SubstringPosition.ANY);
            if (form.length > 0) {
                any.add(form);
            }
        }
        return new SubstringPieces(
                item.initial() == null ? NONE : rule.normalizeSubstring(item.initial(), SubstringPosition.INITIAL),
                List.copyOf(any),
                item.last() == null ? NONE : rule.normalizeSubstring(item.last(), SubstringPosition.FINAL));
    }

    /** Whether a value's form has the pieces, in order and without overlap. */
    boolean match(byte[] form) {
        int end = form.length - last.length;
        if (initial.length > end || !isAt(form, 0, initial) || !isAt(form, end, last)) {
            return false;
        }
        int from = initial.length;
        for (byte[] piece : any) {
            int at = find(form, from, end, piece);
            if (at < 0) {
                return false;
            }
            from = at + piece.length;
        }
        return true;
    }

    private static int find(byte[] form, int from, int end, byte[] piece) {
        if (piece.length > SHORT_PIECE) {
            return from + piece.length > end ? -1 : findLong(form, from, end, piece);
        }
        for (int at = from; at + piece.length <= end; at++) {
            if (isAt(form, at, piece)) {
                return at;
            }
        }
        return -1;
    }

    /** Knuth, Morris, Pratt: in time that does not grow with the product of both lengths, whatever they say. */
    private static int findLong(byte[] form, int from, int end, byte[] piece) {
        int[] borders = new int[piece.length];
        for (int i = 1, matched = 0; i < piece.length; i++) {
            matched = extended(piece, borders, matched, piece[i]);
            borders[i] = matched;
        }
        for (int i = from, matched = 0; i < end; i++) {
            matched = extended(piece, borders, matched, form[i]);
            if (matched == piece.length) {
                return i + 1 - matched;
            }
        }
        return -1;
    }

    /** How much of the piece ends at the next byte, if so much ended before it. */
    private static int extended(byte[] piece, int[] borders, int matchedBefore, byte next) {
        int matched = matchedBefore;
        while (matched > 0 && piece[matched] != next) {
            matched = borders[matched - 1];
        }
        return piece[matched] == next ? matched + 1 : matched;
    }

    private static boolean isAt(byte[] form, int at, byte[] piece) {
        return Arrays.equals(form, at, at + piece.length, piece, 0, piece.length);
    }
}
