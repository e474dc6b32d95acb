package org.alder.perf.client;

import java.util.List;
import java.util.function.Consumer;
import org.alder.partition.ber.BerWriter;

/** A control (RFC 4511 4.1.11). Immutable. @param value null for none */
public record Control(String oid, boolean isCritical, byte[] value) {
    /** draft-armijo-ldap-treedelete. */
    public static final Control TREE_DELETE = new Control("1.2.840.113556.1.4.805", true, null);
    static final String PRE_READ = "1.3.6.1.1.13.1";
    static final String POST_READ = "1.3.6.1.1.13.2";
    static final String PAGES = "1.2.840.113556.1.4.319";
    private static final String TRANSACTION = "1.3.6.1.1.21.2";
    private static final String SORT = "1.2.840.113556.1.4.473";
    private static final String SYNC = "1.3.6.1.4.1.4203.1.9.1.1";
    private static final String DEREFERENCE = "1.3.6.1.4.1.4203.666.5.16";
    private static final int REFRESH_AND_PERSIST = 3;
    private static final String PERSISTENT_SEARCH = "2.16.840.1.113730.3.4.3";
    private static final int ALL_CHANGES = 15;
    private static final String LIST_VIEW = "2.16.840.1.113730.3.4.9";
    private static final String MATCHED_VALUES = "1.2.826.0.1.3344810.2.3";

    /** RFC 5805: the update belongs to the transaction. */
    public static Control inTransaction(byte[] identifier) {
        return new Control(TRANSACTION, true, identifier);
    }

    /** RFC 4527, pre-read: the answer to an update has these attributes as they were before. */
    public static Control preRead(String... attributes) {
        return read(PRE_READ, attributes);
    }

    /** RFC 4527, post-read: the answer to an update has these attributes as they are afterwards. */
    public static Control postRead(String... attributes) {
        return read(POST_READ, attributes);
    }

    private static Control read(String oid, String... attributes) {
        BerWriter out = new BerWriter(32);
        int list = out.begin(BerWriter.SEQUENCE);
        for (String attribute : attributes) {
            out.string(BerWriter.OCTET_STRING, attribute);
        }
        out.end(list);
        return new Control(oid, true, out.toByteArray());
    }

    /** RFC 2696. @param cookie empty for the first page */
    public static Control page(int entries, byte[] cookie) {
        BerWriter out = new BerWriter(32);
        int page = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, entries);
        out.octets(BerWriter.OCTET_STRING, cookie);
        out.end(page);
        return new Control(PAGES, true, out.toByteArray());
    }

    /** RFC 2891, by one attribute's ordering rule. */
    public static Control sorted(String attribute, boolean isReverse) {
        BerWriter out = new BerWriter(32);
        int keys = out.begin(BerWriter.SEQUENCE);
        int key = out.begin(BerWriter.SEQUENCE);
        out.string(BerWriter.OCTET_STRING, attribute);
        if (isReverse) {
            out.bool(0x81, true);
        }
        out.end(key);
        out.end(keys);
        return new Control(SORT, true, out.toByteArray());
    }

    /** draft-masarati-ldap-deref: an attribute of the entries that another one names. */
    public static Control dereferenced(String naming, String wanted) {
        BerWriter out = new BerWriter(64);
        int specs = out.begin(BerWriter.SEQUENCE);
        int spec = out.begin(BerWriter.SEQUENCE);
        out.string(BerWriter.OCTET_STRING, naming);
        int attributes = out.begin(BerWriter.SEQUENCE);
        out.string(BerWriter.OCTET_STRING, wanted);
        out.end(attributes);
        out.end(spec);
        out.end(specs);
        return new Control(DEREFERENCE, true, out.toByteArray());
    }

    /** RFC 4533, refreshAndPersist. @param cookie null for everything */
    public static Control followed(byte[] cookie) {
        BerWriter out = new BerWriter(64);
        int sync = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.ENUMERATED, REFRESH_AND_PERSIST);
        if (cookie != null) {
            out.octets(BerWriter.OCTET_STRING, cookie);
        }
        out.end(sync);
        return new Control(SYNC, true, out.toByteArray());
    }

    /** draft-ietf-ldapext-psearch-03: what is there, then all changes, each with its notification. */
    public static Control persistentSearch() {
        BerWriter out = new BerWriter(32);
        int search = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, ALL_CHANGES);
        out.bool(BerWriter.BOOLEAN, false);
        out.bool(BerWriter.BOOLEAN, true);
        out.end(search);
        return new Control(PERSISTENT_SEARCH, true, out.toByteArray());
    }

    /** draft-ietf-ldapext-ldapv3-vlv-09: the window around the entry in that place of the list, from 1. */
    public static Control listView(int before, int after, int offset) {
        return listView(before, after, out -> {
            int target = out.begin(0xA0);
            out.integer(BerWriter.INTEGER, offset);
            out.integer(BerWriter.INTEGER, 0);
            out.end(target);
        });
    }

    /** draft-ietf-ldapext-ldapv3-vlv-09: the window around the first entry whose value is not before that one. */
    public static Control listView(int before, int after, String value) {
        return listView(before, after, out -> out.string(0x81, value));
    }

    private static Control listView(int before, int after, Consumer<BerWriter> target) {
        BerWriter out = new BerWriter(32);
        int view = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, before);
        out.integer(BerWriter.INTEGER, after);
        target.accept(out);
        out.end(view);
        return new Control(LIST_VIEW, true, out.toByteArray());
    }

    /** RFC 3876. @param items without AND, OR and NOT */
    public static Control matchedValues(List<SearchFilter> items) {
        BerWriter out = new BerWriter(64);
        int list = out.begin(BerWriter.SEQUENCE);
        items.forEach(item -> item.writeTo(out));
        out.end(list);
        return new Control(MATCHED_VALUES, true, out.toByteArray());
    }

    void writeTo(BerWriter out) {
        int control = out.begin(BerWriter.SEQUENCE);
        out.string(BerWriter.OCTET_STRING, oid);
        if (isCritical) {
            out.bool(BerWriter.BOOLEAN, true);
        }
        if (value != null) {
            out.octets(BerWriter.OCTET_STRING, value);
        }
        out.end(control);
    }
}
