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
 * <p>What follows the last whole record is either a torn tail (writes that were under way when the process or the machine
 * stopped; never acknowledged, so cut) or damage. It is damage, and refused, where a whole record further on was written after
 * the bad place had been synced, or where a later log file exists. One thread.
 */
final class LogReader {
    private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);
    private static final int SCAN_BYTES = 1 << 20;

    private final Path path;
    private final DiskFile file;
    private final UUID storeId;
    private final long size;
    private final Level tornTailLevel;
    private final ByteBuffer frame = ByteBuffer.allocate(LogFormat.FRAME_BYTES);

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
     * @param last whether the file may end torn, because no later log file exists
     * @return the offset behind the last whole record; 0 where not even the header is whole
     * @throws StoreException of kind CORRUPT naming file and offset
     */
    long read(long firstSequence, boolean last, Consumer<LogGroup> groups) throws IOException {
        return read(firstSequence, Long.MAX_VALUE, last, groups);
    }

    /**
     * As {@link #read(long, boolean, Consumer)}, but does not look behind the group that holds the given sequence number, where
     * something may be being written.
     */
    long read(long firstSequence, long upTo, boolean last, Consumer<LogGroup> groups) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(LogFormat.HEADER_BYTES);
        file.read(header, 0);
        String fault = LogFormat.headerFault(header.flip(), storeId, firstSequence);
        if (fault != null) {
            return unfinishedHeader(fault, last);
        }
        long offset = LogFormat.HEADER_BYTES;
        long sequence = firstSequence;
        while (sequence <= upTo) {
            byte[] payload = payloadAt(offset);
            if (payload == null) {
                return endAt(offset, last);
            }
            LogGroup group = decode(payload, offset).group();
            if (group.firstSequence() != sequence) {
                throw corrupt(offset, "a record of sequence " + group.firstSequence() + ", expected " + sequence);
            }
            groups.accept(group);
            sequence = group.lastSequence() + 1;
            offset += LogFormat.FRAME_BYTES + payload.length;
        }
        return offset;
    }

    /** A crash right after the file was made leaves no header, but then nothing behind it either. */
    private long unfinishedHeader(String fault, boolean last) throws IOException {
        if (!last || firstNonZero(LogFormat.HEADER_BYTES) >= 0) {
            throw corrupt(0, fault);
        }
        LOG.info("{}: {}; it holds no records and is ignored", path, fault);
        return 0;
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

    private long endAt(long offset, boolean last) throws IOException {
        long firstNonZero = firstNonZero(offset);
        if (firstNonZero < 0) {
            return offset;
        }
        if (!last) {
            throw corrupt(offset, "no whole record, expected one or the end, because a later log file exists");
        }
        refuseIfSyncedLater(offset);
        LOG.atLevel(tornTailLevel).log("{}: torn tail: the last whole record ends at offset {}, the bytes from {} on are not a "
                + "whole record and are ignored", path, offset, firstNonZero);
        return offset;
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

    /** Looks for a whole record behind the bad place that proves that the bad place had been whole. */
    private void refuseIfSyncedLater(long bad) throws IOException {
        ByteBuffer window = ByteBuffer.allocate(SCAN_BYTES);
        long at = bad + 1;
        while (at + LogFormat.FRAME_BYTES < size) {
            file.read(window.clear(), at);
            window.flip();
            int starts = window.limit() - LogFormat.FRAME_BYTES + 1;
            for (int i = 0; i < starts; i++) {
                if (isFrame(at + i, window.getInt(i), window.getInt(i + 4), window.getInt(i + 8))) {
                    refuseIfSyncedAt(bad, at + i);
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
