package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Members that come with an empty folder, lost their disk, were away for too long or hold other than the others: each takes a copy of another one by itself. */
public class MemberCopyTest {
    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int NAME_BYTES = 3_000;
    private static TestCluster bookies;
    private static int partitions;

    private final BookKeeperCluster service = new BookKeeperCluster();
    private final Random random = Seed.random(MemberCopyTest.class);
    private final AtomicReferenceArray<Member> members = new AtomicReferenceArray<>(NAMES.size());
    private final int[] copyPorts = new int[NAMES.size()];
    private final Path[] folders = new Path[NAMES.size()];
    private final AtomicInteger added = new AtomicInteger();
    private String partition;
    private int mebibytesPerSecond = 1000;
    /** Whether the files of members that start now say nothing of the others. */
    private boolean knowsItselfAlone;

    /** A process of its own, all but for the process. */
    private static final class Member {
        private final ClusterService.Cluster cluster;
        private final Store store;

        Member(ClusterService.Cluster cluster, Store store) {
            this.cluster = cluster;
            this.store = store;
        }

        void close() {
            store.close();
            cluster.close();
        }
    }

    @BeforeClass
    public static void startBookies() throws Exception {
        bookies = new TestCluster(FOLDER.newFolder().toPath());
    }

    @AfterClass
    public static void stopBookies() {
        bookies.close();
    }

    @Before
    public void prepare() throws IOException {
        partition = "main" + partitions++;
        for (int i = 0; i < NAMES.size(); i++) {
            folders[i] = FOLDER.newFolder().toPath();
            copyPorts[i] = TestCluster.freePort();
        }
    }

    @After
    public void closeAll() {
        for (Member member : all()) {
            member.close();
        }
    }

    private List<Member> all() {
        return IntStream.range(0, members.length()).mapToObj(members::get).filter(Objects::nonNull).toList();
    }

    private Path file(int number) throws IOException {
        StringBuilder text = new StringBuilder("name: " + NAMES.get(number) + "\nzookeeper: " + bookies.servers + "\ncopy-mib-per-second: "
                + mebibytesPerSecond + "\n");
        for (int i = knowsItselfAlone ? number : 0; i < (knowsItselfAlone ? number + 1 : NAMES.size()); i++) {
            text.append("member: ").append(NAMES.get(i)).append(" url=ldap://127.0.0.1:").append(i + 1).append(" host=127.0.0.1 copy=")
                    .append(copyPorts[i]).append('\n');
        }
        Path file = folders[number].resolve("cluster.conf");
        Files.writeString(file, text.toString());
        return file;
    }

    private Path store(int number) {
        return folders[number].resolve("main");
    }

    private void start(int number) throws IOException {
        start(number, INDEXER);
    }

    private void start(int number, EntryIndexer indexer) throws IOException {
        ClusterService.Cluster cluster = null;
        for (int tries = 0; cluster == null; tries++) {
            try {
                cluster = service.join(file(number), folders[number].resolve("cluster"));
            } catch (IOException e) {
                // Somebody else has taken the port meanwhile.
                copyPorts[number] = TestCluster.freePort();
                if (tries > 10) {
                    throw e;
                }
            }
        }
        boolean done = false;
        try {
            StoreSettings settings = StoreSettings.defaults().withMemoryLayerBytes(1 << 20);
            members.set(number, new Member(cluster, cluster.sharing(partition, "o=test", new JdbmEngine(settings)).open(store(number), indexer)));
            done = true;
        } finally {
            if (!done) {
                cluster.close();
            }
        }
    }

    private void stop(int number) {
        members.get(number).close();
        members.set(number, null);
    }

    private ClusterService.Status status() throws IOException {
        return service.status(file(0), partition);
    }

    private int leader() throws Exception {
        return Await.value("a leader", () -> {
            int found = -1;
            for (int i = 0; i < members.length(); i++) {
                Member member = members.get(i);
                found = member != null && member.store.replica().role() == Replica.Role.LEADER ? i : found;
            }
            return found;
        }, found -> found >= 0);
    }

    /** The leader, when members tell so of themselves, as they do after a while; -1 before. */
    private int toldLeader() throws Exception {
        int leads = leader();
        boolean told = status().members().stream().filter(each -> each.role() != null)
                .allMatch(each -> (each.role() == Replica.Role.LEADER) == each.name().equals(NAMES.get(leads)));
        return told ? leads : -1;
    }

