package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.alder.partition.entry.Csn;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.ChangeHistory.Answer;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a store tells of its changes: as they are made, and later from its logs. */
public class StoreHistoryTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final StoreSettings settings = StoreSettings.defaults().withChangeHistory(1 << 20);
    private Path folder;

    @Before
    public void name() {
        folder = temporary.getRoot().toPath().resolve("store");
    }

    private JdbmStore open() {
        return JdbmStore.open(folder, settings, INDEXER);
    }

    private static Csn state(Store store) {
        try (Snapshot snapshot = store.snapshot()) {
            return snapshot.csn();
        }
    }

    private static ChangeHistory since(Store store, Csn state) {
        try (Snapshot snapshot = store.snapshot()) {
            return store.feed().changes(state, snapshot);
        }
    }

    private static List<String> deleted(ChangeHistory history) {
        return List.copyOf(new TreeSet<>(history.deleted().stream().map(each -> new String(each,
                StandardCharsets.UTF_8)).toList()));
    }

    /** Changes of each kind; returns the state before them. */
    private static Csn change(Store store) {
        long top = StoreTests.add(store, 0, "top");
        long a = StoreTests.add(store, top, "a", "red");
        long b = StoreTests.add(store, top, "b", "red");
        long c = StoreTests.add(store, top, "c", "red");
        Csn before = state(store);
        StoreTests.recolor(store, a, List.of("red"), List.of("blue"));
        StoreTests.delete(store, b);
        store.submit(context -> {
            context.rename(c, top, StoreTests.utf8("cn=moved"), List.of());
            return null;
        }).join();
        StoreTests.delete(store, StoreTests.add(store, top, "short"));
        return before;
    }

    private static void isChange(ChangeHistory history) {
        assertEquals(Answer.KNOWN, history.answer());
        assertEquals(IdSet.of(2, 4), history.changed());
        assertEquals(IdSet.of(4), history.renamed());
        assertEquals(List.of("cn=b", "cn=short"), deleted(history));
    }

    @Test
    public void changesAreKnownAfterFlushAndRestart() {
        Csn before;
        try (JdbmStore store = open()) {
            before = change(store);
            isChange(since(store, before));
            store.flush();
            isChange(since(store, before));
        }
        try (JdbmStore store = open()) {
            isChange(since(store, before));
            assertEquals("the same number after a restart", 9, state(store).sequence());
            assertEquals(IdSet.EMPTY, since(store, state(store)).changed());
            StoreTests.add(store, 1, "later");
            assertEquals(IdSet.of(2, 4, 6), since(store, before).changed());
            store.flush();
            store.compact();
            assertEquals(IdSet.of(2, 4, 6), since(store, before).changed());
        }
        assertEquals(List.of(), FolderChecker.check(folder));
    }

    @Test
    public void otherIndexesDoNotMakeChangesForgotten() {
        Csn before;
        try (JdbmStore store = open()) {
            before = change(store);
        }
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER.inCapitals())) {
            isChange(since(store, before));
        }
    }

    @Test
    public void whatWasNeverAStateIsForeign() {
        try (JdbmStore store = open()) {
            Csn before = change(store);
            Csn now = state(store);
            assertEquals(Answer.FOREIGN, since(store, new Csn(before.timeMillis() - 1, before.sequence())).answer());
            assertEquals(Answer.FOREIGN, since(store, new Csn(now.timeMillis(), now.sequence() + 1)).answer());
            assertEquals(Answer.FOREIGN, since(store, new Csn(now.timeMillis() + 1, now.sequence())).answer());
            assertEquals(Answer.KNOWN, since(store, before).answer());
        }
    }

    @Test
    public void aLoadMakesAllForgotten() throws IOException {
        Csn before;
        try (JdbmStore store = open()) {
            before = change(store);
            store.flush();
        }
        try (BulkLoad load = JdbmStore.bulkLoad(folder, settings, INDEXER)) {
            load.add(1, StoreTests.entry(0, "top"));
            load.publish((phase, done, total) -> { });
        }
        try (JdbmStore store = open()) {
            Csn loaded = state(store);
            assertTrue(before.toString().compareTo(loaded.toString()) < 0);
            assertFalse(since(store, before).answer() == Answer.KNOWN);
            assertEquals(Answer.KNOWN, since(store, loaded).answer());
            StoreTests.add(store, 1, "a");
            assertEquals(IdSet.of(2), since(store, loaded).changed());
        }
    }

    private List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("log-")).sorted().toList();
        }
    }

    @Test
    public void theHistoryIsBounded() throws IOException {
        StoreSettings small = StoreSettings.defaults().withChangeHistory(3000);
        List<Csn> states = new ArrayList<>();
        try (JdbmStore store = JdbmStore.open(folder, small, INDEXER)) {
            for (int i = 0; i < 20; i++) {
                states.add(state(store));
                StoreTests.add(store, i == 0 ? 0 : 1, "name." + i, "x".repeat(500));
                store.flush();
            }
            long bytes = 0;
            for (Path log : logs().subList(0, logs().size() - 1)) {
                bytes += Files.size(log);
            }
            assertTrue(bytes + " bytes", bytes > 1000 && bytes <= 3000);
            assertEquals(Answer.FORGOTTEN, since(store, states.get(1)).answer());
            assertEquals(IdSet.of(19, 20), since(store, states.get(18)).changed());
        }
        try (JdbmStore store = JdbmStore.open(folder, StoreSettings.defaults(), INDEXER)) {
            assertEquals("none is kept without history", 1, logs().size());
            assertEquals(Answer.FORGOTTEN, since(store, states.get(18)).answer());
        }
    }

    @Test
    public void damageIsFoundAndCostsAFullRefreshOnly() throws IOException {
        Csn before;
        try (JdbmStore store = open()) {
            before = change(store);
            store.flush();
        }
        Path kept = logs().get(0);
        try (RandomAccessFile file = new RandomAccessFile(kept.toFile(), "rw")) {
            // In the last record, which the mark of a finished log follows.
            file.seek(file.length() - 15);
            file.write(0xFF);
        }
        assertEquals(1, FolderChecker.check(folder).size());
        assertTrue(FolderChecker.check(folder).get(0), FolderChecker.check(folder).get(0).startsWith(kept.toString()));
        try (JdbmStore store = open()) {
            assertEquals(Answer.FORGOTTEN, since(store, before).answer());
            assertEquals(3, store.status().entries());
        }
    }

    @Test
    public void followersSeeBothStates() throws InterruptedException {
        LinkedBlockingQueue<Commit> told = new LinkedBlockingQueue<>();
        try (JdbmStore store = open()) {
            CommitFeed.Following following = store.follow(told::add);
            change(store);
            store.flush();
            store.compact();
            String seen = "";
            for (int i = 1; i <= 9; i++) {
                try (Commit commit = Await.next("commit " + i, told)) {
                    assertEquals(i, commit.sequence());
                    assertEquals(i, commit.after().sequence());
                    Commit.Change change = commit.changes().get(0);
                    seen += change.kind().name().charAt(0);
                    assertEquals(change.kind() != Commit.Kind.ADDED, commit.before().entry(change.id()) != null);
                    assertEquals(change.kind() != Commit.Kind.DELETED, commit.after().entry(change.id()) != null);
                }
            }
            assertEquals("AAAAMDRAD", seen);
            following.close();
            StoreTests.add(store, 1, "unseen");
            assertTrue(told.isEmpty());
        }
    }

    @Test
    public void whatAFollowerDoesWrongIsNotTheCommitsFault() {
        AtomicInteger missed = new AtomicInteger();
        CommitFollower wrong = new CommitFollower() {
            @Override
            public void committed(Commit commit) {
                throw new AssertionError("of a test");
            }

            @Override
            public void missed() {
                missed.incrementAndGet();
                throw new AssertionError("of a test");
            }
        };
        LinkedBlockingQueue<Commit> told = new LinkedBlockingQueue<>();
        try (JdbmStore store = open()) {
            store.follow(wrong);
            store.follow(told::add);
            StoreTests.add(store, 0, "top");
            StoreTests.add(store, 1, "a");
            assertEquals(2, missed.get());
            assertEquals(2, told.size());
            told.forEach(Commit::close);
            store.compact();
        }
        try (JdbmStore store = open()) {
            assertEquals("what readers saw is kept", 2, store.status().entries());
        }
    }

    @Test
    public void theTimeOfTheLastCommitSurvivesAFlushWhileTheLogIsRead() {
        Csn last;
        try (JdbmStore store = open()) {
            Csn first = state(store);
            StoreTests.add(store, 0, "top");
            do {
                StoreTests.add(store, 1, "name." + state(store).sequence());
                last = state(store);
            } while (last.timeMillis() == first.timeMillis());
        }
        JdbmStore.open(folder, settings.withMemoryLayerBytes(1), INDEXER).close();
        for (int i = 0; i < 2; i++) {
            try (JdbmStore store = open()) {
                assertEquals(last, state(store));
                assertEquals(Answer.KNOWN, since(store, last).answer());
            }
        }
    }
}
