package org.alder.partition.check;

import java.util.Set;
import org.alder.partition.dn.EntryName;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.schema.NamingRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.GoverningRules;

/** Finds entries whose names or places the name forms and structure rules allow now, and would not any more. One thread. */
final class NamingUse {
    private final Schema schema;
    private final NamingRules now;
    private final NamingRules then;
    private final GoverningRules governingNow;
    private final GoverningRules governingThen;

    NamingUse(Schema schema, SchemaRevision revision, Snapshot snapshot) {
        this.schema = schema;
        now = schema.namingRules();
        then = revision.namingRules();
        governingNow = new GoverningRules(schema, now, snapshot);
        governingThen = new GoverningRules(schema, then, snapshot);
    }

    /** What would be wrong with this entry; null if nothing. */
    String violation(EntryRecord record) {
        EntryName name = EntryName.of(schema, record);
        if (name == null) {
            return null;
        }
        String wrong = name.violation(now) == null ? name.violation(then) : null;
        if (wrong == null && place(name, now, governingNow.of(record.parentId())) == null) {
            wrong = place(name, then, governingThen.of(record.parentId()));
        }
        return wrong;
    }

    private static String place(EntryName name, NamingRules rules, Set<Integer> above) {
        return name.placeViolation(rules, above);
    }
}
