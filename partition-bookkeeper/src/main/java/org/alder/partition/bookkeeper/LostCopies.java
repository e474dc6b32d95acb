package org.alder.partition.bookkeeper;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.alder.partition.error.StoreException;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings ledgers back to as many copies as they had, for a member whose bookies before its present one have lost what they held: BookKeeper copies what these had
 * from the others, ledger by ledger, and enters who has it now when it is there. So a crash leaves nothing but ledgers still to be done. One that another member
 * writes is fenced first; that one goes on in a new ledger. Ledgers whose other bookies are not all here wait. Thread safe; whoever starts it closes it, before the cluster.
 */
final class LostCopies implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LostCopies.class);
    private static final long RETRY_SECONDS = 5;
    /** A leader that had not noticed yet may have made a ledger with a bookie of before. */
    private static final long LOOK_SECONDS = 300;
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LogCluster cluster;
    private final BookieNodes nodes;
    private final String member;
    private final Set<BookieId> lost;
    private final int bytesPerSecond;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private long loggedNanos = System.nanoTime() - LOG_NANOS;
    /** As was told last; -1 before. */
    private int missing = -1;

    private LostCopies(LogCluster cluster, String member, int number, long bytesPerSecond) {
        this.cluster = cluster;
        this.nodes = new BookieNodes(cluster.session());
        this.member = member;
        this.lost = BookieNodes.lost(member, number).stream().map(BookieId::parse).collect(Collectors.toSet());
        this.bytesPerSecond = (int) Math.min(bytesPerSecond, Integer.MAX_VALUE);
        this.thread = new Thread(this::run, "lost-copies-" + member);
        thread.setDaemon(true);
    }

    /** @param number of the member's bookie, from 1; with that nothing is lost */
    static LostCopies start(LogCluster cluster, String member, int number, long bytesPerSecond) {
        LostCopies copies = new LostCopies(cluster, member, number, bytesPerSecond);
        if (number > 1) {
            copies.thread.start();
        }
        return copies;
    }

    private void run() {
        try {
            do {
                tryOnce();
            } while (!closing.await(missing == 0 ? LOOK_SECONDS : RETRY_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tryOnce() throws InterruptedException {
        if (closing.getCount() == 0) {
            return;
        }
        try {
            SortedMap<Long, LedgerMetadata> ledgers = cluster.ledgersOf(lost, limit());
            tell(ledgers.size());
            if (!ledgers.isEmpty()) {
                copy(ledgers);
            }
        } catch (BKException | IOException | StoreException e) {
            LOG.info("{} looks again soon for what its bookie lacks: {}", member, e.getMessage());
        }
    }

    private void copy(SortedMap<Long, LedgerMetadata> ledgers) throws IOException, BKException, InterruptedException {
        int left = ledgers.size();
        // A client of its own: it sleeps to keep its pace, on threads that appends would need.
        try (BookKeeperAdmin admin = cluster.administrator(bytesPerSecond)) {
            for (Map.Entry<Long, LedgerMetadata> ledger : ledgers.entrySet()) {
                left -= closing.getCount() > 0 && copy(admin, ledger.getKey(), ledger.getValue()) ? 1 : 0;
                tell(left);
            }
        }
    }

    /** Whether it has all copies now. */
    private boolean copy(BookKeeperAdmin admin, long ledger, LedgerMetadata known) throws IOException, InterruptedException {
        Set<String> away = known.getAllEnsembles().values().stream().flatMap(List::stream).filter(each -> !lost.contains(each)).map(BookieId::getId)
                .collect(Collectors.toCollection(HashSet::new));
        nodes.here(limit()).forEach(away::remove);
        if (!away.isEmpty()) {
            tellLog("Ledger " + ledger + " misses a copy, and gets it when these bookies are here, too: " + away);
            return false;
        }
        try {
            admin.recoverBookieData(ledger, lost, false, false);
            return true;
        } catch (BKException e) {
            tellLog("Ledger " + ledger + " misses a copy still: " + e.getMessage());
            return e.getCode() == BKException.Code.NoSuchLedgerExistsOnMetadataServerException;
        }
    }

    private void tellLog(String what) {
        if (System.nanoTime() - loggedNanos >= LOG_NANOS) {
            loggedNanos = System.nanoTime();
            LOG.info("{}", what);
        }
    }

    private void tell(int left) throws IOException {
        if (left == missing) {
            return;
        }
        nodes.tellMissing(member, left, limit());
        if (left == 0) {
            LOG.info("The bookie of {} has a copy again of all that it had before", member);
        } else {
            tellLog("The bookie of " + member + " lacks a copy of " + left + (left == 1 ? " ledger" : " ledgers") + ", which others have");
        }
        missing = left;
    }

    private Deadline limit() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        }
    }
}
