package org.alder.partition.query;

import org.alder.partition.derived.Candidate;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.ListView;
import org.alder.partition.store.Snapshot;

/** The candidates of a search in ascending order of their IDs. One thread at a time. */
public interface CandidateSource extends AutoCloseable {
    /** @return false if there are no more */
    boolean next() throws DirectoryException;

    /** Whether there was no candidate in the last step, but a part of the work that comes before one. */
    default boolean isWorking() {
        return false;
    }

    /** Where the window is whose entries these are; null if they are not those of one. */
    default ListView listView() {
        return null;
    }

    /** About the memory that is gathered, in bytes, beyond what every search has. */
    default long heldBytes() {
        return 0;
    }

    /** Which partition the candidate is in, of those that are searched together. */
    default int part() {
        return 0;
    }

    long id();

    EntryRecord record();

    /** False only where the probe does not hold of the candidate, which is found for less than {@link #record} costs. */
    default boolean mayMatch(EntryProbe probe) {
        return true;
    }

    /** Moves a candidate here, for whom the name may be enough, if that costs less than the record, which it reads when it is asked for it. */
    default void moveByName(Candidate candidate) {
        candidate.moveTo(id(), record());
    }

    @Override
    void close();

    /** @param candidates null for all entries  @param afterId only greater IDs come */
    static CandidateSource of(Snapshot snapshot, IdSet candidates, long afterId) {
        return candidates == null ? new Walk(snapshot.entries(afterId + 1)) : new Lookup(snapshot, candidates, afterId);
    }

    /** All entries. */
    final class Walk implements CandidateSource {
        private final Snapshot.EntryCursor entries;

        Walk(Snapshot.EntryCursor entries) {
            this.entries = entries;
        }

        @Override
        public boolean next() {
            return entries.next();
        }

        @Override
        public long id() {
            return entries.id();
        }

        @Override
        public EntryRecord record() {
            return entries.entry();
        }

        @Override
        public boolean mayMatch(EntryProbe probe) {
            return entries.mayMatch(probe);
        }

        @Override
        public void close() {
            entries.close();
        }
    }

    /** The entries of a set. */
    final class Lookup implements CandidateSource {
        private final Snapshot.EntryLookup entries;
        private final IdSet.IdIterator ids;
        private long id;

        Lookup(Snapshot snapshot, IdSet candidates, long afterId) {
            this.entries = snapshot.lookup(candidates);
            this.ids = candidates.iterator();
            if (afterId > 0) {
                ids.advanceTo(afterId + 1);
            }
        }

        @Override
        public boolean next() {
            if (!ids.hasNext()) {
                return false;
            }
            id = ids.next();
            return true;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public EntryRecord record() {
            return required(entries.entry(id));
        }

        @Override
        public boolean mayMatch(EntryProbe probe) {
            return entries.mayMatch(id, probe);
        }

        @Override
        public void moveByName(Candidate candidate) {
            candidate.moveTo(id, required(entries.name(id)), entries);
        }

        private <T extends StoredName> T required(T found) {
            if (found == null) {
                throw new StoreException(StoreException.Kind.CORRUPT, "an index names entry " + id + ", which is not there");
            }
            return found;
        }

        @Override
        public void close() {
            id = 0;
        }
    }
}
