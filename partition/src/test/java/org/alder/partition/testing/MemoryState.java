package org.alder.partition.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.ValueKeys;

/** What a {@link MemoryStore} holds at one moment. Changed by the store alone, and only while no snapshot reads it. */
final class MemoryState {
    private final TreeMap<Long, EntryRecord> entries;
    private final List<TreeMap<byte[], IdSet>> indexes = new ArrayList<>();
    private MemoryDnMemo dns = new MemoryDnMemo();
    private long sequence;
    private long timeMillis;

    MemoryState(int indexCount) {
        entries = new TreeMap<>();
        for (int i = 0; i < indexCount; i++) {
            indexes.add(new TreeMap<>(Arrays::compareUnsigned));
        }
    }

    private MemoryState(MemoryState other) {
        entries = new TreeMap<>(other.entries);
        other.indexes.forEach(index -> indexes.add(new TreeMap<>(index)));
        dns = other.dns;
        sequence = other.sequence;
        timeMillis = other.timeMillis;
    }

    MemoryState copy() {
        return new MemoryState(this);
    }

    TreeMap<Long, EntryRecord> entries() {
        return entries;
    }

    TreeMap<byte[], IdSet> index(int index) {
        return indexes.get(index);
    }

    long sequence() {
        return sequence;
    }

    long timeMillis() {
        return timeMillis;
    }

    void commit(long atMillis) {
        sequence++;
        timeMillis = atMillis;
    }

    MemoryDnMemo dns() {
        return dns;
    }

    /** A new memo, because the snapshots of the state before still read the old one. */
    void forgetDns() {
        dns = new MemoryDnMemo();
    }

    boolean hasChildren(long id) {
        return indexes.get(HierarchyKeys.INDEX).containsKey(HierarchyKeys.children(id));
    }

    void add(EntryIndexer indexer, long id, EntryRecord record) {
        IdSet one = IdSet.of(id);
        EntryRecord kept = indexer.split(record, EntryIndexer.SlotUse.NONE, (attribute, form, value) -> {
            indexes.get(ValueKeys.INDEX).put(ValueKeys.key(id, attribute.slot(), form, value), one);
            indexer.forEachValueKey(attribute.description(), form,
                    (index, key) -> indexes.get(index).merge(key, one, IdSet::or));
        });
        entries.put(id, kept);
        indexer.forEachKey(kept, (index, key) -> indexes.get(index).merge(key, one, IdSet::or));
        maintainNonLeaf(record.parentId());
    }

    void remove(EntryIndexer indexer, long id) {
        EntryRecord record = entries.remove(id);
        for (LargeAttribute attribute : record.largeAttributes()) {
            removeValues(indexer, id, attribute);
        }
        indexer.forEachKey(record, (index, key) -> removeId(index, key, id));
        maintainNonLeaf(record.parentId());
    }

    private void removeValues(EntryIndexer indexer, long id, LargeAttribute attribute) {
        byte[] prefix = ValueKeys.ofAttribute(id, attribute.slot());
        List<byte[]> keys = indexes.get(ValueKeys.INDEX).tailMap(prefix).keySet().stream()
                .takeWhile(key -> ValueKeys.startsWith(key, prefix)).toList();
        for (byte[] value : keys) {
            indexes.get(ValueKeys.INDEX).remove(value);
            indexer.forEachValueKey(attribute.description(), ValueKeys.form(value), (index, key) -> removeId(index, key, id));
        }
    }

    private void removeId(int index, byte[] key, long id) {
        putIds(index, key, indexes.get(index).get(key).andNot(IdSet.of(id)));
    }

    private void maintainNonLeaf(long parentId) {
        if (parentId != HierarchyKeys.NO_PARENT) {
            IdSet parent = IdSet.of(parentId);
            byte[] key = HierarchyKeys.nonLeaf();
            IdSet nonLeaf = indexes.get(HierarchyKeys.INDEX).getOrDefault(key, IdSet.EMPTY);
            putIds(HierarchyKeys.INDEX, key, hasChildren(parentId) ? nonLeaf.or(parent) : nonLeaf.andNot(parent));
        }
    }

    void putIds(int index, byte[] key, IdSet ids) {
        if (ids.isEmpty()) {
            indexes.get(index).remove(key);
        } else {
            indexes.get(index).put(key, ids);
        }
    }

    void putRecord(long id, EntryRecord record) {
        if (record == null) {
            entries.remove(id);
        } else {
            entries.put(id, record);
        }
    }
}
