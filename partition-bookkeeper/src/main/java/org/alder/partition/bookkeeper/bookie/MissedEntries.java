package org.alder.partition.bookkeeper.bookie;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.log.LedgerEnsembles;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.util.AvailabilityOfEntriesOfLedger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings entries that were written while a bookie did not answer to that bookie: those of ledgers that name it, and ledgers that were made with two bookies, as it was away.
 * Each ended ledger is looked at once, as nothing of it goes away again by itself; of a ledger that is written the member asks what it lacks each time, and has it ended where
 * it lacks something that it lacked before. Its member's bookie alone. One thread.
 */
final class MissedEntries {
    private static final Logger LOG = LoggerFactory.getLogger(MissedEntries.class);
    /** Of one log: a bookie that comes and goes would else have it of many small ledgers, for which it is shortened. */
    private static final long END_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final LogCluster cluster;
    private final BookieNodes nodes;
    private final BookieId own;
    /** The ended ledgers of which it has all that it is to have. */
    private final Set<Long> whole = new HashSet<>();
    /** What it lacks of ledgers that are written, when it is looked at them: the last entry that counts. */
    private final Map<Long, Long> before = new HashMap<>();
    /** When a ledger of a log was ended last, by the logs' paths. */
    private final Map<String, Long> endedNanos = new HashMap<>();

    MissedEntries(LogCluster cluster, BookieNodes nodes, String own) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.own = BookieId.parse(own);
    }

    private Deadline limit() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    /** The ledgers of which it lacks something now. */
    SortedSet<Long> lacking() throws IOException, BKException {
        SortedSet<Long> ledgers = cluster.ledgers(limit());
        whole.retainAll(ledgers);
        before.keySet().retainAll(ledgers);
        SortedSet<Long> lacking = new TreeSet<>();
        for (long ledger : ledgers) {
            LedgerMetadata known = whole.contains(ledger) ? null : cluster.metadata(ledger, limit());
            if (known != null && (known.isClosed() ? lacks(ledger, known) : lackedBefore(ledger, known))) {
                lacking.add(ledger);
            }
        }
        return lacking;
    }

    /** Of one that has ended. */
    private boolean lacks(long ledger, LedgerMetadata known) throws IOException, BKException {
        if (!LedgerEnsembles.isOnThree(known) && LedgerEnsembles.lacks(known, own)) {
            return true;
        }
        boolean lacks = missing(ledger, known, known.getLastEntryId()) >= 0;
        if (!lacks && LedgerEnsembles.isOnThree(known)) {
            whole.add(ledger);
        }
        return lacks;
    }

    private long missing(long ledger, LedgerMetadata known, long last) throws IOException, BKException {
        if (known.getAllEnsembles().values().stream().noneMatch(each -> each.contains(own))) {
            return -1;
        }
        AvailabilityOfEntriesOfLedger has = cluster.entriesOn(own, ledger, limit());
        return LedgerEnsembles.missing(known, own, last, has::isEntryAvailable);
    }

    /** Of one that is written: entries on their way to this bookie are not missed. */
    private boolean lackedBefore(long ledger, LedgerMetadata known) throws IOException, BKException {
        Long last = before.get(ledger);
        before.put(ledger, cluster.lastEntry(ledger, limit()));
        if (last == null) {
            return false;
        }
        List<BookieId> written = known.getAllEnsembles().lastEntry().getValue();
        return LedgerEnsembles.isOnThree(known) ? written.contains(own) && missing(ledger, known, last) >= 0
                : !written.contains(own) && nodes.writable(limit()).contains(own.getId());
    }

    /**
     * Copies what it lacks of a ledger, from those that have it.
     *
     * @param admin as of {@link LogCluster#administratorInPlace}
     * @return null where it lacks nothing now; else why it does
     */
    String copy(BookKeeperAdmin admin, long ledger) throws IOException, InterruptedException {
        try {
            LedgerMetadata known = cluster.metadata(ledger, limit());
            if (known == null) {
                return null;
            }
            if (!known.isClosed()) {
                String log = LogCluster.log(known);
                Long last = endedNanos.get(log);
                if (last != null && System.nanoTime() - last < END_NANOS) {
                    return "Ledger " + ledger + ", which is written, lacks a copy of what the bookie " + own + " missed: it is ended in some minutes";
                }
                endedNanos.put(log, System.nanoTime());
                LOG.info("Ledger {} is ended, and its leader goes on in another one: the bookie {} misses entries of it", ledger, own);
                cluster.open(ledger, true, limit()).closeAsync();
                known = cluster.metadata(ledger, limit());
            }
            if (known != null && !LedgerEnsembles.isOnThree(known)) {
                known = cluster.putOnThree(ledger, own, BookieNodes.ids(nodes.writable(limit())), limit());
                if (known == null) {
                    return "Ledger " + ledger + " has two copies, and there is no third bookie for all of it";
                }
            }
            long first = known == null ? -1 : missing(ledger, known, known.getLastEntryId());
            if (first >= 0) {
                LOG.info("The bookie {} misses entries of ledger {}, the first of them {}: they are copied from others", own, ledger, first);
                admin.recoverBookieData(ledger, Set.of(own), false, true);
                first = missing(ledger, known, known.getLastEntryId());
            }
            return first < 0 ? null : "Ledger " + ledger + " misses a copy still, of entry " + first;
        } catch (BKException e) {
            return e.getCode() == BKException.Code.NoSuchLedgerExistsOnMetadataServerException ? null : "Ledger " + ledger + " misses a copy still: " + e.getMessage();
        }
    }
}
