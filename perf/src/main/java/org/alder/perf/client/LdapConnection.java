package org.alder.perf.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/**
 * A blocking LDAP client that costs next to nothing, so that a benchmark measures the server: it writes ready-made BER and only
 * counts the entries that come back. One thread; {@link #close} may come from any.
 */
public final class LdapConnection implements AutoCloseable {
    private static final int SEARCH_ENTRY = 0x64;
    private static final int SEARCH_REFERENCE = 0x73;
    private static final int TIMEOUT_MILLIS = MessageInput.MOST_WAIT_SECONDS * 1000;

    private final Socket socket;
    private final MessageInput in;
    private final BerWriter out = new BerWriter(1024);
    private int messageId;

    public LdapConnection(String host, int port) throws IOException {
        this(connected(host, port));
    }

    /**
     * From an address of this machine that is not the one chosen by itself: of one address to one port there are as many connections as
     * there are ephemeral ports.
     */
    public static LdapConnection from(String localHost, String host, int port) throws IOException {
        return new LdapConnection(connected(new InetSocketAddress(localHost, 0), host, port, TIMEOUT_MILLIS));
    }

    /** Over a socket that is connected, and is closed with this. */
    LdapConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new MessageInput(socket.getInputStream());
    }

    static Socket connected(String host, int port) throws IOException {
        return connected(host, port, TIMEOUT_MILLIS);
    }

    static Socket connected(String host, int port, int waitMillis) throws IOException {
        return connected(null, host, port, waitMillis);
    }

    /** @param local null for any */
    private static Socket connected(InetSocketAddress local, String host, int port, int waitMillis) throws IOException {
        Socket socket = new Socket();
        boolean done = false;
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(waitMillis);
            socket.bind(local);
            socket.connect(new InetSocketAddress(host, port), waitMillis);
            done = true;
            return socket;
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    /**
     * What a request ended with.
     *
     * @param firstDn the name of the first entry, null where there is none
     * @param entries how many came
     * @param bytes of all of the answer
     */
    public record Result(int code, String diagnostic, String firstDn, long entries, long bytes) {
        /** @throws UnexpectedResultException unless the code is one of those */
        public Result expect(int... codes) throws IOException {
            for (int expected : codes) {
                if (code == expected) {
                    return this;
                }
            }
            throw new UnexpectedResultException(code, diagnostic);
        }
    }

    public Result bind(String dn, String password) throws IOException {
        int start = begin();
        int bind = out.begin(0x60);
        out.integer(BerWriter.INTEGER, 3);
        out.string(BerWriter.OCTET_STRING, dn);
        out.string(0x80, password);
        out.end(bind);
        return send(start);
    }

    /** A subtree search; without attributes named it asks for all user attributes. */
    public Result search(String base, SearchFilter filter, int sizeLimit, String... attributes) throws IOException {
        int start = begin();
        int search = out.begin(0x63);
        out.string(BerWriter.OCTET_STRING, base);
        out.integer(BerWriter.ENUMERATED, 2);
        out.integer(BerWriter.ENUMERATED, 0);
        out.integer(BerWriter.INTEGER, sizeLimit);
        out.integer(BerWriter.INTEGER, 0);
        out.bool(BerWriter.BOOLEAN, false);
        filter.writeTo(out);
        int list = out.begin(BerWriter.SEQUENCE);
        for (String name : attributes) {
            out.string(BerWriter.OCTET_STRING, name);
        }
        out.end(list);
        out.end(search);
        return send(start);
    }

    /** Replaces all values of an attribute by one. */
    public Result replace(String dn, String attribute, String value) throws IOException {
        int start = begin();
        int modify = out.begin(0x66);
        out.string(BerWriter.OCTET_STRING, dn);
        int changes = out.begin(BerWriter.SEQUENCE);
        int change = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.ENUMERATED, 2);
        int partial = out.begin(BerWriter.SEQUENCE);
        out.string(BerWriter.OCTET_STRING, attribute);
        int set = out.begin(BerWriter.SET);
        out.string(BerWriter.OCTET_STRING, value);
        out.end(set);
        out.end(partial);
        out.end(change);
        out.end(changes);
        out.end(modify);
        return send(start);
    }

    /** Adds an entry: the values at one position belong to the name at the same position. */
    public Result add(String dn, List<String> names, List<List<byte[]>> values) throws IOException {
        int start = begin();
        int add = out.begin(0x68);
        out.string(BerWriter.OCTET_STRING, dn);
        int list = out.begin(BerWriter.SEQUENCE);
        for (int i = 0; i < names.size(); i++) {
            int attribute = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, names.get(i));
            int set = out.begin(BerWriter.SET);
            for (byte[] value : values.get(i)) {
                out.octets(BerWriter.OCTET_STRING, value);
            }
            out.end(set);
            out.end(attribute);
        }
        out.end(list);
        out.end(add);
        return send(start);
    }

    /** Sends a request and waits for its result. */
    public Result send(Request request, Control... controls) throws IOException {
        begin(request, controls);
        return receive();
    }

    /** Sends a request without waiting for its result. @return its message ID */
    public int begin(Request request, Control... controls) throws IOException {
        request.writeMessage(out, ++messageId, controls);
        socket.getOutputStream().write(out.buffer(), 0, out.size());
        return messageId;
    }

    private int begin() {
        out.clear();
        int start = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, ++messageId);
        return start;
    }

    private Result send(int start) throws IOException {
        out.end(start);
        socket.getOutputStream().write(out.buffer(), 0, out.size());
        return receive();
    }

    /**
     * Waits for the next result, of whichever request.
     *
     * @return with all that came before it: of several requests at once that is of others, too
     */
    public Result receive() throws IOException {
        long entries = 0;
        long bytes = 0;
        String firstDn = null;
        while (true) {
            int length = in.awaitMessage();
            bytes += length;
            int tag = operationTag(length);
            if (tag == SEARCH_ENTRY) {
                firstDn = entries == 0 ? name(length) : firstDn;
                entries++;
            } else if (tag != SEARCH_REFERENCE) {
                return result(length, tag, firstDn, entries, bytes);
            }
            in.consume(length);
        }
    }

    /** The tag after the message ID, without a reader: there is one for each entry. */
    private int operationTag(int length) throws IOException {
        byte[] message = in.bytes();
        int position = in.position();
        int at = position + 2 + (message[position + 1] < 0 ? message[position + 1] & 0x7F : 0);
        if (at + 1 >= position + length || message[at] != BerWriter.INTEGER) {
            throw new IOException("an answer that is not LDAP: it has no message ID");
        }
        at += 2 + message[at + 1];
        if (at >= position + length) {
            throw new IOException("an answer that is not LDAP: it has no operation");
        }
        return message[at] & 0xFF;
    }

    private String name(int length) throws IOException {
        try {
            BerReader reader = new BerReader(in.bytes(), in.position(), length);
            reader.enter(BerWriter.SEQUENCE);
            reader.readInt(BerWriter.INTEGER);
            reader.enter(SEARCH_ENTRY);
            return reader.readString(BerWriter.OCTET_STRING);
        } catch (BerException e) {
            throw new IOException("an answer that is not LDAP: " + e.getMessage(), e);
        }
    }

    private Result result(int length, int tag, String firstDn, long entries, long bytes) throws IOException {
        try {
            BerReader reader = new BerReader(in.bytes(), in.position(), length);
            in.consume(length);
            reader.enter(BerWriter.SEQUENCE);
            reader.readInt(BerWriter.INTEGER);
            reader.enter(tag);
            int code = reader.readInt(BerWriter.ENUMERATED);
            reader.skip();
            return new Result(code, reader.readString(BerWriter.OCTET_STRING), firstDn, entries, bytes);
        } catch (BerException e) {
            throw new IOException("an answer that is not LDAP: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
