package org.alder.partition.entry;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The normal form of a DN, version 1 (docs/format/normal-forms.md): the RDNs' forms from the top down, each after its length as a
 * varint, so that an ancestor is a prefix; then, of a name with a unique identifier, a zero byte and its bits as text. What it
 * says of one name and of two is read here alone. Pure.
 */
public final class DnForm {
    private static final int[] NONE = {};

    private DnForm() {
    }

    /** @param rdnFromLeaf the form of each RDN; 0 is the leaf's */
    public static byte[] of(int count, IntFunction<byte[]> rdnFromLeaf) {
        int size = 0;
        for (int i = 0; i < count; i++) {
            size += Varints.MAX_BYTES + rdnFromLeaf.apply(i).length;
        }
        byte[] form = new byte[size];
        int at = 0;
        for (int i = count - 1; i >= 0; i--) {
            byte[] rdn = rdnFromLeaf.apply(i);
            at = Varints.put(form, at, rdn.length);
            System.arraycopy(rdn, 0, form, at, rdn.length);
            at += rdn.length;
        }
        return Arrays.copyOf(form, at);
    }

    /** @param uid such as {@code '0101'B} */
    public static byte[] withUid(byte[] form, String uid) {
        byte[] bits = uid.getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(form, form.length + 1 + bits.length);
        System.arraycopy(bits, 0, all, form.length + 1, bits.length);
        return all;
    }

    /** Whether the name, which may have a unique identifier, is the other one or below it. */
    public static boolean isAtOrBelow(byte[] form, byte[] ancestor) {
        return form.length >= ancestor.length && Arrays.equals(form, 0, ancestor.length, ancestor, 0, ancestor.length);
    }

    /** Whether one RDN is all that the name has more. */
    public static boolean isDirectlyBelow(byte[] form, byte[] ancestor) {
        if (form.length == ancestor.length || !isAtOrBelow(form, ancestor)) {
            return false;
        }
        Varints in = new Varints(form, ancestor.length);
        int length = in.nextLength();
        return in.position() + length == form.length;
    }

    /**
     * Where the RDNs begin that the name has more than an ancestor of this length, from the top down.
     *
     * @return null for a name with a unique identifier, which names no entry
     */
    public static int[] rdnStarts(byte[] form, int ancestorLength) {
        int[] starts = NONE;
        int count = 0;
        Varints in = new Varints(form, ancestorLength);
        while (in.position() < form.length) {
            int start = in.position();
            int length = in.nextLength();
            if (length == 0) {
                return null;
            }
            in.skip(length);
            starts = count == starts.length ? Arrays.copyOf(starts, 4 + 2 * count) : starts;
            starts[count++] = start;
        }
        return Arrays.copyOf(starts, count);
    }

    /** Whether the name has a unique identifier (RFC 4517 3.3.21), and so names no entry. */
    public static boolean hasUid(byte[] form) {
        return rdnStarts(form, 0) == null;
    }

    /** The form of the RDN that begins here and ends before {@code end}. */
    public static byte[] rdn(byte[] form, int start, int end) {
        Varints in = new Varints(form, start);
        in.nextLength();
        return Arrays.copyOfRange(form, in.position(), end);
    }
}
