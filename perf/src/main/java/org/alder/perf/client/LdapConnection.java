package org.alder.perf.client;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/**
 * A blocking LDAP client that costs next to nothing, so that a benchmark measures the server: it writes ready-made BER and only
 * counts the entries that come back. One thread, one request at a time.
 */
public final class LdapConnection implements AutoCloseable {
    private static final int SEARCH_ENTRY = 0x64;
    private static final int SEARCH_REFERENCE = 0x73;
    private static final int TIMEOUT_MILLIS = 600_000;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final BerWriter out = new BerWriter(1024);
    private byte[] message = new byte[64 * 1024];
    private int messageId;

    public LdapConnection(String host, int port) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), 256 * 1024);
    }

    /** What a request ended with. */
    public record Result(int code, String diagnostic, long entries, long bytes) {
        /** @throws IOException unless the code is one of those */
        public Result expect(int... codes) throws IOException {
            for (int expected : codes) {
                if (code == expected) {
                    return this;
                }
            }
            throw new IOException("result code " + code + " from the server: " + diagnostic);
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

    /** A subtree search for a filter built from equality tests: one value, or any of several. */
    public Result search(String base, String attribute, List<String> values, int sizeLimit,
            String... attributes) throws IOException {
        int start = begin();
        int search = out.begin(0x63);
        out.string(BerWriter.OCTET_STRING, base);
        out.integer(BerWriter.ENUMERATED, 2);
        out.integer(BerWriter.ENUMERATED, 0);
        out.integer(BerWriter.INTEGER, sizeLimit);
        out.integer(BerWriter.INTEGER, 0);
        out.bool(BerWriter.BOOLEAN, false);
        int or = values.size() > 1 ? out.begin(0xA1) : -1;
        for (String value : values) {
            int equality = out.begin(0xA3);
            out.string(BerWriter.OCTET_STRING, attribute);
            out.string(BerWriter.OCTET_STRING, value);
            out.end(equality);
        }
        if (or >= 0) {
            out.end(or);
        }
        int list = out.begin(BerWriter.SEQUENCE);
        for (String name : attributes) {
            out.string(BerWriter.OCTET_STRING, name);
        }
        out.end(list);
        out.end(search);
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

    private int begin() {
        out.clear();
        int start = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, ++messageId);
        return start;
    }

    private Result send(int start) throws IOException {
        out.end(start);
        socket.getOutputStream().write(out.buffer(), 0, out.size());
        long entries = 0;
        long bytes = 0;
        while (true) {
            int length = readMessage();
            bytes += length;
            try {
                BerReader reader = new BerReader(message, 0, length);
                reader.enter(BerWriter.SEQUENCE);
                reader.readInt(BerWriter.INTEGER);
                int tag = reader.peekTag();
                if (tag == SEARCH_ENTRY) {
                    entries++;
                } else if (tag != SEARCH_REFERENCE) {
                    reader.enter(tag);
                    int code = reader.readInt(BerWriter.ENUMERATED);
                    reader.skip();
                    return new Result(code, reader.readString(BerWriter.OCTET_STRING), entries, bytes);
                }
            } catch (BerException e) {
                throw new IOException("an answer that is not LDAP: " + e.getMessage(), e);
            }
        }
    }

    /** Reads one whole LDAPMessage into {@link #message} and returns its length. */
    private int readMessage() throws IOException {
        readFully(0, 2);
        int header = 2;
        int length = message[1] & 0xFF;
        if (length > 0x7F) {
            int count = length & 0x7F;
            readFully(2, count);
            header += count;
            length = 0;
            for (int i = 2; i < header; i++) {
                length = length << 8 | message[i] & 0xFF;
            }
        }
        if (header + length > message.length) {
            message = Arrays.copyOf(message, header + length + 64 * 1024);
        }
        readFully(header, length);
        return header + length;
    }

    private void readFully(int offset, int length) throws IOException {
        if (in.readNBytes(message, offset, length) < length) {
            throw new EOFException("the server closed the connection");
        }
    }

    /** Text to bytes as LDAP wants them. */
    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
