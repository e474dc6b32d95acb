package org.alder.partition.testing;

import static org.alder.partition.testing.TextDirectory.utf8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexKind;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreEngine;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * What {@link Store} and {@link StoreEngine} promise. Each engine has a test that extends this one and makes the engine; a new
 * one may be used when it passes.
 */
public abstract class StoreConformance {
    private static final List<IndexDefinition> COLORS = List.of(index("description"));
    private static final int INDEX = 2;
    private static final int COMMITS_BESIDE_READERS = 2000;
    /** So small that random updates move attributes out of records and back. */
    private static final int LARGE_ATTRIBUTE_THRESHOLD = 4;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    @Rule
    public final Timeout limit = new Timeout(10, TimeUnit.MINUTES);

    private final EntryIndexer indexer = indexer(COLORS);
    private StoreEngine engine;
    private Path folder;
    private Store store;

    /** A new engine. The history of its changes holds some thousand commits. */
    protected abstract StoreEngine engine();

    @Before
    public final void open() {
        engine = engine();
        folder = temporary.getRoot().toPath().resolve("store");
        store = engine.open(folder, indexer);
    }

    @After
    public final void close() {
        store.close();
    }

    private void reopen() {
        store.close();
        store = engine.open(folder, indexer);
    }

    private static IndexDefinition index(String type) {
        return new IndexDefinition(TextDirectory.SCHEMA.attributeType(type), Set.of(IndexKind.EQUALITY), 5);
    }

    private static EntryIndexer indexer(List<IndexDefinition> definitions) {
        return new AttributeIndexer(TextDirectory.SCHEMA, definitions, LARGE_ATTRIBUTE_THRESHOLD);
    }

    private static EntryRecord record(long parent, String name, String... colors) {
        return EntryRecord.of(parent, utf8("cn=" + name), List.of(new Attribute("cn", List.of(utf8(name))),
                new Attribute("description", bytes(colors))), List.of());
    }

    private static List<byte[]> bytes(String... values) {
        return List.of(values).stream().map(TextDirectory::utf8).toList();
    }

    private static List<AttributeDelta> recolor(List<String> removed, List<String> added) {
        return List.of(new AttributeDelta("description", false, bytes(removed.toArray(String[]::new)),
                bytes(added.toArray(String[]::new))));
    }

    private long add(long parent, String name, String... colors) {
        return store.submit(context -> {
            long id = context.allocateId();
            context.add(id, record(parent, name, colors));
            return id;
        }).join();
    }

    private void modify(long id, List<String> removed, List<String> added) {
        store.submit(context -> {
            context.modify(id, recolor(removed, added));
            return null;
        }).join();
    }

    private void delete(long id) {
        store.submit(context -> {
            context.delete(id);
            return null;
        }).join();
    }

    private static IdSet colored(Snapshot snapshot, String color) {
        byte[] key = IndexKeys.equality(utf8(color));
        IdSet ids = snapshot.ids(INDEX, key);
        assertEquals(ids.cardinality(), snapshot.cardinality(INDEX, key));
        return ids;
    }

    private IdSet colored(String color) {
        try (Snapshot snapshot = store.snapshot()) {
            return colored(snapshot, color);
        }
    }

    private Csn newest() {
        try (Snapshot snapshot = store.snapshot()) {
            return snapshot.csn();
        }
    }

    private static StoreException.Kind kindOf(Runnable refused) {
        Throwable failure = assertThrows(RuntimeException.class, refused::run);
        return ((StoreException) (failure instanceof CompletionException ? failure.getCause() : failure)).kind();
    }

