package org.alder.partition.jdbm.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.alder.partition.jdbm.segment.SequenceRange;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/**
 * What a store consists of, as its file {@code MANIFEST} says ({@link ManifestFile}). Whatever lies in the folder and is not
 * named here was never published, or is not needed any more. Immutable.
 *
 * @param storeId      made with the store, in all its logs
 * @param generation   grows by one when a bulk load replaces everything
 * @param lastId       no entry ID up to here will be given out again
 * @param entries      live entries in the segments
 * @param lastFlushed  the last commit sequence number whose changes are in the segments
 * @param firstLog     the first sequence number of the oldest log file still needed
 * @param nextSegment  the number of the next segment's folder
 * @param fingerprint  what the segments' index keys depend on ({@link EntryIndexer#fingerprint})
 * @param indexes      what the segments are indexed by; position = index number
 * @param segments     oldest first
 */
public record Manifest(UUID storeId, long generation, long lastId, long entries, long lastFlushed, long firstLog, long nextSegment,
        String fingerprint, List<IndexSpec> indexes, List<SegmentEntry> segments) {

    /** One published segment. */
    public record SegmentEntry(long number, SequenceRange sequences) {
    }

    private static final int NAMES_SHOWN = 3;

    public Manifest {
        // Which of them have key tables may change with each segment, so each segment says it for itself.
        indexes = indexes.stream().map(index -> new IndexSpec(index.name(), index.duplicateThreshold())).toList();
        segments = List.copyOf(segments);
    }

    /** A store without entries. Its first log starts with sequence 1. */
    static Manifest empty(UUID storeId, EntryIndexer indexer) {
        return new Manifest(storeId, 1, 0, 0, 0, 1, 1, indexer.fingerprint(), indexer.indexes(), List.of());
    }

    public List<String> indexNames() {
        return names(indexes);
    }

    static List<String> names(List<IndexSpec> specs) {
        return specs.stream().map(IndexSpec::name).toList();
    }

    /** Why the segments hold other keys than the indexer derives; null if they hold these. */
    public String whyIndexAnew(EntryIndexer indexer) {
        List<String> had = indexNames();
        List<String> wanted = names(indexer.indexes());
        return had.equals(wanted) ? indexer.whyDeriveAnew(fingerprint)
                : "of the configuration it lacks " + without(wanted, had) + ", beyond it it has " + without(had, wanted);
    }

    private static String without(List<String> names, List<String> others) {
        List<String> missing = names.stream().filter(name -> !others.contains(name)).toList();
        return missing.isEmpty() ? "nothing" : missing.size() <= NAMES_SHOWN ? String.join(", ", missing)
                : String.join(", ", missing.subList(0, NAMES_SHOWN)) + " and " + (missing.size() - NAMES_SHOWN) + " more";
    }

    /** The same segments in another store, whose log begins behind them. */
    public Manifest asStore(UUID otherId) {
        return new Manifest(otherId, generation, lastId, entries, lastFlushed, lastFlushed + 1, nextSegment, fingerprint, indexes,
                segments);
    }

    /** With the fingerprint that the indexer has by now, whose keys these are. */
    Manifest indexedBy(EntryIndexer indexer) {
        return new Manifest(storeId, generation, lastId, entries, lastFlushed, firstLog, nextSegment,
                indexer.fingerprintFollowing(fingerprint, false), indexes, segments);
    }

    public Manifest withIndexes(List<IndexSpec> specs) {
        return new Manifest(storeId, generation, lastId, entries, lastFlushed, firstLog, nextSegment, fingerprint, specs,
                segments);
    }

    /** After taking a number for a new segment. */
    Manifest withNextSegment(long number) {
        return new Manifest(storeId, generation, lastId, entries, lastFlushed, firstLog, number, fingerprint, indexes, segments);
    }

    /** After a memory layer became the newest segment. */
    public Manifest flushed(SegmentEntry segment, long newLastId, int netEntries, long newFirstLog) {
        List<SegmentEntry> all = new ArrayList<>(segments);
        all.add(segment);
        return new Manifest(storeId, generation, Math.max(lastId, newLastId), entries + netEntries, segment.sequences().last(),
                newFirstLog, nextSegment, fingerprint, indexes, all);
    }

    /** After adjacent segments became one. */
    public Manifest merged(List<Long> numbers, SegmentEntry segment) {
        List<SegmentEntry> all = new ArrayList<>(segments);
        int at = all.stream().map(SegmentEntry::number).toList().indexOf(numbers.get(0));
        all.subList(at, at + numbers.size()).clear();
        all.add(at, segment);
        return new Manifest(storeId, generation, lastId, entries, lastFlushed, firstLog, nextSegment, fingerprint, indexes, all);
    }

    /** After a bulk load replaced everything by one segment, at a sequence above all that was logged. */
    public Manifest replaced(SegmentEntry segment, EntryIndexer indexer, long newLastId, long newEntries) {
        return new Manifest(storeId, generation + 1, newLastId, newEntries, segment.sequences().last(),
                segment.sequences().last() + 1, Math.max(nextSegment, segment.number() + 1),
                indexer.fingerprintFollowing(fingerprint, true), indexer.indexes(), List.of(segment));
    }
}
