package org.alder.partition.jdbm.key;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.alder.partition.jdbm.block.RegionChecksums;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;

/**
 * Builds the key table of a table that is being written ({@code TableWriter} tells it the keys). One thread. Keeps hashes and
 * places of up to {@value #BUFFERED_KEYS} keys in memory; with more, it writes them to a scratch file, a share of the hashes at a
 * time, and then builds share by share. Without {@link #finish()}, closing removes the file.
 */
public final class KeyTableWriter implements Closeable {
    /** What the names of key tables end in. */
    public static final String FILE_SUFFIX = ".keys";

    public static final int BUFFERED_KEYS = 1 << 18;
    private static final int FIRST_CAPACITY = 256;

    private final Disk disk;
    private final Path file;
    private final int bufferedKeys;
    private final long seed = new SplittableRandom().nextLong();
    private KeyPlaces buffer = new KeyPlaces(FIRST_CAPACITY);
    private SpilledPlaces spilled;
    private final BlockList blocks;
    private int mostPairs;
    private long keyCount;
    private boolean finished;

    /** @param file must not exist; made by {@link #finish()} */
    public KeyTableWriter(Disk disk, Path file) {
        this(disk, file, BUFFERED_KEYS);
    }

    public KeyTableWriter(Disk disk, Path file, int bufferedKeys) {
        this.disk = disk;
        this.file = file;
        this.bufferedKeys = bufferedKeys;
        this.blocks = new BlockList(disk, file.resolveSibling(file.getFileName() + ".blocks.scratch"));
    }

    /** Tells the place of a key: this pair of this block, counted from 0. */
    public void add(byte[] key, long block, int pair) throws IOException {
        add(KeyHash.of(key, seed), block, pair);
    }

    public void add(long hash, long block, int pair) throws IOException {
        if (buffer.count() == bufferedKeys) {
            spill();
        }
        buffer.add(hash, block << Integer.SIZE | pair);
        mostPairs = Math.max(mostPairs, pair + 1);
        keyCount++;
    }

    /** Tells where the next block is; the blocks come in their order, each at some time after its keys. */
    public void addBlock(long recordId) throws IOException {
        blocks.add(recordId);
    }

    private void spill() throws IOException {
        if (spilled == null) {
            spilled = new SpilledPlaces(disk.createScratch(file.resolveSibling(file.getFileName() + ".scratch")));
        }
        spilled.write(buffer);
        buffer.clear();
    }

    /**
     * Writes and syncs the file; after the table's own {@code TableWriter.finish()}.
     *
     * @return its keys, the blocks of the table, and its checksums; null where a key table cannot hold as many keys, and there is
     *         no file
     * @throws IOException where writing fails: close the writer, which deletes the file
     */
    public TableSummary finish() throws IOException {
        KeyTableFormat format = KeyTableFormat.of(keyCount, blocks.count(), mostPairs, seed);
        if (format.fileBytes() > Integer.MAX_VALUE) {
            return null;
        }
        try (DiskFile target = disk.create(file)) {
            writeHead(target, format);
            KeyTableSection section = new KeyTableSection(target, format);
            if (spilled == null) {
                section.write(buffer, format.buckets());
            } else {
                writeShares(section, format);
            }
            section.finish();
            target.sync();
            TableSummary summary = RegionChecksums.summary(keyCount, blocks.count(), target);
            finished = true;
            return summary;
        }
    }

    private void writeHead(DiskFile target, KeyTableFormat format) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(KeyTableFormat.HEADER_BYTES);
        format.putHeader(head);
        target.write(head.flip(), 0);
        blocks.writeTo(target, KeyTableFormat.HEADER_BYTES);
    }

    private void writeShares(KeyTableSection section, KeyTableFormat format) throws IOException {
        spill();
        for (int share = 0; share < SpilledPlaces.SHARES; share++) {
            spilled.read(share, buffer);
            section.write(buffer, format.buckets() / SpilledPlaces.SHARES);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            blocks.close();
            if (spilled != null) {
                spilled.close();
            }
        } finally {
            if (!finished) {
                disk.delete(file);
            }
        }
    }
}
