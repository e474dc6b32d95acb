package org.alder.server.cli;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
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
import org.alder.server.cli.option.CommandException;

/**
 * One connection to a server, for verbs that are about one that runs: binds, and then asks one thing after the other. One thread.
 *
 * <p>It is ours because a library would be more, not less: Apache Directory's client opens TCP connections alone, through MINA, and
 * UnboundID's SDK (5.9 MB) takes nothing but {@link java.net.Socket}, which no unix-domain socket of the JDK is.
 */
final class LdapCalls implements AutoCloseable {
    private static final int MOST_BYTES = 64 << 20;
    private static final int BIND = 0x60;
    private static final int SIMPLE = 0x80;
    private static final int SASL = 0xA3;
    private static final int UNBIND = 0x42;
    private static final int EXTENDED = 0x77;
    private static final int EXTENDED_NAME = 0x80;
    private static final String START_TLS = "1.3.6.1.4.1.1466.20037";
    private static final int AUTH_METHOD_NOT_SUPPORTED = 7;
    private static final int INVALID_CREDENTIALS = 49;
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

    private final LdapTransport transport;
    private int lastId;

    private LdapCalls(LdapTransport transport) {
        this.transport = transport;
    }

    /**
     * An entry that was asked for.
     *
     * @param attributes by their names, of which capitals do not matter
     * @param controls the values of the entry's controls by their OIDs
     */
    record Found(String dn, Map<String, List<byte[]>> attributes, Map<String, byte[]> controls) {
    }

    /** On a unix-domain socket of this machine. */
    static LdapCalls open(Path socket) throws IOException {
        return new LdapCalls(LdapTransport.open(socket));
    }

    /**
     * @param url such as ldaps://ldap.example.com:10636, ldap://127.0.0.1:10389 or ldapi://%2Frun%2Falder%2Fldapi; TLS is started on
     *     connections to other machines, and wherever an authority is given
     * @param authority a file with the certificates, PEM, that are trusted; null for those that Java trusts
     */
    static LdapCalls open(String url, Path authority) throws IOException, CommandException {
        LdapTransport transport = LdapTransport.open(url, authority);
        LdapCalls calls = new LdapCalls(transport);
        try {
            if (transport.wantsTls()) {
                calls.startTls();
            }
            return calls;
        } catch (IOException | CommandException e) {
            transport.close();
            throw e;
        }
    }

    private void startTls() throws IOException, CommandException {
        BerWriter out = new BerWriter(64);
        int message = begin(out);
        int request = out.begin(EXTENDED);
        out.string(EXTENDED_NAME, START_TLS);
        out.end(request);
        require(exchange(out, message, new ArrayList<>()), "start TLS");
        transport.startTls();
    }

    /** As whom the system says that we are. @return whether the server takes us for somebody; false where it asks no system */
    boolean bindAsOwnUser() throws IOException, CommandException {
        if (!transport.isLocal()) {
            return false;
        }
        BerWriter out = new BerWriter(64);
        int message = begin(out);
        int request = out.begin(BIND);
        out.integer(BerWriter.INTEGER, 3);
        out.string(BerWriter.OCTET_STRING, "");
        int sasl = out.begin(SASL);
        out.string(BerWriter.OCTET_STRING, "EXTERNAL");
        out.end(sasl);
        out.end(request);
        Result result = exchange(out, message, new ArrayList<>());
        if (result.code == INVALID_CREDENTIALS || result.code == AUTH_METHOD_NOT_SUPPORTED) {
            return false;
        }
        require(result, "bind as the system's user");
        return true;
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
        transport.out().write(message.toByteArray());
        transport.out().flush();
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
        DataInputStream in = transport.in();
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
        try (transport) {
            BerWriter out = new BerWriter(16);
            int message = begin(out);
            out.octets(UNBIND, new byte[0]);
            out.end(message);
            send(out);
        }
    }
}
