package org.alder.partition.tree;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.alder.partition.dn.EntryName;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.schema.NamingRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * Which structure rules govern the entries of a snapshot (RFC 4512 3.4.6), which follows from the entries above them. Remembers
 * some of what it found. One thread; good as long as the snapshot is open.
 */
public final class GoverningRules {
    private static final int MOST_REMEMBERED = 1000;

    private final Schema schema;
    private final NamingRules rules;
    private final Snapshot snapshot;
    private final Map<Long, Set<Integer>> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Set<Integer>> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    public GoverningRules(Schema schema, NamingRules rules, Snapshot snapshot) {
        this.schema = schema;
        this.rules = rules;
        this.snapshot = snapshot;
    }

    /** The numbers of the rules that govern an entry; none for {@link HierarchyKeys#NO_PARENT}. */
    public Set<Integer> of(long id) {
        if (id == HierarchyKeys.NO_PARENT || rules.allowAllPlaces()) {
            return Set.of();
        }
        Set<Integer> known = remembered.get(id);
        if (known == null) {
            known = of(snapshot.entry(id));
            remembered.put(id, known);
        }
        return known;
    }

    /** Of an entry that need not be in the snapshot; the one above it is. */
    public Set<Integer> of(EntryRecord record) {
        EntryName name = record == null || rules.allowAllPlaces() ? null : EntryName.of(schema, record);
        return name == null ? Set.of() : name.governing(rules, of(record.parentId()));
    }
}
