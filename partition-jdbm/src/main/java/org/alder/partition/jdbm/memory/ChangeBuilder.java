package org.alder.partition.jdbm.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;

/**
 * Turns the operations of one transaction into a {@link ChangeSet}: old record to new record to differences of index keys, and
 * the engine's own key, {@link HierarchyKeys#nonLeaf()}. Used alike by the writer and by recovery. One thread, one transaction.
 */
public final class ChangeBuilder {
    private final LayerStack state;
    private final EntryIndexer indexer;
    private final Map<Long, EntryChange> entries = new LinkedHashMap<>();
    private final List<KeyChange> keys = new ArrayList<>();
    private final Map<Long, Integer> childrenChanges = new LinkedHashMap<>();
    private boolean renames;

    private record IndexKey(int index, byte[] key) {
        @Override
        public boolean equals(Object other) {
            return other instanceof IndexKey that && index == that.index && Arrays.equals(key, that.key);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(key) + index;
        }
    }

    private ChangeBuilder(LayerStack state, EntryIndexer indexer) {
        this.state = state;
        this.indexer = indexer;
    }

    /**
     * @param state the whole newest state, without this transaction
     * @throws IllegalStateException where the operations do not fit the state: an entry that is not there or is there already,
     *         a parent deleted under its children
     * @throws org.alder.partition.error.StoreException where reading the state fails or a value to be removed is not there
     */
    public static ChangeSet build(List<Operation> operations, LayerStack state, EntryIndexer indexer) {
        ChangeBuilder builder = new ChangeBuilder(state, indexer);
        operations.forEach(builder::apply);
        builder.entries.values().forEach(builder::compareKeys);
        builder.childrenChanges.forEach(builder::updateNonLeaf);
        return new ChangeSet(List.copyOf(builder.entries.values()), builder.keys, builder.renames);
    }

    private void apply(Operation operation) {
        long id = operation.id();
        EntryChange known = entries.get(id);
        EntryRecord before = known == null ? stored(id) : known.before();
        EntryRecord current = known == null ? before : known.after();
        if ((current == null) != operation instanceof Operation.Add) {
            throw new IllegalStateException("entry " + id + (current == null ? " does not exist" : " exists already"));
        }
        entries.put(id, new EntryChange(id, before, after(operation, current)));
    }

    private EntryRecord stored(long id) {
        EntryVersion version = state.entry(id);
        return version == null ? null : version.record();
    }

    private EntryRecord after(Operation operation, EntryRecord current) {
        if (operation instanceof Operation.Add add) {
            return add.entry();
        }
        if (operation instanceof Operation.Modify modify) {
            return current.apply(modify.deltas());
        }
        if (operation instanceof Operation.Rename rename) {
            renames = true;
            return current.moved(rename.newParentId(), rename.rdn(), rename.deltas());
        }
        return null;
    }

    private void compareKeys(EntryChange change) {
        Set<IndexKey> gone = keysOf(change.before());
        if (change.after() != null) {
            indexer.forEachKey(change.after(), (index, key) -> {
                if (!gone.remove(new IndexKey(index, key))) {
                    addKeyChange(new KeyChange(index, key, change.id(), true));
                }
            });
        }
        gone.forEach(key -> addKeyChange(new KeyChange(key.index(), key.key(), change.id(), false)));
        if (change.after() == null) {
            childrenChanges.merge(change.id(), 0, Integer::sum);
        }
    }

    private Set<IndexKey> keysOf(EntryRecord entry) {
        Set<IndexKey> found = new LinkedHashSet<>();
        if (entry != null) {
            indexer.forEachKey(entry, (index, key) -> found.add(new IndexKey(index, key)));
        }
        return found;
    }

    private void addKeyChange(KeyChange change) {
        keys.add(change);
        if (change.index() == HierarchyKeys.INDEX && HierarchyKeys.isChildren(change.key())) {
            childrenChanges.merge(HierarchyKeys.parentOf(change.key()), change.added() ? 1 : -1, Integer::sum);
        }
    }

    private void updateNonLeaf(long parentId, int change) {
        if (parentId == HierarchyKeys.NO_PARENT) {
            return;
        }
        long before = state.netCardinality(HierarchyKeys.INDEX, HierarchyKeys.children(parentId));
        long after = before + change;
        EntryChange parent = entries.get(parentId);
        if (after > 0 && parent != null && parent.after() == null) {
            throw new IllegalStateException("entry " + parentId + " cannot be deleted: it has " + after + " children");
        }
        if ((before > 0) != (after > 0)) {
            keys.add(new KeyChange(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf(), parentId, after > 0));
        }
    }
}