    @Test
    public void whatIsAcknowledgedIsShownAndFound() {
        long top = add(0, "top", "red");
        long below = add(top, "below", "red", "blue");
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals("cn=below", snapshot.entry(below).rdn());
            assertNull(snapshot.entry(below + 1));
            assertEquals(IdSet.of(top, below), colored(snapshot, "red"));
            assertEquals(IdSet.of(below), colored(snapshot, "blue"));
            assertEquals(IdSet.EMPTY, colored(snapshot, "green"));
            assertEquals(IdSet.of(below), snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.children(top)));
            assertEquals(IdSet.of(top), snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf()));
            assertEquals(snapshot.entry(top), snapshot.lookup(IdSet.of(top)).entry(top));
        }
        delete(below);
        assertEquals(IdSet.of(top), colored("red"));
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals(snapshot.sequence(), store.sequence());
            assertEquals(IdSet.EMPTY, snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf()));
        }
    }

    @Test
    public void keysAndEntriesAreWalkedInTheirOrderFromWhereItIsAsked() {
        IntStream.range(0, 20).forEach(i -> add(0, "n" + i, "color " + i % 7));
        store.maintenance().flush();
        IntStream.range(20, 30).forEach(i -> add(0, "n" + i, "color " + i % 7));
        List<Long> ids = new ArrayList<>();
        try (Snapshot snapshot = store.snapshot(); Snapshot.EntryCursor entries = snapshot.entries(5)) {
            byte[] third = IndexKeys.equality(utf8("color 3"));
            byte[] fifth = IndexKeys.equality(utf8("color 5"));
            assertEquals(List.of("ecolor 3", "ecolor 4", "ecolor 5", "ecolor 6"), keys(snapshot, KeyRange.from(third)));
            assertEquals(List.of("ecolor 3", "ecolor 4"), keys(snapshot, new KeyRange(third, fifth)));
            assertEquals(List.of("ecolor 5"), keys(snapshot, KeyRange.ofPrefix(fifth)));
            assertEquals("a range that ends before it begins", List.of(), keys(snapshot, new KeyRange(fifth, third)));
            while (entries.next()) {
                ids.add(entries.id());
                assertEquals(snapshot.entry(entries.id()), entries.entry());
            }
        }
        assertEquals(IntStream.rangeClosed(5, 30).mapToObj(Long::valueOf).toList(), ids);
    }

    private static List<String> keys(Snapshot snapshot, KeyRange range) {
        List<String> keys = new ArrayList<>();
        try (Snapshot.KeyCursor cursor = snapshot.keys(INDEX, range)) {
            while (cursor.next()) {
                keys.add(IndexKeys.printable(cursor.key()));
                assertEquals(cursor.ids().cardinality(), cursor.cardinality());
                assertEquals(snapshot.ids(INDEX, cursor.key()), cursor.ids());
            }
            assertFalse("from then on", cursor.next());
        }
        return keys;
    }

    @Test
    public void aTransactionThatThrowsChangesNothingAndTakesNoNumber() {
        long id = add(0, "top", "red");
        Csn before = newest();
        DirectoryException refusal = new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "no");
        CompletionException failure = assertThrows(CompletionException.class, () -> store.submit(context -> {
            context.modify(id, recolor(List.of("red"), List.of("blue")));
            context.add(context.allocateId(), record(id, "below", "green"));
            throw refusal;
        }).join());
        assertEquals(refusal, failure.getCause());
        assertThrows(CompletionException.class, () -> delete(id + 100));
        assertEquals(before, newest());
        assertEquals(IdSet.of(id), colored("red"));
        assertEquals(IdSet.EMPTY, colored("green"));
        assertEquals("read", store.submit(context -> "read").join());
        assertEquals(before, newest());
    }

    @Test
    public void anEntryWithChildrenIsNotDeletedAloneButWithThem() {
        long top = add(0, "top", "red");
        long below = add(top, "below", "red");
        assertThrows(CompletionException.class, () -> delete(top));
        assertEquals(IdSet.of(top, below), colored("red"));
        store.submit(context -> {
            context.delete(below);
            context.delete(top);
            return null;
        }).join();
        assertEquals(IdSet.EMPTY, colored("red"));
    }

    @Test
    public void commitsAreNumberedWithoutGapsAndTheirTimesNeverGoBack() {
        Csn last = newest();
        for (int i = 0; i < 20; i++) {
            long expected = last.sequence() + 1;
            String name = "n" + i;
            assertEquals(Long.valueOf(expected), store.submit(context -> {
                context.add(context.allocateId(), record(0, name));
                return context.sequence();
            }).join());
            assertEquals(expected, newest().sequence());
            assertTrue(last + " " + newest(), newest().timeMillis() >= last.timeMillis());
            last = newest();
            if (i % 5 == 4) {
                reopen();
                assertEquals(last, newest());
            }
        }
    }

    @Test
    public void entryIdsAscendAndAreNeverGivenOutTwice() {
        List<Long> ids = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            ids.add(add(0, "n" + round, "red"));
            delete(ids.get(ids.size() - 1));
            if (round == 1) {
                store.maintenance().flush();
            }
            reopen();
        }
        List<Long> ascending = new ArrayList<>(Set.copyOf(ids));
        Collections.sort(ascending);
        assertEquals(ascending, ids);
    }

    @Test
    public void aSnapshotShowsTheSameAsLongAsItIsKept() {
        long id = add(0, "top", "red");
        try (Snapshot kept = store.snapshot()) {
            modify(id, List.of("red"), List.of("blue"));
            long more = add(id, "below", "red");
            store.maintenance().flush();
            delete(more);
            store.maintenance().compact();
            assertEquals(IdSet.of(id), colored(kept, "red"));
            assertEquals(IdSet.EMPTY, colored(kept, "blue"));
            assertNull(kept.entry(more));
            assertEquals(IdSet.EMPTY, kept.ids(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf()));
        }
        assertEquals(IdSet.of(id), colored("blue"));
    }

    @Test
    public void aTransactionSeesWhatItWroteWhenItAsksForThat() {
        long id = add(0, "top", "red");
        List<IdSet> seen = store.submit(context -> {
            List<IdSet> found = new ArrayList<>();
            context.modify(id, recolor(List.of("red"), List.of("blue")));
            found.add(colored(context.state(), "blue"));
            Object before = context.state().identity();
            context.advance();
            found.add(colored(context.state(), "blue"));
            assertFalse(before.equals(context.state().identity()));
            context.modify(id, recolor(List.of("blue"), List.of("green")));
            return found;
        }).join();
        assertEquals(List.of(IdSet.EMPTY, IdSet.of(id)), seen);
        assertEquals(IdSet.of(id), colored("green"));
        assertEquals(2, newest().sequence());
    }

    @Test
    public void valuesOfLargeAttributesAreKeptOutsideAndFound() {
        String[] many = IntStream.range(0, 3 * LARGE_ATTRIBUTE_THRESHOLD).mapToObj(i -> "Color " + i).toArray(String[]::new);
        long id = add(0, "top", many);
        modify(id, List.of("Color 3"), List.of("Color 100"));
        reopen();
        modify(id, List.of("Color 4"), List.of());
        try (Snapshot snapshot = store.snapshot()) {
            assertTrue(snapshot.entry(id).hasLarge());
            EntryRecord whole = new LargeValues(snapshot, id).whole(snapshot.entry(id));
            Set<String> expected = new TreeSet<>(List.of(many));
            expected.removeAll(List.of("Color 3", "Color 4"));
            expected.add("Color 100");
            assertEquals(expected, new TreeSet<>(TextDirectory.values(whole, "description")));
        }
        assertEquals(IdSet.of(id), colored("color 100"));
        assertEquals(IdSet.EMPTY, colored("color 4"));
    }

    @Test
    public void whatIsAcknowledgedIsThereAfterARestart() {
        long top = add(0, "top", "red");
        store.maintenance().flush();
        long below = add(top, "below", "blue");
        reopen();
        try (Snapshot snapshot = store.snapshot()) {
            assertNotNull(snapshot.entry(top));
            assertNotNull(snapshot.entry(below));
            assertEquals(IdSet.of(below), colored(snapshot, "blue"));
        }
        assertEquals(2, store.maintenance().status().entries());
        assertEquals(List.of(), engine.check(folder));
    }

    @Test
    public void aFolderIsHeldByOneAtATimeAndReadBesideThat() {
        long top = add(0, "top", "red");
        assertEquals(StoreException.Kind.REFUSED, kindOf(() -> engine.open(folder, indexer)));
        assertEquals(StoreException.Kind.REFUSED, kindOf(() -> engine.bulkLoad(folder, indexer, 1 << 20)));
        try (Store beside = engine.openReadOnly(folder, indexer)) {
            add(top, "below", "red");
            try (Snapshot snapshot = beside.snapshot()) {
                assertEquals(IdSet.of(top), colored(snapshot, "red"));
            }
            assertEquals(StoreException.Kind.READ_ONLY, kindOf(() -> beside.submit(context -> {
                context.delete(top);
                return null;
            }).join()));
        }
    }

    @Test
    public void whereThereIsNoStoreThereIsNothingToRead() {
        Path elsewhere = temporary.getRoot().toPath().resolve("elsewhere");
        assertFalse(engine.hasStore(elsewhere));
        assertEquals(StoreException.Kind.REFUSED, kindOf(() -> engine.openReadOnly(elsewhere, indexer)));
        assertFalse(engine.hasStore(elsewhere));
        assertTrue(engine.hasStore(folder));
    }

    @Test
    public void aClosedStoreRefusesEverything() {
        add(0, "top", "red");
        store.close();
        assertEquals(StoreException.Kind.CLOSED, kindOf(() -> store.snapshot()));
        assertEquals(StoreException.Kind.CLOSED, kindOf(() -> store.submit(context -> null).join()));
        store.close();
    }

    @Test
    public void aLoadReplacesEverythingAtOnceOrNothing() throws Exception {
        add(0, "old", "red");
        long before = newest().sequence();
        store.close();
        try (BulkLoad abandoned = engine.bulkLoad(folder, indexer, 1 << 20)) {
            abandoned.add(1, record(0, "abandoned", "blue"));
        }
        store = engine.open(folder, indexer);
        assertEquals(IdSet.of(1), colored("red"));
        store.close();
        Path work;
        try (BulkLoad load = engine.bulkLoad(folder, indexer, 1 << 20)) {
            work = load.workFolder();
            Files.write(work.resolve("mine"), new byte[1]);
            load.add(3, record(0, "top", "green"));
            load.add(7, record(3, "below", "green", "red"));
            assertThrows(IllegalArgumentException.class, () -> load.add(7, record(3, "again")));
        }
        store = engine.open(folder, indexer);
        assertEquals(IdSet.of(1), colored("red"));
        store.close();
        try (BulkLoad load = engine.bulkLoad(folder, indexer, 1 << 20)) {
            load.add(3, record(0, "top", "green"));
            load.add(7, record(3, "below", "green", "red"));
            load.publish((phase, done, total) -> { });
        }
        assertFalse(Files.exists(work));
        store = engine.open(folder, indexer);
        assertEquals(IdSet.of(3, 7), colored("green"));
        assertEquals(IdSet.of(7), colored("red"));
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals(IdSet.of(3), snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf()));
        }
        assertTrue(newest().sequence() > before);
        assertTrue(add(3, "more") > 7);
    }

    @Test
    public void anotherIndexerHasAllKeysDerivedAnew() {
        long id = add(0, "top", "red");
        store.close();
        EntryIndexer other = indexer(List.of(index("cn"), index("description")));
        assertEquals(StoreException.Kind.REFUSED, kindOf(() -> engine.openReadOnly(folder, other)));
        store = engine.open(folder, other);
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals(IdSet.of(id), snapshot.ids(INDEX, IndexKeys.equality(utf8("top"))));
            assertEquals(IdSet.of(id), snapshot.ids(INDEX + 1, IndexKeys.equality(utf8("red"))));
            assertEquals(1, snapshot.sequence());
        }
        store.close();
        assertEquals(1, engine.repair(folder, indexer).entries());
        store = engine.open(folder, indexer);
        assertEquals(IdSet.of(id), colored("red"));
    }

    @Test
    public void followersAreToldEachCommitInItsOrder() {
        long top = add(0, "top", "red");
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        CommitFeed.Following following = store.feed().follow(commit -> {
            try (commit) {
                told.add(commit.sequence() + " " + commit.changes() + " " + colored(commit.before(), "red") + " "
                        + colored(commit.after(), "red"));
            }
        });
        long below = store.submit(context -> {
            long id = context.allocateId();
            context.add(id, record(top, "below", "red"));
            context.modify(top, recolor(List.of("red"), List.of("blue")));
            context.modify(id, recolor(List.of(), List.of("blue")));
            return id;
        }).join();
        store.submit(context -> {
            context.modify(below, recolor(List.of("blue"), List.of()));
            context.rename(below, 0, utf8("cn=moved"), List.of());
            return null;
        }).join();
        delete(below);
        store.submit(context -> null).join();
        following.close();
        assertEquals(List.of(
                "2 " + List.of(new Commit.Change(below, Commit.Kind.ADDED), new Commit.Change(top, Commit.Kind.MODIFIED)) + " "
                        + IdSet.of(top) + " " + IdSet.of(below),
                "3 " + List.of(new Commit.Change(below, Commit.Kind.RENAMED)) + " " + IdSet.of(below) + " " + IdSet.of(below),
                "4 " + List.of(new Commit.Change(below, Commit.Kind.DELETED)) + " " + IdSet.of(below) + " " + IdSet.EMPTY), told);
    }

    @Test
    public void theFeedTellsWhatWasChangedSinceAState() {
        long top = add(0, "top", "red");
        byte[] uuid = new byte[16];
        long gone = store.submit(context -> {
            long id = context.allocateId();
            context.add(id, EntryRecord.of(top, utf8("cn=gone"), List.of(),
                    List.of(new Attribute("entryUUID", bytes("00000000-0000-0000-0000-000000000000")))));
            return id;
        }).join();
        Csn since = newest();
        long below = add(top, "below", "red");
        store.submit(context -> {
            context.rename(below, top, utf8("cn=renamed"), List.of());
            return null;
        }).join();
        delete(gone);
        try (Snapshot snapshot = store.snapshot()) {
            ChangeHistory history = store.feed().changes(since, snapshot);
            assertEquals(ChangeHistory.Answer.KNOWN, history.answer());
            assertEquals(IdSet.of(below), history.changed());
            assertEquals(IdSet.of(below), history.renamed());
            assertEquals(1, history.deleted().size());
            assertArrayEquals(uuid, history.deleted().get(0));
            assertEquals(IdSet.EMPTY, store.feed().changes(snapshot.csn(), snapshot).changed());
            assertEquals(ChangeHistory.Answer.FOREIGN,
                    store.feed().changes(new Csn(since.timeMillis() + 1, since.sequence()), snapshot).answer());
        }
    }

    @Test
    public void theFeedTellsWhatWasChangedSinceTheStoreWasEmptyOrOpened() {
        Csn empty = newest();
        long first = add(0, "first", "red");
        try (Snapshot snapshot = store.snapshot()) {
            ChangeHistory history = store.feed().changes(empty, snapshot);
            assertEquals(ChangeHistory.Answer.KNOWN, history.answer());
            assertEquals(IdSet.of(first), history.changed());
        }
        reopen();
        Csn opened = newest();
        long second = add(0, "second", "red");
        try (Snapshot snapshot = store.snapshot()) {
            ChangeHistory history = store.feed().changes(opened, snapshot);
            assertEquals(ChangeHistory.Answer.KNOWN, history.answer());
            assertEquals(IdSet.of(second), history.changed());
        }
    }

    /** A copy that is brought up to date beside a writer, again and again, misses none. */
    @Test
    public void theFeedKnowsEachCommitThatASnapshotShows() throws Exception {
        Csn since = newest();
        IdSet copy = IdSet.EMPTY;
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < COMMITS_BESIDE_READERS; i++) {
                add(0, "entry" + i, "red");
            }
        }, Await.THREADS);
        boolean written;
        do {
            written = writing.isDone();
            try (Snapshot snapshot = store.snapshot()) {
                ChangeHistory history = store.feed().changes(since, snapshot);
                assertEquals(ChangeHistory.Answer.KNOWN, history.answer());
                copy = copy.or(history.changed());
                assertEquals("up to commit " + snapshot.sequence(), colored(snapshot, "red"), copy);
                since = snapshot.csn();
            }
        } while (!written);
        Await.result("the writes", writing);
        assertEquals(COMMITS_BESIDE_READERS, copy.cardinality());
    }

    @Test
    public void randomUpdatesOfADirectoryAreThoseOfThePlainOracle() throws DirectoryException {
        long seed = Seed.of(getClass());
        store.close();
        folder = temporary.getRoot().toPath().resolve("directory");
        store = engine.open(folder, TextDirectory.INDEXER);
        TextDirectory directory = new TextDirectory(store);
        RandomUpdates updates = new RandomUpdates(directory, seed);
        for (int round = 0; round < 6; round++) {
            updates.run(60);
            if (round % 2 == 0) {
                store.maintenance().flush();
            }
            if (round % 3 == 2) {
                store.close();
                store = engine.open(folder, TextDirectory.INDEXER);
                directory.reopen(store);
            }
            updates.verify();
        }
    }
}
