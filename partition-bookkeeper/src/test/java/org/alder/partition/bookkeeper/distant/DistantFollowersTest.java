package org.alder.partition.bookkeeper.distant;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.MustWaitException;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.CrashScript;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.NeverWaits;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Changes of stores that are read from elsewhere, without a network. */
public class DistantFollowersTest {
    private static final int TRANSACTIONS = 3_000;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final TestHolders holders = new TestHolders();
    private final List<AutoCloseable> open = new ArrayList<>();

    @After
    public void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        holders.here.values().forEach(StoreAnswers::close);
    }

    private JdbmStore holder(String name) {
        JdbmStore store = JdbmStore.open(temporary.getRoot().toPath().resolve(name), StoreSettings.defaults().withChangeHistory(16 << 20), CrashScript.INDEXER);
        open.add(store);
        CrashScript.prepare(store).join();
        holders.add(name, store);
        return store;
    }

    private DistantStore reader() throws Exception {
        DistantStore store = DistantStore.open(holders, TestHolders.LOG, "o=test", CrashScript.INDEXER);
        open.add(store);
        assertTrue(Await.result("a state", store.awaitSequence(1, Await.MILLIS)));
        return store;
    }

    private static Map<Long, EntryRecord> entries(Snapshot snapshot) {
        Map<Long, EntryRecord> entries = new HashMap<>();
        try (Snapshot.EntryCursor cursor = snapshot.entries(0)) {
            while (cursor.next()) {
                entries.put(cursor.id(), cursor.entry());
            }
        }
        return entries;
    }

    /** Keeps what it is told until it is looked at. */
    private static final class Follower implements CommitFollower {
        private final Queue<Commit> commits = new ConcurrentLinkedQueue<>();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger missed = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();
        private Map<Long, EntryRecord> known;
        private long sequence;

        @Override
        public void committed(Commit commit) {
            commits.add(commit);
            most.accumulateAndGet(commits.size(), Math::max);
        }

        @Override
        public void missed() {
            missed.incrementAndGet();
        }

        @Override
        public void ended() {
            ended.incrementAndGet();
        }

        void begin(Snapshot snapshot) {
            known = entries(snapshot);
            sequence = snapshot.sequence();
        }

        /** Each goes on from where the one before it has ended, and names what differs between its states. @return whether there was one */
        boolean take() {
            Commit commit = commits.poll();
            if (commit == null) {
                return false;
            }
            try (commit) {
                if (commit.sequence() <= sequence) {
                    return true;
                }
                Map<Long, EntryRecord> after = entries(commit.after());
                assertEquals(commit.sequence(), commit.after().sequence());
                if (commit.before().sequence() >= sequence) {
                    assertEquals("what is before it was told", known, entries(commit.before()));
                    sameChanges(known, after, commit.changes());
                }
                known = after;
                sequence = commit.sequence();
            }
            return true;
        }

        private static void sameChanges(Map<Long, EntryRecord> before, Map<Long, EntryRecord> after, List<Commit.Change> changes) {
            Map<Long, Commit.Kind> told = new HashMap<>();
            for (Commit.Change change : changes) {
                assertEquals("told once", null, told.put(change.id(), change.kind()));
                boolean isNew = change.kind() == Commit.Kind.ADDED;
                boolean isGone = change.kind() == Commit.Kind.DELETED;
                assertEquals(change.toString(), isNew, !before.containsKey(change.id()));
                assertEquals(change.toString(), isGone, !after.containsKey(change.id()));
                if (!isNew && !isGone && change.kind() != Commit.Kind.RENAMED) {
                    assertEquals(change.toString(), before.get(change.id()).rdn(), after.get(change.id()).rdn());
                }
            }
            before.forEach((id, record) -> assertTrue("entry " + id + " is told", told.containsKey(id) || record.equals(after.get(id))));
            after.keySet().forEach(id -> assertTrue("entry " + id + " is told", told.containsKey(id) || before.containsKey(id)));
        }
    }

    private static void write(JdbmStore store, long seed, int transactions) {
        CrashScript script = new CrashScript(seed, 0);
        try (Snapshot snapshot = store.snapshot()) {
            script.load(snapshot);
        }
        for (int i = 0; i < transactions; i++) {
            script.submit(store).join();
            script.advance();
        }
    }

    /** One takes what it is told at once, and one late: that one is told much at once, and no less. */
    @Test
    public void whatIsChangedIsTold() throws Exception {
        JdbmStore there = holder("node1");
        DistantStore here = reader();
        Follower quick = new Follower();
        Follower slow = new Follower();
        open.add(here.follow(quick));
        open.add(here.follow(slow));
        try (Snapshot snapshot = here.snapshot()) {
            quick.begin(snapshot);
            slow.begin(snapshot);
        }
        long seed = Seed.of(DistantFollowersTest.class);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread writer = new Thread(() -> write(there, seed, TRANSACTIONS));
        writer.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
        writer.start();
        Random random = new Random(seed);
        int taken = 0;
        while (writer.isAlive()) {
            taken += quick.take() ? 1 : 0;
            if (random.nextInt(2_000) == 0) {
                slow.take();
            }
        }
        writer.join();
        assertEquals(null, failure.get());
        Await.until("all that the quick one is told", () -> !quick.take() && quick.sequence == there.sequence());
        Await.until("all that the slow one is told", () -> !slow.take() && slow.sequence == there.sequence());
        try (Snapshot snapshot = there.snapshot()) {
            assertEquals(entries(snapshot), quick.known);
            assertEquals(quick.known, slow.known);
        }
        assertTrue("more than once: " + taken, taken > 1);
        assertTrue(slow.most + " commits at a time", slow.most.get() <= DistantFollowers.MOST_OPEN);
        assertEquals(0, quick.missed.get() + slow.missed.get() + quick.ended.get() + slow.ended.get());
    }

    @Test
    public void whatWasChangedSinceACommitIsWhatTheHolderKnows() throws Exception {
        JdbmStore there = holder("node1");
        DistantStore here = reader();
        Csn since = csn(there);
        write(there, 5, 200);
        assertTrue(Await.result("what was written", here.awaitSequence(there.sequence(), Await.MILLIS)));
        try (Snapshot known = there.snapshot(); Snapshot snapshot = here.snapshot()) {
            ChangeHistory expected = there.feed().changes(since, known);
            ChangeHistory found = here.changes(since, snapshot);
            assertEquals(ChangeHistory.Answer.KNOWN, found.answer());
            assertEquals(expected.changed(), found.changed());
            assertEquals(expected.renamed(), found.renamed());
            assertTrue(expected.deleted().size() > 1);
            assertEquals(expected.deleted().stream().map(DistantFollowersTest::text).toList(), found.deleted().stream().map(DistantFollowersTest::text).toList());
            assertEquals(ChangeHistory.Answer.FOREIGN, here.changes(new Csn(since.timeMillis() - 1, since.sequence()), snapshot).answer());
            assertThrows("of another store's snapshot", StoreException.class, () -> here.changes(since, known));
        }
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static Csn csn(JdbmStore store) {
        try (Snapshot snapshot = store.snapshot()) {
            return snapshot.csn();
        }
    }

    /** Who follows has to begin anew with another holder, as nobody knows what he was not told. */
    @Test
    public void whoFollowsAHolderThatGoesIsToldThatItIsOver() throws Exception {
        JdbmStore there = holder("node1");
        DistantStore here = reader();
        Follower follower = new Follower();
        open.add(here.follow(follower));
        holders.add("node2", there);
        holders.here.remove("node1").close();
        Await.until("the end", () -> follower.ended.get() == 1);
        Await.until("that another one is asked", () -> here.replica().problem() == null);
        Follower next = new Follower();
        open.add(here.follow(next));
        try (Snapshot snapshot = here.snapshot()) {
            next.begin(snapshot);
        }
        write(there, 6, 50);
        Await.until("all that is told", () -> !next.take() && next.sequence == there.sequence());
        assertEquals("is told no more", 0, follower.commits.size());
        here.close();
        assertEquals(1, next.ended.get());
    }

    /** A thread that many clients wait for does not; where nobody is here to tell, the others are told so. */
    @Test
    public void followingWaitsForAHolder() throws Exception {
        holder("node1");
        DistantStore here = reader();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread loop = new LoopThread(() -> {
            try {
                here.follow(new Follower());
            } catch (MustWaitException e) {
                thrown.set(e);
            }
        });
        loop.start();
        loop.join();
        assertNotEquals(null, thrown.get());
        holders.here.remove("node1").close();
        Await.until("that nobody is asked", () -> here.replica().problem() != null);
        assertEquals(StoreException.Kind.CLOSED, assertThrows(StoreException.class, () -> here.follow(new Follower())).kind());
    }

    private static final class LoopThread extends Thread implements NeverWaits {
        LoopThread(Runnable task) {
            super(task);
        }
    }

    /** Of more than can be noted the reader is told so, and then of what comes behind that. */
    @Test
    public void changesThatAreTooManyAreTold() throws Exception {
        MemoryStore store = new MemoryStore(CrashScript.INDEXER);
        try (ChangeNotes notes = new ChangeNotes(store, null)) {
            assertEquals(ChangeNotes.Outcome.BEGUN, read(notes, 0, 7, 1).outcome());
            notes.committed(commit(2, LongStream.rangeClosed(1, 3)));
            notes.committed(commit(3, LongStream.rangeClosed(3, 4)));
            notes.told(3);
            ChangeNotes.Told told = read(notes, 7, 8, 2);
            assertEquals(List.of(1L, 2L, 3L), told.changes().stream().map(Commit.Change::id).toList());
            assertEquals("behind the state", List.of(3L, 4L), read(notes, 8, 9, 3).changes().stream().map(Commit.Change::id).toList());
            notes.committed(commit(4, LongStream.rangeClosed(1, ChangeNotes.MOST + 1)));
            notes.told(4);
            assertTrue(notes.isOver(store));
            assertEquals(ChangeNotes.Outcome.TOO_MANY, read(notes, 9, 10, 4).outcome());
            try (ChangeNotes next = new ChangeNotes(store, notes)) {
                assertEquals("what came in between was not noted", ChangeNotes.Outcome.TOO_MANY, read(next, 10, 11, 5).outcome());
                assertEquals(ChangeNotes.Outcome.TOLD, read(next, 11, 12, 5).outcome());
                assertEquals("another one's", ChangeNotes.Outcome.TOO_MANY, read(next, 99, 13, 5).outcome());
            }
        }
    }

    private static ChangeNotes.Told read(ChangeNotes notes, long known, long state, long sequence) throws Exception {
        MessageWriter out = new MessageWriter();
        notes.write(out, known, state, sequence);
        return ChangeNotes.Told.read(new MessageReader(out.toByteArray()));
    }

    private static Commit commit(long sequence, LongStream ids) {
        List<Commit.Change> changes = ids.mapToObj(id -> new Commit.Change(id, Commit.Kind.MODIFIED)).toList();
        return (Commit) Proxy.newProxyInstance(Commit.class.getClassLoader(), new Class<?>[] {Commit.class}, (proxy, method, arguments) ->
                method.getName().equals("sequence") ? sequence : method.getName().equals("changes") ? changes : null);
    }
}
