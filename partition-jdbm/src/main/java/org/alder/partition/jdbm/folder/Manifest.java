package org.alder.partition.jdbm.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.SequenceRange;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.SystemRecords;

/**
 * What a store consists of, as its file {@code MANIFEST} says ({@link ManifestFile}). Whatever lies in the folder and is not
 * named here was never published, or is not needed any more. Immutable.
 *
 * @param storeId      made with the store, in all its logs
 * @param generation   grows by one when a bulk load replaces everything
 * @param givenIds     how many entry IDs were given ({@link org.alder.partition.jdbm.state.EntryIds#count})
 * @param entries      live entries in the segments
 * @param lastFlushed  the last commit sequence number whose changes are in the segments
 * @param firstLog     the first sequence number of the oldest log file still needed
 * @param nextSegment  the number of the next segment's folder
 * @param fingerprint  what the segments' index keys depend on ({@link EntryIndexer#fingerprint})
 * @param indexes      what the segments are indexed by, named as the tables are ({@link IndexTables})
 * @param segments     oldest first
 * @param building     the names of indexes that were being built when it was written, of which the segments have not all keys
 * @param records      what is kept beside the entries, as of the last commit in the segments
 * @param shared       where the log is shared with other stores ({@link org.alder.partition.jdbm.log.SharedLog}), what is known of it;
 *                     null where the log is the store's own
 */
public record Manifest(UUID storeId, long generation, long givenIds, long entries, long lastFlushed, long firstLog, long nextSegment,
        String fingerprint, List<IndexSpec> indexes, List<SegmentEntry> segments, List<String> building, SystemRecords records, Shared shared) {

    /** One published segment. */
    public record SegmentEntry(long number, SequenceRange sequences) {
    }

    /**
     * What the store knows of the log it shares.
     *
     * @param generation of the log's data that it has
     * @param epoch      the newest that it has seen: a log that is at an earlier one was put back to an old state
     */
    public record Shared(long generation, long epoch) {
    }

    public Manifest {
        // Which of them have key tables may change with each segment, so each segment says it for itself.
        indexes = indexes.stream().filter(IndexSpec::isPresent).map(index -> new IndexSpec(index.name(), index.duplicateThreshold())).toList();
        segments = List.copyOf(segments);
        building = List.copyOf(building);
    }

    /** One while no index is built. */
    public Manifest(UUID storeId, long generation, long givenIds, long entries, long lastFlushed, long firstLog, long nextSegment,
            String fingerprint, List<IndexSpec> indexes, List<SegmentEntry> segments) {
        this(storeId, generation, givenIds, entries, lastFlushed, firstLog, nextSegment, fingerprint, indexes, segments, List.of(), SystemRecords.NONE, null);
    }

    /** A store without entries. Its first log starts with sequence 1. */
    static Manifest empty(UUID storeId, EntryIndexer indexer) {
        return new Manifest(storeId, 1, 0, 0, 0, 1, 1, indexer.fingerprint(), indexer.indexes(), List.of());
    }

    public List<String> indexNames() {
        return indexes.stream().map(index -> IndexTables.indexOf(index.name())).toList();
    }

    /** The table with the keys of an index; null where there is none. */
    String table(String index) {
        return indexes.stream().map(IndexSpec::name).filter(table -> IndexTables.indexOf(table).equals(index)).findFirst()
                .orElse(null);
    }

    /** Of the indexes that were being built those of which there was none before. */
    public Set<String> unfinished() {
        Set<String> names = new TreeSet<>(building);
        names.removeAll(Set.copyOf(indexNames()));
        return names;
    }

    /** The same segments in another store, whose log is its own and begins behind them. */
    public Manifest asStore(UUID otherId) {
        return new Manifest(otherId, generation, givenIds, entries, lastFlushed, lastFlushed + 1, nextSegment, fingerprint, indexes,
                segments, building, records, null);
    }

    /** With what is known of the log that the store shares; null if it has its own. Nothing but segments may be needed. */
    public Manifest sharing(Shared log) {
        return new Manifest(storeId, generation, givenIds, entries, lastFlushed, lastFlushed + 1, nextSegment, fingerprint, indexes,
                segments, building, records, log);
    }

    /** After something was read from the log of a later epoch. */
    public Manifest seen(long epoch) {
        return shared == null || shared.epoch >= epoch ? this : new Manifest(storeId, generation, givenIds, entries, lastFlushed, firstLog,
                nextSegment, fingerprint, indexes, segments, building, records, new Shared(shared.generation, epoch));
    }

    /** With the fingerprint that the indexer has by now, whose keys these are. */
    Manifest indexedBy(EntryIndexer indexer) {
        return new Manifest(storeId, generation, givenIds, entries, lastFlushed, firstLog, nextSegment,
                indexer.fingerprintFollowing(fingerprint, false), indexes, segments, building, records, shared);
    }

    /**
     * After indexes were changed, or built in a segment of their own, which goes below all others.
     *
     * @param segment null if none was; the next number is taken then, too, as tables may have their names of it
     */
    public Manifest indexed(SegmentEntry segment, IndexTables tables) {
        List<SegmentEntry> all = new ArrayList<>(segments);
        if (segment != null) {
            all.add(0, segment);
        }
        return new Manifest(storeId, generation, givenIds, entries, lastFlushed, firstLog,
                segment == null ? nextSegment + 1 : Math.max(nextSegment, segment.number() + 1), fingerprint, tables.complete(), all,
                tables.building(), records, shared).indexedBy(tables.indexer());
    }

    /** When a store is open with these indexes. */
    public Manifest withIndexes(List<IndexSpec> specs) {
        return new Manifest(storeId, generation, givenIds, entries, lastFlushed, firstLog, nextSegment, fingerprint, specs,
                segments, List.of(), records, shared);
    }

    /** After taking a number for a new segment. */
    Manifest withNextSegment(long number) {
        return new Manifest(storeId, generation, givenIds, entries, lastFlushed, firstLog, number, fingerprint, indexes, segments,
                building, records, shared);
    }

    /** After a memory layer became the newest segment. @param newRecords as of its last commit */
    public Manifest flushed(SegmentEntry segment, long newGivenIds, int netEntries, SystemRecords newRecords, long newFirstLog) {
        List<SegmentEntry> all = new ArrayList<>(segments);
        all.add(segment);
        return new Manifest(storeId, generation, Math.max(givenIds, newGivenIds), entries + netEntries, segment.sequences().last(),
                newFirstLog, nextSegment, fingerprint, indexes, all, building, newRecords, shared);
    }

    /** After adjacent segments became one. */
    public Manifest merged(List<Long> numbers, SegmentEntry segment) {
        List<SegmentEntry> all = new ArrayList<>(segments);
        int at = all.stream().map(SegmentEntry::number).toList().indexOf(numbers.get(0));
        all.subList(at, at + numbers.size()).clear();
        all.add(at, segment);
        return new Manifest(storeId, generation, givenIds, entries, lastFlushed, firstLog, nextSegment, fingerprint, indexes, all,
                building, records, shared);
    }

    /** After a bulk load replaced everything by one segment, at a sequence above all that was logged. @param newRecords what is kept beside it */
    public Manifest replaced(SegmentEntry segment, EntryIndexer indexer, long newGivenIds, long newEntries, SystemRecords newRecords) {
        return new Manifest(storeId, generation + 1, newGivenIds, newEntries, segment.sequences().last(),
                segment.sequences().last() + 1, Math.max(nextSegment, segment.number() + 1),
                indexer.fingerprintFollowing(fingerprint, true), indexer.indexes(), List.of(segment), List.of(), newRecords, shared);
    }
}
