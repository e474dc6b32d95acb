package org.alder.partition.bookkeeper.bookie;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;

/**
 * New copies of what bookies had that never come back, on others: BookKeeper copies it from those that have it, ledger by ledger, and enters who has it now when it is
 * there. So a crash leaves nothing but ledgers still to be done. One that a member writes is fenced first; that one goes on in a new ledger. Immutable, thread safe.
 *
 * @param lost the bookies
 */
record LedgerCopies(LogCluster cluster, BookieNodes nodes, Set<BookieId> lost) {
    private Deadline limit() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    /** What still names them. */
    SortedMap<Long, LedgerMetadata> lacking() throws IOException {
        return cluster.ledgersOf(lost, limit());
    }

    private static Set<String> named(LedgerMetadata known) {
        return known.getAllEnsembles().values().stream().flatMap(List::stream).map(BookieId::getId).collect(Collectors.toCollection(HashSet::new));
    }

    /** Whether another bookie can take the place of each, wherever one of them is named. */
    private boolean hasRoom(LedgerMetadata known, List<String> here) {
        return known.getAllEnsembles().values().stream().filter(ensemble -> ensemble.stream().anyMatch(lost::contains))
                .allMatch(ensemble -> here.stream().anyMatch(each -> !ensemble.contains(BookieId.parse(each))));
    }

    /** Makes a copy of a ledger. @return null where it has all of them now; else why it has not */
    String copy(BookKeeperAdmin admin, long ledger, LedgerMetadata known) throws IOException, InterruptedException {
        List<String> here = nodes.here(limit());
        Set<String> away = named(known);
        lost.forEach(each -> away.remove(each.getId()));
        here.forEach(away::remove);
        // They do not come back either.
        nodes.gone(limit()).forEach(away::remove);
        if (!away.isEmpty()) {
            return "Ledger " + ledger + " misses a copy, and gets it when these bookies are here, too: " + String.join(", ", away);
        }
        if (!hasRoom(known, here)) {
            return "Ledger " + ledger + " misses a copy, and all bookies that are here have one: it gets another one when there is another bookie";
        }
        try {
            admin.recoverBookieData(ledger, lost, false, false);
            return null;
        } catch (BKException e) {
            return e.getCode() == BKException.Code.NoSuchLedgerExistsOnMetadataServerException ? null
                    : "Ledger " + ledger + " misses a copy still: " + e.getMessage();
        }
    }
}
