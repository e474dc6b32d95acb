package org.alder.server.cli;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.request.Modification;

/**
 * One connection to the server on this machine, for verbs that are about a server that runs: binds, and then asks one thing after the
 * other. It goes to loopback addresses and unix-domain sockets only, since the password goes over it as it is. One thread.
 */
final class LdapCalls implements AutoCloseable {
    private static final String EXPECTED = ": expected such as ldap://127.0.0.1:10389 or ldapi://%2Frun%2Falder%2Fldapi";
    private static final int LIMIT_MILLIS = 60_000;
    private static final int MOST_BYTES = 64 << 20;
    private static final int BIND = 0x60;
    private static final int SIMPLE = 0x80;
    private static final int UNBIND = 0x42;
    private static final int SEARCH = 0x63;
    private static final int SEARCH_ENTRY = 0x64;
    private static final int MODIFY = 0x66;
    private static final int DELETE = 0x4A;
    private static final int PRESENT = 0x87;
    private static final int NO_SUCH_OBJECT = 32;
    private static final int UNWILLING_TO_PERFORM = 53;
    private static final int BASE = 0;
    private static final int ONE_LEVEL = 1;
    private static final int CONTROLS = 0xA0;
    private static final int CONNECTION = 0x78;

    private final Closeable connection;
    private final DataInputStream in;
    private final OutputStream out;
    private int lastId;

    private LdapCalls(Closeable connection, InputStream in, OutputStream out) {
        this.connection = connection;
        this.in = new DataInputStream(in);
        this.out = out;
    }

    /**
     * An entry that was asked for.
     *
     * @param attributes by their names, of which capitals do not matter
     * @param controls the values of the entry's controls by their OIDs
     */
    record Found(String dn, Map<String, List<byte[]>> attributes, Map<String, byte[]> controls) {
    }

    /** @param url such as ldap://127.0.0.1:10389 or ldapi://%2Frun%2Falder%2Fldapi */
    static LdapCalls open(String url) throws CommandException {
        try {
            URI uri = new URI(url);
            if ("ldapi".equalsIgnoreCase(uri.getScheme()) && uri.getRawAuthority() != null) {
                return unix(Path.of(URLDecoder.decode(uri.getRawAuthority(), StandardCharsets.UTF_8)));
            } else if ("ldap".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0) {
                InetAddress host = InetAddress.getByName(uri.getHost());
                if (!host.isLoopbackAddress()) {
                    throw new CommandException("--url " + url + ": passwords go to this machine alone as they are: run this where the"
                            + " server runs, or use ldapmodify with TLS");
                }
                return tcp(new InetSocketAddress(host, uri.getPort()));
            }
            throw new CommandException("--url " + url + EXPECTED);
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new CommandException("--url " + url + EXPECTED, e);
        } catch (IOException e) {
            throw new CommandException("no server answers at " + url + " (" + e.getMessage() + "): start it, or say with --url where it"
                    + " listens", e);
        }
    }

