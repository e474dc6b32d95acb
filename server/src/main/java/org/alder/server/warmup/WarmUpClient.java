package org.alder.server.warmup;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/** A connection of this process to itself: sends one request after the other, and reads past the answers. One thread. */
public final class WarmUpClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 5000;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int MOST_ANSWER_BYTES = 16 << 20;
    private static final int BIND = 0x60;
    private static final int SIMPLE = 0x80;
    private static final int VERSION = 3;
    private static final int SEARCH_ENTRY = 0x64;
    private static final int SEARCH_REFERENCE = 0x73;

    private final Socket socket = new Socket();
    private DataInputStream in;
    private OutputStream out;

    /** Has an address, which nobody else can have while this is open, and is not connected yet. */
    public WarmUpClient() throws IOException {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    public void connect(int port) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        out = socket.getOutputStream();
    }

    /** A simple bind. @return the result code */
    public int bind(String dn, byte[] password) throws IOException {
        BerWriter message = new BerWriter(256);
        int whole = message.begin(BerWriter.SEQUENCE);
        message.integer(BerWriter.INTEGER, 1);
        int bind = message.begin(BIND);
        message.integer(BerWriter.INTEGER, VERSION);
        message.string(BerWriter.OCTET_STRING, dn);
        message.octets(SIMPLE, password);
        message.end(bind);
        message.end(whole);
        return ask(message.toByteArray());
    }

    /**
     * Sends a whole request, and reads all that is answered.
     *
     * @return the result code
     * @throws IOException if no answer comes in time
     */
    public int ask(byte[] request) throws IOException {
        out.write(request);
        try {
            while (true) {
                BerReader answer = new BerReader(readMessage());
                answer.readInt(BerWriter.INTEGER);
                int tag = answer.peekTag();
                if (tag != SEARCH_ENTRY && tag != SEARCH_REFERENCE) {
                    answer.enter(tag);
                    return answer.readInt(BerWriter.ENUMERATED);
                }
            }
        } catch (BerException e) {
            throw new IOException("the answer is no LDAP: " + e.getMessage(), e);
        }
    }

    /** What is in the sequence that a message is. */
    private byte[] readMessage() throws IOException, BerException {
        int tag = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        if (length > 0x80 && length <= 0x84) {
            int octets = length & 0x7F;
            length = 0;
            for (int i = 0; i < octets; i++) {
                length = length << 8 | in.readUnsignedByte();
            }
        }
        if (tag != BerWriter.SEQUENCE || length < 0 || length > MOST_ANSWER_BYTES) {
            throw new BerException("a message of tag " + tag + " and length " + length);
        }
        byte[] content = new byte[length];
        in.readFully(content);
        return content;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
