package org.alder.partition.entry;

import java.util.Arrays;

/**
 * Bytes as the key of a map or set, such as the normal form of a value. Who chooses values can choose them with equal hashes: as
 * these keys have an order, a map of them is never slower than a tree. Immutable; the array is not to be changed.
 */
public final class Octets implements Comparable<Octets> {
    private final byte[] bytes;
    private final int hash;

    public Octets(byte[] bytes) {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    /** Shared, not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public int compareTo(Octets other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Octets && ((Octets) other).hash == hash && Arrays.equals(((Octets) other).bytes, bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
