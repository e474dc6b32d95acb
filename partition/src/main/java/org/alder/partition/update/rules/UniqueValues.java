package org.alder.partition.update.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.ShardGroup;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Truth;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexKind;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.Quoted;

/**
 * Refuses values that another entry has already. Asked inside the transaction, where nothing can come between, so that of two
 * clients that come at the same time with the same value one is refused. Of several shards all are looked at, after the value was kept from
 * them ({@link Partition#claim}). Immutable, thread safe. Who has a value is not told.
 */
public final class UniqueValues implements ContentRule {
    /** More would keep all other writers waiting: each is read, with the names above it. */
    static final int MOST_EXAMINED = 10_000;
    static final String ENTRY_UUID = "entryUUID";
    private static final byte[] NOT_MOVING = {};

    private final Partition partition;
    private final Schema schema;
    private final List<UniqueRule> rules;

    public UniqueValues(Partition partition, List<UniqueRule> rules) {
        this.partition = partition;
        this.schema = partition.schema();
        this.rules = rules;
    }

    /** For entries that bring their entryUUID, of which no two are the same (RFC 4530 2); where it has no index, nothing. */
    public static UniqueValues ofEntryUuids(Partition partition) {
        AttributeType uuid = partition.schema().attributeType(ENTRY_UUID);
        boolean indexed = partition.indexer().index(uuid) != null && partition.indexer().index(uuid).has(IndexKind.EQUALITY);
        return new UniqueValues(partition, indexed ? List.of(UniqueRule.of(uuid)) : List.of());
    }

    /** What one update has examined. */
    static final class Work {
        private final int most;
        private byte[] moving;
        private int examined;

        Work() {
            this(MOST_EXAMINED, null);
        }

        /** @param moving as {@link #goOn} */
        Work(int most, byte[] moving) {
            this.most = most;
            goOn(moving);
        }

        /** With another entry. @param other its entryUUID, where it may still be in the shard that it comes from; null or empty where it was there before */
        void goOn(byte[] other) {
            moving = other == null ? NOT_MOVING : other;
        }

        private boolean isMoving(EntryRecord elsewhere) {
            return moving.length > 0 && Arrays.equals(moving, elsewhere.operationalValue(ENTRY_UUID));
        }

