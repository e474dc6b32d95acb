package org.alder.partition.check;

import java.util.Arrays;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.ValueKeys;
import org.roaringbitmap.RoaringBitmap;

/** Reads every index once: checks each key by itself, and takes its postings away from what the entries ask for. One thread. */
final class IndexPass {
    private static final long PROGRESS_STEP = 1 << 14;

    private final Snapshot snapshot;
    private final EntryIndexer indexer;
    private final Findings findings;
    private final PostingSums sums;
    private final byte[] nonLeafKey = HierarchyKeys.nonLeaf();
    private ValuePass values;
    private IdSet nonLeaf = IdSet.EMPTY;
    private long keys;
    private long postings;

    IndexPass(Snapshot snapshot, EntryIndexer indexer, Findings findings, PostingSums sums) {
        this.snapshot = snapshot;
        this.indexer = indexer;
        this.findings = findings;
        this.sums = sums;
    }

    /** @param valuePass told the keys of the value table, if there is one */
    void run(ValuePass valuePass, CheckProgress progress) {
        values = valuePass;
        for (int index = 0; index < indexer.indexes().size(); index++) {
            if (!indexer.indexes().get(index).isPresent()) {
                continue;
            }
            String phase = "index " + indexer.indexes().get(index).name();
            try {
                walk(index, phase, progress);
            } catch (StoreException e) {
                Findings.requireDamage(e);
                findings.stoppedAt(phase, e);
            }
        }
        values.finish();
    }

    long keys() {
        return keys;
    }

    long postings() {
        return postings;
    }

    private void walk(int index, String phase, CheckProgress progress) {
        long done = 0;
        byte[] previous = null;
        try (Snapshot.KeyCursor cursor = snapshot.keys(index, KeyRange.ALL)) {
            while (cursor.next()) {
                byte[] key = cursor.key();
                if (previous != null && Arrays.compareUnsigned(previous, key) >= 0) {
                    findings.key(Problem.Kind.WRONG_ORDER, 0, index, key, "the key before it is not smaller");
                }
                previous = key.clone();
                check(index, previous, cursor);
                if (++done % PROGRESS_STEP == 0) {
                    progress.update(phase, done, 0);
                }
            }
        }
        keys += done;
        progress.update(phase, done, done);
    }

    private void check(int index, byte[] key, Snapshot.KeyCursor cursor) {
        IdSet ids = cursor.ids();
        checkCardinality(index, key, ids.cardinality(), cursor.cardinality());
        postings += ids.cardinality();
        if (index == HierarchyKeys.INDEX && Arrays.equals(key, nonLeafKey)) {
            nonLeaf = ids;
            return;
        }
        if (index == ValueKeys.INDEX && indexer.hasValueTable()) {
            values.check(key, ids);
            return;
        }
        if (index == HierarchyKeys.INDEX && HierarchyKeys.isRdn(key) && ids.cardinality() > 1) {
            findings.key(Problem.Kind.DUPLICATE_RDN, ids.iterator().next(), index, key,
                    ids.cardinality() + " entries have this DN");
        }
        long hash = PostingSums.hash(index, key);
        for (IdSet.IdIterator iterator = ids.iterator(); iterator.hasNext();) {
            sums.subtract(hash, iterator.next());
        }
    }

    private void checkCardinality(int index, byte[] key, long size, long walked) {
        long lookedUp = snapshot.cardinality(index, key);
        if (size == 0 || walked != size || lookedUp != size) {
            findings.key(Problem.Kind.WRONG_CARDINALITY, 0, index, key, "the set has " + size + " IDs; its stored size is "
                    + walked + " by walking the keys and " + lookedUp + " by looking the key up");
        }
    }

    /** The entries with children are those that are the parent of another. */
    void checkNonLeaf(RoaringBitmap parents) {
        RoaringBitmap missing = RoaringBitmap.andNot(parents, nonLeaf.bitmap());
        RoaringBitmap extra = RoaringBitmap.andNot(nonLeaf.bitmap(), parents);
        report(IdSet.wrap(missing), "the entry has children and is not in the set of those that have");
        report(IdSet.wrap(extra), "the entry is in the set of those with children and has none");
        IdSet lookedUp = snapshot.ids(HierarchyKeys.INDEX, nonLeafKey);
        if (!lookedUp.equals(nonLeaf)) {
            findings.key(Problem.Kind.WRONG_NON_LEAF, 0, HierarchyKeys.INDEX, nonLeafKey, "walking the keys gives "
                    + nonLeaf.cardinality() + " entries, looking the key up gives others, " + lookedUp.cardinality());
        }
    }

    private void report(IdSet wrong, String detail) {
        for (IdSet.IdIterator iterator = wrong.iterator(); iterator.hasNext() && !findings.isFull();) {
            findings.key(Problem.Kind.WRONG_NON_LEAF, iterator.next(), HierarchyKeys.INDEX, nonLeafKey, detail);
        }
    }
}
