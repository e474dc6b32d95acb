package org.alder.server.access;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.alder.partition.dn.Dn;
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
    private final ConcurrentMap<AttributeType, CompiledFilter> named = new ConcurrentHashMap<>(2);

    Asker(Schema schema, Dn dn) {
        this.schema = schema;
        this.dn = dn;
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
