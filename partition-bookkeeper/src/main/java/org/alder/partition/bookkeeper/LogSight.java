package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.alder.partition.bookkeeper.log.LedgerList.Ledger;
import org.alder.partition.bookkeeper.log.LedgerList;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.ClusterService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a member sees of a log and of the others, looked at anew every few seconds. {@link #look} is for one thread, {@link #status} for any. */
final class LogSight {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long MOST_AGE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final Logger LOG = LoggerFactory.getLogger(LogSight.class);

    private final LogCluster cluster;
    private final String path;
    private final ClusterView view;
    /** Of ledgers that have ended, by their numbers. */
    private final Map<Long, Long> bytes = new ConcurrentHashMap<>();
    private volatile Status status;
    private volatile long lookedNanos = System.nanoTime();

    /** @param path of the log's znode */
    LogSight(LogCluster cluster, String path) {
        this.cluster = cluster;
        this.path = path;
        this.view = new ClusterView(cluster.session(), cluster.settings().resolveMillis(), path);
    }

    /** Null before the first look, and where the last one that got an answer was long ago. */
    Status status() {
        return System.nanoTime() - lookedNanos > MOST_AGE_NANOS ? null : status;
    }

    /**
     * Looks, where the last time was long ago.
     *
     * @param writtenBytes of the ledger that is being written, where it is written here; 0 elsewhere
     */
    void look(LedgerList list, long writtenBytes) throws IOException {
        if (status != null && System.nanoTime() - lookedNanos < EVERY_NANOS) {
            return;
        }
        Set<Long> kept = list.ledgers().stream().map(Ledger::id).collect(Collectors.toSet());
        bytes.keySet().retainAll(kept);
        Deadline deadline = Deadline.in(cluster.settings().resolveMillis());
        for (Ledger ledger : list.ledgers()) {
            long ended = ledger.isOpen() || bytes.containsKey(ledger.id()) ? -1 : cluster.endedBytes(ledger.id(), deadline);
            if (ended >= 0) {
                bytes.put(ledger.id(), ended);
            }
        }
        Status now = view.members().status(bytes.values().stream().mapToLong(each -> each).sum() + writtenBytes);
        tellChanges(now);
        status = now;
        lookedNanos = System.nanoTime();
    }

    private void tellChanges(Status now) {
        Set<String> before = here(status);
        Set<String> after = here(now);
        for (ClusterService.Member member : now.members()) {
            if (before.contains(member.name()) && !after.contains(member.name())) {
                LOG.warn("The member {} is away: ZooKeeper hears nothing of it. {} of {} members hold the log at {}", member.name(), after.size(),
                        now.members().size(), path);
            } else if (status != null && !before.contains(member.name()) && after.contains(member.name())) {
                LOG.info("The member {} is here. {} of {} members hold the log at {}", member.name(), after.size(), now.members().size(), path);
            }
        }
    }

    private static Set<String> here(Status status) {
        return status == null ? Set.of() : status.members().stream().filter(member -> member.url() != null).map(ClusterService.Member::name)
                .collect(Collectors.toSet());
    }
}
