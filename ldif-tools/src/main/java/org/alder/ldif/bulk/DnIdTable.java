package org.alder.ldif.bulk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.alder.partition.file.OwnerOnly;

/**
 * Entry IDs by DN, or other numbers by other hashes, for the length of one bulk load, exact and without heap: a hash table with
 * open addressing in a temporary file, mapped into memory, 16 bytes a slot (hash 12, ID 4; ID 0 = free) and at most three
 * quarters full. The system keeps in its page cache what fits. A slot's place is given by the leading bits of the hash, so that
 * growing reads the old file from its beginning to its end and writes the new one likewise. One thread.
 */
final class DnIdTable implements Closeable {
    private static final int SLOT_BYTES = 16;
    private static final int FIRST_SLOT_BITS = 16;
    /** A mapping holds so many slots, one GiB. */
    private static final int CHUNK_BITS = 26;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 20).asReadOnlyBuffer();

    private final Path folder;
    private final String name;
    private int slotBits;
    private FileChannel file;
    private MappedByteBuffer[] chunks;
    private long size;

    /**
     * @param folder exists; takes the file, which may have no name where the system allows that
     * @param name of the file: each table in a folder has another
     */
    DnIdTable(Path folder, String name) throws IOException {
        this(folder, name, FIRST_SLOT_BITS);
    }

    DnIdTable(Path folder, String name, int slotBits) throws IOException {
        this.folder = folder;
        this.name = name;
        open(slotBits);
    }

    private void open(int bits) throws IOException {
        Path path = folder.resolve(name + "-" + bits);
        FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE), OwnerOnly.file(path));
        try {
            long bytes = SLOT_BYTES * (1L << bits);
            allocate(channel, bytes);
            chunks = map(channel, bytes);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        file = channel;
        slotBits = bits;
    }

    /** A mapped page that the disk has no room for would end the process; a write that finds none is an error like any other. */
    private static void allocate(FileChannel channel, long bytes) throws IOException {
        for (long left = bytes; left > 0;) {
            ByteBuffer zeros = ZEROS.duplicate();
            zeros.limit((int) Math.min(zeros.capacity(), left));
            left -= channel.write(zeros);
        }
    }

    private static MappedByteBuffer[] map(FileChannel channel, long bytes) throws IOException {
        long chunkBytes = Math.min(bytes, (long) SLOT_BYTES << CHUNK_BITS);
        MappedByteBuffer[] mapped = new MappedByteBuffer[(int) (bytes / chunkBytes)];
        for (int chunk = 0; chunk < mapped.length; chunk++) {
            mapped[chunk] = channel.map(FileChannel.MapMode.READ_WRITE, chunk * chunkBytes, chunkBytes);
        }
        return mapped;
    }

    /** The ID put in under this hash, or 0. */
    long get(DnHash hash) {
        long slot = slot(hash.high(), hash.low());
        return Integer.toUnsignedLong(chunk(slot).getInt(offset(slot) + 12));
    }

    /** Keeps the ID, unless there is one already. Returns whether it did. */
    boolean putIfAbsent(DnHash hash, long id) throws IOException {
        long slot = slot(hash.high(), hash.low());
        if (chunk(slot).getInt(offset(slot) + 12) != 0) {
            return false;
        }
        put(slot, hash.high(), hash.low(), (int) id);
        if (++size > (1L << slotBits) / 4 * 3) {
            grow();
        }
        return true;
    }

    private void put(long slot, long high, int low, int id) {
        MappedByteBuffer chunk = chunk(slot);
        int offset = offset(slot);
        chunk.putLong(offset, high);
        chunk.putInt(offset + 8, low);
        chunk.putInt(offset + 12, id);
    }

    /** Where this hash is, or the free slot where it belongs. */
    private long slot(long high, int low) {
        long mask = (1L << slotBits) - 1;
        long slot = high >>> Long.SIZE - slotBits;
        while (!isFreeOr(slot, high, low)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private boolean isFreeOr(long slot, long high, int low) {
        MappedByteBuffer chunk = chunk(slot);
        int offset = offset(slot);
        return chunk.getInt(offset + 12) == 0 || chunk.getLong(offset) == high && chunk.getInt(offset + 8) == low;
    }

    private MappedByteBuffer chunk(long slot) {
        return chunks[(int) (slot >>> CHUNK_BITS)];
    }

    private static int offset(long slot) {
        return (int) (slot & (1 << CHUNK_BITS) - 1) * SLOT_BYTES;
    }

    private void grow() throws IOException {
        FileChannel oldFile = file;
        MappedByteBuffer[] oldChunks = chunks;
        open(slotBits + 1);
        for (MappedByteBuffer old : oldChunks) {
            for (int offset = 0; offset < old.capacity(); offset += SLOT_BYTES) {
                int id = old.getInt(offset + 12);
                if (id != 0) {
                    long high = old.getLong(offset);
                    int low = old.getInt(offset + 8);
                    put(slot(high, low), high, low, id);
                }
            }
        }
        oldFile.close();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
