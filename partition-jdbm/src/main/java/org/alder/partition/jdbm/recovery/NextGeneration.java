package org.alder.partition.jdbm.recovery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.LogFolder;
import org.alder.partition.jdbm.log.SharedLog;
import org.alder.partition.jdbm.segment.BulkBuilder;
import org.alder.partition.jdbm.segment.BulkSettings;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.alder.partition.jdbm.segment.SegmentSettings;
import org.alder.partition.jdbm.segment.SequenceRange;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.SystemRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bulk-built segment that replaces all of a store by one step: the new manifest. Used by one thread, which holds the folder's
 * lock.
 */
final class NextGeneration {
    private static final Logger LOG = LoggerFactory.getLogger(NextGeneration.class);

    /** Transactions of a shared log while a load runs. */
    private static final long MOST_MEANWHILE = 1L << 32;
    private static final long NEVER_REACHED = Long.MAX_VALUE;

    private final StoreFolder folder;
    private final Manifest old;
    private final long sequence;
    private final LongSupplier timeMillis;
    private final long givenIds;
    private final SystemRecords records;
    private final EntryIndexer indexer;
    private final SharedLog replaced;
    private Manifest published;

    /**
     * @param replaced the shared log that is to stand for these data from then on; null where it does not change what the data are
     * @param sequence above, or the same as, all that the old logs hold; the store goes on behind it
     * @param timeMillis the time of that state, since 1970; asked for when it is complete
     * @param givenIds how many entry IDs were given
     * @param records  what is kept beside the entries
     */
    NextGeneration(StoreFolder folder, SharedLog replaced, Manifest old, long sequence, LongSupplier timeMillis, long givenIds,
            SystemRecords records, EntryIndexer indexer) {
        this.folder = folder;
        this.replaced = replaced;
        this.old = old;
        this.sequence = sequence;
        this.timeMillis = timeMillis;
        this.givenIds = givenIds;
        this.records = records;
        this.indexer = indexer;
    }

    BulkBuilder builder(EntryCodec entryCodec, long memoryBytes) {
        SegmentSettings segment = folder.segmentSettings().withEntries(entryCodec);
        BulkSettings bulk = BulkSettings.of(segment, memoryBytes);
        return BulkBuilder.create(folder.segment(old.nextSegment()), indexer, range(), bulk, this::publish);
    }

    private SequenceRange range() {
        return new SequenceRange(sequence, sequence);
    }

    private void publish(SegmentDescriptor segment) {
        Manifest next = old.replaced(new Manifest.SegmentEntry(old.nextSegment(), range()), indexer,
                Math.max(givenIds, segment.maxId()), segment.entries(), records);
        try {
            if (replaced != null) {
                published = LogReplacement.fence(replaced, next, this::write);
                return;
            }
            if (folder.shared() == null) {
                folder.logs().prepare(old.storeId(), next.firstLog(), timeMillis.getAsLong());
            }
            write(next);
            published = next;
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot publish generation " + next.generation() + " in "
                    + folder.path() + ": " + e, e);
        }
    }

    /** A replacement that failed may have happened all the same; then its segment must stay. */
    private void write(Manifest next) throws IOException {
        try {
            ManifestFile.write(folder.disk(), folder.path(), next);
        } catch (IOException e) {
            if (!next.equals(ManifestFile.read(folder.path()))) {
                throw e;
            }
            LOG.warn("The manifest of {} was replaced, but may not survive a power failure", folder.path(), e);
        }
    }

    /** The manifest after the builder's publication. */
    Manifest published() {
        return published;
    }

    /** After the builder's publication: tells the shared log. */
    void replaceLog() {
        if (replaced != null) {
            LogReplacement.replace(replaced, published, timeMillis.getAsLong());
        }
    }

    /**
     * A sequence number that no log of the store can have reached: a transaction takes more than one byte. A shared log may go on while
     * the data are loaded; where it has got beyond that all the same, it does not take them.
     */
    static long sequenceBeyond(StoreFolder folder, Manifest manifest) throws IOException {
        if (folder.shared() != null) {
            long part = folder.shared().source().partOf(NEVER_REACHED);
            // A log that was given other data, and that nobody has written since, has no part yet.
            return Math.max(manifest.lastFlushed(), part == NEVER_REACHED ? folder.shared().firstSequence() : part) + MOST_MEANWHILE;
        }
        List<Path> logs = folder.logs().files();
        long last = logs.isEmpty() ? 0 : LogFolder.firstSequenceOf(logs.get(logs.size() - 1));
        return Math.max(manifest.lastFlushed(), last + folder.logs().sizeBytes()) + 1;
    }
}
