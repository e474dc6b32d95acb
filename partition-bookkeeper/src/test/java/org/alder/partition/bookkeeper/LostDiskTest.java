package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.alder.partition.bookkeeper.level.ThisBuild;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.ClusterService.Machine;
import org.alder.partition.store.ClusterService.Removal;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.apache.bookkeeper.net.BookieId;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Members, with a ZooKeeper and a bookie each, that lose their disks. */
public class LostDiskTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final String PARTITION = "main";
    private static final int MEMBERS = 3;
    private static final int PORTS = 5;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final ClusterService service = new BookKeeperCluster();
    /** One more has no ZooKeeper. */
    private final Member[] members = new Member[MEMBERS + 1];
    private final ExecutorService threads = Executors.newFixedThreadPool(MEMBERS);
    private final Set<Long> acknowledged = new TreeSet<>();
    private long top;

    /** One of them, with its partition. */
    private final class Member {
        private final ClusterService.Cluster cluster;
        private final Store store;

        Member(int number) throws IOException {
            cluster = service.join(file(number), disk(number).resolve("cluster"));
            boolean done = false;
            try {
                store = cluster.sharing(PARTITION, "o=test", new JdbmEngine(StoreSettings.defaults())).open(disk(number).resolve(PARTITION), INDEXER);
                done = true;
            } finally {
                if (!done) {
                    cluster.close();
                }
            }
        }

        void close() {
            store.close();
            cluster.close();
        }
    }

    @Before
    public void start() throws Exception {
        StringBuilder lines = new StringBuilder();
        int[] ports = TestCluster.freePorts((MEMBERS + 1) * PORTS);
        for (int i = 0; i < MEMBERS; i++) {
            int at = i * PORTS;
            lines.append("member: node").append(i).append(" url=ldap://node").append(i).append(" host=").append(TestCluster.HOST).append(" zookeeper=")
                    .append(ports[at]).append(',').append(ports[at + 1]).append(',').append(ports[at + 2]).append(" bookie=").append(ports[at + 3])
                    .append(" copy=").append(ports[at + 4]).append('\n');
        }
        List<Future<Member>> starting = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            Files.writeString(file(i), "name: node" + i + "\n" + lines);
            int number = i;
            starting.add(threads.submit(() -> new Member(number)));
        }
        int at = MEMBERS * PORTS;
        Files.writeString(file(MEMBERS), "name: node3\n" + lines + "member: node3 url=ldap://node3 host=" + TestCluster.HOST + " bookie=" + ports[at] + " copy="
                + ports[at + 1] + "\n");
        for (int i = 0; i < MEMBERS; i++) {
            members[i] = starting.get(i).get();
        }
        top = add(0);
    }

    @After
    public void close() {
        for (Member member : members) {
            if (member != null) {
                member.close();
            }
        }
        threads.shutdownNow();
    }

    private Path file(int member) {
        return folder.getRoot().toPath().resolve("node" + member + ".conf");
    }

    private Path disk(int member) {
        return folder.getRoot().toPath().resolve("node" + member);
    }

    private Store leader() throws Exception {
        return Await.value("a leader", () -> {
            for (Member member : members) {
                if (member != null && member.store.replica().role() == Replica.Role.LEADER) {
                    return member.store;
                }
            }
            return null;
        }, found -> found != null);
    }

    /** Adds an entry, on another leader where that changes meanwhile. @return its ID, which is acknowledged */
    private long add(long parent) throws Exception {
        long[] id = new long[1];
        Await.until("that an entry is acknowledged", () -> {
            try {
                id[0] = StoreTests.add(leader(), parent, "entry" + acknowledged.size() + "-" + System.nanoTime(), "red");
                return true;
            } catch (CompletionException e) {
                // It may have lost its lead since it was found, or an answer is not known while bookies change.
                StoreException.Kind kind = StoreTests.kindOf(e);
                assertTrue("" + e, kind == StoreException.Kind.NOT_LEADER || kind == StoreException.Kind.OUTCOME_UNKNOWN
                        || kind == StoreException.Kind.READ_ONLY);
                return false;
            }
        });
        acknowledged.add(id[0]);
        return id[0];
    }

    private void stop(int number) {
        members[number].close();
        members[number] = null;
    }

    private void wipe(int number) throws IOException {
        try (Stream<Path> all = Files.walk(disk(number))) {
            for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(each);
            }
        }
    }

    private Machine machine(int number) throws IOException {
        return service.machines(file(number)).stream().filter(each -> each.name().equals("node" + number)).findFirst().orElseThrow();
    }

    /** All three in turn lose everything, so whatever is not copied back is gone in the end. */
    @Test
    public void membersThatLoseTheirDisksOneAfterAnotherComeBackAndNothingAcknowledgedIsLost() throws Exception {
        for (int number = 0; number < MEMBERS; number++) {
            int lost = number;
            add(top);
            stop(lost);
            add(top);
            wipe(lost);
            assertEquals(false, service.zooKeepers(file(lost)).get("node" + lost));
            members[lost] = new Member(lost);
            assertEquals("node" + lost + ".2", machine(lost).bookie());
            assertEquals("it is not there before it has what the others have", true, service.zooKeepers(file(lost)).get("node" + lost));
            assertTrue(machine(lost).isHere());
            add(top);
            Await.until("copies", () -> machine(lost).missing() == 0 && ledgersOf("node" + lost).isEmpty());
        }
        add(top);
        for (Member member : List.of(members[0], members[1], members[2])) {
            assertTrue(Await.result("what the leader has", member.store.awaitSequence(leader().sequence(), Await.MILLIS)));
            for (long id : acknowledged) {
                assertTrue("entry " + id, StoreTests.ids(member.store, 1, "red").contains(id));
            }
        }
        assertFalse(acknowledged.isEmpty());
    }

    /** The ledgers that a bookie is to have. */
    private Set<Long> ledgersOf(String bookie) throws Exception {
        String servers = ClusterFile.read(file(0)).zooKeeperAddresses();
        try (LogCluster cluster = LogCluster.connect(ClusterSettings.of(servers, null, ThisBuild.BUILD))) {
            return cluster.ledgersOf(Set.of(BookieId.parse(bookie)), Deadline.in(Await.MILLIS)).keySet();
        }
    }

    /** As where a disk was not mounted at a start: what came in its place is not to be forgotten. */
    @Test
    public void aBookieInWhosePlaceAnotherOneCameDoesNotComeBack() throws Exception {
        stop(0);
        Path bookie = disk(0).resolve("cluster/bookie");
        Files.move(bookie, bookie.resolveSibling("unmounted"));
        members[0] = new Member(0);
        stop(0);
        Files.move(bookie, bookie.resolveSibling("second"));
        Files.move(bookie.resolveSibling("unmounted"), bookie);
        StoreException e = assertThrows(StoreException.class, () -> new Member(0));
        assertTrue(e.getMessage(), e.getMessage().contains("in whose place node0.2 came"));
        Files.move(bookie.resolve("journal"), bookie.resolveSibling("journal"));
        e = assertThrows(StoreException.class, () -> new Member(0));
        assertTrue(e.getMessage(), e.getMessage().contains("a part of the bookie in"));
        Files.move(bookie, bookie.resolveSibling("first"));
        Files.move(bookie.resolveSibling("second"), bookie);
        members[0] = new Member(0);
        assertEquals("node0.2", machine(0).bookie());
    }

    private Removal remove(int number) throws IOException {
        return service.remove(file(0), "node" + number);
    }

    /** When two others are here: a session of theirs may end, and begin again. */
    private Removal removed(int number) throws Exception {
        return Await.value("that it is removed", () -> {
            try {
                return remove(number);
            } catch (StoreException e) {
                assertTrue(e.getMessage(), e.getMessage().contains("expected 2"));
                return null;
            }
        }, found -> found != null);
    }

    private void assertRefused(int number, String why) {
        StoreException e = assertThrows(StoreException.class, () -> remove(number));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(why));
    }

    private List<String> names() throws IOException {
        return service.machines(file(0)).stream().map(Machine::name).toList();
    }

    /** As long as no bookie is left to take copies the parts keep what they have; one that lacks them, too, waits for nobody. */
    @Test
    public void aMemberThatIsGoneForGoodIsRemovedAndOthersTakeItsCopies() throws Exception {
        assertRefused(2, "it is here");
        assertRefused(7, "nothing is known of it: the members are node0, node1, node2");
        int next = leader() == members[0].store ? 1 : 0;
        service.moveLeader(file(0), PARTITION, "node" + next);
        Await.until("a new part, on all three", () -> members[next].store.replica().role() == Replica.Role.LEADER);
        add(top);
        stop(2);
        Await.until("that it is away", () -> service.status(file(0), PARTITION).members().stream().anyMatch(each -> each.name().equals("node2") && each.url() == null));
        Removal none = removed(2);
        // A part that was begun before all three were here may have a place on one of the two.
        assertTrue("" + none, none.left() > 0 && none.why().contains("when there is another bookie"));
        assertEquals(List.of("node0", "node1"), names());
        assertEquals(List.of("node0", "node1"), service.status(file(0), PARTITION).members().stream().map(ClusterService.Member::name).toList());
        members[MEMBERS] = new Member(MEMBERS);
        add(top);
        int[] copied = new int[1];
        Await.until("that others have all copies, also where one of them was not here for a moment", () -> {
            Removal again = removed(2);
            copied[0] += again.copied();
            return again.left() == 0;
        });
        assertTrue(copied[0] > 0);
        assertEquals(Set.of(), ledgersOf("node2"));
        // What was on its disk is not needed: another one has it, and loses it.
        stop(MEMBERS);
        wipe(MEMBERS);
        members[MEMBERS] = new Member(MEMBERS);
        Await.until("copies", () -> machine(MEMBERS).missing() == 0 && ledgersOf("node3").isEmpty());
        // With its disk it is a member as before.
        members[2] = new Member(2);
        assertEquals(List.of("node0", "node1", "node2", "node3"), names());
        add(top);
        for (Member member : members) {
            assertTrue(Await.result("what the leader has", member.store.awaitSequence(leader().sequence(), Await.MILLIS)));
            for (long id : acknowledged) {
                assertTrue("entry " + id, StoreTests.ids(member.store, 1, "red").contains(id));
            }
        }
    }
}
