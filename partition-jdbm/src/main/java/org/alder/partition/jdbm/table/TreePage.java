package org.alder.partition.jdbm.table;

import java.util.Arrays;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.RecordCheck;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableLimits;

/**
 * One decoded page of a JDBM2 B+Tree. Immutable, thread safe. Opaque to users of the package, who may only make a
 * {@link BlockCache} for pages.
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

    private static final int OVERHEAD_BYTES = 160;
    private static final int[] NONE = {};
    private static final long[] NO_CHILDREN = {};
    /** Stands for a key or value that is absent. */
    private static final int ABSENT = -1;

    private final long recordId;
    private final long previous;
    private final long next;
    /** The whole page as it is stored, so that a search for a key reads few cache lines; each key and value after its length. */
    private final byte[] bytes;
    /** Where keys and values start, or {@link #ABSENT}. */
    private final int[] keys;
    private final int[] values;
    private final long[] children;

    private TreePage(Fields in, int pageSize) {
        boolean leaf = in.readByte() != 0;
        recordId = in.recordId;
        previous = leaf ? in.readLong() : 0;
        next = leaf ? in.readLong() : 0;
        int first = in.readInt();
        if (first < 0 || first >= pageSize) {
            throw in.corrupt("the first slot of a page of " + pageSize + " is " + first);
        }
        bytes = in.bytes;
        keys = in.readArrays(pageSize - first, TableLimits.MAX_KEY_BYTES);
        values = leaf ? in.readArrays(pageSize - first, TableLimits.MAX_NESTED_VALUE_BYTES) : NONE;
        children = leaf ? NO_CHILDREN : in.readLongs(pageSize - first);
        requireOrder(in);
    }

    static TreePage read(MappedRecordManager records, long recordId, int pageSize) {
        return new TreePage(new Fields(records, recordId, records.read(recordId)), pageSize);
    }

    private void requireOrder(Fields in) {
        int last = keys.length - 1;
        for (int i = 0; i <= last; i++) {
            if (!hasKey(i) && i < last || isLeaf() && hasKey(i) == (values[i] == ABSENT)) {
                throw in.corrupt("slot " + i + " of " + keys.length + " has no key or no value");
            }
            if (i > 0 && hasKey(i) && Arrays.compareUnsigned(bytes, keys[i - 1], end(keys[i - 1]), bytes, keys[i],
                    end(keys[i])) >= 0) {
                throw in.corrupt("the keys of its slots " + (i - 1) + " and " + i + " are not in ascending order");
            }
        }
    }

    /** Where the key or value ends that starts there. */
    private int end(int start) {
        return start + BigEndian.getInt(bytes, start - Integer.BYTES);
    }

    private byte[] copy(int start) {
        return start == ABSENT ? null : Arrays.copyOfRange(bytes, start, end(start));
    }

    private int compare(int slot, byte[] key) {
        if (key.length == Long.BYTES && end(keys[slot]) == keys[slot] + Long.BYTES) {
            return Long.compareUnsigned(BigEndian.getLong(bytes, keys[slot]), BigEndian.getLong(key, 0));
        }
        return Arrays.compareUnsigned(bytes, keys[slot], end(keys[slot]), key, 0, key.length);
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

    /** Whether the slot has a key, not "above all keys". */
    boolean hasKey(int slot) {
        return keys[slot] != ABSENT;
    }

    /** Returns the key of the slot, null for "above all keys". */
    byte[] key(int slot) {
        return copy(keys[slot]);
    }

    byte[] lastKey() {
        return key(keys.length - 1);
    }

    /** Whether the slot for this key is on this page for sure. */
    boolean spans(byte[] key) {
        int last = keys.length - 1;
        return hasKey(0) && compare(0, key) <= 0 && (!hasKey(last) || compare(last, key) >= 0);
    }

    byte[] value(int slot) {
        return copy(values[slot]);
    }

    long child(int slot) {
        return children[slot];
    }

    @Override
    public int weightBytes() {
        return OVERHEAD_BYTES + bytes.length + Integer.BYTES * (keys.length + values.length) + Long.BYTES * children.length;
    }

    /** Returns the first slot whose key is at or above the given one, {@link #size()} where all are below. */
    int slotAtOrAbove(byte[] key) {
        int low = 0;
        int high = keys.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (hasKey(middle) && compare(middle, key) < 0) {
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

        /** Returns where they start. */
        int[] readArrays(int count, int maximumLength) {
            int[] starts = new int[count];
            for (int i = 0; i < count; i++) {
                int length = readInt();
                if (length < -1 || length > maximumLength) {
                    throw corrupt("a key or value of " + length + " bytes, at most " + maximumLength + " are allowed");
                }
                starts[i] = length < 0 ? ABSENT : advance(length);
            }
            return starts;
        }
    }
}
