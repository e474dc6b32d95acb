package org.alder.partition.bookkeeper.copy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ProtocolException;

/** The messages by which one member copies a store of another (docs/format/replica-copy.md; do not change without a new version). Stateless. */
final class CopyMessage {
    /** The first request begins with it; the path of the log's znode is behind it. */
    static final String HELLO = "alder-copy 1 ";
    static final byte DESCRIPTOR = 'D';
    static final byte REGION = 'R';
    static final byte DONE = 0;
    static final byte REFUSED = 1;
    /** What a client may send at once. */
    static final int MOST_REQUEST_BYTES = 1024;
    /** Of the text that says why something is refused. */
    static final int MOST_REASON_BYTES = 1024;

    private CopyMessage() {
    }

    /** @throws ProtocolException where it has more bytes than are expected: nothing is held of it then */
    static byte[] read(DataInputStream in, int mostBytes) throws IOException {
        int bytes = in.readInt();
        if (bytes < 1 || bytes > mostBytes) {
            throw new ProtocolException("a message of " + bytes + " bytes, expected 1 to " + mostBytes);
        }
        byte[] message = new byte[bytes];
        in.readFully(message);
        return message;
    }

    static void write(DataOutputStream out, byte kind, byte[] content, int length) throws IOException {
        out.writeInt(1 + length);
        out.writeByte(kind);
        out.write(content, 0, length);
        out.flush();
    }
}
