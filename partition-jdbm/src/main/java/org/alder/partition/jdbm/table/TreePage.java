package org.alder.partition.jdbm.table;

import java.util.Arrays;

/**
 * One decoded page of a JDBM2 B+Tree. Immutable, thread safe; its arrays are shared, not to be changed. Opaque to users of the
 * package, who may only make a {@link BlockCache} for pages.
 *
 * <p>JDBM2 writes a page as a Java object stream of primitives only: the stream's header (0xACED 0005), then segments of block
 * data (0x77 length u1 | 0x7A length u4). In the segments, joined:
 * <pre>
 * leaf u1, leaf only: previous u8, next u8 (record IDs, 0 none), first u4,
 * (pageSize - first) x key, leaf: as many values, other: as many child record IDs u8
 * key, value = length u4, bytes; length -1: no key, allowed in the last place only, where it stands for "above all keys"
 * </pre>
 * The key of a child is the largest key below it.
 */
public final class TreePage implements BlockCache.Block {

    private static final int OBJECT_OVERHEAD_BYTES = 24;
    private static final byte[][] NO_VALUES = {};
    private static final long[] NO_CHILDREN = {};

    private final long recordId;
    private final long previous;
    private final long next;
    private final byte[][] keys;
    private final byte[][] values;
    private final long[] children;
    private final int weightBytes;

    private TreePage(long recordId, long previous, long next, byte[][] keys, byte[][] values, long[] children, int bytes) {
        this.recordId = recordId;
        this.previous = previous;
        this.next = next;
        this.keys = keys;
        this.values = values;
        this.children = children;
        this.weightBytes = bytes + OBJECT_OVERHEAD_BYTES * (4 + keys.length + values.length);
    }

    static TreePage read(MappedRecordManager records, long recordId, int pageSize) {
        byte[] record = records.read(recordId);
        Fields in = new Fields(records, recordId, record);
        boolean leaf = in.readByte() != 0;
        long previous = leaf ? in.readLong() : 0;
        long next = leaf ? in.readLong() : 0;
        int first = in.readInt();
        if (first < 0 || first >= pageSize) {
            throw in.corrupt("the first slot of a page of " + pageSize + " is " + first);
        }
        byte[][] keys = in.readArrays(pageSize - first, TableLimits.MAX_KEY_BYTES);
        byte[][] values = leaf ? in.readArrays(pageSize - first, TableLimits.MAX_NESTED_VALUE_BYTES) : NO_VALUES;
        long[] children = leaf ? NO_CHILDREN : in.readLongs(pageSize - first);
        TreePage page = new TreePage(recordId, previous, next, keys, values, children, record.length);
        page.requireOrder(in);
        return page;
    }

    private void requireOrder(Fields in) {
        int last = keys.length - 1;
        for (int i = 0; i <= last; i++) {
            if (keys[i] == null && i < last || isLeaf() && (keys[i] == null) != (values[i] == null)) {
                throw in.corrupt("slot " + i + " of " + keys.length + " has no key or no value");
            }
            if (i > 0 && keys[i] != null && Arrays.compareUnsigned(keys[i - 1], keys[i]) >= 0) {
                throw in.corrupt("the keys of its slots " + (i - 1) + " and " + i + " are not in ascending order");
            }
        }
    }

    boolean isLeaf() {
        return children.length == 0;
    }

    long recordId() {
        return recordId;
    }

    long previous() {
        return previous;
    }

    long next() {
        return next;
    }

    /** Slots in use, one of which may hold "above all keys". */
    int size() {
        return keys.length;
    }

    /** Returns the key of the slot, null for "above all keys". */
    byte[] key(int slot) {
        return keys[slot];
    }

    byte[] lastKey() {
        return keys[keys.length - 1];
    }

    /** Whether the slot for this key is on this page for sure. */
    boolean spans(byte[] key) {
        byte[] last = lastKey();
        return keys[0] != null && Arrays.compareUnsigned(keys[0], key) <= 0
            && (last == null || Arrays.compareUnsigned(key, last) <= 0);
    }

    byte[] value(int slot) {
        return values[slot];
    }

    long child(int slot) {
        return children[slot];
    }

    @Override
    public int weightBytes() {
        return weightBytes;
    }

    /** Returns the first slot whose key is at or above the given one, {@link #size()} where all are below. */
    int slotAtOrAbove(byte[] key) {
        int low = 0;
        int high = keys.length;
        while (low < high) {
            int middle = low + high >>> 1;
            byte[] candidate = keys[middle];
            if (candidate != null && Arrays.compareUnsigned(candidate, key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Reads primitives out of the joined segments; every length is checked before it is used. */
    private static final class Fields {

        private static final int STREAM_HEADER = 0xACED0005;
        private static final int SHORT_SEGMENT = 0x77;
        private static final int LONG_SEGMENT = 0x7A;

        private final MappedRecordManager records;
        private final long recordId;
        private final byte[] bytes;
        private int position;
        private int limit;

        Fields(MappedRecordManager records, long recordId, byte[] record) {
            this.records = records;
            this.recordId = recordId;
            this.bytes = record;
            joinSegments(record.length - RecordCheck.BYTES);
        }

        TableCorruptException corrupt(String foundAndExpected) {
            return records.corrupt(recordId, "B+Tree page: " + foundAndExpected);
        }

        /** Moves the segments' contents together in place. */
        private void joinSegments(int end) {
            if (end < 4 || BigEndian.getInt(bytes, 0) != STREAM_HEADER) {
                throw corrupt("expected a Java object stream");
            }
            int from = 4;
            while (from < end) {
                int tag = bytes[from] & 0xff;
                int header = tag == SHORT_SEGMENT ? 2 : 5;
                if (tag != SHORT_SEGMENT && tag != LONG_SEGMENT || end - from < header) {
                    throw corrupt("expected block data at byte " + from + ", found tag 0x" + Integer.toHexString(tag));
                }
                int length = tag == SHORT_SEGMENT ? bytes[from + 1] & 0xff : BigEndian.getInt(bytes, from + 1);
                from += header;
                if (length < 0 || length > end - from) {
                    throw corrupt("block data of " + length + " bytes, " + (end - from) + " are left");
                }
                System.arraycopy(bytes, from, bytes, limit, length);
                from += length;
                limit += length;
            }
        }

        private int advance(int length) {
            if (length > limit - position) {
                throw corrupt("a field of " + length + " bytes, " + (limit - position) + " are left");
            }
            int start = position;
            position += length;
            return start;
        }

        byte readByte() {
            return bytes[advance(1)];
        }

        int readInt() {
            return BigEndian.getInt(bytes, advance(Integer.BYTES));
        }

        long readLong() {
            return BigEndian.getLong(bytes, advance(Long.BYTES));
        }

        long[] readLongs(int count) {
            long[] numbers = new long[count];
            for (int i = 0; i < count; i++) {
                numbers[i] = readLong();
            }
            return numbers;
        }

        byte[][] readArrays(int count, int maximumLength) {
            byte[][] arrays = new byte[count][];
            for (int i = 0; i < count; i++) {
                int length = readInt();
                if (length < -1 || length > maximumLength) {
                    throw corrupt("a key or value of " + length + " bytes, at most " + maximumLength + " are allowed");
                }
                if (length >= 0) {
                    int start = advance(length);
                    arrays[i] = Arrays.copyOfRange(bytes, start, start + length);
                }
            }
            return arrays;
        }
    }
}
