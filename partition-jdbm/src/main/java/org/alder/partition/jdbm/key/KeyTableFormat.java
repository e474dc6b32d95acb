package org.alder.partition.jdbm.key;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The head of a key table and where its parts are (docs/format/key-table.md; numbers big-endian; do not change without a new
 * version):
 * <pre>
 * file    = header, blocks, starts, entries, 8 bytes 0
 * header  = "ALDERKEY", version u2 = 1, pair bits u1, address bytes u1, 0 u4, seed u8, key count u8, bucket count u4,
 *           block count u4, CRC32C of the header so far u4, 0 u4
 * blocks  = block count x record ID of the block in the table u8
 * starts  = (bucket count + 1) x number of the bucket's first entry u4
 * entries = key count x (fingerprint u2, address), bucket by bucket
 * address = block &lt;&lt; pair bits | pair in the block, in so many bytes
 * </pre>
 * A key's bucket is the upper half of its {@link KeyHash} * bucket count / 2^32; its fingerprint is the lowest 16 bits.
 *
 * @param pairBits     bits of an address that number the pair in its block
 * @param addressBytes 1 to 6
 * @param seed         of the hash
 * @param buckets      a multiple of {@link #BUCKET_STEP}, so that equal shares of the hashes are whole buckets
 */
public record KeyTableFormat(int pairBits, int addressBytes, long seed, long keys, int buckets, int blocks) {
    static final int BUCKET_STEP = 256;
    public static final int HEADER_BYTES = 48;

    private static final long MAGIC = 0x414C4445524B4559L;
    private static final int VERSION = 1;
    /** More keys to a bucket take less room for the starts, and longer to look through. */
    private static final int KEYS_PER_BUCKET = 8;
    private static final int FINGERPRINT_BYTES = 2;
    private static final int MAX_ADDRESS_BYTES = 6;
    /** An entry is read as a whole long, also the last. */
    private static final int PADDING_BYTES = Long.BYTES;
    private static final int CHECKED_BYTES = 40;
    /** More do not fit into a file that is mapped as one. */
    private static final long MOST_KEYS = Integer.MAX_VALUE;

    static KeyTableFormat of(long keys, int blocks, int mostPairs, long seed) {
        int pairBits = bits(mostPairs - 1);
        int addressBytes = Math.max(1, (pairBits + bits(blocks - 1) + 7) / 8);
        long wanted = (keys + KEYS_PER_BUCKET - 1) / KEYS_PER_BUCKET;
        long steps = Math.max(1, (wanted + BUCKET_STEP - 1) / BUCKET_STEP);
        return new KeyTableFormat(pairBits, addressBytes, seed, keys, Math.toIntExact(steps * BUCKET_STEP), blocks);
    }

    private static int bits(int greatest) {
        return greatest <= 0 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(greatest);
    }

    static int fingerprint(long hash) {
        return (int) hash & 0xffff;
    }

    int bucket(long hash) {
        return (int) ((hash >>> 32) * buckets >>> 32);
    }

    int entryBytes() {
        return FINGERPRINT_BYTES + addressBytes;
    }

    long startsOffset() {
        return HEADER_BYTES + (long) blocks * Long.BYTES;
    }

    long entriesOffset() {
        return startsOffset() + (buckets + 1L) * Integer.BYTES;
    }

    long fileBytes() {
        return entriesOffset() + keys * entryBytes() + PADDING_BYTES;
    }

    void putHeader(ByteBuffer target) {
        int start = target.position();
        target.putLong(MAGIC).putShort((short) VERSION).put((byte) pairBits).put((byte) addressBytes).putInt(0).putLong(seed)
            .putLong(keys).putInt(buckets).putInt(blocks);
        target.putInt(sum(target, start)).putInt(0);
    }

    private static int sum(ByteBuffer bytes, int start) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(start, CHECKED_BYTES));
        return (int) crc.getValue();
    }

    /** @throws IllegalArgumentException saying what is wrong */
    static KeyTableFormat read(ByteBuffer file) {
        if (file.limit() < HEADER_BYTES || file.getLong(0) != MAGIC) {
            throw new IllegalArgumentException("expected the header of a key table");
        }
        int version = file.getShort(8);
        if (version != VERSION) {
            throw new IllegalArgumentException("found key table format version " + version + ", this program reads " + VERSION);
        }
        int sum = sum(file, 0);
        if (file.getInt(CHECKED_BYTES) != sum) {
            throw new IllegalArgumentException("found the header checksum " + Integer.toHexString(file.getInt(CHECKED_BYTES))
                + ", expected " + Integer.toHexString(sum));
        }
        KeyTableFormat format = new KeyTableFormat(file.get(10), file.get(11), file.getLong(16), file.getLong(24),
            file.getInt(32), file.getInt(36));
        if (!format.isPossible() || format.fileBytes() != file.limit()) {
            throw new IllegalArgumentException("found an impossible header of a file of " + file.limit() + " bytes: " + format);
        }
        return format;
    }

    private boolean isPossible() {
        return pairBits >= 0 && addressBytes >= 1 && addressBytes <= MAX_ADDRESS_BYTES && pairBits <= addressBytes * 8
            && pairBits < Integer.SIZE && keys >= 0 && keys <= MOST_KEYS && buckets > 0 && buckets % BUCKET_STEP == 0 && blocks >= 0;
    }
}
