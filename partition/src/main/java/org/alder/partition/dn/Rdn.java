package org.alder.partition.dn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.NameParser;
import org.alder.partition.schema.NameSink;
import org.alder.partition.schema.Schema;

/** A relative distinguished name (RFC 4514). Immutable, thread safe; equal if the normal forms are. */
public final class Rdn {
    private final String text;
    private final List<Ava> avas;
    private final byte[] normalized;

    private Rdn(String text, List<Ava> avas, byte[] normalized) {
        this.text = text;
        this.avas = avas;
        this.normalized = normalized;
    }

    /** @throws DirectoryException invalidDNSyntax; the message names the offset */
    public static Rdn parse(Schema schema, String text) throws DirectoryException {
        Collector collector = new Collector(text);
        NameParser.parseRdn(schema, text, collector);
        return collector.rdns.get(0);
    }

    /** The same of octets as they were sent. @throws DirectoryException invalidDNSyntax, also for what is not UTF-8 */
    public static Rdn parse(Schema schema, byte[] utf8) throws DirectoryException {
        return parse(schema, Dn.text(utf8));
    }

    /** Makes RDNs of what the parser reads. */
    static final class Collector implements NameSink {
        final List<Rdn> rdns = new ArrayList<>(8);
        private final String text;
        private final List<Ava> avas = new ArrayList<>(1);

        Collector(String text) {
            this.text = text;
        }

        @Override
        public void ava(AttributeType type, String typeText, byte[] value) {
            avas.add(new Ava(type, typeText, value));
        }

        @Override
        public void rdn(int start, int end, byte[] normalized) {
            rdns.add(new Rdn(text.substring(start, end), List.copyOf(avas), normalized));
            avas.clear();
        }
    }

    /** As it was spelt, without spaces around it. */
    public String text() {
        return text;
    }

    /** In the order they were spelt. */
    public List<Ava> avas() {
        return avas;
    }

    /** The key of docs/format/hierarchy.md. Shared, not to be changed. */
    public byte[] normalized() {
        return normalized;
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Rdn && Arrays.equals(((Rdn) object).normalized, normalized);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(normalized);
    }

    @Override
    public String toString() {
        return text;
    }
}
