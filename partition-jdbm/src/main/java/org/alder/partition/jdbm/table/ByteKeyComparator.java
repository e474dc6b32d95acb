package org.alder.partition.jdbm.table;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Orders keys as unsigned bytes, a prefix before what it is a prefix of. Stateless, thread safe.
 * JDBM2 serialises the comparator by class name into the header of each B+Tree: this name, the fact that it has no fields and
 * its serialVersionUID are part of the file format. Do not change, move or rename it.
 */
public final class ByteKeyComparator implements Comparator<byte[]>, Serializable {

    public static final ByteKeyComparator INSTANCE = new ByteKeyComparator();
    private static final long serialVersionUID = 1L;

    @Override
    public int compare(byte[] left, byte[] right) {
        return Arrays.compareUnsigned(left, right);
    }
}
