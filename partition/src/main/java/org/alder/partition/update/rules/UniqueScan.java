package org.alder.partition.update.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueTrial;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.Quoted;

/**
 * Looks whether the values that are there are unique, before a rule says that they have to be. It is told to administrators who has
 * them. Immutable, thread safe.
 */
public final class UniqueScan {
    /** So many keys are read in one state: no state is kept for long, whatever there is to be read. */
    private static final int KEYS_PER_STATE = 20_000;

    private final Partition partition;
    private final UniqueValues values;
    private final List<UniqueRule> rules;

    public UniqueScan(Partition partition, List<UniqueRule> rules) {
        this.partition = partition;
        this.values = new UniqueValues(partition, rules);
        this.rules = List.copyOf(rules);
    }

    /**
     * Looks at all values that there are. What changes meanwhile may be seen or not.
     *
     * @throws DirectoryException constraintViolation, naming two entries and the value that both have
     */
    public void requireUnique() throws DirectoryException {
        for (UniqueRule rule : rules) {
            for (AttributeType type : rule.attributes()) {
                walk(rule, type, IndexKeys.equalityRange(null, null));
                walk(rule, type, IndexKeys.longEqualityRange(null, null));
            }
        }
    }

    private void walk(UniqueRule rule, AttributeType type, KeyRange range) throws DirectoryException {
        KeyRange left = range;
        while (left != null) {
            try (Snapshot state = partition.snapshot();
                    Snapshot.KeyCursor keys = state.keys(partition.indexer().index(type).number(), left);
                    KeysElsewhere elsewhere = new KeysElsewhere(partition.otherShards(), rule, left)) {
                left = next(rule, type, state, keys, elsewhere, range);
            }
        }
    }

    /** @return what is left of the range; null if nothing is */
    private KeyRange next(UniqueRule rule, AttributeType type, Snapshot state, Snapshot.KeyCursor keys, KeysElsewhere elsewhere, KeyRange range)
            throws DirectoryException {
        byte[] last = null;
        for (int i = 0; i < KEYS_PER_STATE; i++) {
            if (!keys.next()) {
                return null;
            }
            last = keys.key();
            boolean isElsewhere = elsewhere.has(last);
            if (rule.attributes().size() > 1 || keys.cardinality() > 1 || isElsewhere) {
                requireOne(rule, type, state, last, keys.ids(), isElsewhere);
            }
        }
        return new KeyRange(Arrays.copyOf(last, last.length + 1), range.to());
    }

    /** @param holders who has the value in this type  @param isElsewhere whether other shards may have it */
    private void requireOne(UniqueRule rule, AttributeType type, Snapshot state, byte[] key, IdSet holders, boolean isElsewhere) throws DirectoryException {
        IdSet all = holders;
        for (AttributeType other : rule.attributes()) {
            if (other != type) {
                for (byte[] form : forms(rule, type, other, state, key, holders)) {
                    all = all.or(state.ids(partition.indexer().index(other).number(), form));
                }
            }
        }
        long first = HierarchyKeys.NO_PARENT;
        for (IdSet.IdIterator each = all.cardinality() > 1 || isElsewhere ? all.iterator() : IdSet.EMPTY.iterator(); each.hasNext();) {
            long id = each.next();
            if (!UniqueValues.isCopy(partition, state, id) && values.counts(rule, state, view(state, id))) {
                if (first != HierarchyKeys.NO_PARENT) {
                    throw conflict(state, first, partition.dnOf(state, id), type, value(rule, type, state, first, key));
                }
                first = id;
            }
        }
        byte[] value = first == HierarchyKeys.NO_PARENT || !isElsewhere ? null : value(rule, type, state, first, key);
        if (value != null) {
            requireNowhereElse(rule, state, first, type, value);
        }
    }

    /** @param holder of the value, which no entry of another shard may have */
    private void requireNowhereElse(UniqueRule rule, Snapshot state, long holder, AttributeType type, byte[] value) throws DirectoryException {
        for (AttributeType other : rule.attributes()) {
            String elsewhere = key(other, value) == null ? null
                    : values.holderElsewhere(rule, other, value, new UniqueValues.Work(Integer.MAX_VALUE, moving(rule, state, holder)));
            if (elsewhere != null) {
                throw conflict(state, holder, elsewhere, type, value);
            }
        }
    }

