package org.alder.partition.jdbm.block;

import java.util.Arrays;
import org.alder.partition.entry.Varints;

/**
 * Collects ascending pairs and packs them into the uncompressed form of a block, which {@link TableBlock} describes. One thread;
 * used again after {@link #clear()}.
 */
public final class BlockBuilder {

    private static final int PAIR_OVERHEAD_BYTES = 4;

    private byte[] bytes = new byte[64 * 1024];
    private int[] keyEnds = new int[256];
    private int[] valueEnds = new int[256];
    private int used;
    private int count;

    public void add(byte[] key, byte[] value) {
        reserve(key.length + value.length);
        System.arraycopy(key, 0, bytes, used, key.length);
        used += key.length;
        keyEnds[count] = used;
        System.arraycopy(value, 0, bytes, used, value.length);
        used += value.length;
        valueEnds[count] = used;
        count++;
    }

    private void reserve(int more) {
        if (bytes.length - used < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, used + more));
        }
        if (count == keyEnds.length) {
            keyEnds = Arrays.copyOf(keyEnds, count * 2);
            valueEnds = Arrays.copyOf(valueEnds, count * 2);
        }
    }

    public int count() {
        return count;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** About the size of the block if a pair of this size were added. */
    public int sizeWith(byte[] key, byte[] value) {
        return used + key.length + value.length + (count + 1) * PAIR_OVERHEAD_BYTES;
    }

    public void clear() {
        used = 0;
        count = 0;
    }

    private int start(int pair) {
        return pair == 0 ? 0 : valueEnds[pair - 1];
    }

    /** Packs the pairs; there must be one. */
    public byte[] build() {
        int prefix = commonPrefix();
        int dataBytes = 0;
        for (int i = 0; i < count; i++) {
            int suffix = keyEnds[i] - start(i) - prefix;
            dataBytes += Varints.shortBytes(suffix) + suffix + valueEnds[i] - keyEnds[i];
        }
        int offsetBytes = dataBytes < 1 << 16 ? 2 : 4;
        int dataStart = TableBlock.HEADER_BYTES + count * offsetBytes + prefix;
        byte[] block = new byte[dataStart + dataBytes];
        BigEndian.putInt(block, 0, count);
        BigEndian.putShort(block, 4, prefix);
        block[6] = (byte) offsetBytes;
        System.arraycopy(bytes, 0, block, dataStart - prefix, prefix);
        writePairs(block, prefix, offsetBytes, dataStart);
        return block;
    }

    private void writePairs(byte[] block, int prefix, int offsetBytes, int dataStart) {
        int at = dataStart;
        for (int i = 0; i < count; i++) {
            int suffixStart = start(i) + prefix;
            at = Varints.put(block, at, keyEnds[i] - suffixStart);
            int length = valueEnds[i] - suffixStart;
            System.arraycopy(bytes, suffixStart, block, at, length);
            at += length;
            putOffset(block, i, offsetBytes, at - dataStart);
        }
    }

    private static void putOffset(byte[] block, int pair, int offsetBytes, int end) {
        int position = TableBlock.HEADER_BYTES + pair * offsetBytes;
        if (offsetBytes == 2) {
            BigEndian.putShort(block, position, end);
        } else {
            BigEndian.putInt(block, position, end);
        }
    }

    /** Keys ascend, so what the first and the last share, all share. */
    private int commonPrefix() {
        int lastStart = start(count - 1);
        int mismatch = Arrays.mismatch(bytes, 0, keyEnds[0], bytes, lastStart, keyEnds[count - 1]);
        return mismatch < 0 ? keyEnds[0] : mismatch;
    }
}
