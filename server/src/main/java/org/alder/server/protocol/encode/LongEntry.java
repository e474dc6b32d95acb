package org.alder.server.protocol.encode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.ValueCursor;
import org.alder.server.wire.Connection;

/**
 * A search result entry that is sent while its values are read, a chunk at a time: its length is known from what the record says
 * of its large attributes. Once it is begun, nothing else can be sent before its end. One thread at a time.
 */
public final class LongEntry {
    private final byte[] head;
    private final Deque<Values> left;
    private final byte[] tail;
    private final EntryCursor entry;
    private boolean headWritten;
    private Values current;
    private ValueCursor cursor;
    private long currentBytes;
    private Connection.LongMessage message;

    /**
     * The values of one attribute as they are sent.
     *
     * @param name what it is returned as
     */
    record Values(byte[] name, LargeAttribute attribute) {
        /** The bytes of the whole PartialAttribute. */
        public long length() {
            long content = contentLength();
            return BerWriter.headerBytes(Math.toIntExact(content)) + content;
        }

        private long contentLength() {
            int valueBytes = Math.toIntExact(attribute.valueBytes());
            return BerWriter.headerBytes(name.length) + name.length + BerWriter.headerBytes(valueBytes) + (long) valueBytes;
        }

        private void writeHead(BerWriter out) {
            int sequence = out.begin(BerWriter.SEQUENCE);
            out.octets(BerWriter.OCTET_STRING, name);
            int set = out.begin(BerWriter.SET);
            out.endBefore(set, (int) attribute.valueBytes());
            out.endBefore(sequence, (int) attribute.valueBytes());
        }
    }

    /**
     * @param head the message up to the large attributes; its lengths count what follows
     * @param tail the message behind them
     * @param entry stands on the entry until all is sent
     */
    LongEntry(byte[] head, List<Values> values, byte[] tail, EntryCursor entry) {
        this.head = head;
        this.left = new ArrayDeque<>(values);
        this.tail = tail;
        this.entry = entry;
    }

    /** The bytes of the whole message, before any of it is sent. */
    public long length() {
        return head.length + left.stream().mapToLong(Values::length).sum() + tail.length;
    }

    /** Whether something of it was sent, so that the rest must be too. */
    boolean isBegun() {
        return message != null;
    }

    /**
     * Sends until all is sent or much output is queued.
     *
     * @param out empty before and after
     * @param chunkBytes about how much to send at once
     * @return whether all is sent
     * @throws StoreException if the values cannot be read, or are not those the record says
     */
    boolean send(Connection connection, BerWriter out, int chunkBytes) {
        message = message == null ? connection.startLongMessage() : message;
        if (message == null) {
            return false;
        }
        boolean more = true;
        while (more && !message.isCongested()) {
            more = write(out, chunkBytes);
            // The last value may have filled the part before, with nothing behind it: MINA refuses to send no bytes.
            if (out.size() > 0) {
                message.write(out.toByteArray());
                out.clear();
            }
        }
        if (!more) {
            message.end();
        }
        return !more;
    }

    /** Writes the whole message, whatever that takes. */
    public void writeTo(BerWriter out) {
        write(out, Integer.MAX_VALUE);
    }

    /** Runs the continuation once, when {@link #send} can go on or the connection is closed. */
    void whenReady(Connection connection, Runnable continuation) {
        if (message == null) {
            connection.whenLongMessageMayStart(continuation);
        } else {
            message.whenDrained(continuation);
        }
    }

    /** Ends a message that cannot be sent to its end, and with it the connection. */
    void giveUp() {
        closeCursor();
        if (message != null) {
            message.giveUp();
        }
    }

    /** Writes about so many bytes. Returns whether there are more. */
    private boolean write(BerWriter out, int bytes) {
        if (!headWritten) {
            out.raw(head, 0, head.length);
            headWritten = true;
        }
        while (out.size() < bytes) {
            if (cursor == null && !startNext(out)) {
                return false;
            }
            if (cursor.next()) {
                int before = out.size();
                cursor.write(out);
                currentBytes += out.size() - before;
            } else {
                endCurrent();
            }
        }
        return true;
    }

    private boolean startNext(BerWriter out) {
        current = left.poll();
        if (current == null) {
            out.raw(tail, 0, tail.length);
            return false;
        }
        current.writeHead(out);
        cursor = entry.openValues(current.attribute);
        currentBytes = 0;
        return true;
    }

    private void endCurrent() {
        closeCursor();
        if (currentBytes != current.attribute.valueBytes()) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the values of " + current.attribute.description() + " have "
                    + currentBytes + " bytes, the entry's record says " + current.attribute.valueBytes());
        }
    }

    private void closeCursor() {
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
    }
}
