package org.alder.partition.bookkeeper.bookie;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.store.ClusterService.Removal;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;

/** Has bookies that are here take copies of what those of a member had that was removed. Stateless. */
public final class RemovedCopies {
    private RemovedCopies() {
    }

    /**
     * Returns when all is copied that can be now.
     *
     * @param bytesPerSecond at most
     * @throws IOException where ZooKeeper does not answer; what is copied stays
     */
    public static Removal of(LogCluster cluster, String member, long bytesPerSecond) throws IOException {
        BookieNodes nodes = new BookieNodes(cluster.session());
        BookieNodes.Bookie bookie = nodes.all(Deadline.in(cluster.settings().resolveMillis())).get(member);
        List<String> names = bookie == null ? List.of() : BookieNodes.lost(member, bookie.number() + 1);
        LedgerCopies copies = new LedgerCopies(cluster, nodes, BookieNodes.ids(names));
        SortedMap<Long, LedgerMetadata> lacking = names.isEmpty() ? new TreeMap<>() : copies.lacking();
        return lacking.isEmpty() ? new Removal(0, 0, null) : copy(cluster, copies, lacking, (int) Math.min(bytesPerSecond, Integer.MAX_VALUE));
    }

    private static Removal copy(LogCluster cluster, LedgerCopies copies, SortedMap<Long, LedgerMetadata> lacking, int bytesPerSecond) throws IOException {
        int done = 0;
        String why = null;
        try (BookKeeperAdmin admin = cluster.administrator(bytesPerSecond)) {
            for (Map.Entry<Long, LedgerMetadata> each : lacking.entrySet()) {
                String whyNot = copies.copy(admin, each.getKey(), each.getValue());
                done += whyNot == null ? 1 : 0;
                why = why == null ? whyNot : why;
            }
            return new Removal(done, lacking.size() - done, why);
        } catch (BKException e) {
            throw LogCluster.failed("copying what the bookies had", e);
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        }
    }
}
