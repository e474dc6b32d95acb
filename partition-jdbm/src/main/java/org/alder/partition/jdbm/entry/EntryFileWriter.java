package org.alder.partition.jdbm.entry;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.RegionChecksums;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.key.BlockList;

/** Writes the entries of a segment in the order of their IDs. One thread. Without {@link #finish()}, closing removes the file. */
public final class EntryFileWriter implements Closeable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final Disk disk;
    private final Path file;
    /** Null once it is closed. */
    private DiskFile target;
    private final EntryEncoder encoder;
    private final CRC32C crc = new CRC32C();
    private final byte[] idBytes = new byte[Long.BYTES];
    /** By group its first ID, and where its directory is. */
    private final BlockList starts;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long bufferOffset;
    private final long[] ids = new long[EntryFormat.GROUP_ENTRIES];
    /** Where each entry of the group begins. */
    private final long[] offsets = new long[EntryFormat.GROUP_ENTRIES];
    private int grouped;
    private long entries;
    private int groups;
    private boolean finished;

    /** @param file must not exist */
    public EntryFileWriter(Disk disk, Path file, EntryCodec codec) throws IOException {
        this(disk, file, new EntryEncoder(codec));
    }

    EntryFileWriter(Disk disk, Path file, EntryEncoder encoder) throws IOException {
        this.disk = disk;
        this.encoder = encoder;
        this.file = file;
        this.starts = new BlockList(disk, file.resolveSibling(file.getFileName() + ".starts.scratch"));
        this.target = disk.create(file);
        buffer.position(EntryFormat.HEADER_BYTES);
    }

    /** @param id greater than all before  @param entry null for one that is deleted */
    public void add(long id, EntryRecord entry) throws IOException {
        if (grouped == EntryFormat.GROUP_ENTRIES) {
            endGroup();
        }
        ids[grouped] = id;
        offsets[grouped++] = bufferOffset + buffer.position();
        entries++;
        if (entry == null) {
            return;
        }
        int length = encoder.encode(entry);
        BigEndian.putLong(idBytes, 0, id);
        crc.reset();
        crc.update(idBytes);
        crc.update(encoder.coded(), 0, length);
        write(encoder.coded(), length);
        room(EntryFormat.CHECK_BYTES).putInt((int) crc.getValue());
    }

    private void endGroup() throws IOException {
        long directory = bufferOffset + buffer.position();
        starts.add(ids[0]);
        starts.add(directory);
        boolean gaps = ids[grouped - 1] - ids[0] != grouped - 1;
        boolean far = directory - offsets[0] > 0xFFFF;
        room(EntryFormat.MAX_DIRECTORY_BYTES).put((byte) ((gaps ? EntryFormat.GAPS : 0) | (far ? EntryFormat.LONG : 0)));
        for (int i = 1; gaps && i < grouped; i++) {
            buffer.putInt((int) (ids[i] - ids[0]));
        }
        for (int i = 0; i < grouped; i++) {
            long distance = directory - offsets[i];
            if (far) {
                buffer.putInt((int) distance);
            } else {
                buffer.putShort((short) distance);
            }
        }
        groups++;
        grouped = 0;
    }

    private void write(byte[] bytes, int length) throws IOException {
        if (length <= BUFFER_BYTES) {
            room(length).put(bytes, 0, length);
            return;
        }
        flush();
        target.write(ByteBuffer.wrap(bytes, 0, length), bufferOffset);
        bufferOffset += length;
    }

    private ByteBuffer room(int more) throws IOException {
        if (more > buffer.remaining()) {
            flush();
        }
        return buffer;
    }

    private void flush() throws IOException {
        int length = buffer.flip().remaining();
        target.write(buffer, bufferOffset);
        bufferOffset += length;
        buffer.clear();
    }

    /**
     * Writes and syncs the file.
     *
     * @return its entries, the groups they are in, and its checksums
     * @throws IOException where writing fails: close the writer, which deletes the file
     */
    public TableSummary finish() throws IOException {
        if (grouped > 0) {
            endGroup();
        }
        long vocabularyOffset = bufferOffset + buffer.position();
        byte[] vocabulary = encoder.vocabulary().bytes();
        write(vocabulary, vocabulary.length);
        flush();
        starts.writeTo(target, bufferOffset);
        ByteBuffer header = ByteBuffer.allocate(EntryFormat.HEADER_BYTES);
        new EntryFormat(entries, groups, vocabularyOffset, vocabulary.length, bufferOffset).putHeader(header);
        target.write(header.flip(), 0);
        target.sync();
        TableSummary summary = RegionChecksums.summary(entries, groups, target);
        finished = true;
        close();
        return summary;
    }

    @Override
    public void close() throws IOException {
        try {
            starts.close();
            if (target != null) {
                target.close();
                target = null;
            }
        } finally {
            if (!finished) {
                disk.delete(file);
            }
        }
    }
}
