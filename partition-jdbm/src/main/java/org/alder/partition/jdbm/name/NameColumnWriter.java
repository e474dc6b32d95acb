package org.alder.partition.jdbm.name;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.alder.partition.entry.StoredName;
import org.alder.partition.entry.Varints;
import org.alder.partition.jdbm.block.RegionChecksums;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.key.BlockList;

/**
 * Writes the names of a segment's entries beside its master table, in the order of their IDs. One thread. Without {@link #finish()},
 * closing removes the file.
 */
public final class NameColumnWriter implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;
    /** Head and numbers of one name. */
    private static final int HEAD_BYTES = 1 + 4 * Varints.MAX_BYTES;

    private final Disk disk;
    private final Path file;
    /** First ID &lt;&lt; 32 | offset in the file. */
    private final BlockList starts;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered = NameFormat.HEADER_BYTES;
    private long writtenBytes;
    /** Null until the buffer is full for the first time. */
    private DiskFile target;
    private long names;
    private long lastId;
    private long lastParent;
    private final byte[] lastRdn = new byte[NameFormat.MAX_NAME_BYTES];
    private int lastLength;
    /** Whether offsets do not reach the end any more: then there will be no file. */
    private boolean full;
    private boolean finished;

    /** @param file must not exist */
    public NameColumnWriter(Disk disk, Path file) {
        this.disk = disk;
        this.file = file;
        this.starts = new BlockList(disk, file.resolveSibling(file.getFileName() + ".starts.scratch"));
    }

    /** @param id greater than all before  @param name null for an entry that is deleted */
    public void add(long id, StoredName name) throws IOException {
        if (full) {
            return;
        }
        if (buffered > BUFFER_BYTES - HEAD_BYTES - NameFormat.MAX_NAME_BYTES) {
            flush();
        }
        boolean isFirst = names % NameFormat.GROUP_NAMES == 0;
        if (isFirst) {
            begin(id);
        }
        int head = isFirst || id == lastId + 1 ? 0 : NameFormat.DISTANCE;
        int at = buffered + 1;
        if (head != 0) {
            at = Varints.put(buffer, at, id - lastId);
        }
        if (name == null) {
            head |= NameFormat.DELETED;
        } else if (name.rdnLength() > NameFormat.MAX_NAME_BYTES) {
            head |= NameFormat.ELSEWHERE;
        } else {
            if (isFirst || name.parentId() != lastParent) {
                head |= NameFormat.PARENT;
                at = Varints.put(buffer, at, name.parentId());
                lastParent = name.parentId();
            }
            int shared = shared(name);
            head |= Math.min(shared, NameFormat.SHARED);
            at = shared < NameFormat.SHARED ? at : Varints.put(buffer, at, shared);
            at = putSuffix(name, shared, at);
        }
        buffer[buffered] = (byte) head;
        buffered = at;
        lastId = id;
        names++;
    }

    /** A group is read without those before it. */
    private void begin(long id) throws IOException {
        long offset = writtenBytes + buffered;
        // Room for what follows at most: the rest of the group, and the starts.
        full = offset + (names / NameFormat.GROUP_NAMES + 1) * NameFormat.START_BYTES
                + (HEAD_BYTES + NameFormat.MAX_NAME_BYTES) * (long) NameFormat.GROUP_NAMES > Integer.MAX_VALUE;
        starts.add(id << Integer.SIZE | offset);
        lastLength = 0;
        lastParent = -1;
    }

    private int shared(StoredName name) {
        int most = Math.min(lastLength, name.rdnLength());
        int shared = 0;
        while (shared < most && lastRdn[shared] == name.buffer()[name.rdnOffset() + shared]) {
            shared++;
        }
        return shared;
    }

    private int putSuffix(StoredName name, int shared, int position) {
        int length = name.rdnLength() - shared;
        int at = Varints.put(buffer, position, length);
        System.arraycopy(name.buffer(), name.rdnOffset() + shared, buffer, at, length);
        System.arraycopy(name.buffer(), name.rdnOffset() + shared, lastRdn, shared, length);
        lastLength = name.rdnLength();
        return at + length;
    }

    private void flush() throws IOException {
        if (target == null) {
            target = disk.create(file);
        }
        target.write(ByteBuffer.wrap(buffer, 0, buffered), writtenBytes);
        writtenBytes += buffered;
        buffered = 0;
    }

    /**
     * Writes and syncs the file.
     *
     * @return its names, the groups they are in, and its checksums; null where a column cannot hold as many names, and there is no file
     * @throws IOException where writing fails: close the writer, which deletes the file
     */
    public TableSummary finish() throws IOException {
        if (full) {
            close();
            return null;
        }
        flush();
        NameFormat format = new NameFormat(names, starts.count(), Math.toIntExact(writtenBytes));
        starts.writeTo(target, writtenBytes);
        ByteBuffer header = ByteBuffer.allocate(NameFormat.HEADER_BYTES);
        format.putHeader(header);
        target.write(header.flip(), 0);
        target.sync();
        TableSummary summary = RegionChecksums.summary(names, format.groups(), target);
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
