package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.log.MemorySharedLog;
import org.alder.partition.jdbm.log.MemorySharedLog.Script;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;

/** Stores that share a log: what a leader writes all have, who leads may change, and each ending of an append is told as it is. */
public class ReplicaTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final long MILLIS = Await.MILLIS;

    @Rule
    public final FaultFolder temporary = new FaultFolder();

    private final MemorySharedLog log = new MemorySharedLog();
    private final Queue<Script> scripts = new ArrayDeque<>();
    private final BlockingQueue<StoreException> lost = new LinkedBlockingQueue<>();
    private final List<JdbmStore> open = new ArrayList<>();
    private StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false);

    @After
    public void closeAll() {
        open.forEach(JdbmStore::close);
        assertEquals("what writers did that they may not", List.of(), log.faults());
    }

    private Path folder() throws IOException {
        return temporary.newFolder().toPath();
    }

    private JdbmStore open(Path folder) {
        JdbmStore store = JdbmStore.open(folder, settings, INDEXER, SystemDisk.INSTANCE, Threads.INSTANCE, log.member());
        open.add(store);
        return store;
    }

    private long promote(JdbmStore store) throws Exception {
        return Await.result("a promotion", store.replica().promote(lost::add));
    }

    private void ends(Script... endings) {
        scripts.addAll(List.of(endings));
        log.script(() -> scripts.isEmpty() ? Script.DONE : scripts.remove());
    }

    private static StoreException.Kind failure(CompletableFuture<?> work) {
        return StoreTests.kindOf(assertThrows(CompletionException.class, () -> work.orTimeout(MILLIS, TimeUnit.MILLISECONDS).join()));
    }

    private static CompletableFuture<Long> submitAdd(JdbmStore store, String name) {
        return store.submit(context -> {
            long id = context.allocateId();
            context.add(id, StoreTests.entry(0, name, "red"));
            return id;
        });
    }

    private static void awaitSame(JdbmStore expected, JdbmStore... others) throws Exception {
        for (JdbmStore other : others) {
            assertTrue(Await.result("the leader's sequence", other.awaitSequence(expected.sequence(), MILLIS)));
            try (Snapshot left = expected.snapshot(); Snapshot right = other.snapshot()) {
                assertEquals(left.csn(), right.csn());
                StoreTests.assertSame("on a replica", 2, left, right);
            }
        }
    }

    @Test
    public void replicasHaveWhatTheLeaderWrites() throws Exception {
        JdbmStore leader = open(folder());
        JdbmStore second = open(folder());
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(leader, "early")));
        assertEquals(1, promote(leader));
        assertEquals(Replica.Role.LEADER, leader.replica().role());
        long suffix = StoreTests.add(leader, 0, "suffix");
        long child = StoreTests.add(leader, suffix, "child", "red", "green");
        StoreTests.recolor(leader, child, List.of("red"), List.of("blue"));
        JdbmStore third = open(folder());
        StoreTests.delete(leader, StoreTests.add(leader, suffix, "gone", "grey"));
        leader.submit(context -> {
            context.rename(child, suffix, StoreTests.utf8("cn=other"), List.of());
            return null;
        }).join();
        awaitSame(leader, second, third);
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(second, "elsewhere")));
        assertEquals(Replica.Role.REPLICA, second.replica().role());
        assertNull(second.replica().problem());
    }

    @Test
    public void followersOfAReplicaAreToldEachCommit() throws Exception {
        JdbmStore leader = open(folder());
        JdbmStore second = open(folder());
        BlockingQueue<List<Commit.Change>> told = new LinkedBlockingQueue<>();
        second.feed().follow(new CommitFollower() {
            @Override
            public void committed(Commit commit) {
                try (commit) {
                    assertEquals(commit.sequence() - 1, commit.before().sequence());
                    assertEquals(commit.sequence(), commit.after().sequence());
                    told.add(commit.changes());
                }
            }
        });
        promote(leader);
        long id = StoreTests.add(leader, 0, "suffix");
        StoreTests.recolor(leader, id, List.of(), List.of("red"));
        assertEquals(List.of(new Commit.Change(id, Commit.Kind.ADDED)), Await.next("the first commit", told));
        assertEquals(List.of(new Commit.Change(id, Commit.Kind.MODIFIED)), Await.next("the second commit", told));
    }

    @Test
    public void whatChangedIsToldByReplicasAsByTheLeader() throws Exception {
        JdbmStore leader = open(folder());
        JdbmStore second = open(folder());
        promote(leader);
        long id = StoreTests.add(leader, 0, "suffix");
        try (Snapshot before = leader.snapshot()) {
            StoreTests.recolor(leader, id, List.of(), List.of("red"));
            awaitSame(leader, second);
            try (Snapshot now = second.snapshot()) {
                ChangeHistory history = second.changes(before.csn(), now);
                assertEquals(ChangeHistory.Answer.KNOWN, history.answer());
                assertEquals(1, history.changed().cardinality());
            }
        }
    }

    @Test
    public void whoWaitsForATransactionIsToldWhenItIsShownOrNot() throws Exception {
        JdbmStore leader = open(folder());
        JdbmStore second = open(folder());
        promote(leader);
        CompletableFuture<Boolean> shown = second.awaitSequence(2, MILLIS);
        assertFalse(Await.result("a wait that ends", second.awaitSequence(3, 20)));
        StoreTests.add(leader, 0, "first");
        assertFalse(shown.isDone());
        StoreTests.add(leader, 0, "second");
        assertTrue(Await.result("the second transaction", shown));
        assertTrue(second.sequence() >= 2);
        CompletableFuture<Boolean> never = second.awaitSequence(1000, MILLIS);
        second.close();
        assertFalse(Await.result("a wait for a store that is closed", never));
    }

    @Test
    public void theNextLeaderGoesOnBehindAllThereWas() throws Exception {
        JdbmStore first = open(folder());
        JdbmStore second = open(folder());
        long epoch = promote(first);
        long id = StoreTests.add(first, 0, "suffix");
        assertEquals(first.sequence(), first.replica().certainSequence());
        assertEquals("a replica never knows", -1, second.replica().certainSequence());
        assertTrue(promote(second) > epoch);
        assertEquals("before it is told", -1, first.replica().certainSequence());
        assertEquals(second.sequence(), second.replica().certainSequence());
        assertTrue("an ID was given out twice", StoreTests.add(second, id, "child") > id);
        // Nobody has told the first one.
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(first, "late")));
        assertEquals(StoreException.Kind.FENCED, Await.next("that it lost", lost).kind());
        assertEquals(Replica.Role.REPLICA, first.replica().role());
        awaitSame(second, first);
        assertTrue(promote(first) > epoch);
        assertTrue(StoreTests.add(first, id, "again") > id + 1);
        // A leader that writes nothing finds out, too.
        assertEquals(StoreException.Kind.FENCED, Await.next("that it lost", lost).kind());
        awaitSame(first, second);
    }

    @Test
    public void aLeaderThatIsAskedToHandsOverBehindWhatWasSent() throws Exception {
        JdbmStore first = open(folder());
        JdbmStore second = open(folder());
        log.hideLast();
        promote(first);
        CompletableFuture<Long> sent = submitAdd(first, "suffix");
        Await.result("the end of its lead", first.replica().demote());
        assertTrue(sent.isDone() && !sent.isCompletedExceptionally());
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(first, "late")));
        awaitSame(first, second);
        promote(second);
        StoreTests.add(second, 0, "other");
        Await.result("the end of its lead", second.replica().demote());
        awaitSame(second, first);
        assertTrue(lost.isEmpty());
    }

    /** Of each ending: whether it was made is told rightly when the log tells it, and nobody ever sees what was not. */
    @Test
    public void aGroupWithoutAnAnswerIsToldWhatTheLogTells() throws Exception {
        JdbmStore first = open(folder());
        JdbmStore second = open(folder());
        promote(first);
        StoreTests.add(first, 0, "suffix");
        for (Script ending : new Script[] {Script.UNKNOWN_IN, Script.UNKNOWN_OUT, Script.FENCED_IN, Script.FENCED_OUT}) {
            boolean isIn = ending == Script.UNKNOWN_IN || ending == Script.FENCED_IN;
            long before = first.sequence();
            ends(ending);
            CompletableFuture<Long> sent = submitAdd(first, ending.name());
            assertNotNull(Await.next("that it lost", lost));
            assertTrue(ending + ": " + first.sequence(), first.sequence() <= before + (isIn ? 1 : 0));
            promote(second);
            StoreTests.add(second, 0, "behind " + ending);
            if (isIn) {
                Await.result("what is in the log", sent);
            } else {
                assertEquals(ending.name(), StoreException.Kind.NOT_LEADER, failure(sent));
            }
            awaitSame(second, first);
            assertEquals(ending.name(), before + (isIn ? 2 : 1), second.sequence());
            Await.result("the end of its lead", second.replica().demote());
            promote(first);
            StoreTests.add(first, 0, "again " + ending);
            awaitSame(first, second);
        }
    }

    /** As a leader that has slept: another one may have done meanwhile what this one would say is not there. */
    @Test
    public void whoeverHasLostTheLogRefusesNothingForWhatItHas() throws Exception {
        JdbmStore first = open(folder());
        promote(first);
        StoreTests.add(first, 0, "suffix");
        CompletableFuture<Object> before = first.submit(context -> {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "it is not here");
        });
        assertTrue("" + cause(before), cause(before) instanceof DirectoryException);
        log.member().takeOver().close();
        CompletableFuture<Object> behind = first.submit(context -> {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "it is not here");
        });
        assertEquals(StoreException.Kind.NOT_LEADER, failure(behind));
        promote(first);
        StoreTests.add(first, 0, "again");
    }

    private static Throwable cause(CompletableFuture<?> work) {
        return assertThrows(CompletionException.class, () -> work.orTimeout(MILLIS, TimeUnit.MILLISECONDS).join()).getCause();
    }

    /** What it was refused for was never made, or nobody knows. */
    @Test
    public void aRefusalForWhatIsNotInTheLogIsNoAnswer() throws Exception {
        JdbmStore first = open(folder());
        JdbmStore second = open(folder());
        promote(first);
        StoreTests.add(first, 0, "suffix");
        for (Script ending : new Script[] {Script.FENCED_OUT, Script.REFUSED_NOW}) {
            // The next group is what comes while this one is appended.
            CountDownLatch appends = new CountDownLatch(1);
            log.delay(() -> {
                appends.countDown();
                return TimeUnit.MILLISECONDS.toNanos(300);
            });
            ends(Script.DONE, ending);
            CompletableFuture<Long> slow = submitAdd(first, "slow" + ending);
            Await.latch("the first append", appends);
            CompletableFuture<Long> made = submitAdd(first, "made" + ending);
            CompletableFuture<Object> refused = first.submit(context -> {
                throw new DirectoryException(ResultCode.ENTRY_ALREADY_EXISTS, "it is here");
            });
            Await.result("the first group", slow);
            if (ending == Script.FENCED_OUT) {
                log.delay(() -> 0);
                assertNotNull(Await.next("that it lost", lost));
                promote(second);
                Await.result("the end of its lead", second.replica().demote());
                promote(first);
            }
            assertTrue("" + cause(made), cause(made) instanceof StoreException);
            assertTrue(ending + ": " + cause(refused), cause(refused) instanceof StoreException);
        }
    }

    /** What was applied to the memory layer and is not in the log is neither shown nor flushed. */
    @Test
    public void whatIsNotInTheLogIsDroppedBeforeALayerIsFlushed() throws Exception {
        JdbmStore first = open(folder());
        JdbmStore second = open(folder());
        promote(first);
        StoreTests.add(first, 0, "suffix", "green");
        ends(Script.FENCED_OUT);
        CompletableFuture<Long> sent = submitAdd(first, "dropped");
        assertNotNull(Await.next("that it lost", lost));
        first.flush();
        assertEquals(1, first.sequence());
        promote(second);
        StoreTests.add(second, 0, "other", "blue");
        assertEquals(StoreException.Kind.NOT_LEADER, failure(sent));
        awaitSame(second, first);
        assertTrue(StoreTests.ids(first, 1, "red").isEmpty());
        first.compact();
        awaitSame(second, first);
    }

    @Test
    public void aRefusedGroupEndsNothing() throws Exception {
        JdbmStore leader = open(folder());
        JdbmStore second = open(folder());
        promote(leader);
        StoreTests.add(leader, 0, "suffix");
        ends(Script.REFUSED_NOW);
        assertEquals(StoreException.Kind.DISK_FULL, failure(submitAdd(leader, "refused")));
        StoreTests.add(leader, 0, "taken");
        ends(Script.REFUSED);
        assertEquals(StoreException.Kind.READ_ONLY, failure(submitAdd(leader, "refused")));
        assertNotNull(Await.next("that it lost", lost));
        promote(leader);
        StoreTests.add(leader, 0, "again");
        awaitSame(leader, second);
        assertEquals(3, leader.sequence());
    }

    /** A part that cannot begin: nothing was begun, so nothing is left without an answer. */
    @Test
    public void aLeaderWhoseLogIsGoneBetweenGroupsLeadsNoMore() throws Exception {
        JdbmStore first = open(folder());
        JdbmStore second = open(folder());
        promote(first);
        StoreTests.add(first, 0, "suffix");
        ends(Script.REFUSED_NOW);
        assertEquals(StoreException.Kind.DISK_FULL, failure(submitAdd(first, "refused")));
        log.setDown(true);
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(first, "refused too")));
        assertNotNull(Await.next("that it lost", lost));
        log.setDown(false);
        promote(second);
        StoreTests.add(second, 0, "other");
        awaitSame(second, first);
        assertEquals(2, first.sequence());
    }

    /** What it has acknowledged is in the log, and it would refuse all that is sent to it. */
    @Test
    public void aLeaderThatCannotWriteToItsDiskAnyMoreLeadsNoMore() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        JdbmStore first = JdbmStore.open(folder(), settings, INDEXER, failing(fails), Threads.INSTANCE, log.member());
        open.add(first);
        JdbmStore second = open(folder());
        promote(first);
        StoreTests.add(first, 0, "suffix");
        fails.set(true);
        assertThrows(StoreException.class, first::flush);
        fails.set(false);
        assertEquals(StoreException.Kind.READ_ONLY, Await.next("that it lost", lost).kind());
        Await.until("it applies nothing any more", () -> first.replica().role() == Replica.Role.FAILED);
        assertEquals(StoreException.Kind.READ_ONLY, first.replica().problem().kind());
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(first, "refused")));
        promote(second);
        StoreTests.add(second, 0, "other");
        assertEquals("reading goes on", 1, first.sequence());
        assertEquals(2, second.sequence());
    }

    /** A disk on which no file can be made while that is so. */
    private static Disk failing(AtomicBoolean fails) {
        return (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
            if (fails.get() && method.getName().startsWith("create")) {
                throw new IOException("Input/output error");
            }
            try {
                return method.invoke(SystemDisk.INSTANCE, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Test
    public void aReplicaWaitsForALogThatCannotBeReached() throws Exception {
        JdbmStore first = open(folder());
        JdbmStore second = open(folder());
        promote(first);
        StoreTests.add(first, 0, "suffix");
        awaitSame(first, second);
        log.setDown(true);
        CompletableFuture<Long> sent = submitAdd(first, "nobody knows");
        Await.value("the problem", () -> second.replica().problem(), problem -> problem != null);
        assertEquals(StoreException.Kind.IO, failure(second.replica().promote(lost::add)));
        assertEquals(1, second.sequence());
        log.setDown(false);
        promote(second);
        StoreTests.add(second, 0, "other");
        assertEquals(StoreException.Kind.NOT_LEADER, failure(sent));
        awaitSame(second, first);
        Await.until("the end of the problem", () -> first.replica().problem() == null);
    }

    @Test
    public void flushedReplicasStartWithTheTailOfATrimmedLog() throws Exception {
        settings = settings.withMemoryLayerBytes(4000);
        log.trim();
        Path folder = folder();
        JdbmStore leader = open(folder());
        JdbmStore second = open(folder);
        promote(leader);
        long suffix = StoreTests.add(leader, 0, "suffix");
        for (int i = 0; i < 100; i++) {
            StoreTests.add(leader, suffix, "n" + i, "c" + i % 7);
        }
        awaitSame(leader, second);
        leader.flush();
        second.flush();
        Await.until("a shorter log", () -> log.first() > 50);
        second.close();
        StoreTests.add(leader, suffix, "meanwhile");
        awaitSame(leader, open(folder));
        assertEquals(1, ManifestFile.read(folder).shared().epoch());
        // An empty store would lack what was given up.
        Path empty = folder();
        assertEquals(StoreException.Kind.OUTDATED, assertThrows(StoreException.class, () -> open(empty)).kind());
        StoreTests.assertFilesSound(folder);
    }

    @Test
    public void aReplicaIsOpenedWithItsOwnLogAlone() throws Exception {
        Path folder = folder();
        JdbmStore store = open(folder);
        promote(store);
        StoreTests.add(store, 0, "suffix");
        store.close();
        assertEquals(StoreException.Kind.REFUSED, refusal(() -> JdbmStore.open(folder, settings, INDEXER)));
        assertEquals(StoreException.Kind.REFUSED, refusal(() -> JdbmStore.openReadOnly(folder, settings, INDEXER)));
        assertEquals(StoreException.Kind.REFUSED, refusal(() -> JdbmStore.bulkLoad(folder, settings, INDEXER)));
        MemorySharedLog other = new MemorySharedLog();
        assertEquals(StoreException.Kind.REFUSED, refusal(() -> JdbmStore.open(folder, settings, INDEXER, SystemDisk.INSTANCE,
                Threads.INSTANCE, other.member())));
        Path local = folder();
        JdbmStore.open(local, settings, INDEXER).close();
        assertEquals(StoreException.Kind.REFUSED, refusal(() -> open(local)));
        // A log that was put back to an old state.
        Manifest manifest = ManifestFile.read(folder);
        ManifestFile.write(SystemDisk.INSTANCE, folder, manifest.seen(7));
        assertEquals(StoreException.Kind.REFUSED, refusal(() -> open(folder)));
    }

    @Test
    public void aLoadTakesThePlaceOfAllReplicasData() throws Exception {
        Path folder = folder();
        JdbmStore first = open(folder());
        JdbmStore second = open(folder);
        promote(first);
        StoreTests.add(first, 0, "old", "green");
        awaitSame(first, second);
        second.close();
        try (BulkLoad load = JdbmStore.bulkLoad(folder, settings, INDEXER, 1 << 20, log.member())) {
            load.add(1, StoreTests.entry(0, "top"));
            load.add(2, StoreTests.entry(1, "new", "red"));
            // Whoever leads goes on until then.
            StoreTests.add(first, 0, "older", "green");
            load.publish((phase, done, total) -> { });
        }
        StoreException.Kind late = failure(submitAdd(first, "late"));
        assertTrue("" + late, late == StoreException.Kind.OUTCOME_UNKNOWN || late == StoreException.Kind.NOT_LEADER);
        Await.value("what became of it", () -> first.replica().role(), role -> role == Replica.Role.FAILED);
        assertEquals(StoreException.Kind.OUTDATED, first.replica().problem().kind());
        JdbmStore loaded = open(folder);
        promote(loaded);
        assertEquals(3, StoreTests.add(loaded, 1, "more", "red"));
        assertEquals(IdSet.of(2, 3), StoreTests.ids(loaded, 1, "red"));
        assertTrue(StoreTests.ids(loaded, 1, "green").isEmpty());
        loaded.close();
        assertEquals(IdSet.of(2, 3), StoreTests.ids(open(folder), 1, "red"));
    }

    @Test
    public void aLoadThatTheLogWasNotToldOfIsNotUsed() throws Exception {
        Path folder = folder();
        JdbmStore first = open(folder());
        JdbmStore second = open(folder);
        promote(first);
        StoreTests.add(first, 0, "old", "green");
        awaitSame(first, second);
        second.close();
        try (BulkLoad load = JdbmStore.bulkLoad(folder, settings, INDEXER, 1 << 20, log.member())) {
            load.add(1, StoreTests.entry(0, "top"));
            log.refuseReplacements();
            assertEquals(StoreException.Kind.IO, refusal(() -> load.publish((phase, done, total) -> { })));
        }
        assertEquals(StoreException.Kind.REFUSED, refusal(() -> open(folder)));
        promote(open(folder()));
        awaitSame(open.get(open.size() - 1), open(folder()));
    }

    @Test
    public void aStoreWithALogOfItsOwnBecomesTheFirstReplica() throws Exception {
        Path folder = folder();
        Snapshot before;
        try (JdbmStore alone = JdbmStore.open(folder, settings, INDEXER)) {
            StoreTests.add(alone, 0, "suffix", "red");
            StoreTests.add(alone, 1, "child", "red");
            before = alone.snapshot();
        }
        JdbmStore.share(folder, settings, INDEXER, log.member());
        JdbmStore store = open(folder);
        try (Snapshot after = store.snapshot()) {
            assertEquals(before.csn(), after.csn());
        }
        promote(store);
        assertEquals(3, StoreTests.add(store, 1, "more", "red"));
        assertEquals(3, store.sequence());
        store.close();
        Path third = folder();
        assertEquals(StoreException.Kind.OUTDATED, refusal(() -> open(third)));
        JdbmStore.share(folder, settings, INDEXER, log.member());
        JdbmStore again = open(folder);
        assertEquals("what is shared already stays as it is", IdSet.of(1, 2, 3), StoreTests.ids(again, 1, "red"));
        assertEquals(3, again.sequence());
        StoreTests.assertFilesSound(folder);
    }

    private static StoreException.Kind refusal(org.junit.function.ThrowingRunnable work) {
        return assertThrows(StoreException.class, work).kind();
    }
}
