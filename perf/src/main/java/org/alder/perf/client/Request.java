package org.alder.perf.client;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.alder.partition.ber.BerWriter;

/** The operation of an LDAPMessage (RFC 4511 4). Immutable; its text tells it to who reads a history. */
public sealed interface Request {
    void writeTo(BerWriter out);

    /** The whole LDAPMessage (RFC 4511 4.1.1), in the place of what the writer holds. */
    default void writeMessage(BerWriter out, int messageId, Control... controls) {
        out.clear();
        int start = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, messageId);
        writeTo(out);
        if (controls.length > 0) {
            int list = out.begin(0xA0);
            for (Control control : controls) {
                control.writeTo(out);
            }
            out.end(list);
        }
        out.end(start);
    }

    /** RFC 4511 4.2, simple. */
    record Bind(String dn, String password) implements Request {
        @Override
        public void writeTo(BerWriter out) {
            int bind = out.begin(0x60);
            out.integer(BerWriter.INTEGER, 3);
            out.string(BerWriter.OCTET_STRING, dn);
            out.string(0x80, password);
            out.end(bind);
        }
    }

    /** RFC 4511 4.7. */
    record Add(String dn, Map<String, SortedSet<String>> attributes) implements Request {
        @Override
        public void writeTo(BerWriter out) {
            int add = out.begin(0x68);
            out.string(BerWriter.OCTET_STRING, dn);
            int list = out.begin(BerWriter.SEQUENCE);
            attributes.forEach((name, values) -> attribute(out, name, values));
            out.end(list);
            out.end(add);
        }
    }

    /** What a change of a modify does, in the order of its numbers. */
    enum Kind {
        ADD, DELETE, REPLACE
    }

    /** One change of a modify. */
    record Change(Kind kind, String attribute, List<String> values) {
    }

    /** RFC 4511 4.6. */
    record Modify(String dn, List<Change> changes) implements Request {
        @Override
        public void writeTo(BerWriter out) {
            int modify = out.begin(0x66);
            out.string(BerWriter.OCTET_STRING, dn);
            int list = out.begin(BerWriter.SEQUENCE);
            for (Change each : changes) {
                int change = out.begin(BerWriter.SEQUENCE);
                out.integer(BerWriter.ENUMERATED, each.kind.ordinal());
                attribute(out, each.attribute, each.values);
                out.end(change);
            }
            out.end(list);
            out.end(modify);
        }
    }

    /** RFC 4511 4.8; {@link Control#TREE_DELETE} makes it the whole subtree. */
    record Delete(String dn) implements Request {
        @Override
        public void writeTo(BerWriter out) {
            out.string(0x4A, dn);
        }
    }

    /** RFC 4511 4.9. @param newSuperior null to stay below the same entry */
    record Rename(String dn, String newRdn, boolean deletesOldRdn, String newSuperior) implements Request {
        @Override
        public void writeTo(BerWriter out) {
            int rename = out.begin(0x6C);
            out.string(BerWriter.OCTET_STRING, dn);
            out.string(BerWriter.OCTET_STRING, newRdn);
            out.bool(BerWriter.BOOLEAN, deletesOldRdn);
            if (newSuperior != null) {
                out.string(0x80, newSuperior);
            }
            out.end(rename);
        }
    }

    /** RFC 4511 4.5.1, in the order of its numbers; the last is that of draft-sermersheim-ldap-subordinate-scope. */
    enum Scope {
        BASE, ONE_LEVEL, SUBTREE, CHILDREN
    }

    /** RFC 4511 4.5. Without attributes named it asks for all user attributes. */
    record Search(String base, Scope scope, SearchFilter filter, List<String> attributes) implements Request {
        @Override
        public void writeTo(BerWriter out) {
            int search = out.begin(0x63);
            out.string(BerWriter.OCTET_STRING, base);
            out.integer(BerWriter.ENUMERATED, scope.ordinal());
            out.integer(BerWriter.ENUMERATED, 0);
            out.integer(BerWriter.INTEGER, 0);
            out.integer(BerWriter.INTEGER, 0);
            out.bool(BerWriter.BOOLEAN, false);
            filter.writeTo(out);
            int list = out.begin(BerWriter.SEQUENCE);
            attributes.forEach(name -> out.string(BerWriter.OCTET_STRING, name));
            out.end(list);
            out.end(search);
        }
    }

    /** RFC 4511 4.11; it has no answer. */
    record Abandon(int messageId) implements Request {
        @Override
        public void writeTo(BerWriter out) {
            out.integer(0x50, messageId);
        }
    }

    /** RFC 4511 4.12. @param value null for none */
    record Extended(String oid, byte[] value) implements Request {
        private static final String CANCEL = "1.3.6.1.1.8";
        private static final String START_TRANSACTION = "1.3.6.1.1.21.1";
        private static final String END_TRANSACTION = "1.3.6.1.1.21.3";

        /** RFC 5805 3.1; the response's value is the transaction's identifier. */
        public static Extended startTransaction() {
            return new Extended(START_TRANSACTION, null);
        }

        /** RFC 5805 3.3. */
        public static Extended endTransaction(byte[] identifier, boolean commits) {
            BerWriter out = new BerWriter(32);
            int value = out.begin(BerWriter.SEQUENCE);
            out.bool(BerWriter.BOOLEAN, commits);
            out.octets(BerWriter.OCTET_STRING, identifier);
            out.end(value);
            return new Extended(END_TRANSACTION, out.toByteArray());
        }

        /** RFC 3909. */
        public static Extended cancel(int messageId) {
            BerWriter out = new BerWriter(16);
            int value = out.begin(BerWriter.SEQUENCE);
            out.integer(BerWriter.INTEGER, messageId);
            out.end(value);
            return new Extended(CANCEL, out.toByteArray());
        }

        @Override
        public void writeTo(BerWriter out) {
            int extended = out.begin(0x77);
            out.string(0x80, oid);
            if (value != null) {
                out.octets(0x81, value);
            }
            out.end(extended);
        }
    }

    private static void attribute(BerWriter out, String name, Iterable<String> values) {
        int attribute = out.begin(BerWriter.SEQUENCE);
        out.string(BerWriter.OCTET_STRING, name);
        int set = out.begin(BerWriter.SET);
        values.forEach(value -> out.string(BerWriter.OCTET_STRING, value));
        out.end(set);
        out.end(attribute);
    }
}
