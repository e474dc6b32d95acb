package org.alder.partition.derived;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.alder.partition.entry.Attribute;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/**
 * The operational attributes that are worked out when they are asked for, and never stored: entryDN (RFC 5020),
 * subschemaSubentry (RFC 4512 4.2), hasSubordinates (X.501), numSubordinates, memberOf, entryUSN, governingStructureRule
 * (RFC 4512 3.4.6), and contextCSN of the suffix entry. One whose type the schema has not is left out. Immutable, thread safe.
 */
public final class VirtualAttributes {
    private final Surroundings around;
    private final List<AttributeType> types;

    public VirtualAttributes(Schema schema, Surroundings around) {
        this.around = around;
        this.types = schema.attributeTypes().stream().filter(AttributeType::isVirtual)
                .sorted(Comparator.comparing(AttributeType::name)).toList();
    }

    /**
     * Those of an entry that have values.
     *
     * @param snapshot the one the entry was read from
     * @param wanted which of the types to return: what is not wanted costs nothing
     * @param access what whoever asks may know of other entries
     * @param memory grants the bytes that many values take, before there are so many, or throws
     */
    public List<Attribute> of(Snapshot snapshot, EntryView entry, Predicate<AttributeType> wanted, EntryAccess access,
            LongConsumer memory) {
        List<Attribute> attributes = new ArrayList<>(types.size());
        Candidate whole = around.candidate(snapshot, entry);
        whole.countIn(memory);
        CandidateEntry candidate = EntryAccess.isOfAll(access) ? whole : whole.shownTo(access);
        for (AttributeType type : types) {
            if (wanted.test(type)) {
                List<byte[]> values = candidate.virtualValues(type);
                if (!values.isEmpty()) {
                    attributes.add(new Attribute(type.name(), values));
                }
            }
        }
        return attributes;
    }
}
