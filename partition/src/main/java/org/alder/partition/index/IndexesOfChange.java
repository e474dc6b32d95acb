package org.alder.partition.index;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;

/**
 * Tells in which indexes two records of one entry may have different keys: those of the attributes that are not the same byte for
 * byte. A change of one attribute need not derive the keys of all then. Immutable, thread safe.
 */
final class IndexesOfChange {
    private final Schema schema;
    private final PerType<BitSet> indexesOf;

    /** @param indexesOf by type, the numbers of the indexes in which its values have keys */
    IndexesOfChange(Schema schema, PerType<BitSet> indexesOf) {
        this.schema = schema;
        this.indexesOf = indexesOf;
    }

    /** The numbers of the indexes, the hierarchy among them. */
    BitSet between(EntryRecord before, EntryRecord after) {
        BitSet indexes = new BitSet();
        if (before.parentId() != after.parentId() || !Arrays.equals(before.rdnBytes(), after.rdnBytes())) {
            indexes.set(HierarchyKeys.INDEX);
        }
        addAttributes(before.cursor(true), after.cursor(true), indexes);
        addLarge(before.largeAttributes(), after.largeAttributes(), indexes);
        return indexes;
    }

    /** Changes leave the attributes in their order: from where one is gone on, all count as changed. */
    private void addAttributes(AttributeCursor before, AttributeCursor after, BitSet indexes) {
        boolean moreBefore = before.next();
        boolean moreAfter = after.next();
        while (moreBefore && moreAfter && isSameType(before, after)) {
            if (!isSame(before, before.offset(), before.length(), after, after.offset(), after.length())) {
                add(before, indexes);
            }
            moreBefore = before.next();
            moreAfter = after.next();
        }
        addRest(before, moreBefore, indexes);
        addRest(after, moreAfter, indexes);
    }

    private void addRest(AttributeCursor cursor, boolean isOnOne, BitSet indexes) {
        for (boolean more = isOnOne; more; more = cursor.next()) {
            add(cursor, indexes);
        }
    }

    private static boolean isSameType(AttributeCursor one, AttributeCursor other) {
        return isSame(one, one.nameOffset(), one.nameLength(), other, other.nameOffset(), other.nameLength());
    }

    private static boolean isSame(AttributeCursor one, int offset, int length, AttributeCursor other,
            int otherOffset, int otherLength) {
        return Arrays.equals(one.bytes(), offset, offset + length, other.bytes(), otherOffset, otherOffset + otherLength);
    }

    private void add(AttributeCursor cursor, BitSet indexes) {
        add(schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()), indexes);
    }

    private void addLarge(List<LargeAttribute> before, List<LargeAttribute> after, BitSet indexes) {
        if (!before.equals(after)) {
            before.forEach(attribute -> add(schema.descriptionOrNull(attribute.description()), indexes));
            after.forEach(attribute -> add(schema.descriptionOrNull(attribute.description()), indexes));
        }
    }

    private void add(AttributeDescription description, BitSet indexes) {
        if (description != null) {
            indexes.or(indexesOf.get(description.type()));
        }
    }
}
