package org.alder.partition.bookkeeper;

import java.io.Closeable;
import java.io.IOException;
import org.alder.partition.bookkeeper.election.LoadersTurn;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;

/**
 * A log for whoever has other data take the place of all that it stands for, without a store that stands for election: whoever leads hands over when the log is
 * taken over, and others are elected when this is closed. One thread.
 */
record LoadersLog(BookKeeperSharedLog log, LoadersTurn turn) implements Closeable {
    /** @param path of the log's znode  @param member that it is done for, and that does not stand for election meanwhile */
    static LoadersLog open(LogCluster cluster, String path, Node member) throws IOException {
        LoadersTurn turn = new LoadersTurn(cluster, path, member.name(), member.url());
        return new LoadersLog(BookKeeperSharedLog.open(cluster, path, member.name(), turn), turn);
    }

    @Override
    public void close() {
        log.close();
        turn.close();
    }
}
