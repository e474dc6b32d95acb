package org.alder.partition.check;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.ValueKeys;
import org.alder.partition.text.Utf8;
import org.roaringbitmap.RoaringBitmap;

/**
 * Reads entries and indexes a second time when the first found that something is wrong, and says exactly what: holds the postings
 * of the suspected buckets only. One thread.
 *
 * @param buckets whose postings are not those the entries ask for
 * @param missingParents parents that do not exist
 * @param uuidHashes that more than one entry has
 */
record ExplainPass(EntryIndexer indexer, Findings findings, Set<Integer> buckets, IdSet missingParents, Set<Long> uuidHashes,
        EntryPass entryPass) {
    private record Key(int index, ByteBuffer bytes) {
    }

    void run(Snapshot snapshot) {
        Map<Key, RoaringBitmap> expected = new HashMap<>();
        Map<Long, Long> uuidHolders = new HashMap<>();
        try (Snapshot.EntryCursor cursor = snapshot.entries(1)) {
            while (cursor.next()) {
                explain(cursor, expected, uuidHolders);
            }
        }
        explainValues(snapshot, expected);
        for (int index = 0; index < indexer.indexes().size() && !buckets.isEmpty(); index++) {
            if (indexer.indexes().get(index).isPresent() && (index != ValueKeys.INDEX || !indexer.hasValueTable())) {
                compare(snapshot, index, expected);
            }
        }
        expected.forEach((key, ids) -> reportMissing(key, IdSet.wrap(ids)));
    }

    private void explain(Snapshot.EntryCursor cursor, Map<Key, RoaringBitmap> expected, Map<Long, Long> uuidHolders) {
        try {
            explain(cursor.id(), cursor.entry(), expected, uuidHolders);
        } catch (StoreException e) {
            Findings.requireDamage(e);
            // The first pass reported the damaged record; without it there is no telling which keys it should have.
            findings.markIncomplete();
        }
    }

    private void explain(long id, EntryRecord record, Map<Key, RoaringBitmap> expected, Map<Long, Long> uuidHolders) {
        if (missingParents.contains(record.parentId())) {
            findings.entry(Problem.Kind.MISSING_PARENT, id, "its parent is entry " + record.parentId()
                    + ", which does not exist");
        }
        explainUuid(id, record, uuidHolders);
        indexer.forEachKey(record, (index, key) -> expect(index, key, id, expected));
    }

    private void explainValues(Snapshot snapshot, Map<Key, RoaringBitmap> expected) {
        try {
            ValuePass.forEachValue(snapshot, indexer, (attribute, value) -> indexer.forEachValueKey(attribute.description(),
                    ValueKeys.form(value), (index, key) -> expect(index, key, ValueKeys.entryId(value), expected)));
        } catch (StoreException e) {
            Findings.requireDamage(e);
            // The first pass reported what is wrong with the value table.
            findings.markIncomplete();
        }
    }

    private void expect(int index, byte[] key, long id, Map<Key, RoaringBitmap> expected) {
        if (buckets.contains(PostingSums.bucket(PostingSums.hash(index, key)))) {
            expected.computeIfAbsent(new Key(index, ByteBuffer.wrap(key)), any -> new RoaringBitmap()).add((int) id);
        }
    }

    private void explainUuid(long id, EntryRecord record, Map<Long, Long> holders) {
        if (uuidHashes.isEmpty()) {
            return;
        }
        for (Attribute attribute : record.operationalAttributes()) {
            if (entryPass.isUuid(attribute.description())) {
                byte[] value = attribute.values().get(0);
                long hash = entryPass.uuidHash(value);
                Long holder = uuidHashes.contains(hash) ? holders.putIfAbsent(hash, id) : null;
                if (holder != null) {
                    findings.entry(Problem.Kind.DUPLICATE_UUID, id,
                            "entry " + holder + " has the same entryUUID " + Utf8.shown(value));
                }
            }
        }
    }

    private void compare(Snapshot snapshot, int index, Map<Key, RoaringBitmap> expected) {
        try (Snapshot.KeyCursor cursor = snapshot.keys(index, KeyRange.ALL)) {
            while (cursor.next()) {
                byte[] key = cursor.key();
                if (buckets.contains(PostingSums.bucket(PostingSums.hash(index, key))) && !isNonLeaf(index, key)) {
                    Key copy = new Key(index, ByteBuffer.wrap(key.clone()));
                    RoaringBitmap wanted = expected.remove(copy);
                    compare(copy, wanted == null ? IdSet.EMPTY : IdSet.wrap(wanted), cursor.ids());
                }
            }
        } catch (StoreException e) {
            Findings.requireDamage(e);
            // The first pass reported where this index cannot be read on.
            findings.markIncomplete();
        }
    }

    private static boolean isNonLeaf(int index, byte[] key) {
        return index == HierarchyKeys.INDEX && key.length == 1;
    }

    private void compare(Key key, IdSet wanted, IdSet found) {
        reportMissing(key, wanted.andNot(found));
        for (IdSet.IdIterator extra = found.andNot(wanted).iterator(); extra.hasNext() && !findings.isFull();) {
            long id = extra.next();
            boolean exists = entryPass.ids().contains((int) id);
            findings.key(Problem.Kind.EXTRA_IN_INDEX, id, key.index(), key.bytes().array(),
                    exists ? "the entry has not this key" : "there is no such entry");
        }
    }

    private void reportMissing(Key key, IdSet missing) {
        for (IdSet.IdIterator ids = missing.iterator(); ids.hasNext() && !findings.isFull();) {
            findings.key(Problem.Kind.MISSING_FROM_INDEX, ids.next(), key.index(), key.bytes().array(),
                    "the entry has this key and is not in its set");
        }
    }
}