    private static LdapCalls unix(Path path) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
        return new LdapCalls(channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    private static LdapCalls tcp(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            return new LdapCalls(socket, socket.getInputStream(), socket.getOutputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    void bind(String dn, String password) throws IOException, CommandException {
        BerWriter out = new BerWriter(256);
        int message = begin(out);
        int request = out.begin(BIND);
        out.integer(BerWriter.INTEGER, 3);
        out.string(BerWriter.OCTET_STRING, dn);
        out.string(SIMPLE, password);
        out.end(request);
        require(exchange(out, message, new ArrayList<>()), "bind as \"" + dn + '"');
    }

    void modify(String dn, List<Modification> modifications) throws IOException, CommandException {
        BerWriter out = new BerWriter(256);
        int message = begin(out);
        int request = out.begin(MODIFY);
        out.string(BerWriter.OCTET_STRING, dn);
        int list = out.begin(BerWriter.SEQUENCE);
        for (Modification each : modifications) {
            int change = out.begin(BerWriter.SEQUENCE);
            out.integer(BerWriter.ENUMERATED, each.kind().ordinal());
            int attribute = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, each.description());
            int values = out.begin(BerWriter.SET);
            each.values().forEach(value -> out.octets(BerWriter.OCTET_STRING, value));
            out.end(values);
            out.end(attribute);
            out.end(change);
        }
        out.end(list);
        out.end(request);
        require(exchange(out, message, new ArrayList<>()), "modify \"" + dn + '"');
    }

    /** @return whether it was there, and could be deleted */
    boolean deleteIfThere(String dn) throws IOException, CommandException {
        BerWriter out = new BerWriter(256);
        int message = begin(out);
        out.string(DELETE, dn);
        Result result = exchange(out, message, new ArrayList<>());
        if (result.code != NO_SUCH_OBJECT && result.code != UNWILLING_TO_PERFORM) {
            require(result, "delete \"" + dn + '"');
        }
        return result.code == 0;
    }

    /** The entries directly below this one. */
    List<Found> children(String dn) throws IOException, CommandException {
        BerWriter out = new BerWriter(256);
        int message = begin(out);
        search(out, dn, ONE_LEVEL, 0, List.of());
        List<Found> found = new ArrayList<>();
        require(exchange(out, message, found), "search below \"" + dn + '"');
        return found;
    }

    private static void search(BerWriter out, String dn, int scope, int sizeLimit, List<String> attributes) {
        int request = out.begin(SEARCH);
        out.string(BerWriter.OCTET_STRING, dn);
        out.integer(BerWriter.ENUMERATED, scope);
        out.integer(BerWriter.ENUMERATED, 0);
        out.integer(BerWriter.INTEGER, sizeLimit);
        out.integer(BerWriter.INTEGER, 0);
        out.bool(BerWriter.BOOLEAN, false);
        out.string(PRESENT, "objectClass");
        int list = out.begin(BerWriter.SEQUENCE);
        attributes.forEach(name -> out.string(BerWriter.OCTET_STRING, name));
        out.end(list);
        out.end(request);
    }

    /** One entry. @param controls OIDs of controls that have no value */
    Found read(String dn, List<String> attributes, List<String> controls) throws IOException, CommandException {
        BerWriter out = new BerWriter(256);
        int message = begin(out);
        search(out, dn, BASE, 1, attributes);
        int all = out.begin(CONTROLS);
        for (String oid : controls) {
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, oid);
            out.end(one);
        }
        out.end(all);
        List<Found> found = new ArrayList<>(1);
        require(exchange(out, message, found), "read \"" + dn + '"');
        if (found.isEmpty()) {
            throw new CommandException("read \"" + dn + "\": the server shows no such entry");
        }
        return found.get(0);
    }

    private int begin(BerWriter request) {
        int message = request.begin(BerWriter.SEQUENCE);
        request.integer(BerWriter.INTEGER, ++lastId);
        return message;
    }

    /** How a request ended. */
    private record Result(int code, String message) {
    }

    private static void require(Result result, String what) throws CommandException {
        if (result.code != 0) {
            throw new CommandException(what + ": result " + result.code + (result.message.isEmpty() ? "" : ", " + result.message));
        }
    }

    private void send(BerWriter message) throws IOException {
        out.write(message.toByteArray());
        out.flush();
    }

    /** Sends the message and takes what comes for it. @param found gets the entries */
    private Result exchange(BerWriter out, int message, List<Found> found) throws IOException, CommandException {
        out.end(message);
        try {
            send(out);
            while (true) {
                BerReader reader = new BerReader(message());
                reader.enter(BerWriter.SEQUENCE);
                int id = reader.readInt(BerWriter.INTEGER);
                int tag = reader.peekTag();
                if (id == lastId && tag == SEARCH_ENTRY) {
                    found.add(entry(reader));
                } else if (id == lastId || id == 0 && tag == CONNECTION) {
                    return result(reader, tag);
                }
            }
        } catch (BerException e) {
            throw new CommandException("the server's answer is no LDAP: " + e.getMessage(), e);
        } catch (EOFException e) {
            throw new CommandException("the server closed the connection before it answered", e);
        }
    }

    private static Result result(BerReader reader, int tag) throws BerException {
        reader.enter(tag);
        int code = reader.readInt(BerWriter.ENUMERATED);
        reader.readBytes(BerWriter.OCTET_STRING);
        return new Result(code, reader.readString(BerWriter.OCTET_STRING));
    }

    private static Found entry(BerReader reader) throws BerException {
        int outer = reader.enter(SEARCH_ENTRY);
        String dn = reader.readString(BerWriter.OCTET_STRING);
        Map<String, List<byte[]>> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        int list = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            int attribute = reader.enter(BerWriter.SEQUENCE);
            String name = reader.readString(BerWriter.OCTET_STRING);
            List<byte[]> values = new ArrayList<>(1);
            int set = reader.enter(BerWriter.SET);
            while (reader.hasMore()) {
                values.add(reader.readBytes(BerWriter.OCTET_STRING));
            }
            reader.leave(set);
            reader.leave(attribute);
            attributes.put(name, values);
        }
        reader.leave(list);
        reader.leave(outer);
        return new Found(dn, attributes, reader.hasMore() ? controls(reader) : Map.of());
    }

    private static Map<String, byte[]> controls(BerReader reader) throws BerException {
        Map<String, byte[]> controls = new LinkedHashMap<>();
        int all = reader.enter(CONTROLS);
        while (reader.hasMore()) {
            int one = reader.enter(BerWriter.SEQUENCE);
            String oid = reader.readString(BerWriter.OCTET_STRING);
            if (reader.hasMore() && reader.peekTag() == BerWriter.BOOLEAN) {
                reader.skip();
            }
            controls.put(oid, reader.hasMore() ? reader.readBytes(BerWriter.OCTET_STRING) : new byte[0]);
            reader.leave(one);
        }
        reader.leave(all);
        return controls;
    }

    /** One whole message (RFC 4511 5.1). */
    private byte[] message() throws IOException, BerException {
        BerWriter whole = new BerWriter(256);
        int tag = in.readUnsignedByte();
        int first = in.readUnsignedByte();
        int length = first;
        if (first > 0x80) {
            length = 0;
            for (int i = first & 0x7F; i > 0 && length >= 0; i--) {
                length = length > MOST_BYTES ? -1 : length << 8 | in.readUnsignedByte();
            }
        }
        if (tag != BerWriter.SEQUENCE || first == 0x80 || length < 0 || length > MOST_BYTES) {
            throw new BerException("a message of tag " + tag + " and length " + length);
        }
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException();
        }
        whole.octets(BerWriter.SEQUENCE, content);
        return whole.toByteArray();
    }

    /** Takes leave of the server. */
    @Override
    public void close() throws IOException {
        try (connection) {
            BerWriter out = new BerWriter(16);
            int message = begin(out);
            out.octets(UNBIND, new byte[0]);
            out.end(message);
            send(out);
        }
    }
}