    /** Whoever leads takes it, sooner or later; an update whose outcome is not known may be made twice, under another name. */
    private void add() throws Exception {
        byte[] bytes = new byte[NAME_BYTES];
        random.nextBytes(bytes);
        Await.until("an update", () -> {
            Member member = members.get(leader());
            if (member == null) {
                return false;
            }
            CompletableFuture<Long> sent = member.store.submit(context -> {
                long id = context.allocateId();
                context.add(id, StoreTests.entry(0, "n" + added.incrementAndGet() + HexFormat.of().formatHex(bytes), "red",
                        "c" + id % 7));
                return id;
            });
            try {
                sent.orTimeout(Await.MILLIS, TimeUnit.MILLISECONDS).join();
                return true;
            } catch (CompletionException e) {
                StoreException.Kind kind = StoreTests.kindOf(e);
                assertTrue("" + e, kind == StoreException.Kind.NOT_LEADER || kind == StoreException.Kind.OUTCOME_UNKNOWN
                        || kind == StoreException.Kind.READ_ONLY);
                return false;
            }
        });
    }

    private void flushAll() {
        for (Member member : all()) {
            member.store.maintenance().flush();
        }
    }

    private void awaitSame() throws Exception {
        Member leader = members.get(leader());
        for (Member other : all()) {
            if (other != leader) {
                assertTrue(Await.result("the leader's sequence", other.store.awaitSequence(leader.store.sequence(), Await.MILLIS)));
                try (Snapshot left = leader.store.snapshot(); Snapshot right = other.store.snapshot()) {
                    assertEquals(left.csn(), right.csn());
                    StoreTests.assertSame("on a replica", 2, left, right);
                    assertEquals(StoreTests.digest(left, INDEXER), StoreTests.digest(right, INDEXER));
                }
            }
        }
    }

    /** A new leader begins a part of its own, so that what is before may be given up. */
    private void giveUpTheLog() throws Exception {
        long before = members.get(leader()).store.sequence();
        int next = leader() == 0 ? 1 : 0;
        awaitSame();
        flushAll();
        service.moveLeader(file(0), partition, NAMES.get(next));
        Await.until("another leader", () -> leader() == next);
        add();
        Await.until("that the log gives up what all have", () -> status().firstSequence() > before);
    }

    private void startTwo(int entries) throws Exception {
        start(0);
        start(1);
        for (int i = 0; i < entries; i++) {
            add();
        }
        giveUpTheLog();
    }

    @Test
    public void aMemberTakesACopyOfOthersThatItsFileDoesNotName() throws Exception {
        startTwo(100);
        knowsItselfAlone = true;
        start(2);
        awaitSame();
    }

    @Test
    public void aMemberWithAnEmptyFolderOneWithoutItsDiskAndOneThatWasForgottenTakeCopies() throws Exception {
        startTwo(100);
        start(2);
        awaitSame();
        assertTrue("the log begins with " + status().firstSequence(), status().firstSequence() > 1);
        // Its disk is gone; what it has told to have it has not any more.
        flushAll();
        stop(2);
        SystemDisk.INSTANCE.deleteTree(store(2));
        for (int i = 0; i < 20; i++) {
            add();
        }
        start(2);
        awaitSame();
        // Away for so long that nobody waits for it.
        stop(2);
        service.forget(file(0), partition, "c");
        giveUpTheLog();
        giveUpTheLog();
        start(2);
        awaitSame();
        assertFalse(Files.exists(folders[2].resolve("main~outdated")));
        assertFalse(Files.exists(folders[2].resolve("main~copy")));
        assertEquals(null, status().members().get(2).copying());
        StoreTests.assertFilesSound(store(2));
    }

