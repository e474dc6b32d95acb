package org.alder.partition.jdbm.table;

import java.util.Arrays;

/**
 * One decoded block of pairs in ascending key order. Immutable, thread safe; opaque to users of the package, who may only keep
 * it in a {@link BlockCache}.
 *
 * <p>Uncompressed form (docs/format/table.md; numbers big-endian; do not change without a new format version):
 * <pre>
 * block   = pair count u4, prefix length u2, offset width u1 (2 or 4), 0 u1,
 *           pair count x end of the pair in data (u2 or u4), prefix, data
 * data    = pairs;  pair = suffix length varint, suffix, value
 * key     = prefix, suffix
 * </pre>
 * A lookup compares the prefix once and then binary-searches the suffixes in place.
 */
public final class TableBlock {

    static final int HEADER_BYTES = 8;
    private static final int OBJECT_OVERHEAD_BYTES = 64;

    private final byte[] bytes;
    private final int count;
    private final int offsetBytes;
    private final int prefixStart;
    private final int dataStart;

    private TableBlock(byte[] bytes, int count, int offsetBytes, int prefixLength) {
        this.bytes = bytes;
        this.count = count;
        this.offsetBytes = offsetBytes;
        this.prefixStart = HEADER_BYTES + count * offsetBytes;
        this.dataStart = prefixStart + prefixLength;
    }

    /**
     * Checks the form completely, so that nothing after this needs to.
     *
     * @throws IllegalArgumentException saying what is malformed
     */
    static TableBlock decode(byte[] bytes) {
        require(bytes.length > HEADER_BYTES, "a block of " + bytes.length + " bytes");
        int count = BigEndian.getInt(bytes, 0);
        int prefixLength = BigEndian.getUnsignedShort(bytes, 4);
        int offsetBytes = bytes[6];
        require(offsetBytes == 2 || offsetBytes == 4, "an offset width of " + offsetBytes);
        require(bytes[7] == 0, "the reserved byte " + bytes[7] + ", expected 0");
        long dataStart = HEADER_BYTES + (long) count * offsetBytes + prefixLength;
        require(count > 0 && dataStart < bytes.length, count + " pairs and a prefix of " + prefixLength + " in "
            + bytes.length + " bytes");
        TableBlock block = new TableBlock(bytes, count, offsetBytes, prefixLength);
        block.requireOrder();
        return block;
    }

    private void requireOrder() {
        int start = dataStart;
        int previousStart = 0;
        int previousEnd = 0;
        for (int i = 0; i < count; i++) {
            int end = endOf(i);
            require(end > start && end <= bytes.length, "pair " + i + " from " + start + " to " + end);
            int suffixStart = requireSuffix(i, start, end);
            int suffixEnd = suffixStart + suffixLength(start);
            require(i == 0 || Arrays.compareUnsigned(bytes, previousStart, previousEnd, bytes, suffixStart, suffixEnd) < 0,
                "keys " + (i - 1) + " and " + i + " not in ascending order");
            previousStart = suffixStart;
            previousEnd = suffixEnd;
            start = end;
        }
        require(start == bytes.length, (bytes.length - start) + " bytes after the last pair");
        require(dataStart > prefixStart || suffixLength(dataStart) > 0, "an empty key");
    }

    private int requireSuffix(int pair, int start, int end) {
        int suffixStart = start;
        while (suffixStart < end && bytes[suffixStart] < 0) {
            suffixStart++;
        }
        suffixStart++;
        require(suffixStart <= end && suffixStart - start <= 3 && suffixLength(start) <= end - suffixStart,
            "a key of pair " + pair + " longer than the pair");
        return suffixStart;
    }

    private static void require(boolean condition, String found) {
        if (!condition) {
            throw new IllegalArgumentException("malformed block: found " + found);
        }
    }

    /** The heap this block takes, about. */
    public int weightBytes() {
        return bytes.length + OBJECT_OVERHEAD_BYTES;
    }

    int count() {
        return count;
    }

    /** Returns the pair with this key, or -1 - (the first pair above it). */
    int find(byte[] key) {
        int prefixLength = dataStart - prefixStart;
        int compared = Arrays.compareUnsigned(key, 0, Math.min(key.length, prefixLength), bytes, prefixStart, dataStart);
        if (compared != 0) {
            return compared < 0 ? -1 : -1 - count;
        }
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int start = startOf(middle);
            int suffixStart = suffixStart(start);
            int order = Arrays.compareUnsigned(bytes, suffixStart, suffixStart + suffixLength(start), key, prefixLength,
                key.length);
            if (order < 0) {
                low = middle + 1;
            } else if (order > 0) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -1 - low;
    }

    byte[] key(int pair) {
        int start = startOf(pair);
        int prefixLength = dataStart - prefixStart;
        int suffixLength = suffixLength(start);
        byte[] key = Arrays.copyOfRange(bytes, prefixStart, prefixStart + prefixLength + suffixLength);
        System.arraycopy(bytes, suffixStart(start), key, prefixLength, suffixLength);
        return key;
    }

    byte[] lastKey() {
        return key(count - 1);
    }

    byte[] value(int pair) {
        int start = startOf(pair);
        return Arrays.copyOfRange(bytes, suffixStart(start) + suffixLength(start), endOf(pair));
    }

    private int startOf(int pair) {
        return pair == 0 ? dataStart : endOf(pair - 1);
    }

    private int endOf(int pair) {
        int position = HEADER_BYTES + pair * offsetBytes;
        return dataStart + (offsetBytes == 2 ? BigEndian.getUnsignedShort(bytes, position) : BigEndian.getInt(bytes, position));
    }

    private int suffixStart(int start) {
        return bytes[start] >= 0 ? start + 1 : bytes[start + 1] >= 0 ? start + 2 : start + 3;
    }

    private int suffixLength(int start) {
        int length = bytes[start] & 0x7f;
        if (bytes[start] < 0) {
            length |= (bytes[start + 1] & 0x7f) << 7;
            if (bytes[start + 1] < 0) {
                length |= (bytes[start + 2] & 0x7f) << 14;
            }
        }
        return length;
    }
}
