package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.bookkeeper.level.ThisBuild;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.LedgerList;
import org.alder.partition.bookkeeper.log.LedgerListNode;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.backup.BackupChecker;
import org.alder.partition.jdbm.backup.BackupFolder;
import org.alder.partition.jdbm.backup.BackupPoint;
import org.alder.partition.jdbm.backup.BackupWriter;
import org.alder.partition.jdbm.backup.ClusterContents;
import org.alder.partition.jdbm.backup.Restore;
import org.alder.partition.jdbm.backup.RestoreGoal;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.ClusterLoading;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.Snapshot;
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

    /** By a file that nobody wrote for it, and with members whose files say nothing of it. */
    @Test
    public void aMachineThatIsInvitedJoinsMembersThatRunAndHoldsWhatTheyHold() throws Exception {
        List<Store> stores = new ArrayList<>(open("first"));
        long top = addEverywhere(stores, 0, "top");
        List<Integer> free = Arrays.stream(TestCluster.freePorts(3)).boxed().toList();
        ClusterService.Newcomer newcomer = new ClusterService.Newcomer("node3", "ldap://node3", TestCluster.HOST, free, null, 5);
        ClusterService.Invitation invitation = service.invite(file(0), newcomer);
        Path data = path("node3");
        Path file = service.accept(data.resolve("cluster"), invitation.token(), request -> {
            try {
                return members.get(1).cluster.invitation(request);
            } catch (DirectoryException e) {
                throw new IOException(e.getMessage(), e);
            }
        });
        assertEquals(service.accepted(data.resolve("cluster")), file);
        Member joined = new Member(file, data);
        members.add(joined);
        assertEquals("node3", joined.cluster.name());
        Store store = joined.open("first");
        stores.add(store);
        Await.until("what was there before", () -> StoreTests.ids(store, 1, "red").contains(top));
        addEverywhere(stores, top, "behind it");
        try (Snapshot there = stores.get(0).snapshot(); Snapshot own = store.snapshot()) {
            assertEquals(StoreTests.digest(there, INDEXER), StoreTests.digest(own, INDEXER));
        }
        joined.cluster.answerWith(question -> CompletableFuture.completedFuture(new byte[] {question[0], 7}));
        Await.until("that a member whose file does not name it can ask it", () -> {
            CompletableFuture<byte[]> answer = members.get(0).cluster.ask("node3", new byte[] {5});
            return !answer.isCompletedExceptionally() && Arrays.equals(new byte[] {5, 7}, answer.get());
        });
        service.moveLeader(file(0), "first", "node3");
        Await.until("that it leads", () -> store.replica().role() == Replica.Role.LEADER);
        Await.until("that the others hand updates on to it", () -> stores.get(0).replica().refusal() instanceof NotLeaderException elsewhere && elsewhere.handsOn()
                && "node3".equals(elsewhere.leader()));
        StoreException here = assertThrows(StoreException.class, () -> service.invite(file(0), newcomer));
        assertTrue(here.getMessage(), here.getMessage().contains("the bookie of node3 is here"));
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

    /** Else a log that leaders often change gets so many ledgers that it drops members that lack nothing, and in the end takes no more. */
    @Test
    public void membersFlushForALogOfManyLedgers() throws Exception {
        List<Store> stores = open("first");
        addEverywhere(stores, 0, "top");
        try (LogCluster cluster = LogCluster.connect(ClusterSettings.of(ClusterFile.read(file(0)).zooKeeperAddresses(), null, ThisBuild.BUILD))) {
            LedgerListNode log = cluster.node("/alder/logs/first");
            Await.until("many ledgers", () -> {
                LedgerList list = log.read(Deadline.in(Await.MILLIS));
                // As where a bookie goes away, the last one ends with what is in it.
                cluster.open(list.last().id(), true, Deadline.in(Await.MILLIS)).close();
                takes(leader(stores));
                return list.ledgers().size() > cluster.settings().mostLedgers() / 2;
            });
            Await.until("a log that gives up its first ledger", () -> log.read(Deadline.in(Await.MILLIS)).firstSequence() > 1);
        }
        addEverywhere(stores, 1, "behind them");
        assertTrue(service.status(file(0), "first").members().stream().noneMatch(ClusterService.Member::dropped));
    }

    private static BackupPoint backUp(Path folder, Path to, ClusterContents contents) {
        try (BackupWriter writer = BackupWriter.open(to)) {
            return writer.save(List.of(new BackupWriter.Source("first", folder.resolve("first"), contents)), Map::of, (phase, done, total) -> { });
        }
    }

    private void assertRestored(Path backups, Store all) throws IOException {
        Path alone = path("alone-" + all.sequence());
        assertEquals(List.of(), BackupChecker.check(BackupFolder.open(backups), BackupFolder.open(backups).pointNames(), (phase, done, total) -> { }));
        Restore.run(BackupFolder.open(backups), new RestoreGoal.Point(null), alone, (phase, done, total) -> { });
        try (JdbmStore store = JdbmStore.open(alone.resolve("partitions/first"), StoreSettings.defaults(), INDEXER); Snapshot restored = store.snapshot();
                Snapshot there = all.snapshot()) {
            assertEquals(all.sequence(), store.sequence());
            assertEquals(StoreTests.digest(there, INDEXER), StoreTests.digest(restored, INDEXER));
            assertTrue("a store of its own", StoreTests.add(store, 1, "alone", "red") > 0);
        }
    }

    @Test
    public void whatAMemberHasIsBackedUpWhileItRunsAndWhileItIsStopped() throws Exception {
        List<Store> stores = new ArrayList<>(open("first"));
        long top = addEverywhere(stores, 0, "top");
        Store replica = stores.stream().filter(store -> store.replica().role() == Replica.Role.REPLICA).findFirst().orElseThrow();
        int number = stores.indexOf(replica);
        Path folder = members.get(number).folder;
        addEverywhere(stores, top, "in a segment");
        replica.maintenance().flush();
        byte[] definitions = {'x', '\n'};
        assertTrue(members.get(0).cluster.schema().publish(new SharedSchema.Version(1, Map.of(), definitions)));
        members.forEach(member -> member.cluster.schema().adopted(1));
        addEverywhere(stores, top, "in the log alone, by a version of the schema");
        StoreException refused = assertThrows(StoreException.class, () -> backUp(folder, path("backups"), null));
        assertTrue(refused.getMessage(), refused.getMessage().contains("add --cluster FILE"));
        try (ClusterContents contents = new ClusterReader().open(file(number))) {
            assertArrayEquals(definitions, contents.schema());
            backUp(folder, path("backups"), contents);
        }
        assertRestored(path("backups"), replica);
        stores.remove(number);
        members.remove(number).close();
        addEverywhere(stores, top, "while it is away");
        try (ClusterContents contents = new ClusterReader().open(path("node" + number + ".conf"))) {
            BackupPoint point = backUp(folder, path("backups"), contents);
            assertEquals("what all have, not only this one", stores.get(0).sequence(), point.stores().get(0).sequence());
            assertRestored(path("backups"), stores.get(0));
            StoreException other = assertThrows(StoreException.class, () -> contents.log("first", point.stores().get(0).storeId(), 2, 0));
            assertTrue(other.getMessage(), other.getMessage().contains("other data have taken the place"));
        }
    }

    /** The member's folder gets entries of which the others know nothing. @param number of the member, which is stopped */
    private void load(int number, Path folder, boolean toTheEnd) throws IOException {
        try (ClusterLoading loading = service.loading(file(number));
                BulkLoad load = loading.replace("first", folder.resolve("first"), new JdbmEngine(StoreSettings.defaults()), INDEXER, 1 << 20)) {
            for (long id = 1; id <= 5; id++) {
                load.add(id, StoreTests.entry(id == 1 ? 0 : 1, "loaded" + id, "blue"));
            }
            if (toTheEnd) {
                load.publish((phase, done, total) -> { });
            }
        }
    }

    private static boolean takes(Store store) {
        try {
            StoreTests.add(store, 1, "more " + store.sequence(), "red");
            return true;
        } catch (CompletionException e) {
            return false;
        }
    }

    private static void addAll(BulkLoad load, String name, int count) {
        for (long id = 1; id <= count; id++) {
            load.add(id, StoreTests.entry(id == 1 ? 0 : 1, name + id, "blue", name));
        }
    }

    /** Of two that belong together. @param isCutOff whether it ends when one of them is published */
    private void loadBoth(Path folder, String name, boolean isCutOff) throws IOException {
        JdbmEngine engine = new JdbmEngine(StoreSettings.defaults());
        try (ClusterLoading loading = service.loading(file(2));
                BulkLoad first = loading.replace("first", folder.resolve("first"), engine, INDEXER, 1 << 20);
                BulkLoad second = loading.replace("second", folder.resolve("second"), engine, INDEXER, 1 << 20)) {
            addAll(first, name, 3);
            addAll(second, name, 5);
            first.build((phase, done, total) -> { });
            second.build((phase, done, total) -> { });
            loading.takeOver();
            first.publish((phase, done, total) -> { });
            if (!isCutOff) {
                second.publish((phase, done, total) -> { });
            }
        }
    }

    @Test
    public void anImportThatWasCutOffBetweenTwoOfThemIsDoneAgain() throws Exception {
        for (String each : List.of("first", "second")) {
            addEverywhere(open(each), 0, "old");
        }
        Path folder = members.get(2).folder;
        members.remove(2).close();
        loadBoth(folder, "cut off", true);
        loadBoth(folder, "once more cut off", true);
        loadBoth(folder, "whole", false);
        Member loaded = new Member(path("node2.conf"), folder);
        members.add(loaded);
        for (String each : List.of("first", "second")) {
            Store store = loaded.open(each);
            Await.until("that it leads " + each, () -> store.replica().role() == Replica.Role.LEADER);
            assertEquals(each, each.equals("first") ? 3 : 5, StoreTests.ids(store, 1, "whole").cardinality());
            assertEquals(each, StoreTests.ids(store, 1, "blue"), StoreTests.ids(store, 1, "whole"));
            assertTrue(takes(store));
        }
    }

    /** As the shards of a partition are, of which the member that is given them holds one alone until then. */
    @Test
    public void severalAreTakenOverTogetherAndHeldByTheMemberThatIsGivenThem() throws Exception {
        Map<String, List<Store>> all = new TreeMap<>();
        for (String each : List.of("first", "second")) {
            all.put(each, open(each));
            addEverywhere(all.get(each), 0, "old");
        }
        Path folder = members.get(2).folder;
        members.remove(2).close();
        service.place(file(0), "second", List.of("node0", "node1"));
        SystemDisk.INSTANCE.deleteTree(folder.resolve("second"));
        all.replaceAll((each, stores) -> stores.subList(0, 2));
        JdbmEngine engine = new JdbmEngine(StoreSettings.defaults());
        try (ClusterLoading loading = service.loading(file(2));
                BulkLoad first = loading.replace("first", folder.resolve("first"), engine, INDEXER, 1 << 20);
                BulkLoad second = loading.replace("second", folder.resolve("second"), engine, INDEXER, 1 << 20)) {
            addAll(first, "a", 3);
            addAll(second, "b", 5);
            first.build((phase, done, total) -> { });
            second.build((phase, done, total) -> { });
            for (List<Store> stores : all.values()) {
                assertTrue("others lead while it is built", takes(leader(stores)));
            }
            loading.takeOver();
            for (List<Store> stores : all.values()) {
                assertTrue("nobody does any more", stores.stream().noneMatch(each -> each.replica().role() == Replica.Role.LEADER || takes(each)));
            }
            first.publish((phase, done, total) -> { });
            second.publish((phase, done, total) -> { });
        }
        assertEquals(Set.of("node0", "node1", "node2"), Set.copyOf(service.status(file(0), "second").holders()));
        Member loaded = new Member(path("node2.conf"), folder);
        members.add(loaded);
        for (String each : all.keySet()) {
            Store store = loaded.open(each);
            Await.until("that it leads " + each, () -> store.replica().role() == Replica.Role.LEADER);
            assertEquals(each.equals("first") ? 3 : 5, StoreTests.ids(store, 1, "blue").cardinality());
            assertTrue(takes(store));
        }
    }

    @Test
    public void whatIsLoadedIntoAStoppedMemberReplacesTheDataOfAllAndABrokenLoadNothing() throws Exception {
        List<Store> stores = new ArrayList<>(open("first"));
        addEverywhere(stores, 0, "top");
        int number = stores.indexOf(leader(stores));
        Path folder = members.get(number).folder;
        Path file = file(number);
        stores.remove(number);
        members.remove(number).close();
        addEverywhere(stores, 1, "before");
        load(number, folder, false);
        addEverywhere(stores, 1, "after a load that broke off");
        load(number, folder, true);
        for (Store each : stores) {
            Await.until("that it applies nothing", () -> each.replica().role() == Replica.Role.FAILED);
            assertEquals(StoreException.Kind.OUTDATED, each.replica().problem().kind());
            assertTrue("takes nothing that would be lost", !takes(each));
            assertEquals("it serves what it has", 3, each.maintenance().status().entries());
        }
        Member loaded = new Member(file, folder);
        members.add(loaded);
        Store store = loaded.open("first");
        Await.until("that it leads", () -> store.replica().role() == Replica.Role.LEADER);
        assertEquals(5, StoreTests.ids(store, 1, "blue").cardinality());
        assertTrue(takes(store));
        StoreException outdated = assertThrows(StoreException.class, () -> {
            Member other = members.remove(0);
            other.close();
            load(Integer.parseInt(other.folder.getFileName().toString().substring("node".length())), other.folder, true);
        });
        assertEquals(outdated.getMessage(), StoreException.Kind.OUTDATED, outdated.kind());
    }
}