    /** One that was moved to this shard is in the snapshots of others as long as these are older. */
    private byte[] moving(UniqueRule rule, Snapshot state, long holder) {
        return values.covers(rule, UniqueValues.ENTRY_UUID) ? null : state.entry(holder).operationalValue(UniqueValues.ENTRY_UUID);
    }

    /** The keys of the value in another type's index, which may have another rule. */
    private Set<byte[]> forms(UniqueRule rule, AttributeType type, AttributeType other, Snapshot state, byte[] key, IdSet holders)
            throws DirectoryException {
        if (other.equality() == type.equality()) {
            return Set.of(key);
        }
        Set<byte[]> forms = new LinkedHashSet<>();
        for (IdSet.IdIterator each = holders.iterator(); each.hasNext();) {
            byte[] value = value(rule, type, state, each.next(), key);
            byte[] form = value == null ? null : key(other, value);
            if (form != null) {
                forms.add(form);
            }
        }
        return forms;
    }

    private EntryView view(Snapshot state, long id) {
        return new EntryView(id, state.entry(id), partition.dnOf(state, id));
    }

    /** The entry's value that has this key in the type's index, as it is spelt; null if there is none. */
    private byte[] value(UniqueRule rule, AttributeType type, Snapshot state, long id, byte[] key) throws DirectoryException {
        List<byte[]> found = new ArrayList<>(1);
        values.forEachValues(rule, state, view(state, id), (description, those) -> {
            for (byte[] value : values.covers(rule, description) ? those : List.<byte[]>of()) {
                if (found.isEmpty() && Arrays.equals(key(type, value), key)) {
                    found.add(value);
                }
            }
        });
        return found.isEmpty() ? null : found.get(0);
    }

    /** Null if the rule of the type cannot read the value, which then is not in its index. */
    private static byte[] key(AttributeType type, byte[] value) {
        try {
            return IndexKeys.equality(type.equality().normalize(value));
        } catch (DirectoryException e) {
            return null;
        }
    }

    private DirectoryException conflict(Snapshot state, long one, String other, AttributeType type, byte[] value) {
        return new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "the values of " + type.name() + " are not unique: \""
                + partition.dnOf(state, one) + "\" and \"" + other + "\" both have the value "
                + (value == null ? "" : Quoted.value(type, value)) + ": expected entries that keep the rule already");
    }

    /**
     * Looks at the entries that updates have made meanwhile which the rules would have refused. Updates are held.
     *
     * @throws DirectoryException as {@link #requireUnique}; busy if there are too many of them
     */
    public void requireUnique(Set<Long> entries) throws DirectoryException {
        if (entries.size() > UniqueTrial.MOST_ENTRIES) {
            throw new DirectoryException(ResultCode.BUSY, "more than " + UniqueTrial.MOST_ENTRIES + " updates broke the rule"
                    + " while the entries were looked at: try it again when there are none");
        }
        UniqueValues.Work work = new UniqueValues.Work();
        try (Snapshot state = partition.snapshot()) {
            for (long top : entries) {
                // One that was moved to where values are unique brings what is below it along.
                for (long id : state.entry(top) == null ? List.<Long>of() : Subtree.leavesFirst(state, view(state, top))) {
                    requireFree(state, view(state, id), work);
                }
            }
        }
    }

    private void requireFree(Snapshot state, EntryView entry, UniqueValues.Work work) throws DirectoryException {
        for (UniqueRule rule : rules) {
            if (values.counts(rule, state, entry)) {
                values.forEachValues(rule, state, entry, (description, those) -> {
                    for (byte[] value : values.covers(rule, description) ? those : List.<byte[]>of()) {
                        for (AttributeType type : rule.attributes()) {
                            String holder = values.holder(rule, state, entry.id(), type, value, work);
                            if (holder != null) {
                                throw conflict(state, entry.id(), holder, type, value);
                            }
                        }
                    }
                });
            }
        }
    }
}
