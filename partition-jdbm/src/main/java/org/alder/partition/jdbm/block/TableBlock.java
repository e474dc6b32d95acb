package org.alder.partition.jdbm.block;

import java.util.Arrays;
import org.alder.partition.entry.Varints;

/**
 * One decoded block of pairs in ascending key order. Immutable in effect, thread safe; opaque to users of the package, who may
 * only keep it in a {@link BlockCache} and ask which keys it spans.
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
public final class TableBlock implements BlockCache.Block {

    static final int HEADER_BYTES = 8;
    private static final int OBJECT_OVERHEAD_BYTES = 96;
    private static final int MAX_ORDINAL_BYTES = 4;

    private final byte[] bytes;
    private final int count;
    private final int offsetBytes;
    private final int prefixStart;
    private final int dataStart;
    /** The first and the last suffix as numbers, where all may be numbers of this many bytes; 0 where they are not. */
    private int ordinalBytes;
    private long firstOrdinal;
    private long lastOrdinal;
    /** Set without a lock: a thread that misses it compares the keys once more. */
    private boolean ordered;

    private TableBlock(byte[] bytes, int count, int offsetBytes, int prefixLength) {
        this.bytes = bytes;
        this.count = count;
        this.offsetBytes = offsetBytes;
        this.prefixStart = HEADER_BYTES + count * offsetBytes;
        this.dataStart = prefixStart + prefixLength;
    }

    /** Only once the lengths are known to be right, and before any other thread sees the block. */
    private void measureOrdinals() {
        int last = startOf(count - 1);
        int length = suffixLength(dataStart);
        if (length <= MAX_ORDINAL_BYTES && length == suffixLength(last)) {
            ordinalBytes = length;
            firstOrdinal = ordinal(bytes, suffixStart(dataStart), length);
            lastOrdinal = ordinal(bytes, suffixStart(last), length);
        }
    }

    private static long ordinal(byte[] bytes, int start, int length) {
        long ordinal = 0;
        for (int i = start; i < start + length; i++) {
            ordinal = ordinal << 8 | bytes[i] & 0xff;
        }
        return ordinal;
    }

    /**
     * Checks all lengths, so that nothing after this reads outside the block. The order of the keys is left to
     * {@link #requireOrder()}: comparing all of them would cost a single lookup several times what it needs.
     *
     * @throws IllegalArgumentException saying what is malformed
     */
    static TableBlock decode(byte[] bytes) {
        require(bytes.length > HEADER_BYTES, "its length", bytes.length);
        int count = BigEndian.getInt(bytes, 0);
        int prefixLength = BigEndian.getUnsignedShort(bytes, 4);
        int offsetBytes = bytes[6];
        require(offsetBytes == 2 || offsetBytes == 4, "its offset width", offsetBytes);
        require(bytes[7] == 0, "its reserved byte", bytes[7]);
        long dataStart = HEADER_BYTES + (long) count * offsetBytes + prefixLength;
        require(count > 0 && dataStart < bytes.length, "its number of pairs", count);
        TableBlock block = new TableBlock(bytes, count, offsetBytes, prefixLength);
        block.requireLengths();
        block.measureOrdinals();
        return block;
    }

    private void requireLengths() {
        int start = dataStart;
        for (int pair = 0; pair < count; pair++) {
            int end = endOf(pair);
            require(end > start && end <= bytes.length, "the end of pair", pair);
            requireSuffix(pair, start, end);
            start = end;
        }
        require(start == bytes.length, "bytes after pair", count - 1);
        require(dataStart > prefixStart || suffixLength(dataStart) > 0, "an empty key in pair", 0);
    }

    /**
     * Checks that the keys ascend; only the first call compares them.
     *
     * @throws IllegalArgumentException naming the first pair that does not
     */
    public void requireOrder() {
        if (ordered) {
            return;
        }
        int previous = dataStart;
        for (int pair = 1; pair < count; pair++) {
            int start = endOf(pair - 1);
            int before = suffixStart(previous);
            int after = suffixStart(start);
            require(Arrays.compareUnsigned(bytes, before, before + suffixLength(previous), bytes, after,
                after + suffixLength(start)) < 0, "keys not in ascending order at pair", pair);
            previous = start;
        }
        ordered = true;
    }

    private void requireSuffix(int pair, int start, int end) {
        require(Varints.isShort(bytes, start, end) && suffixLength(start) <= end - suffixStart(start), "the key length of pair",
            pair);
    }

    private static void require(boolean condition, String what, int number) {
        if (!condition) {
            throw new IllegalArgumentException("malformed block: " + what + " " + number);
        }
    }

    @Override
    public int weightBytes() {
        return bytes.length + OBJECT_OVERHEAD_BYTES;
    }

    /** From the first pair's key to the last one's. */
    public KeySpan keys() {
        return new KeySpan(key(0), lastKey());
    }

    public int count() {
        return count;
    }

    /** Returns the pair with this key, or -1 - (the first pair above it). */
    public int find(byte[] key) {
        int prefixLength = dataStart - prefixStart;
        int compared = Arrays.compareUnsigned(key, 0, Math.min(key.length, prefixLength), bytes, prefixStart, dataStart);
        if (compared != 0) {
            return compared < 0 ? -1 : -1 - count;
        }
        int low = 0;
        int high = count - 1;
        int middle = firstProbe(key, prefixLength);
        while (low <= high) {
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
            middle = low + high >>> 1;
        }
        return -1 - low;
    }

    public boolean hasKey(int pair, byte[] key) {
        int prefixLength = dataStart - prefixStart;
        int start = startOf(pair);
        int suffixStart = suffixStart(start);
        int suffixLength = suffixLength(start);
        return key.length == prefixLength + suffixLength
            && Arrays.equals(bytes, suffixStart, suffixStart + suffixLength, key, prefixLength, key.length)
            && Arrays.equals(bytes, prefixStart, dataStart, key, 0, prefixLength);
    }

    /** Keys that are numbers without gaps, as those of entries mostly are, are found where they must be then; others halfway. */
    private int firstProbe(byte[] key, int prefixLength) {
        if (ordinalBytes == 0 || key.length - prefixLength != ordinalBytes || lastOrdinal <= firstOrdinal) {
            return count - 1 >>> 1;
        }
        long ordinal = ordinal(key, prefixLength, ordinalBytes);
        long guess = (ordinal - firstOrdinal) * (count - 1) / (lastOrdinal - firstOrdinal);
        return (int) Math.max(0, Math.min(count - 1, guess));
    }

    public byte[] key(int pair) {
        int start = startOf(pair);
        int prefixLength = dataStart - prefixStart;
        int suffixLength = suffixLength(start);
        byte[] key = Arrays.copyOfRange(bytes, prefixStart, prefixStart + prefixLength + suffixLength);
        System.arraycopy(bytes, suffixStart(start), key, prefixLength, suffixLength);
        return key;
    }

    public byte[] lastKey() {
        return key(count - 1);
    }

    public byte[] value(int pair) {
        int start = startOf(pair);
        return Arrays.copyOfRange(bytes, suffixStart(start) + suffixLength(start), endOf(pair));
    }

    /** Shared: not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public int valueOffset(int pair) {
        int start = startOf(pair);
        return suffixStart(start) + suffixLength(start);
    }

    public int valueLength(int pair) {
        return endOf(pair) - valueOffset(pair);
    }

    private int startOf(int pair) {
        return pair == 0 ? dataStart : endOf(pair - 1);
    }

    private int endOf(int pair) {
        int position = HEADER_BYTES + pair * offsetBytes;
        return dataStart + (offsetBytes == 2 ? BigEndian.getUnsignedShort(bytes, position) : BigEndian.getInt(bytes, position));
    }

    private int suffixStart(int start) {
        return Varints.endOfShort(bytes, start);
    }

    private int suffixLength(int start) {
        return Varints.getShort(bytes, start);
    }
}
