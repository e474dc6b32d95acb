package org.alder.partition.derived;

import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.SpecialEntries;

/**
 * What every search has to know of one state beside its entries, read when it is asked for first: the entries that searches treat
 * in their own ways, the areas of collective attributes, the dynamic groups. Names are known by {@link Snapshot#dnMemo}, which
 * outlives states between which nothing was renamed. Thread safe.
 */
public final class StateFacts {
    private final Object identity;
    private final long schemaVersion;
    private volatile SpecialEntries special;
    private volatile List<CollectiveAttributes.Area> areas;
    private volatile IdSet dynamicGroups;

    StateFacts(Object identity, long schemaVersion) {
        this.identity = identity;
        this.schemaVersion = schemaVersion;
    }

    boolean isOf(Object state, long version) {
        return schemaVersion == version && identity.equals(state);
    }

    /** @param snapshot of this state */
    SpecialEntries special(Snapshot snapshot) {
        SpecialEntries known = special;
        if (known == null) {
            known = SpecialEntries.read(snapshot);
            special = known;
        }
        return known;
    }

    /** @param reading reads them from this state */
    List<CollectiveAttributes.Area> areas(Supplier<List<CollectiveAttributes.Area>> reading) {
        List<CollectiveAttributes.Area> known = areas;
        if (known == null) {
            known = reading.get();
            areas = known;
        }
        return known;
    }

    /** @param reading reads them from this state */
    public IdSet dynamicGroups(Supplier<IdSet> reading) {
        IdSet known = dynamicGroups;
        if (known == null) {
            known = reading.get();
            dynamicGroups = known;
        }
        return known;
    }
}
