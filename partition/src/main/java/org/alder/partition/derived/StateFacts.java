package org.alder.partition.derived;

import java.util.List;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.SpecialEntries;

/**
 * What every search has to know of one state beside its entries, read when it is asked for first: the entries that searches treat
 * in their own ways, the areas of collective attributes, the dynamic groups. Names are known by {@link Snapshot#dnMemo}, which
 * outlives states between which nothing was renamed. Thread safe.
 */
public final class StateFacts {
    private final Known known;
    private final Object identity;
    private final long schemaVersion;
    private volatile SpecialEntries special;
    private volatile List<CollectiveAttributes.Area> areas;
    private volatile IdSet dynamicGroups;

    private StateFacts(Known known, Object identity, long schemaVersion) {
        this.known = known;
        this.identity = identity;
        this.schemaVersion = schemaVersion;
    }

    /**
     * The facts of the states that are read: of the newest one that readers have, which changes with every commit, and of the one
     * that the transaction which is running sees. Thread safe.
     */
    public static final class Known {
        private final Schema schema;
        private final CollectiveAttributes collective;
        private final IndexedAttribute memberUrls;
        private volatile StateFacts committed = new StateFacts(this, this, -1);
        /** Apart from the other, so that readers need not read theirs again for each transaction that comes between. */
        private volatile StateFacts changing = committed;

        /** @param memberUrls whose presence tells which groups are dynamic; null if there can be none */
        public Known(Schema schema, CollectiveAttributes collective, IndexedAttribute memberUrls) {
            this.schema = schema;
            this.collective = collective;
            this.memberUrls = memberUrls;
        }

        /** Those of the snapshot's state. */
        public StateFacts of(Snapshot snapshot) {
            Object identity = snapshot.identity();
            long version = schema.version();
            boolean isCommitted = identity.equals(snapshot.sequence());
            StateFacts last = isCommitted ? committed : changing;
            if (last.schemaVersion == version && last.identity.equals(identity)) {
                return last;
            }
            StateFacts made = new StateFacts(this, identity, version);
            if (isCommitted) {
                committed = made;
            } else {
                changing = made;
            }
            return made;
        }
    }

    /** The aliases, referral objects and subentries. @param snapshot of this state */
    public SpecialEntries special(Snapshot snapshot) {
        SpecialEntries read = special;
        if (read == null) {
            read = SpecialEntries.read(snapshot);
            special = read;
        }
        return read;
    }

    /** The areas of collective attributes. @param snapshot of this state */
    public List<CollectiveAttributes.Area> areas(Snapshot snapshot) {
        List<CollectiveAttributes.Area> read = areas;
        if (read == null) {
            read = known.collective.read(snapshot);
            areas = read;
        }
        return read;
    }

    /** The IDs of the groups whose members are worked out. @param snapshot of this state */
    public IdSet dynamicGroups(Snapshot snapshot) {
        IdSet read = dynamicGroups;
        if (read == null) {
            read = known.memberUrls == null ? IdSet.EMPTY : snapshot.ids(known.memberUrls.number(), IndexKeys.presence());
            dynamicGroups = read;
        }
        return read;
    }
}
