package org.alder.partition.jdbm.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final ChangeHeap heap;
    private final Map<Long, EntryDraft> entries = new LinkedHashMap<>();
    private final List<Operation> decided = new ArrayList<>();
    private final List<KeyChange> keys = new ArrayList<>();
    private final Map<Long, Integer> childrenChanges = new LinkedHashMap<>();
    private boolean renames;

    private ChangeBuilder(LayerStack state, EntryIndexer indexer, long heapLimitBytes) {
        this.state = state;
        this.indexer = indexer;
        this.heap = new ChangeHeap(heapLimitBytes);
    }

    /**
     * @param state the whole newest state, without this transaction
     * @throws IllegalStateException where the operations do not fit the state: an entry that is not there or is there already,
     *         a parent deleted under its children
     * @throws org.alder.partition.error.StoreException where reading the state fails or a value to be removed is not there
     */
    public static ChangeSet build(List<Operation> operations, LayerStack state, EntryIndexer indexer) {
        return build(operations, state, indexer, Long.MAX_VALUE);
    }

    /**
     * Does as {@link #build(List, LayerStack, EntryIndexer)}, which is for transactions that were accepted before.
     *
     * @param heapLimitBytes what the changes may take in memory, about; TOO_LARGE is thrown instead of taking more
     */
    public static ChangeSet build(List<Operation> operations, LayerStack state, EntryIndexer indexer, long heapLimitBytes) {
        ChangeBuilder builder = new ChangeBuilder(state, indexer, heapLimitBytes);
        operations.forEach(builder::apply);
        builder.entries.values().forEach(builder::compareKeys);
        builder.childrenChanges.forEach(builder::updateNonLeaf);
        List<EntryChange> entries = builder.entries.values().stream().map(EntryDraft::change).toList();
        return new ChangeSet(builder.decided, entries, builder.keys, builder.renames);
    }

    private void apply(Operation operation) {
        if (operation instanceof Operation.Keep) {
            decided.add(operation);
            return;
        }
        long id = operation.id();
        EntryDraft draft = entries.get(id);
        if (draft == null) {
            draft = new EntryDraft(id, stored(id), state, indexer, heap);
            entries.put(id, draft);
        }
        if (draft.exists() == operation instanceof Operation.Add) {
            throw new IllegalStateException("entry " + id + (draft.exists() ? " exists already" : " does not exist"));
        }
        renames |= operation instanceof Operation.Rename;
        decided.add(draft.apply(operation));
    }

    private EntryRecord stored(long id) {
        EntryVersion version = state.entry(id);
        return version == null ? null : version.record();
    }

    private void compareKeys(EntryDraft draft) {
        draft.forEachKeyChange(this::addKeyChange);
        if (!draft.exists()) {
            childrenChanges.merge(draft.change().id(), 0, Integer::sum);
        }
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
        EntryDraft parent = entries.get(parentId);
        if (after > 0 && parent != null && !parent.exists()) {
            throw new IllegalStateException("entry " + parentId + " cannot be deleted: it has " + after + " children");
        }
        if ((before > 0) != (after > 0)) {
            keys.add(new KeyChange(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf(), parentId, after > 0));
        }
    }
}
