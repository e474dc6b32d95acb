package org.alder.partition.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/**
 * Proves that entries, hierarchy and indexes of a partition agree, whatever engine stores them: every entry can be read, has an
 * RDN it may have, a parent that leads to the suffix entry, a DN and an entryUUID of its own; every key that follows from an
 * entry has the entry in its set, and no set holds anything else; the value table holds the
 * values that the records' large attributes count. Checksums and file structure are the engine's own business.
 *
 * <p>Reads entries and indexes once, and a second time only if something is wrong. The heap it needs is about 10 bytes an entry,
 * whatever the number of keys. Thread safe.
 */
public final class Checker {
    /** More problems than this are counted as "and more": the report is then not complete. */
    public static final int MAX_PROBLEMS = 200;

    private final Schema schema;
    private final Dn suffix;
    private final EntryIndexer indexer;

    /** @param indexer the one the store was opened with */
    public Checker(Schema schema, Dn suffix, EntryIndexer indexer) {
        this.schema = schema;
        this.suffix = suffix;
        this.indexer = indexer;
    }

    /**
     * @param snapshot what to check; it stays the caller's
     * @throws StoreException other than CORRUPT: the check could not be made; damage is in the report instead
     */
    public CheckReport check(Snapshot snapshot, CheckProgress progress) {
        Findings findings = new Findings(snapshot, suffix, indexer.indexes());
        PostingSums sums = new PostingSums();
        EntryPass entries = new EntryPass(schema, suffix, indexer, snapshot, findings, sums);
        IndexPass indexes = new IndexPass(snapshot, indexer, findings, sums);
        try {
            entries.run(progress);
            indexes.run(new ValuePass(snapshot, indexer, findings, sums, entries.withLarge()), progress);
            compare(snapshot, findings, sums, entries, indexes);
        } catch (StoreException e) {
            Findings.requireDamage(e);
            findings.stoppedAt("entries", e);
        }
        return findings.report(entries.entries(), indexes.keys(), indexes.postings());
    }

    private void compare(Snapshot snapshot, Findings findings, PostingSums sums, EntryPass entries, IndexPass indexes) {
        indexes.checkNonLeaf(entries.parents());
        new ParentCheck(snapshot, findings).run(RoaringBitmap.and(entries.parents(), entries.ids()));
        Set<Integer> buckets = suspects(sums.unequalBuckets(), findings);
        IdSet missingParents = IdSet.wrap(RoaringBitmap.andNot(entries.parents(), entries.ids()));
        Set<Long> uuidHashes = entries.repeatedUuidHashes();
        if (!buckets.isEmpty() || !missingParents.isEmpty() || !uuidHashes.isEmpty()) {
            new ExplainPass(indexer, findings, buckets, missingParents, uuidHashes, entries).run(snapshot);
        }
    }

    /** Each bucket holds a problem at least, so more of them than can be reported need no look. */
    private static Set<Integer> suspects(List<Integer> unequal, Findings findings) {
        if (unequal.size() > MAX_PROBLEMS) {
            findings.markIncomplete();
        }
        return new HashSet<>(unequal.subList(0, Math.min(unequal.size(), MAX_PROBLEMS)));
    }
}
