package org.alder.server.access;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.Truth;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/** Who asks, where entries are asked what he is to them. Thread safe. */
final class Asker {
    private final Schema schema;
    private final Dn dn;
    /** Null for the root. */
    private final Dn parent;
    /** One's own RDN in small letters, if others differ from it whose letters do; else null. */
    private final byte[] rdn;
    private final int valueStart;
    private final ConcurrentMap<AttributeType, CompiledFilter> named = new ConcurrentHashMap<>(2);

    Asker(Schema schema, Dn dn) {
        this.schema = schema;
        this.dn = dn;
        this.parent = dn.isRoot() ? null : dn.parent();
        this.rdn = dn.isRoot() ? null : plain(dn.rdn());
        this.valueStart = rdn == null ? 0 : dn.rdn().text().indexOf('=') + 1;
    }

    private static byte[] plain(Rdn own) {
        byte[] text = own.text().getBytes(StandardCharsets.UTF_8);
        boolean plain = own.avas().size() == 1 && own.avas().get(0).type().equality() != null
                && own.avas().get(0).type().equality().foldsPlainText();
        for (int i = 0; i < text.length; i++) {
            plain &= isPlain(text[i]);
            text[i] = lower(text[i]);
        }
        return plain ? text : null;
    }

    private static boolean isPlain(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '=' || b == '.' || b == '-' || b == '_'
                || b == '@';
    }

    private static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b;
    }

    Dn parent() {
        return parent;
    }

    /** Whether an RDN surely is another one than his; if it may be his, the names have to be compared. */
    boolean hasOtherRdn(byte[] bytes, int offset, int length) {
        if (rdn == null || length < valueStart) {
            return false;
        }
        boolean same = length == rdn.length;
        for (int i = 0; i < length; i++) {
            byte b = bytes[offset + i];
            boolean equal = i < rdn.length && lower(b) == rdn[i];
            if (!isPlain(b) || i < valueStart && !equal) {
                return false;
            }
            same &= equal;
        }
        return !same;
    }

    Dn dn() {
        return dn;
    }

    /** Whether the entry's attribute has his DN. */
    boolean isNamedBy(AttributeType attribute, CandidateEntry entry) {
        return named.computeIfAbsent(attribute, this::names).evaluate(entry) == Truth.TRUE;
    }

    private CompiledFilter names(AttributeType attribute) {
        try {
            return CompiledFilter.compile(schema, new Filter.Equality(attribute.name(), dn.text().getBytes(StandardCharsets.UTF_8)));
        } catch (DirectoryException e) {
            throw new IllegalStateException("a filter of one item is too large", e);
        }
    }
}
