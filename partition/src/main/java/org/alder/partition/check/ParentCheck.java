package org.alder.partition.check;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/** Walks from each entry that has children up to the root, each entry once: who never gets there is in a cycle. One thread. */
final class ParentCheck {
    private final Snapshot snapshot;
    private final Findings findings;
    private final RoaringBitmap settled = new RoaringBitmap();

    ParentCheck(Snapshot snapshot, Findings findings) {
        this.snapshot = snapshot;
        this.findings = findings;
    }

    /** @param parents existing entries that have children: a cycle has no others */
    void run(RoaringBitmap parents) {
        for (IdSet.IdIterator iterator = IdSet.wrap(parents).iterator(); iterator.hasNext();) {
            climb(iterator.next());
        }
    }

    private void climb(long start) {
        RoaringBitmap path = new RoaringBitmap();
        List<Long> steps = new ArrayList<>();
        long at = start;
        while (at != HierarchyKeys.NO_PARENT && !settled.contains((int) at)) {
            if (!path.checkedAdd((int) at)) {
                List<Long> cycle = steps.subList(steps.indexOf(at), steps.size());
                findings.entry(Problem.Kind.PARENT_CYCLE, at, "the entries " + cycle + " are each other's ancestors");
                break;
            }
            steps.add(at);
            at = parentOf(at);
        }
        settled.or(path);
    }

    /** Damaged and missing entries are reported elsewhere; here they end the way up. */
    private long parentOf(long id) {
        try {
            EntryRecord record = snapshot.entry(id);
            return record == null ? HierarchyKeys.NO_PARENT : record.parentId();
        } catch (StoreException e) {
            Findings.requireDamage(e);
            return HierarchyKeys.NO_PARENT;
        }
    }
}
