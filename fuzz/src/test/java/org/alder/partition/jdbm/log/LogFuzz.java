package org.alder.partition.jdbm.log;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.DiskFile;
import org.slf4j.event.Level;

/** A commit log that a disk or a crash has changed: its records are read as they were written, or it is found to be damaged. */
public final class LogFuzz {
    /** Older ones are read and never written. */
    private static final byte OLDEST_WRITTEN_VERSION = 3;
    private static final UUID STORE = new UUID(1, 2);
    private static final long FIRST_SEQUENCE = 63;

    private LogFuzz() {
    }

    /** The payload of a record, behind its checksums. */
    public static void record(byte[] input) {
        LogRecord record;
        try {
            record = GroupCodec.decode(input);
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
            return;
        }
        if (input[0] < OLDEST_WRITTEN_VERSION) {
            return;
        }
        byte[] once = encoded(record);
        assertArrayEquals(once, encoded(GroupCodec.decode(once)));
    }

    private static byte[] encoded(LogRecord record) {
        GrowingBuffer out = new GrowingBuffer();
        GroupCodec.encode(record.group(), record.durableOffset(), out);
        return Arrays.copyOf(out.bytes(), out.size());
    }

    /**
     * A whole file. The input is cut into pieces: two bytes with the length, then so many bytes. Where the first bit of the length is
     * set, they are a record's payload and get its frame, so that they are looked at; the others stand there as they are.
     */
    public static void file(byte[] input) throws IOException {
        byte[] content = content(input);
        List<LogGroup> groups = new ArrayList<>();
        try {
            LogReader reader = new LogReader(Path.of("log"), new Bytes(content), STORE, Level.TRACE);
            LogReader.End end = reader.read(FIRST_SEQUENCE, LogReader.Place.LAST, groups::add);
            assertTrue("an end at " + end.offset() + " of " + content.length, end.offset() >= 0 && end.offset() <= content.length);
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
            assertTrue(e.getMessage(), e.getMessage().startsWith("log at offset "));
        }
        long expected = FIRST_SEQUENCE;
        for (LogGroup group : groups) {
            assertEquals(expected, group.firstSequence());
            expected = group.lastSequence() + 1;
        }
    }

    private static byte[] content(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(input);
        ByteBuffer out = ByteBuffer.allocate(LogFormat.HEADER_BYTES + input.length * (1 + LogFormat.FRAME_BYTES));
        out.put(LogFormat.header(STORE, FIRST_SEQUENCE, 0));
        while (in.remaining() > Short.BYTES) {
            int head = in.getShort();
            byte[] piece = new byte[Math.min(head & Short.MAX_VALUE, in.remaining())];
            in.get(piece);
            if (head < 0) {
                int sum = LogFormat.checksum(piece, 0, piece.length);
                int frame = LogFormat.frameChecksum(STORE, out.position(), piece.length, sum);
                out.putInt(piece.length).putInt(sum).putInt(frame);
            }
            out.put(piece);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /** A file that can only be read. */
    private record Bytes(byte[] content) implements DiskFile {
        @Override
        public long size() {
            return content.length;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            int length = (int) Math.max(0, Math.min(target.remaining(), content.length - position));
            if (length > 0) {
                target.put(content, (int) position, length);
            }
            return length;
        }

        @Override
        public void write(ByteBuffer source, long position) {
            throw new AssertionError("a reader writes");
        }

        @Override
        public void sync() {
            throw new AssertionError("a reader writes");
        }

        @Override
        public void truncate(long size) {
            throw new AssertionError("a reader writes");
        }

        @Override
        public boolean tryLock() {
            throw new AssertionError("a reader locks");
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