        /** @throws DirectoryException adminLimitExceeded if it is more than one update may */
        void examine(AttributeType type) throws DirectoryException {
            if (++examined > most) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "more than " + most + " entries that are meant by no rule have values of "
                        + type.name() + " that the change would make unique: too many to be looked at in one update");
            }
        }
    }

    @Override
    public void added(Snapshot state, Dn dn, EntryView entry) throws DirectoryException {
        requireFree(state, entry, new Work());
    }

    /** Its values are looked at as those of a new one; that it has them itself where it comes from is in nobody's way. */
    @Override
    public void arrived(Snapshot state, Changed change) throws DirectoryException {
        requireFree(state, change.after(), new Work(MOST_EXAMINED, change.after().record().operationalValue(ENTRY_UUID)));
    }

    private void requireFree(Snapshot state, EntryView entry, Work work) throws DirectoryException {
        for (UniqueRule rule : rules) {
            if (counts(rule, state, entry)) {
                requireAllFree(rule, state, entry, work);
            }
        }
    }

    @Override
    public void modified(Snapshot state, Changed change) throws DirectoryException {
        requireFree(state, change, new Work());
    }

    private void requireFree(Snapshot state, Changed change, Work work) throws DirectoryException {
        EntryView before = change.before();
        EntryView after = change.after();
        List<AttributeDelta> deltas = change.deltas();
        for (UniqueRule rule : rules) {
            boolean added = deltas.stream().anyMatch(delta -> !delta.added().isEmpty() && covers(rule, delta.description()));
            if (!added && rule.filter() == null && before.dn().equals(after.dn()) || !counts(rule, state, after)) {
                continue;
            }
            for (AttributeDelta delta : deltas) {
                requireFree(rule, state, after.id(), delta.description(), delta.added(), work);
            }
            if (!counts(rule, state, before)) {
                requireAllFree(rule, state, after, work);
            }
        }
    }

    /** What is below an entry that is moved to where values are unique comes with it. */
    @Override
    public void renamed(Snapshot state, Changed change) throws DirectoryException {
        Work work = new Work();
        requireFree(state, change, work);
        for (UniqueRule rule : rules) {
            boolean enters = rule.base() != null && change.newDn().isDescendantOrSelf(rule.base())
                    && !change.dn().isDescendantOrSelf(rule.base());
            if (enters) {
                for (long id : Subtree.leavesFirst(state, change.before())) {
                    EntryView one = new EntryView(id, state.entry(id), partition.dnOf(state, id));
                    if (matches(rule, partition, state, one)) {
                        requireAllFree(rule, state, one, work);
                    }
                }
            }
        }
    }

    boolean counts(UniqueRule rule, Snapshot state, EntryView entry) throws DirectoryException {
        return counts(rule, partition, state, entry);
    }

    private boolean counts(UniqueRule rule, Partition where, Snapshot state, EntryView entry) throws DirectoryException {
        return (rule.base() == null || Dn.parse(schema, entry.dn()).isDescendantOrSelf(rule.base())) && matches(rule, where, state, entry);
    }

    private static boolean matches(UniqueRule rule, Partition where, Snapshot state, EntryView entry) {
        return rule.filter() == null || rule.filter().evaluate(where.candidate(state, entry)) == Truth.TRUE;
    }

    boolean covers(UniqueRule rule, String description) {
        AttributeDescription known = schema.descriptionOrNull(description);
        return known != null && rule.covers(known.type());
    }

    private void requireAllFree(UniqueRule rule, Snapshot state, EntryView entry, Work work) throws DirectoryException {
        forEachValues(rule, state, entry, (description, values) -> requireFree(rule, state, entry.id(), description, values, work));
    }

    /** Given the values of one attribute of an entry. */
    @FunctionalInterface
    interface Taker {
        void take(String description, List<byte[]> values) throws DirectoryException;
    }

    /** Those that a rule may be about. */
    void forEachValues(UniqueRule rule, Snapshot state, EntryView entry, Taker taker) throws DirectoryException {
        AttributeCursor cursor = entry.record().cursor(true);
        while (cursor.next()) {
            taker.take(cursor.description(), cursor.values());
        }
        for (LargeAttribute large : entry.record().largeAttributes()) {
            List<byte[]> values = new ArrayList<>();
            try (LargeValues.Cursor each = new LargeValues(state, entry.id()).open(large)) {
                while (covers(rule, large.description()) && each.next()) {
                    values.add(each.value());
                }
            }
            taker.take(large.description(), values);
        }
    }

    private void requireFree(UniqueRule rule, Snapshot state, long ownId, String description, List<byte[]> values, Work work)
            throws DirectoryException {
        if (!covers(rule, description)) {
            return;
        }
        for (byte[] value : values) {
            for (AttributeType type : rule.attributes()) {
                if (isHeld(rule, state, ownId, type, value, work)) {
                    throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "attribute " + description + ": the value "
                            + Quoted.value(schema.description(description).type(), value)
                            + " must be unique, and another entry has it");
                }
            }
        }
    }

    private boolean isHeld(UniqueRule rule, Snapshot state, long ownId, AttributeType type, byte[] value, Work work) throws DirectoryException {
        byte[] key = key(type, value);
        boolean isElsewhere = partition.claim(UniqueValue.of(rule, type, key, work.moving));
        return isElsewhere || holder(rule, partition, state, ownId, type, key, work) != HierarchyKeys.NO_PARENT
                || ShardGroup.isWrittenAlone(partition) && holderElsewhere(rule, type, value, work) != null;
    }

    private static byte[] key(AttributeType type, byte[] value) throws DirectoryException {
        return IndexKeys.equality(type.equality().normalize(value));
    }

    /** The name of another entry that has the value in this type; null if there is none. */
    String holder(UniqueRule rule, Snapshot state, long ownId, AttributeType type, byte[] value, Work work) throws DirectoryException {
        long id = holder(rule, partition, state, ownId, type, key(type, value), work);
        return id == HierarchyKeys.NO_PARENT ? holderElsewhere(rule, type, value, work) : partition.dnOf(state, id);
    }

    /** The same among the entries of other shards. */
    String holderElsewhere(UniqueRule rule, AttributeType type, byte[] value, Work work) throws DirectoryException {
        for (Partition other : partition.otherShards()) {
            try (Snapshot there = other.snapshot()) {
                long id = holder(rule, other, there, HierarchyKeys.NO_PARENT, type, key(type, value), work);
                if (id != HierarchyKeys.NO_PARENT) {
                    return other.dnOf(there, id);
                }
            }
        }
        return null;
    }

    /** @param ownId of the entry that gets the value; {@link HierarchyKeys#NO_PARENT} for one of another shard  @return the ID of one that has it; the same for none */
    long holder(UniqueRule rule, Partition where, Snapshot state, long ownId, AttributeType type, byte[] key, Work work) throws DirectoryException {
        IdSet holders = state.ids(where.indexer().index(type).number(), key);
        for (IdSet.IdIterator each = holders.iterator(); each.hasNext();) {
            long id = each.next();
            if (id == ownId || isCopy(where, state, id) || ownId == HierarchyKeys.NO_PARENT && work.isMoving(state.entry(id))) {
                continue;
            }
            if (rule.base() == null && rule.filter() == null) {
                return id;
            }
            work.examine(type);
            if (counts(rule, where, state, new EntryView(id, state.entry(id), where.dnOf(state, id)))) {
                return id;
            }
        }
        return HierarchyKeys.NO_PARENT;
    }

    /** Whether it is the suffix entry, which another shard has to look at. */
    static boolean isCopy(Partition where, Snapshot state, long id) {
        return where.shard().hasCopyOfSuffix() && !where.otherShards().isEmpty() && id == where.resolve(state, where.suffix());
    }
}
