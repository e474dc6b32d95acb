package org.alder.partition.jdbm.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;

/**
 * The writing end of one commit log file; the format is in {@link LogFormat} and {@link GroupCodec}. A group is appended, then
 * synced; only then may it be acknowledged (durability {@code sync}).
 *
 * <p>The file grows ahead of its contents by zeros, so that a sync need not write the file's length each time. A crash leaves a
 * file of at least the length that was synced last; only a finished one is shorter, and ends in a mark. One thread.
 */
public final class CommitLog implements Closeable {
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(LogFormat.STEP_BYTES).asReadOnlyBuffer();

    private final DiskFile file;
    private final Path path;
    private final UUID storeId;
    private final GrowingBuffer buffer = new GrowingBuffer();
    private long reserved;
    private volatile long position;
    private long durable;

    private CommitLog(DiskFile file, Path path, UUID storeId) {
        this.file = file;
        this.path = path;
        this.storeId = storeId;
    }

    /**
     * Starts a log file and makes its name durable: a file that has the name is whole. One without records in it is replaced.
     *
     * @param firstSequence the commit sequence number of the first transaction that will be appended
     * @param timeBefore when the one before it was committed, in milliseconds since 1970
     */
    public static CommitLog create(Disk disk, Path folder, UUID storeId, long firstSequence, long timeBefore) throws IOException {
        Path path = folder.resolve(LogFormat.fileName(firstSequence));
        Path fresh = path.resolveSibling(path.getFileName() + LogFolder.NEW_SUFFIX);
        DiskFile file = disk.create(fresh);
        try {
            CommitLog log = new CommitLog(file, path, storeId);
            log.reserve(LogFormat.HEADER_BYTES + LogFormat.FRAME_BYTES);
            file.write(LogFormat.header(storeId, firstSequence, timeBefore), 0);
            log.position = LogFormat.HEADER_BYTES;
            log.sync();
            disk.replace(fresh, path);
            disk.syncFolder(folder);
            return log;
        } catch (IOException e) {
            giveUp(disk, file, fresh, e);
            throw e;
        }
    }

    private static void giveUp(Disk disk, DiskFile file, Path fresh, IOException cause) {
        try (file) {
            disk.delete(fresh);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    public Path path() {
        return path;
    }

    /** The bytes of the header and all records; any thread. */
    public long sizeBytes() {
        return position;
    }

    public boolean isSynced() {
        return durable == position;
    }

    /**
     * Writes a group behind the last one. After an exception the log takes no more groups: {@link #takeBack} and close it.
     *
     * @throws IllegalArgumentException where the group takes more than 256 MiB; nothing is written
     */
    public void append(LogGroup group) throws IOException {
        buffer.reset(LogFormat.FRAME_BYTES);
        GroupCodec.encode(group, durable, buffer);
        int length = buffer.size() - LogFormat.FRAME_BYTES;
        if (length > LogFormat.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("a log record of " + length + " bytes, allowed are "
                    + LogFormat.MAX_PAYLOAD_BYTES);
        }
        int payloadChecksum = LogFormat.checksum(buffer.bytes(), LogFormat.FRAME_BYTES, length);
        ByteBuffer record = ByteBuffer.wrap(buffer.bytes(), 0, buffer.size());
        record.putInt(0, length).putInt(4, payloadChecksum);
        record.putInt(8, LogFormat.frameChecksum(storeId, position, length, payloadChecksum));
        reserve(position + buffer.size() + LogFormat.FRAME_BYTES);
        file.write(record, position);
        position += buffer.size();
    }

    /** Grows the file by whole steps until it has room up to the given offset; there is always room for the end mark. */
    private void reserve(long end) throws IOException {
        while (reserved < end) {
            file.write(ZEROS.duplicate(), reserved);
            reserved += LogFormat.STEP_BYTES;
        }
    }

    /** Returns when all appended groups are on the disk. */
    public void sync() throws IOException {
        file.sync();
        durable = position;
    }

    /**
     * After a failed append or sync: removes what was written behind the offset, so that a restart does not bring back what was
     * refused. The log takes no more groups.
     *
     * @param offset {@link #sizeBytes} before the append
     */
    public void takeBack(long offset) throws IOException {
        position = offset;
        if (!isSynced()) {
            // Else the mark could be on the disk before what it says is there.
            sync();
        }
        end(file, storeId, offset);
    }

    /** Gives back the reserved room, makes everything durable and closes the file: nothing will be appended any more. */
    public void finish() throws IOException {
        try (this) {
            if (!isSynced()) {
                sync();
            }
            end(file, storeId, position);
        }
    }

    /**
     * Ends a file at the offset, up to which it is durable: first the mark, which then proves that, then the length. In between
     * a crash leaves a file that is whole.
     */
    static void end(DiskFile file, UUID storeId, long offset) throws IOException {
        file.write(LogFormat.endMark(storeId, offset), offset);
        file.sync();
        file.truncate(offset + LogFormat.FRAME_BYTES);
    }

    /** Closes the file as it is. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
