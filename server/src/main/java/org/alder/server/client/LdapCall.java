package org.alder.server.console;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterEncoder;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.server.control.Assertion;
import org.alder.server.control.search.PagedResults;

/** A request to be sent (RFC 4511 4.1.1), all but its message ID. One thread. */
final class LdapCall {
    private static final int BIND = 0x60;
    private static final int SIMPLE = 0x80;
    private static final int UNBIND = 0x42;
    private static final int SEARCH = 0x63;
    private static final int MODIFY = 0x66;
    private static final int DELETE = 0x4A;
    private static final int ABANDON = 0x50;
    private static final int EXTENDED = 0x77;
    private static final int EXTENDED_NAME = 0x80;
    private static final int CONTROLS = 0xA0;
    private static final int VERSION = 3;
    private static final String WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3";

    private final Consumer<BerWriter> operation;
    private final List<Control> controls = new ArrayList<>();

    private record Control(String oid, byte[] value) {
    }

    private LdapCall(Consumer<BerWriter> operation) {
        this.operation = operation;
    }

    /** A simple bind (RFC 4511 4.2). */
    static LdapCall bind(String dn, String password) {
        return new LdapCall(out -> {
            int request = out.begin(BIND);
            out.integer(BerWriter.INTEGER, VERSION);
            out.string(BerWriter.OCTET_STRING, dn);
            out.octets(SIMPLE, password.getBytes(StandardCharsets.UTF_8));
            out.end(request);
        });
    }

    static LdapCall unbind() {
        return new LdapCall(out -> out.octets(UNBIND, new byte[0]));
    }

    static LdapCall abandon(int id) {
        return new LdapCall(out -> out.integer(ABANDON, id));
    }

    static LdapCall whoAmI() {
        return new LdapCall(out -> {
            int request = out.begin(EXTENDED);
            out.string(EXTENDED_NAME, WHO_AM_I);
            out.end(request);
        });
    }

    /**
     * What is searched for (RFC 4511 4.5.1).
     *
     * @param typesOnly whether values are left out
     */
    record Search(String base, SearchScope scope, Filter filter, int sizeLimit, int timeLimitSeconds, boolean typesOnly,
                  List<String> attributes) {
    }

    static LdapCall search(Search search) {
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

    static LdapCall modify(String dn, List<Modification> modifications) {
        return new LdapCall(out -> {
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
        });
    }

    static LdapCall delete(String dn) {
        return new LdapCall(out -> out.string(DELETE, dn));
    }

    /** One page of a search (RFC 2696). @param cookie empty for the first one */
    LdapCall paged(int size, byte[] cookie) {
        BerWriter value = new BerWriter(32 + cookie.length);
        int sequence = value.begin(BerWriter.SEQUENCE);
        value.integer(BerWriter.INTEGER, size);
        value.octets(BerWriter.OCTET_STRING, cookie);
        value.end(sequence);
        return with(PagedResults.CONTROL.oid(), value.toByteArray());
    }

    /** Nothing is done unless this is true of the entry (RFC 4528). */
    LdapCall asserting(Filter filter) {
        BerWriter value = new BerWriter(128);
        FilterEncoder.write(filter, value);
        return with(Assertion.CONTROL.oid(), value.toByteArray());
    }

    /** With a control, which is critical. @param value null for none */
    LdapCall with(String oid, byte[] value) {
        controls.add(new Control(oid, value));
        return this;
    }

    byte[] encode(int id) {
        BerWriter out = new BerWriter(256);
        int message = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, id);
        operation.accept(out);
        if (!controls.isEmpty()) {
            int all = out.begin(CONTROLS);
            for (Control each : controls) {
                int one = out.begin(BerWriter.SEQUENCE);
                out.string(BerWriter.OCTET_STRING, each.oid);
                out.bool(BerWriter.BOOLEAN, true);
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
