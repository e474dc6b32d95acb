package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Members by their files, with a ZooKeeper that is there without them. */
public class BookKeeperClusterTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final int MEMBERS = 3;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final ClusterService service = new BookKeeperCluster();
    private final List<Member> members = new ArrayList<>();
    private EmbeddedZooKeeper zooKeeper;

    /** One of them, with its partitions. */
    private final class Member implements AutoCloseable {
        private final Path folder;
        private final ClusterService.Cluster cluster;
        private final List<Store> stores = new ArrayList<>();

        Member(Path file, Path folder) throws IOException {
            this.folder = folder;
            this.cluster = service.join(file, folder.resolve("cluster"));
        }

        Store open(String partition) {
            Store store = cluster.sharing(partition, "o=test", new JdbmEngine(StoreSettings.defaults())).open(folder.resolve(partition), INDEXER);
            stores.add(store);
            return store;
        }

        @Override
        public void close() {
            stores.forEach(Store::close);
            cluster.close();
        }
    }

    @Before
    public void start() throws Exception {
        int[] port = new int[1];
        zooKeeper = TestCluster.onFreePort(found -> {
            port[0] = found;
            return EmbeddedZooKeeper.start(path("zookeeper-" + found), 1, List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, found, 0, 0)), 500, true);
        });
        StringBuilder lines = new StringBuilder("zookeeper: " + TestCluster.HOST + ":" + port[0] + "\n");
        for (int i = 0; i < MEMBERS; i++) {
            lines.append("member: node").append(i).append(" url=ldap://node").append(i).append(" host=").append(TestCluster.HOST).append(" bookie=")
                    .append(TestCluster.freePort()).append('\n');
        }
        for (int i = 0; i < MEMBERS; i++) {
            Files.writeString(file(i), "name: node" + i + "\n" + lines);
            members.add(new Member(file(i), path("node" + i)));
        }
    }

    @After
    public void close() {
        members.forEach(Member::close);
        zooKeeper.close();
    }

    private Path path(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private Path file(int member) {
        return path("node" + member + ".conf");
    }

    private List<Store> open(String partition) {
        return members.stream().map(member -> member.open(partition)).toList();
    }

    private static Store leader(List<Store> stores) throws Exception {
        return Await.value("a leader", () -> stores.stream().filter(store -> store.replica().role() == Replica.Role.LEADER).findFirst().orElse(null),
                found -> found != null);
    }

    /** Adds an entry on whoever leads, and waits until all have it. @return its ID */
    private long addEverywhere(List<Store> stores, long parent, String name) throws Exception {
        Store leader = leader(stores);
        long id = StoreTests.add(leader, parent, name, "red");
        for (Store store : stores) {
            assertTrue(Await.result("the leader's sequence", store.awaitSequence(leader.sequence(), Await.MILLIS)));
            assertTrue(StoreTests.ids(store, 1, "red").contains(id));
        }
        return id;
    }

    @Test
    public void aZooKeeperThatIsThereAndPartitionsThatComeWhileMembersRun() throws Exception {
        List<Store> first = open("first");
        long top = addEverywhere(first, 0, "top");
        ClusterService.Status status = Await.value("all members", () -> service.status(file(1), "first"), found -> found.leader() != null
                && found.members().stream().allMatch(each -> each.url() != null && each.sequence() == 1));
        assertEquals(List.of("node0", "node1", "node2"), status.members().stream().map(ClusterService.Member::name).toList());
        assertEquals("members run none", false, Files.exists(path("node0").resolve("cluster/zookeeper")));
        List<Store> second = open("second");
        addEverywhere(second, 0, "other");
        addEverywhere(first, top, "more");
        assertEquals("each has a log of its own", 1, second.get(0).sequence());
        assertEquals(2, first.get(0).sequence());
    }

    /** Whoever leads a partition and closes it leaves it to the others, and may come back while its process runs on. */
    @Test
    public void aPartitionThatOneMemberTakesOutIsLedByAnotherOneAndMayComeBack() throws Exception {
        List<Store> stores = new ArrayList<>(open("first"));
        addEverywhere(stores, 0, "top");
        int left = stores.indexOf(leader(stores));
        stores.remove(left).retire();
        addEverywhere(stores, 1, "without");
        stores.add(left, members.get(left).open("first"));
        addEverywhere(stores, 1, "with");
        Await.value("all members", () -> service.status(file(1), "first"), found -> found.members().stream().allMatch(each -> each.url() != null));
        service.moveLeader(file(0), "first", "node" + left);
        Await.until("that it leads again", () -> stores.get(left).replica().role() == Replica.Role.LEADER);
        addEverywhere(stores, 1, "again");
    }
}
