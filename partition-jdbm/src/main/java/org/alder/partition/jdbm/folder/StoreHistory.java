package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.ChangeHistory.Answer;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What commits changed, as the logs tell that are still there, also those that nothing else needs. Thread safe. */
public final class StoreHistory {
    private static final Logger LOG = LoggerFactory.getLogger(StoreHistory.class);

    private final StoreFolder folder;
    private final Supplier<LogSource> log;

    /** @param log asked for each time */
    public StoreHistory(StoreFolder folder, Supplier<LogSource> log) {
        this.folder = folder;
        this.log = log;
    }

    public ChangeHistory changes(Csn since, Snapshot upTo) {
        if (since.sequence() >= upTo.sequence()) {
            return since.equals(upTo.csn()) ? new Changes().history() : ChangeHistory.without(Answer.FOREIGN);
        }
        Changes changes = new Changes();
        try {
            LogSource.Since found = log.get().readSince(since.sequence(), upTo.sequence(),
                    group -> changes.add(group, since.sequence(), upTo.sequence()));
            if (found == LogSource.Since.MISSING || changes.deleted.size() > ChangeHistory.MOST_DELETED) {
                return ChangeHistory.without(Answer.FORGOTTEN);
            }
            return found.timeMillis() == since.timeMillis() ? changes.history() : ChangeHistory.without(Answer.FOREIGN);
        } catch (NoSuchFileException e) {
            return ChangeHistory.without(Answer.FORGOTTEN);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the logs of " + folder.path() + ": " + e, e);
        } catch (StoreException e) {
            LOG.warn("What changed in {} since sequence {} cannot be told from its logs", folder.path(), since.sequence(), e);
            return ChangeHistory.without(Answer.FORGOTTEN);
        }
    }

    /** Gathers what the groups did. One thread. */
    private static final class Changes {
        private final RoaringBitmap changed = new RoaringBitmap();
        private final RoaringBitmap renamed = new RoaringBitmap();
        /** One for each deletion: an ID may be another entry's by now. */
        private final List<byte[]> deleted = new ArrayList<>();

        void add(LogGroup group, long after, long last) {
            long sequence = group.firstSequence();
            for (List<Operation> transaction : group.transactions()) {
                if (sequence > after && sequence <= last) {
                    transaction.forEach(this::add);
                }
                sequence++;
            }
        }

        private void add(Operation operation) {
            if (operation instanceof Operation.Keep) {
                return;
            }
            int id = (int) operation.id();
            if (operation instanceof Operation.Delete delete) {
                changed.remove(id);
                renamed.remove(id);
                if (delete.identity().length > 0 && deleted.size() <= ChangeHistory.MOST_DELETED) {
                    deleted.add(delete.identity());
                }
            } else {
                changed.add(id);
                if (operation instanceof Operation.Rename) {
                    renamed.add(id);
                }
            }
        }

        ChangeHistory history() {
            return new ChangeHistory(Answer.KNOWN, IdSet.wrap(changed), IdSet.wrap(renamed), deleted);
        }
    }
}
