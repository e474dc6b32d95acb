package org.alder.partition.filter;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;

/**
 * Whether an entry leads to a DN over one attribute's values, directly or through the entries these name: nested groups
 * (matching rule 1.2.840.113556.1.4.1941 of Active Directory). Each entry is visited once, so loops do no harm. Immutable,
 * thread safe.
 */
public final class ChainWalk {
    private final Schema schema;
    private final AttributeSelector selector;
    private final Dn target;

    ChainWalk(Schema schema, AttributeSelector selector, Dn target) {
        this.schema = schema;
        this.selector = selector;
        this.target = target;
    }

    public AttributeDescription description() {
        return selector.description();
    }

    public Dn target() {
        return target;
    }

    boolean reaches(CandidateEntry entry) {
        Set<ByteBuffer> seen = new HashSet<>();
        Deque<Dn> open = new ArrayDeque<>();
        collect(entry, seen, open);
        while (!open.isEmpty()) {
            Dn dn = open.poll();
            if (dn.equals(target)) {
                return true;
            }
            CandidateEntry next = entry.entryAt(dn);
            if (next != null && AttributeSelector.isSearchable(selector.description(), next.access())) {
                collect(next, seen, open);
            }
        }
        return false;
    }

    private void collect(CandidateEntry entry, Set<ByteBuffer> seen, Deque<Dn> open) {
        selector.anyValue(entry, (bytes, offset, length) -> {
            Dn dn = parse(Arrays.copyOfRange(bytes, offset, offset + length));
            if (dn != null && seen.add(ByteBuffer.wrap(dn.normalized()))) {
                open.add(dn);
            }
            return false;
        });
    }

    /** @return null for a value that is no DN, such as one with a unique identifier: it names no entry */
    private Dn parse(byte[] value) {
        try {
            return Dn.parse(schema, value);
        } catch (DirectoryException e) {
            return null;
        }
    }
}
