package org.alder.server.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterEncoder;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;

/** A request to be sent (RFC 4511 4.1.1), all but its message ID. One thread. */
public final class LdapCall {
    private static final int BIND = 0x60;
    private static final int SIMPLE = 0x80;
    private static final int SASL = 0xA3;
    private static final int UNBIND = 0x42;
    private static final int SEARCH = 0x63;
    private static final int MODIFY = 0x66;
    private static final int ADD = 0x68;
    private static final int DELETE = 0x4A;
    private static final int RENAME = 0x6C;
    private static final int NEW_SUPERIOR = 0x80;
    private static final int ABANDON = 0x50;
    private static final int EXTENDED = 0x77;
    private static final int EXTENDED_NAME = 0x80;
    private static final int EXTENDED_VALUE = 0x81;
    private static final int CONTROLS = 0xA0;
    private static final int VERSION = 3;

    private final Consumer<BerWriter> operation;
    private final List<Control> controls = new ArrayList<>();

    /** @param value null for none */
    private record Control(String oid, boolean isCritical, byte[] value) {
    }

    private LdapCall(Consumer<BerWriter> operation) {
        this.operation = operation;
    }

    /** A simple bind (RFC 4511 4.2). */
    public static LdapCall bind(String dn, String password) {
        return bind(dn, out -> out.octets(SIMPLE, password.getBytes(StandardCharsets.UTF_8)));
    }

    /** A bind as whoever the system, or TLS, says that the client is (RFC 4422 appendix A). */
    public static LdapCall bindExternal() {
        return bind("", out -> {
            int sasl = out.begin(SASL);
            out.string(BerWriter.OCTET_STRING, "EXTERNAL");
            out.end(sasl);
        });
    }

    private static LdapCall bind(String dn, Consumer<BerWriter> credentials) {
        return new LdapCall(out -> {
            int request = out.begin(BIND);
            out.integer(BerWriter.INTEGER, VERSION);
            out.string(BerWriter.OCTET_STRING, dn);
            credentials.accept(out);
            out.end(request);
        });
    }

    public static LdapCall unbind() {
        return new LdapCall(out -> out.octets(UNBIND, new byte[0]));
    }

    public static LdapCall abandon(int id) {
        return new LdapCall(out -> out.integer(ABANDON, id));
    }

    /** An extended operation (RFC 4511 4.12). @param value null for none */
    public static LdapCall extended(String oid, byte[] value) {
        return new LdapCall(out -> {
            int request = out.begin(EXTENDED);
            out.string(EXTENDED_NAME, oid);
            if (value != null) {
                out.octets(EXTENDED_VALUE, value);
            }
            out.end(request);
        });
    }

    /**
     * What is searched for (RFC 4511 4.5.1).
     *
     * @param sizeLimit 0 for none of the client's, like the time limit
     * @param typesOnly whether values are left out
     */
    public record Search(String base, SearchScope scope, Filter filter, int sizeLimit, int timeLimitSeconds, boolean typesOnly,
                         List<String> attributes) {
    }

    public static LdapCall search(Search search) {
        return new LdapCall(out -> {
            int request = out.begin(SEARCH);
            out.string(BerWriter.OCTET_STRING, search.base);
            out.integer(BerWriter.ENUMERATED, search.scope.ordinal());
            out.integer(BerWriter.ENUMERATED, 0);
            out.integer(BerWriter.INTEGER, search.sizeLimit);
            out.integer(BerWriter.INTEGER, search.timeLimitSeconds);
            out.bool(BerWriter.BOOLEAN, search.typesOnly);
            FilterEncoder.write(search.filter, out);
            int list = out.begin(BerWriter.SEQUENCE);
            search.attributes.forEach(name -> out.string(BerWriter.OCTET_STRING, name));
            out.end(list);
            out.end(request);
        });
    }

    public static LdapCall modify(String dn, List<Modification> modifications) {
        return new LdapCall(out -> {
            int request = out.begin(MODIFY);
            out.string(BerWriter.OCTET_STRING, dn);
            int list = out.begin(BerWriter.SEQUENCE);
            for (Modification each : modifications) {
                int change = out.begin(BerWriter.SEQUENCE);
                out.integer(BerWriter.ENUMERATED, each.kind().ordinal());
                write(out, each.description(), each.values());
                out.end(change);
            }
            out.end(list);
            out.end(request);
        });
    }

    public static LdapCall add(String dn, List<LdapAnswer.Attribute> attributes) {
        return new LdapCall(out -> {
            int request = out.begin(ADD);
            out.string(BerWriter.OCTET_STRING, dn);
            int list = out.begin(BerWriter.SEQUENCE);
            attributes.forEach(each -> write(out, each.description(), each.values()));
            out.end(list);
            out.end(request);
        });
    }

    private static void write(BerWriter out, String description, List<byte[]> values) {
        int attribute = out.begin(BerWriter.SEQUENCE);
        out.string(BerWriter.OCTET_STRING, description);
        int set = out.begin(BerWriter.SET);
        values.forEach(value -> out.octets(BerWriter.OCTET_STRING, value));
        out.end(set);
        out.end(attribute);
    }

    /** Another name (RFC 4511 4.9). @param newSuperior empty if the entry stays where it is */
    public static LdapCall rename(String dn, String newRdn, boolean deleteOldRdn, String newSuperior) {
        return new LdapCall(out -> {
            int request = out.begin(RENAME);
            out.string(BerWriter.OCTET_STRING, dn);
            out.string(BerWriter.OCTET_STRING, newRdn);
            out.bool(BerWriter.BOOLEAN, deleteOldRdn);
            if (!newSuperior.isEmpty()) {
                out.string(NEW_SUPERIOR, newSuperior);
            }
            out.end(request);
        });
    }

    public static LdapCall delete(String dn) {
        return new LdapCall(out -> out.string(DELETE, dn));
    }

    /** With a control that the server must not pass over. @param value null for none */
    public LdapCall with(String oid, byte[] value) {
        controls.add(new Control(oid, true, value));
        return this;
    }

    /** With a control that has no value, and that a server may pass over. */
    public LdapCall withIfKnown(String oid) {
        controls.add(new Control(oid, false, null));
        return this;
    }

    /** The whole message. */
    public byte[] encode(int id) {
        BerWriter out = new BerWriter(256);
        int message = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, id);
        operation.accept(out);
        if (!controls.isEmpty()) {
            int all = out.begin(CONTROLS);
            for (Control each : controls) {
                int one = out.begin(BerWriter.SEQUENCE);
                out.string(BerWriter.OCTET_STRING, each.oid);
                if (each.isCritical) {
                    out.bool(BerWriter.BOOLEAN, true);
                }
                if (each.value != null) {
                    out.octets(BerWriter.OCTET_STRING, each.value);
                }
                out.end(one);
            }
            out.end(all);
        }
        out.end(message);
        return out.toByteArray();
    }
}
