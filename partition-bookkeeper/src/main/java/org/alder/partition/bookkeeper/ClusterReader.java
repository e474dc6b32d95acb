package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.alder.partition.bookkeeper.copy.RemoteStore;
import org.alder.partition.bookkeeper.level.ThisBuild;
import org.alder.partition.bookkeeper.log.LedgerList;
import org.alder.partition.bookkeeper.log.LedgerListNode;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.member.MemberSockets;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.backup.ClusterContents;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.store.SharedSchema;

/** {@link ClusterContents} on ZooKeeper and BookKeeper, by the file of a member. */
public final class ClusterReader implements ClusterContents.Service {
    /** So long the end of a log may not show yet what a member has flushed of it. */
    private static final int SHOWN_MILLIS = 10_000;

    @Override
    public ClusterContents open(Path file) throws IOException {
        return new Contents(CommandConnection.open(file, ThisBuild.BUILD));
    }

    /** A member that gives a copy of the store of a log. */
    private record Giver(CommandConnection connection, Node member, String path) implements ClusterContents.Holder {
        @Override
        public String name() {
            return member.name();
        }

        @Override
        public ClusterContents.HeldStore open() throws IOException {
            LogCluster cluster = connection.cluster();
            LedgerList list = cluster.node(path).readNewest(Deadline.in(cluster.settings().resolveMillis()));
            RemoteStore store = RemoteStore.connect(MemberSockets.of(cluster.settings().keys()), member.name(), member.host(), member.copyPort(), path);
            return new ClusterContents.HeldStore(store, list.storeId(), list.data().generation(), store);
        }
    }

    private record Contents(CommandConnection connection) implements ClusterContents {
        private LogCluster cluster() {
            return connection.cluster();
        }

        private Deadline limit() {
            return Deadline.in(cluster().settings().resolveMillis());
        }

        @Override
        public LogSource log(String partition, UUID storeId, long generation, long behind) throws IOException {
            String path = BookKeeperCluster.LOGS + partition;
            LedgerList list = cluster().node(path).readNewest(limit());
            LedgerListNode.checkStore(list, storeId, path);
            if (list.data().generation() != generation) {
                throw new StoreException(StoreException.Kind.REFUSED, "other data have taken the place of those that this member has of the partition "
                        + partition + " (generation " + generation + ", and the log at znode " + path + " is that of generation "
                        + list.data().generation() + "): start it, so that it takes a copy, or ask for a member that has them");
            }
            cluster().node(path).checkReachesBack(list, behind + 1);
            LogSource source = cluster().sourceForCopies(path, storeId);
            Deadline shown = Deadline.in(SHOWN_MILLIS);
            while (source.readSince(behind, behind, group -> { }) == LogSource.Since.MISSING) {
                if (shown.isOver()) {
                    throw new StoreException(StoreException.Kind.OUTDATED, "the log at znode " + path + " does not have transaction " + behind
                            + ", up to which this member has it in its segments");
                }
                shown.pause();
            }
            return source;
        }

        @Override
        public boolean has(String partition) throws IOException {
            return cluster().session().content(BookKeeperCluster.LOGS + partition, limit()) != null;
        }

        @Override
        public List<Holder> holders(String partition) throws IOException {
            String path = BookKeeperCluster.LOGS + partition;
            List<Holder> holders = new ArrayList<>();
            new CopySources(cluster(), path, connection.file()).now().forEach(each -> holders.add(new Giver(connection, each, path)));
            return holders;
        }

        @Override
        public byte[] schema() throws IOException {
            SharedSchema.Version newest = cluster().schema().newest();
            return newest == null ? null : newest.definitions();
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }
}
