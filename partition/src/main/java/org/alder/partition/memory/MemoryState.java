package org.alder.partition.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyedRecord;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.ValueKeys;

/**
 * What a {@link MemoryStore} holds at one moment. Changed by one thread until it is the store's newest state, and never again; a
 * copy costs next to nothing.
 */
final class MemoryState {
    private final EntryIndexer indexer;
    private final List<SortedTree<byte[], IdSet>> indexes;
    private SortedTree<Long, EntryRecord> entries;
    private MemoryDnMemo dns;
    private long sequence;
    private long timeMillis;
    private long lastId;
    private SystemRecords systemRecords = SystemRecords.NONE;

    MemoryState(EntryIndexer indexer) {
        this.indexer = indexer;
        indexes = new ArrayList<>();
        for (int i = 0; i < indexer.indexes().size(); i++) {
            indexes.add(SortedTree.empty(Arrays::compareUnsigned));
        }
        entries = SortedTree.empty(Long::compare);
        dns = new MemoryDnMemo();
    }

    private MemoryState(MemoryState other, EntryIndexer indexer) {
        this.indexer = indexer;
        indexes = new ArrayList<>(other.indexes);
        entries = other.entries;
        dns = other.dns;
        sequence = other.sequence;
        timeMillis = other.timeMillis;
        lastId = other.lastId;
        systemRecords = other.systemRecords;
    }

    /** The same with an indexer that derives the same keys. */
    MemoryState under(EntryIndexer other) {
        return new MemoryState(this, other);
    }

    /** The same entries, with their keys derived by another indexer. */
    MemoryState derivedAnew(EntryIndexer other) {
        MemoryState fresh = new MemoryState(other);
        fresh.setLastId(lastId);
        fresh.systemRecords = systemRecords;
        try (Snapshot snapshot = new MemorySnapshot(this); Snapshot.EntryCursor cursor = snapshot.entries(1)) {
            while (cursor.next()) {
                fresh.add(other, cursor.id(), new LargeValues(snapshot, cursor.id()).whole(cursor.entry()));
            }
        }
        fresh.commit(sequence, timeMillis);
        return fresh;
    }

    /** Derives the keys. */
    EntryIndexer indexer() {
        return indexer;
    }

    MemoryState copy() {
        return new MemoryState(this, indexer);
    }

    SortedTree<Long, EntryRecord> entries() {
        return entries;
    }

    SortedTree<byte[], IdSet> index(int index) {
        return indexes.get(index);
    }

    long sequence() {
        return sequence;
    }

    long timeMillis() {
        return timeMillis;
    }

    Csn csn() {
        return new Csn(timeMillis, sequence);
    }

    /** The greatest entry ID that was given out. */
    long lastId() {
        return lastId;
    }

    void setLastId(long id) {
        lastId = id;
    }

    SystemRecords systemRecords() {
        return systemRecords;
    }

    void setSystemRecords(SystemRecords records) {
        systemRecords = records;
    }

    void commit(long newSequence, long atMillis) {
        sequence = newSequence;
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
        return index(HierarchyKeys.INDEX).get(HierarchyKeys.children(id)) != null;
    }

    void add(EntryIndexer indexer, long id, EntryRecord whole) {
        KeyedRecord keyed = KeyedRecord.of(indexer, whole);
        add(id, keyed);
    }

    void add(long id, KeyedRecord keyed) {
        keyed.setId(id);
        entries = entries.with(id, keyed.record());
        IdSet one = IdSet.of(id);
        for (int key = 0; key < keyed.keyCount(); key++) {
            byte[] bytes = Arrays.copyOfRange(keyed.keys(), keyed.keyOffset(key), keyed.keyEnd(key));
            IdSet before = index(keyed.index(key)).get(bytes);
            putIds(keyed.index(key), bytes, before == null ? one : before.or(one));
        }
        maintainNonLeaf(keyed.record().parentId());
    }

    void remove(EntryIndexer indexer, long id) {
        EntryRecord record = entries.get(id);
        entries = entries.without(id);
        for (LargeAttribute attribute : record.largeAttributes()) {
            removeValues(indexer, id, attribute);
        }
        indexer.forEachKey(record, (index, key) -> removeId(index, key, id));
        maintainNonLeaf(record.parentId());
    }

    private void removeValues(EntryIndexer indexer, long id, LargeAttribute attribute) {
        byte[] prefix = ValueKeys.ofAttribute(id, attribute.slot());
        SortedTree.Cursor<byte[], IdSet> values = index(ValueKeys.INDEX).from(prefix);
        while (values.next() && ValueKeys.startsWith(values.key(), prefix)) {
            putIds(ValueKeys.INDEX, values.key(), IdSet.EMPTY);
            indexer.forEachValueKey(attribute.description(), ValueKeys.form(values.key()),
                    (index, key) -> removeId(index, key, id));
        }
    }

    private void removeId(int index, byte[] key, long id) {
        IdSet before = index(index).get(key);
        if (before != null) {
            putIds(index, key, before.andNot(IdSet.of(id)));
        }
    }

    private void maintainNonLeaf(long parentId) {
        if (parentId != HierarchyKeys.NO_PARENT) {
            IdSet parent = IdSet.of(parentId);
            byte[] key = HierarchyKeys.nonLeaf();
            IdSet before = index(HierarchyKeys.INDEX).get(key);
            IdSet nonLeaf = before == null ? IdSet.EMPTY : before;
            putIds(HierarchyKeys.INDEX, key, hasChildren(parentId) ? nonLeaf.or(parent) : nonLeaf.andNot(parent));
        }
    }

    void putIds(int index, byte[] key, IdSet ids) {
        indexes.set(index, ids.isEmpty() ? index(index).without(key) : index(index).with(key, ids));
    }

    /** @param record null if there is to be none */
    void putRecord(long id, EntryRecord record) {
        entries = record == null ? entries.without(id) : entries.with(id, record);
    }
}
