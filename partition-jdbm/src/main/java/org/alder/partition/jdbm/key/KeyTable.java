package org.alder.partition.jdbm.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.block.TableCorruptException;

/**
 * Where each key of a table is: a static hash table beside it, read. It holds no keys, only 16 bits of each key's hash and the
 * key's place, which is about 5 to 6 bytes a key ({@link KeyTableFormat}). So most keys that are absent are told without reading
 * anything else, and one that is there by reading one block; answers are exact, because the key in the block is compared.
 *
 * <p>Immutable, thread safe, memory-mapped. Of at most 2 GiB, some 300 million keys (260 million entries); a table with more keys
 * has none.
 */
public final class KeyTable {
    private final Path file;
    private final ByteBuffer bytes;
    private final KeyTableFormat format;
    private final int startsOffset;
    private final int entriesOffset;
    private final int entryBytes;
    private final int addressShift;
    private final int pairMask;

    private KeyTable(Path file, ByteBuffer bytes, KeyTableFormat format) {
        this.file = file;
        this.bytes = bytes;
        this.format = format;
        this.startsOffset = (int) format.startsOffset();
        this.entriesOffset = (int) format.entriesOffset();
        this.entryBytes = format.entryBytes();
        this.addressShift = Long.SIZE - format.addressBytes() * 8;
        this.pairMask = (1 << format.pairBits()) - 1;
    }

    /** @throws TableCorruptException where it is no key table of exactly this many keys and blocks */
    public static KeyTable open(Path file, long keys, long blocks) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new TableCorruptException(file, 0, "a key table of " + channel.size() + " bytes, expected at most "
                    + Integer.MAX_VALUE);
            }
            return of(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()), keys, blocks);
        }
    }

    /** As {@link #open}, of what the file has. */
    static KeyTable of(Path file, ByteBuffer bytes, long keys, long blocks) {
        try {
            KeyTableFormat format = KeyTableFormat.read(bytes);
            if (format.keys() != keys || format.blocks() != blocks) {
                throw new TableCorruptException(file, 0, "found " + format.keys() + " keys in " + format.blocks()
                    + " blocks, the table has " + keys + " in " + blocks);
            }
            return new KeyTable(file, bytes, format);
        } catch (IllegalArgumentException e) {
            throw new TableCorruptException(file, 0, e.getMessage(), e);
        }
    }

    /** What is wanted of a pair that was found; never null. */
    @FunctionalInterface
    public interface Found<T> {
        T of(TableBlock block, int pair);
    }

    /** Reads the blocks of the table this belongs to. */
    @FunctionalInterface
    public interface Blocks {
        /** The block where its pair has this key, null where it has another. */
        TableBlock blockAt(long recordId, int pair, byte[] key);
    }

    /** Finds the key in the table this belongs to; null where it does not have it. */
    public <T> T find(byte[] key, Blocks blocks, Found<T> wanted) {
        return find(KeyHash.of(key, format.seed()), key, blocks, wanted);
    }

    /** @param hash of the key; another one than the key has is for tests of keys that share one */
    public <T> T find(long hash, byte[] key, Blocks blocks, Found<T> wanted) {
        int bucket = format.bucket(hash);
        int end = start(bucket + 1);
        for (int at = candidate(start(bucket), end, hash); at < end; at = candidate(at + entryBytes, end, hash)) {
            long address = address(at);
            int pair = (int) address & pairMask;
            TableBlock block = blocks.blockAt(recordId(address), pair, key);
            if (block != null) {
                return wanted.of(block, pair);
            }
        }
        return null;
    }

    /** Whether a lookup of the key gets to this pair of this block. */
    public boolean leadsTo(byte[] key, int block, long recordId, int pair) {
        long hash = KeyHash.of(key, format.seed());
        long wanted = (long) block << format.pairBits() | pair;
        int bucket = format.bucket(hash);
        int end = start(bucket + 1);
        int at = candidate(start(bucket), end, hash);
        while (at < end && address(at) != wanted) {
            at = candidate(at + entryBytes, end, hash);
        }
        return at < end && recordId(wanted) == recordId;
    }

    /** Where the next entry is, from this one on, that has the fingerprint of the hash; at or behind the end for none. */
    private int candidate(int from, int end, long hash) {
        int at = from;
        while (at < end && bytes.getLong(at) >>> 48 != KeyTableFormat.fingerprint(hash)) {
            at += entryBytes;
        }
        return at;
    }

    /** The address in an entry: block &lt;&lt; pair bits | pair. */
    private long address(int at) {
        return bytes.getLong(at) << 16 >>> addressShift;
    }

    /** Where the first entry of a bucket is. */
    private int start(int bucket) {
        int number = bytes.getInt(startsOffset + bucket * Integer.BYTES);
        if (number < 0 || number > format.keys()) {
            throw new TableCorruptException(file, startsOffset, "a bucket starts at entry " + number + " of " + format.keys());
        }
        return entriesOffset + number * entryBytes;
    }

    private long recordId(long address) {
        long block = address >>> format.pairBits();
        if (block >= format.blocks()) {
            throw new TableCorruptException(file, entriesOffset, "an entry leads to block " + block + " of " + format.blocks());
        }
        return bytes.getLong(KeyTableFormat.HEADER_BYTES + (int) block * Long.BYTES);
    }

    public Path file() {
        return file;
    }
}
