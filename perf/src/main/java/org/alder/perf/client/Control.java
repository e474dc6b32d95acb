package org.alder.perf.client;

import org.alder.partition.ber.BerWriter;

/** A control (RFC 4511 4.1.11). Immutable. @param value null for none */
public record Control(String oid, boolean isCritical, byte[] value) {
    /** draft-armijo-ldap-treedelete. */
    public static final Control TREE_DELETE = new Control("1.2.840.113556.1.4.805", true, null);
    static final String PAGES = "1.2.840.113556.1.4.319";
    private static final String TRANSACTION = "1.3.6.1.1.21.2";
    private static final String SORT = "1.2.840.113556.1.4.473";
    private static final String SYNC = "1.3.6.1.4.1.4203.1.9.1.1";
    private static final int REFRESH_AND_PERSIST = 3;

    /** RFC 5805: the update belongs to the transaction. */
    public static Control inTransaction(byte[] identifier) {
        return new Control(TRANSACTION, true, identifier);
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
