package org.alder.server.cli;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterEncoder;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.output.TerminalText;

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
    private static final int EXTENDED_VALUE = 0x81;
    private static final int EXTENDED_ANSWER_VALUE = 0x8B;
    private static final int SEARCH = 0x63;
    private static final int SEARCH_ENTRY = 0x64;
    private static final int SEARCH_REFERENCE = 0x73;
    private static final int INTERMEDIATE = 0x79;
    private static final int MODIFY = 0x66;
    private static final int DELETE = 0x4A;
    private static final int CONTROLS = 0xA0;
    private static final int CONNECTION = 0x78;
    private static final Filter ANY = new Filter.Present("objectClass");
    private static final Listener NOBODY = found -> { };

    private final LdapTransport transport;
    private int lastId;

    private LdapCalls(LdapTransport transport) {
        this.transport = transport;
    }

    /** An entry that was asked for. @param controls the values of the entry's controls by their OIDs */
    record Found(LdifEntry entry, Map<String, byte[]> controls) {
        String dn() {
            return entry.dn();
        }

        /** By their names, of which capitals do not matter. */
        Map<String, List<byte[]>> attributes() {
            Map<String, List<byte[]>> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            entry.attributes().forEach(each -> attributes.computeIfAbsent(each.description(), none -> new ArrayList<>(1)).add(each.value()));
            return attributes;
        }
    }

    /** What is searched for (RFC 4511 4.5.1). @param sizeLimit 0 for none of ours */
    record Search(String base, SearchScope scope, Filter filter, int sizeLimit, List<String> attributes) {
    }

    /** Is told what a search finds, as it comes. */
    interface Listener {
        void found(Found found) throws IOException;

        /** Another server has what belongs here. */
        default void reference(String url) {
        }
    }

    /** How a request ended. @param value of the answer to an extended operation; null for none */
    record Result(int code, String message, byte[] value) {
        boolean is(ResultCode other) {
            return code == other.number();
        }

        /** @param what was asked for */
        void require(String what) throws CommandException {
            if (code != 0) {
                String name = Arrays.stream(ResultCode.values()).filter(this::is).map(known -> " (" + known.text() + ')').findFirst().orElse("");
                throw new CommandException(what + ": result " + code + name + (message.isEmpty() ? "" : ", " + TerminalText.shown(message)));
            }
        }
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

    /**
     * On a connection of this machine over which no password is sent, and which needs no TLS therefore.
     *
     * @param url of ldap:// or ldapi://
     */
    static LdapCalls openInClear(String url) throws IOException, CommandException {
        return new LdapCalls(LdapTransport.open(url, null));
    }

    private void startTls() throws IOException, CommandException {
        extended(START_TLS, null).require("start TLS");
        transport.startTls();
    }

    /** An extended operation (RFC 4511 4.12). @param value null for none */
    Result extended(String oid, byte[] value) throws IOException, CommandException {
        BerWriter out = new BerWriter(64);
        int message = begin(out);
        int request = out.begin(EXTENDED);
        out.string(EXTENDED_NAME, oid);
        if (value != null) {
            out.octets(EXTENDED_VALUE, value);
        }
        out.end(request);
        return exchange(out, message, NOBODY);
    }

    /** From now on the server may take as long as it likes to answer. */
    void waitForEver() throws IOException {
        transport.waitForEver();
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
        Result result = exchange(out, message, NOBODY);
        if (result.is(ResultCode.INVALID_CREDENTIALS) || result.is(ResultCode.AUTH_METHOD_NOT_SUPPORTED)) {
            return false;
        }
        result.require("bind as the system's user");
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
        exchange(out, message, NOBODY).require("bind as \"" + dn + '"');
    }

    /** @return what the server says beside that it is done, mostly nothing */
    String modify(String dn, List<Modification> modifications) throws IOException, CommandException {
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
        Result result = exchange(out, message, NOBODY);
        result.require("modify \"" + dn + '"');
        return result.message();
    }

    /** @return whether it was there, and could be deleted */
    boolean deleteIfThere(String dn) throws IOException, CommandException {
        BerWriter out = new BerWriter(256);
        int message = begin(out);
        out.string(DELETE, dn);
        Result result = exchange(out, message, NOBODY);
        if (!result.is(ResultCode.NO_SUCH_OBJECT) && !result.is(ResultCode.UNWILLING_TO_PERFORM)) {
            result.require("delete \"" + dn + '"');
        }
        return result.code == 0;
    }

    /** The entries directly below this one. */
    List<Found> children(String dn) throws IOException, CommandException {
        List<Found> found = new ArrayList<>();
        search(new Search(dn, SearchScope.ONE_LEVEL, ANY, 0, List.of()), found::add).require("search below \"" + dn + '"');
        return found;
    }

    /** Tells what is found as it comes; what is not read yet waits at the server. */
    Result search(Search search, Listener listener) throws IOException, CommandException {
        BerWriter out = new BerWriter(256);
        int message = begin(out);
        write(out, search);
        return exchange(out, message, listener);
    }

    private static void write(BerWriter out, Search search) {
        int request = out.begin(SEARCH);
        out.string(BerWriter.OCTET_STRING, search.base);
        out.integer(BerWriter.ENUMERATED, search.scope.ordinal());
        out.integer(BerWriter.ENUMERATED, 0);
        out.integer(BerWriter.INTEGER, search.sizeLimit);
        out.integer(BerWriter.INTEGER, 0);
        out.bool(BerWriter.BOOLEAN, false);
        FilterEncoder.write(search.filter, out);
        int list = out.begin(BerWriter.SEQUENCE);
        search.attributes.forEach(name -> out.string(BerWriter.OCTET_STRING, name));
        out.end(list);
        out.end(request);
    }

    /** One entry. @param controls OIDs of controls that have no value */
    Found read(String dn, List<String> attributes, List<String> controls) throws IOException, CommandException {
        BerWriter out = new BerWriter(256);
        int message = begin(out);
        write(out, new Search(dn, SearchScope.BASE, ANY, 1, attributes));
        int all = out.begin(CONTROLS);
        for (String oid : controls) {
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, oid);
            out.end(one);
        }
        out.end(all);
        List<Found> found = new ArrayList<>(1);
        exchange(out, message, found::add).require("read \"" + dn + '"');
        if (found.isEmpty()) {
            throw new CommandException("read \"" + dn + "\": the server shows no such entry");
        }
        return found.get(0);
    }

    /** Waits until the server answers a search of this entry alone, whatever the answer is. */
    void awaitAnswer(String dn) throws IOException, CommandException {
        search(new Search(dn, SearchScope.BASE, ANY, 1, List.of("1.1")), NOBODY);
    }

    private int begin(BerWriter request) {
        int message = request.begin(BerWriter.SEQUENCE);
        request.integer(BerWriter.INTEGER, ++lastId);
        return message;
    }

    private void send(BerWriter message) throws IOException {
        transport.out().write(message.toByteArray());
        transport.out().flush();
    }

    /** Sends the message and takes what comes for it. */
    private Result exchange(BerWriter out, int message, Listener listener) throws IOException, CommandException {
        out.end(message);
        try {
            send(out);
            while (true) {
                BerReader reader = new BerReader(message());
                reader.enter(BerWriter.SEQUENCE);
                int id = reader.readInt(BerWriter.INTEGER);
                int tag = reader.peekTag();
                if (id == lastId && tag == SEARCH_ENTRY) {
                    listener.found(entry(reader));
                } else if (id == lastId && tag == SEARCH_REFERENCE) {
                    references(reader, listener);
                } else if (id == lastId && tag != INTERMEDIATE || id == 0 && tag == CONNECTION) {
                    return result(reader, tag);
                }
            }
        } catch (BerException e) {
            throw new CommandException("the server's answer is no LDAP: " + TerminalText.shown(e.getMessage()), e);
        } catch (EOFException e) {
            throw new CommandException("the server closed the connection before it answered", e);
        } catch (SocketTimeoutException e) {
            throw new CommandException("the server has not answered for " + LdapTransport.LIMIT_SECONDS + " seconds", e);
        }
    }

    private static Result result(BerReader reader, int tag) throws BerException {
        reader.enter(tag);
        int code = reader.readInt(BerWriter.ENUMERATED);
        reader.readBytes(BerWriter.OCTET_STRING);
        String message = reader.readString(BerWriter.OCTET_STRING);
        while (reader.hasMore() && reader.peekTag() != EXTENDED_ANSWER_VALUE) {
            reader.skip();
        }
        return new Result(code, message, reader.hasMore() ? reader.readBytes(EXTENDED_ANSWER_VALUE) : null);
    }

    private static void references(BerReader reader, Listener listener) throws BerException {
        reader.enter(SEARCH_REFERENCE);
        while (reader.hasMore()) {
            listener.reference(reader.readString(BerWriter.OCTET_STRING));
        }
    }

    private static Found entry(BerReader reader) throws BerException {
        int outer = reader.enter(SEARCH_ENTRY);
        String dn = reader.readString(BerWriter.OCTET_STRING);
        List<LdifAttribute> attributes = new ArrayList<>();
        int list = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            int attribute = reader.enter(BerWriter.SEQUENCE);
            String name = reader.readString(BerWriter.OCTET_STRING);
            int set = reader.enter(BerWriter.SET);
            while (reader.hasMore()) {
                attributes.add(new LdifAttribute(name, reader.readBytes(BerWriter.OCTET_STRING)));
            }
            reader.leave(set);
            reader.leave(attribute);
        }
        reader.leave(list);
        reader.leave(outer);
        return new Found(new LdifEntry(dn, attributes), reader.hasMore() ? controls(reader) : Map.of());
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
