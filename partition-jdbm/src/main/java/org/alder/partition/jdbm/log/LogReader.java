package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.DiskFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reads one commit log file from its start to its last whole record.
 *
 * <p>What follows the last whole record is the mark of a finished file, or a torn tail (writes that were under way when the
 * process or the machine stopped; never acknowledged, so cut), or damage. It is damage, and refused, where a whole record or the
 * end mark further on was written after the bad place had been synced, where the file is shorter than it was when it was synced
 * last, and where a later log file exists. One thread.
 */
final class LogReader {
    private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);
    private static final int SCAN_BYTES = 1 << 16;

    private final Path path;
    private final DiskFile file;
    private final UUID storeId;
    private final long size;
    private final Level tornTailLevel;
    private int version;
    private final ByteBuffer frame = ByteBuffer.allocate(LogFormat.FRAME_BYTES);

    /**
     * Where a file stands among others.
     *
     * @param last whether it may end torn, because no later log file exists
     * @param madeWhole whether it cannot be without a header, because an earlier file's version gives names to whole files only
     */
    record Place(boolean last, boolean madeWhole) {
        static final Place LAST = new Place(true, false);
        static final Place BEFORE_OTHERS = new Place(false, false);
    }

    /**
     * What was found.
     *
     * @param offset behind the last whole record; 0 where not even the header is whole
     * @param marked whether the mark of a finished file follows
     * @param version of the file; 0 where not even the header is whole
     */
    record End(long offset, boolean marked, int version) {
    }

    /** @param tornTailLevel how loud to tell of a torn tail; it is nothing to worry about in a log that is being written */
    LogReader(Path path, DiskFile file, UUID storeId, Level tornTailLevel) throws IOException {
        this.tornTailLevel = tornTailLevel;
        this.path = path;
        this.file = file;
        this.storeId = storeId;
        this.size = file.size();
    }

    /**
     * Hands out the groups in order.
     *
     * @param firstSequence what the first group must start with
     * @throws StoreException of kind CORRUPT naming file and offset
     */
    End read(long firstSequence, Place place, Consumer<LogGroup> groups) throws IOException {
        return read(firstSequence, Long.MAX_VALUE, place, groups);
    }

    /**
     * As {@link #read(long, Place, Consumer)}, but does not look behind the group that holds the given sequence number, where
     * something may be being written.
     */
    End read(long firstSequence, long upTo, Place place, Consumer<LogGroup> groups) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(LogFormat.HEADER_BYTES);
        file.read(header, 0);
        String fault = LogFormat.headerFault(header.flip(), storeId, firstSequence);
        if (fault != null) {
            return unfinishedHeader(fault, place);
        }
        version = LogFormat.version(header);
        long offset = LogFormat.HEADER_BYTES;
        long durable = offset;
        long sequence = firstSequence;
        while (sequence <= upTo) {
            byte[] payload = payloadAt(offset);
            if (payload == null) {
                return endAt(offset, durable, place.last());
            }
            LogRecord record = decode(payload, offset);
            LogGroup group = record.group();
            if (group.firstSequence() != sequence) {
                throw corrupt(offset, "a record of sequence " + group.firstSequence() + ", expected " + sequence);
            }
            groups.accept(group);
            sequence = group.lastSequence() + 1;
            durable = Math.max(durable, record.durableOffset());
            offset += LogFormat.FRAME_BYTES + payload.length;
        }
        return new End(offset, false, version);
    }

    /** In version 2 a crash right after the file was made left no header, but then nothing behind it either. */
    private End unfinishedHeader(String fault, Place place) throws IOException {
        if (!place.last() || place.madeWhole() || firstNonZero(LogFormat.HEADER_BYTES) >= 0) {
            throw corrupt(0, fault);
        }
        LOG.info("{}: {}; it holds no records and is ignored", path, fault);
        return new End(0, false, 0);
    }

    private LogRecord decode(byte[] payload, long offset) {
        try {
            return GroupCodec.decode(payload);
        } catch (StoreException e) {
            throw new StoreException(e.kind(), path + " at offset " + offset + ": " + e.getMessage(), e);
        }
    }

    /** The payload of the record at the offset, or null where there is no whole record. */
    private byte[] payloadAt(long offset) throws IOException {
        frame.clear();
        if (file.read(frame, offset) < LogFormat.FRAME_BYTES) {
            return null;
        }
        int length = frame.getInt(0);
        int payloadChecksum = frame.getInt(4);
        if (!isFrame(offset, length, payloadChecksum, frame.getInt(8))) {
            return null;
        }
        ByteBuffer payload = ByteBuffer.allocate(length);
        file.read(payload, offset + LogFormat.FRAME_BYTES);
        return LogFormat.checksum(payload.array(), 0, length) == payloadChecksum ? payload.array() : null;
    }

    private boolean isFrame(long offset, int length, int payloadChecksum, int frameChecksum) {
        return length > 0 && length <= LogFormat.MAX_PAYLOAD_BYTES && offset + LogFormat.FRAME_BYTES + length <= size
                && LogFormat.frameChecksum(storeId, offset, length, payloadChecksum) == frameChecksum;
    }

    private End endAt(long offset, long durable, boolean last) throws IOException {
        boolean marks = version >= LogFormat.VERSION_WITH_END;
        if (marks && isEndMarkAt(offset)) {
            return new End(offset, true, version);
        }
        long firstNonZero = firstNonZero(offset);
        if (!last && (marks || firstNonZero >= 0)) {
            throw corrupt(offset, "no whole record, expected one or the end, because a later log file exists");
        }
        if (marks && size < LogFormat.leastBytes(durable)) {
            throw corrupt(size, "the end of a file that was not finished; it was synced when it had at least "
                    + LogFormat.leastBytes(durable) + " bytes, so something has cut it off");
        }
        if (firstNonZero >= 0) {
            refuseIfSyncedLater(offset);
            LOG.atLevel(tornTailLevel).log("{}: torn tail: the last whole record ends at offset {}, the bytes from {} on are not "
                    + "a whole record and are ignored", path, offset, firstNonZero);
        }
        return new End(offset, false, version);
    }

    private boolean isEndMarkAt(long offset) throws IOException {
        frame.clear();
        return file.read(frame, offset) == LogFormat.FRAME_BYTES
                && LogFormat.isEndMark(storeId, offset, frame.getInt(0), frame.getInt(4), frame.getInt(8));
    }

    private long firstNonZero(long from) throws IOException {
        ByteBuffer window = ByteBuffer.allocate(SCAN_BYTES);
        for (long at = from; at < size; at += window.limit()) {
            file.read(window.clear(), at);
            window.flip();
            if (!window.hasRemaining()) {
                return -1;
            }
            int mismatch = window.mismatch(ByteBuffer.allocate(window.limit()));
            if (mismatch >= 0) {
                return at + mismatch;
            }
        }
        return -1;
    }

    /** Looks for a whole record, or the end mark, behind the bad place that proves that the bad place had been whole. */
    private void refuseIfSyncedLater(long bad) throws IOException {
        ByteBuffer window = ByteBuffer.allocate(SCAN_BYTES);
        long at = bad + 1;
        while (at + LogFormat.FRAME_BYTES <= size) {
            file.read(window.clear(), at);
            window.flip();
            int starts = window.limit() - LogFormat.FRAME_BYTES + 1;
            for (int i = 0; i < starts; i++) {
                if (window.getInt(i) == 0) {
                    // Of the room that is reserved, which is most of the file.
                    continue;
                }
                if (isFrame(at + i, window.getInt(i), window.getInt(i + 4), window.getInt(i + 8))) {
                    refuseIfSyncedAt(bad, at + i);
                } else if (LogFormat.isEndMark(storeId, at + i, window.getInt(i), window.getInt(i + 4), window.getInt(i + 8))) {
                    throw corrupt(bad, "a damaged record before the end of a finished file at offset " + (at + i)
                            + ": expected a record with the right checksum");
                }
            }
            at += Math.max(1, starts);
        }
    }

    private void refuseIfSyncedAt(long bad, long later) throws IOException {
        byte[] payload = payloadAt(later);
        if (payload != null && decode(payload, later).durableOffset() > bad) {
            throw corrupt(bad, "a damaged record with whole, durable records behind it (the next at offset " + later
                    + "): expected a record with the right checksum");
        }
    }

    private StoreException corrupt(long offset, String foundAndExpected) {
        return new StoreException(StoreException.Kind.CORRUPT, path + " at offset " + offset + ": " + foundAndExpected);
    }
}
