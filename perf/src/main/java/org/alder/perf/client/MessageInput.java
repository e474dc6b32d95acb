package org.alder.perf.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;

/** Cuts what a server sends into LDAPMessages. One thread. */
final class MessageInput {
    /** How long a server may send nothing that a benchmark waits for: its sockets have this limit. */
    static final int MOST_WAIT_SECONDS = 240;
    /** There may be thousands that receive little. */
    private static final int FIRST_BYTES = 2 * 1024;
    private static final int BUFFER_BYTES = 256 * 1024;

    private final InputStream in;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int position;
    private int limit;

    MessageInput(InputStream in) {
        this.in = in;
    }

    /** What holds the messages; another array after each {@link #awaitMessage}. */
    byte[] bytes() {
        return bytes;
    }

    /** Where in {@link #bytes()} the next message begins. */
    int position() {
        return position;
    }

    /** Goes past so many bytes. */
    void consume(int length) {
        position += length;
    }

    /** Makes sure that a whole LDAPMessage is at {@link #position} and returns its length. */
    int awaitMessage() throws IOException {
        require(2);
        int header = 2;
        int length = bytes[position + 1] & 0xFF;
        if (length > 0x7F) {
            int count = length & 0x7F;
            require(2 + count);
            header += count;
            length = 0;
            for (int i = 2; i < header; i++) {
                length = length << 8 | bytes[position + i] & 0xFF;
            }
        }
        require(header + length);
        return header + length;
    }

    /** Reads until there are so many bytes after {@link #position}, as much at a time as there is. */
    private void require(int length) throws IOException {
        if (limit - position >= length) {
            return;
        }
        boolean isFull = limit == bytes.length && bytes.length < BUFFER_BYTES;
        byte[] target = isFull || length > bytes.length ? new byte[length + BUFFER_BYTES] : bytes;
        System.arraycopy(bytes, position, target, 0, limit - position);
        limit -= position;
        position = 0;
        bytes = target;
        while (limit < length) {
            int count = read();
            if (count < 0) {
                throw new EOFException("the server closed the connection");
            }
            limit += count;
        }
    }

    private int read() throws IOException {
        try {
            return in.read(bytes, limit, bytes.length - limit);
        } catch (SocketTimeoutException e) {
            throw new IOException("the server has sent nothing for too long (" + MOST_WAIT_SECONDS + " s unless said otherwise) while an answer was waited for; " + limit + " bytes of it have come", e);
        }
    }
}
