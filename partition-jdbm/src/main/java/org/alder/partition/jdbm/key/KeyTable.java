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
            ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
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

    public <T> T find(long hash, byte[] key, Blocks blocks, Found<T> wanted) {
        int bucket = format.bucket(hash);
        int end = entry(start(bucket + 1));
        for (int at = entry(start(bucket)); at < end; at += entryBytes) {
            long entry = bytes.getLong(at);
            if (entry >>> 48 == KeyTableFormat.fingerprint(hash)) {
                long address = addressOf(entry);
                TableBlock block = blocks.blockAt(recordId(address), (int) address & pairMask, key);
                if (block != null) {
                    return wanted.of(block, (int) address & pairMask);
                }
            }
        }
        return null;
    }

    /** The record ID of the block that has the key, if one has; 0 where none has it for sure. No block is read. */
    public long likelyBlock(byte[] key) {
        long hash = KeyHash.of(key, format.seed());
        int bucket = format.bucket(hash);
        int end = entry(start(bucket + 1));
        for (int at = entry(start(bucket)); at < end; at += entryBytes) {
            long entry = bytes.getLong(at);
            if (entry >>> 48 == KeyTableFormat.fingerprint(hash)) {
                return recordId(addressOf(entry));
            }
        }
        return 0;
    }

    /** Whether a lookup of the key gets to this pair of this block. */
    public boolean leadsTo(byte[] key, int block, long recordId, int pair) {
        long hash = KeyHash.of(key, format.seed());
        int bucket = format.bucket(hash);
        int end = entry(start(bucket + 1));
        for (int at = entry(start(bucket)); at < end; at += entryBytes) {
            long entry = bytes.getLong(at);
            long address = addressOf(entry);
            if (entry >>> 48 == KeyTableFormat.fingerprint(hash) && address == ((long) block << format.pairBits() | pair)) {
                return recordId(address) == recordId;
            }
        }
        return false;
    }

    private long addressOf(long entry) {
        return entry << 16 >>> addressShift;
    }

    private int start(int bucket) {
        return bytes.getInt(startsOffset + bucket * Integer.BYTES);
    }

    private int entry(int number) {
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