    /** Updates, flushes and another leader go on while the copy is slow, and the member it is taken from goes away in the middle. */
    @Test
    public void aCopyGoesOnFromAnotherMemberAndTheLogWaitsForIt() throws Exception {
        mebibytesPerSecond = 2;
        startTwo(700);
        int before = Await.value("all to tell who leads", this::toldLeader, found -> found >= 0);
        AtomicBoolean ends = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                while (!ends.get()) {
                    add();
                }
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        }, Await.THREADS);
        CompletableFuture<Void> starting = CompletableFuture.runAsync(() -> {
            try {
                start(2);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        }, Await.THREADS);
        ClusterService.Copying copying = Await.value("its progress", () -> status().members().stream()
                .filter(each -> each.name().equals("c")).map(ClusterService.Member::copying).filter(Objects::nonNull).findFirst().orElse(null), found -> found != null);
        assertTrue("" + copying, copying.doneBytes() <= copying.totalBytes() && copying.totalBytes() > 2 << 20);
        int source = NAMES.indexOf(copying.from());
        assertTrue("of a replica", source != before || leader() != before);
        flushAll();
        stop(source);
        flushAll();
        Await.result("the member with the copy", starting);
        start(source);
        ends.set(true);
        Await.result("the end of the writer", writing);
        awaitSame();
        List<String> here = new ArrayList<>();
        status().members().stream().filter(each -> each.role() != null).forEach(each -> here.add(each.name()));
        assertEquals(NAMES, here);
    }

    private Comparison compare() throws Exception {
        long pass = service.compare(file(0), partition);
        return Await.value("a comparison", () -> status().comparison(), last -> last != null && last.pass() >= pass);
    }

    /** What was read before is taken back when the copy takes its place; the same store shows all then, and is like the others. */
    private void assertMendsItself(int number, Snapshot before) throws Exception {
        Store store = members.get(number).store;
        Await.until("that it shows another store", () -> isTakenBack(before));
        Await.until("that it applies the log", () -> store.replica().role() == Replica.Role.REPLICA);
        assertEquals(null, store.replica().problem());
        before.close();
        add();
        awaitSame();
        Await.until("that it tells so", () -> status().members().stream().anyMatch(each -> each.name().equals(NAMES.get(number))
                && each.role() == Replica.Role.REPLICA && each.problem() == null));
        Comparison comparison = compare();
        assertTrue("" + comparison, comparison.isEqual());
        assertEquals("" + comparison, 3, comparison.members().size());
        Await.until("that what it had is removed", () -> !Files.exists(folders[number].resolve("main~outdated")));
        assertFalse(Files.exists(folders[number].resolve("main~copy")));
        assertFalse(Files.exists(folders[number].resolve("main~differs")));
    }

    private static boolean isTakenBack(Snapshot snapshot) {
        try {
            snapshot.ids(1, StoreTests.utf8("red"));
            return false;
        } catch (StoreException e) {
            assertEquals(StoreException.Kind.SNAPSHOT_EXPIRED, e.kind());
            return true;
        }
    }

    /** It derives another key of one colour than all others do. */
    private static EntryIndexer wrongIndexer() {
        return (EntryIndexer) Proxy.newProxyInstance(EntryIndexer.class.getClassLoader(), new Class<?>[] {EntryIndexer.class}, (proxy, method, arguments) -> {
            Object[] given = arguments;
            if (method.getName().equals("forEachKey")) {
                EntryIndexer.KeyConsumer told = (EntryIndexer.KeyConsumer) arguments[arguments.length - 1];
                given = arguments.clone();
                given[given.length - 1] = (EntryIndexer.KeyConsumer) (index, key) -> told.accept(index,
                        new String(key, StandardCharsets.UTF_8).equals("c3") ? StoreTests.utf8("wrong") : key);
            }
            try {
                return method.invoke(INDEXER, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /** What nobody told the log: another key in memory. */
    @Test
    public void aReplicaThatHoldsOtherThanTheOthersIsFoundAndTakesACopy() throws Exception {
        startTwo(100);
        start(2, wrongIndexer());
        for (int i = 0; i < 20; i++) {
            add();
        }
        int leads = leader();
        assertTrue("" + leads, leads != 2);
        Snapshot before = members.get(2).store.snapshot();
        Comparison comparison = compare();
        assertTrue("" + comparison, comparison.differs("c") && !comparison.differs("a") && !comparison.differs("b"));
        assertEquals("" + comparison, List.of(new Comparison.Difference("color", comparison.differences().get(0).item(), List.of("c"))),
                comparison.differences());
        assertTrue("" + comparison, List.of("c3", "wrong").contains(comparison.differences().get(0).item()));
        assertMendsItself(2, before);
        // Where it is ended before the copy has come, the next start takes one.
        stop(2);
        Files.writeString(folders[2].resolve("main~differs"), "as a test says");
        start(2);
        awaitSame();
        assertFalse(Files.exists(folders[2].resolve("main~differs")));
    }

    /** It derives keys when this lets it. */
    private static EntryIndexer waitingIndexer(Semaphore permits) {
        return (EntryIndexer) Proxy.newProxyInstance(EntryIndexer.class.getClassLoader(), new Class<?>[] {EntryIndexer.class}, (proxy, method, arguments) -> {
            if (method.getName().startsWith("forEachKey")) {
                permits.acquire();
                permits.release();
            }
            try {
                return method.invoke(INDEXER, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /** As where a machine sleeps for days, and the log has given up what it lacks when it goes on. */
    @Test
    public void aReplicaThatBecomesOutdatedWhileItRunsTakesACopy() throws Exception {
        startTwo(100);
        Semaphore permits = new Semaphore(1);
        start(2, waitingIndexer(permits));
        awaitSame();
        permits.acquire();
        Member waiting = members.getAndSet(2, null);
        Snapshot before = waiting.store.snapshot();
        try {
            for (int i = 0; i < 20; i++) {
                add();
            }
            service.forget(file(0), partition, "c");
            giveUpTheLog();
            giveUpTheLog();
        } finally {
            members.set(2, waiting);
            permits.release();
        }
        assertMendsItself(2, before);
    }
}
