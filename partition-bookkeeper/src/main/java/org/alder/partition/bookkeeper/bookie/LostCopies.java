package org.alder.partition.bookkeeper.bookie;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings ledgers back to as many copies as they had, for a member whose bookies before its present one have lost what they held (ledgers whose other bookies are not all
 * here wait, but for those bookies that never come back), and to three where its bookie missed what was written ({@link MissedEntries}). Thread safe; whoever starts it closes
 * it, before the cluster.
 */
public final class LostCopies implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LostCopies.class);
    private static final long RETRY_SECONDS = 5;
    private static final long LOOK_SECONDS = 60;
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final LogCluster cluster;
    private final BookieNodes nodes;
    private final String member;
    private final LedgerCopies copies;
    private final MissedEntries missed;
    private final int bytesPerSecond;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private long loggedNanos = System.nanoTime() - LOG_NANOS;
    private boolean isFailing;
    /** As was told last; -1 before. */
    private int missing = -1;

    private LostCopies(LogCluster cluster, String member, int number, long bytesPerSecond) {
        this.cluster = cluster;
        this.nodes = new BookieNodes(cluster.session());
        this.member = member;
        this.copies = new LedgerCopies(cluster, nodes, BookieNodes.ids(BookieNodes.lost(member, number)));
        this.missed = new MissedEntries(cluster, nodes, BookieNodes.id(member, number));
        this.bytesPerSecond = (int) Math.min(bytesPerSecond, Integer.MAX_VALUE);
        this.thread = new Thread(this::run, "lost-copies-" + member);
        thread.setDaemon(true);
    }

    /** @param number of the member's bookie, from 1; with that nothing is lost */
    public static LostCopies start(LogCluster cluster, String member, int number, long bytesPerSecond) {
        LostCopies copies = new LostCopies(cluster, member, number, bytesPerSecond);
        copies.thread.start();
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
            // Each time: a leader that had not noticed yet may have made a ledger with a bookie of before.
            SortedMap<Long, LedgerMetadata> lost = copies.lost().isEmpty() ? new TreeMap<>() : copies.lacking();
            // Ended by that, and whole then.
            SortedSet<Long> lacking = lost.isEmpty() ? missed.lacking() : new TreeSet<>();
            tell(lost.size() + lacking.size());
            if (missing > 0) {
                copy(lost, lacking);
            }
            isFailing = false;
        } catch (BKException | IOException | StoreException e) {
            if (!isFailing) {
                LOG.info("{} looks again soon for what its bookie lacks: {}", member, e.getMessage());
            }
            isFailing = true;
        }
    }

    private void copy(SortedMap<Long, LedgerMetadata> lost, SortedSet<Long> lacking) throws IOException, BKException, InterruptedException {
        int left = lost.size() + lacking.size();
        // A client of its own: it sleeps to keep its pace, on threads that appends would need.
        try (BookKeeperAdmin admin = lost.isEmpty() ? cluster.administratorInPlace(bytesPerSecond) : cluster.administrator(bytesPerSecond)) {
            for (Map.Entry<Long, LedgerMetadata> ledger : lost.entrySet()) {
                left -= closing.getCount() > 0 && isDone(copies.copy(admin, ledger.getKey(), ledger.getValue())) ? 1 : 0;
                tell(left);
            }
            for (long ledger : lacking) {
                left -= closing.getCount() > 0 && isDone(missed.copy(admin, ledger)) ? 1 : 0;
                tell(left);
            }
        }
    }

    /** Whether a ledger has all copies now. */
    private boolean isDone(String whyNot) {
        if (whyNot != null) {
            tellLog(whyNot);
        }
        return whyNot == null;
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
        if (left == 0 && missing > 0) {
            LOG.info("The bookie of {} has a copy of all that it is to have", member);
        } else if (left > 0) {
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
        Deadline.join(thread);
    }
}
