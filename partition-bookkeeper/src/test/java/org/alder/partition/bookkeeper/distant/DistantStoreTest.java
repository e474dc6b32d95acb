package org.alder.partition.bookkeeper.distant;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Test;

/** Stores that are read from elsewhere, without a network. */
public class DistantStoreTest {
    private static final String LOG = TestHolders.LOG;
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final Schema SCHEMA = Schema.load(List.of());
    private static final int INDEXES = INDEXER.indexes().size();

    private final TestHolders members = new TestHolders();
    private final List<DistantStore> open = new ArrayList<>();

    @After
    public void close() {
        open.forEach(DistantStore::close);
        members.here.values().forEach(StoreAnswers::close);
    }

    private DistantStore open(EntryIndexer indexer) {
        DistantStore store = DistantStore.open(members, LOG, "o=test", indexer);
        open.add(store);
        return store;
    }

    private static MemoryStore store(int entries) {
        MemoryStore store = new MemoryStore(INDEXER);
        long top = StoreTests.add(store, 0, "top", "white");
        for (int i = 0; i < entries; i++) {
            StoreTests.add(store, top, "entry " + i, i % 2 == 0 ? "red" : "blue", "color " + i);
        }
        return store;
    }

    private static void awaitShown(DistantStore store, long sequence) throws Exception {
        assertTrue(Await.result("transaction " + sequence, store.awaitSequence(sequence, Await.MILLIS)));
    }

    /** More entries than there are in one answer, and a set that is too large to come with its key. */
    @Test
    public void whatIsReadIsWhatTheOtherOneShows() throws Exception {
        MemoryStore there = store(3_000);
        members.add("node1", there);
        DistantStore store = open(INDEXER);
        awaitShown(store, there.sequence());
        try (Snapshot expected = there.snapshot(); Snapshot found = store.snapshot()) {
            assertEquals(expected.sequence(), found.sequence());
            assertEquals(expected.timeMillis(), found.timeMillis());
            StoreTests.assertSame("elsewhere", INDEXES, expected, found);
            IdSet some = IdSet.of(2, 3, 5, 2_999);
            byte[] red = key("red");
            assertEquals(expected.ids(1, red, some), found.ids(1, red, some));
            assertEquals(expected.cardinality(1, red), found.cardinality(1, red));
        }
        assertEquals(3_001, store.status().entries());
    }

    private static byte[] key(String color) {
        return color.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    public void aSnapshotShowsItsStateAndANewOneWhatWasWrittenSince() throws Exception {
        MemoryStore there = store(10);
        members.add("node1", there);
        DistantStore store = open(INDEXER);
        awaitShown(store, there.sequence());
        try (Snapshot before = store.snapshot()) {
            long added = StoreTests.add(there, 1, "new", "green");
            awaitShown(store, there.sequence());
            try (Snapshot after = store.snapshot()) {
                assertNotNull(after.entry(added));
                assertEquals(before.sequence() + 1, after.sequence());
            }
            assertNull(before.entry(added));
        }
        StoreException refused = (StoreException) assertThrows(Exception.class, () -> {
            try {
                store.submit(context -> null).join();
            } catch (CompletionException e) {
                throw (Exception) e.getCause();
            }
        });
        assertEquals(StoreException.Kind.NOT_LEADER, refused.kind());
        assertEquals(Replica.Role.ELSEWHERE, store.replica().role());
    }

    /** What it shows does not go back: one that is behind is not asked. */
    @Test
    public void anotherOneIsAskedWhereOneGoesAndOneThatIsBehindIsNot() throws Exception {
        MemoryStore first = store(10);
        MemoryStore behind = store(5);
        members.add("node1", first);
        DistantStore store = open(INDEXER);
        awaitShown(store, first.sequence());
        members.add("node2", behind);
        members.here.remove("node1").close();
        Await.until("that nobody is asked", () -> store.replica().problem() != null);
        StoreException away = assertThrows(StoreException.class, () -> {
            try (Snapshot snapshot = store.snapshot()) {
                snapshot.entry(1);
            }
        });
        assertTrue(away.getMessage(), away.getMessage().startsWith("this member does not hold the entries of o=test, and asks others for them: "));
        assertEquals(StoreException.Kind.CLOSED, away.kind());
        assertEquals(first.sequence(), store.sequence());
        MemoryStore third = store(12);
        members.add("node3", third);
        Await.until("that the third is asked", () -> store.replica().problem() == null);
        awaitShown(store, third.sequence());
        try (Snapshot expected = third.snapshot(); Snapshot found = store.snapshot()) {
            StoreTests.assertSame("at the third", INDEXES, expected, found);
        }
    }

    @Test
    public void aHolderThatSaysNothingHoldsReadersUpOnce() throws Exception {
        MemoryStore there = store(10);
        members.add("node1", there);
        DistantStore store = open(INDEXER);
        awaitShown(store, there.sequence());
        try (Snapshot snapshot = store.snapshot()) {
            members.isSilent = true;
            assertThrows(StoreException.class, () -> snapshot.entry(1));
            Await.until("that it is known", () -> store.replica().problem() != null);
            int asked = members.questions.get();
            assertThrows(StoreException.class, () -> snapshot.entry(1));
            assertTrue("nobody waits for it any more", members.questions.get() - asked <= 2);
        }
        members.isSilent = false;
        Await.until("that it answers again", () -> store.replica().problem() == null);
    }

    private static IndexDefinition index(String name, IndexKind... kinds) {
        return new IndexDefinition(SCHEMA.attributeType(name), Set.of(kinds), IndexDefinition.DEFAULT_DUPLICATE_THRESHOLD);
    }

    /** Members number them as they came; one that has other keys, or is not complete there, is none here. */
    @Test
    public void indexesAreThoseThatTheOtherOneHasCompleteWithTheSameKeys() throws Exception {
        AttributeIndexer there = new AttributeIndexer(SCHEMA, List.of(index("cn", IndexKind.EQUALITY), index("sn", IndexKind.EQUALITY), index("uid", IndexKind.EQUALITY)))
                .changedTo(List.of(index("cn", IndexKind.EQUALITY), index("sn", IndexKind.EQUALITY, IndexKind.SUBSTRING), index("uid", IndexKind.EQUALITY),
                        index("mail", IndexKind.EQUALITY)), Set.of());
        AttributeIndexer here = new AttributeIndexer(SCHEMA, List.of(index("uid", IndexKind.EQUALITY), index("sn", IndexKind.EQUALITY, IndexKind.SUBSTRING), index("cn", IndexKind.EQUALITY),
                index("mail", IndexKind.EQUALITY)));
        MessageWriter out = new MessageWriter();
        IndexList.of(there).write(out);
        IndexList read = IndexList.read(new MessageReader(out.toByteArray()));
        assertEquals(IndexList.of(there), read);
        assertEquals(IndexList.of(there).hashCode(), read.hashCode());
        DistantState state = new DistantState("node1", 1, 1, 1, 1, read, here, null);
        AttributeIndexer shown = (AttributeIndexer) state.indexer();
        assertEquals(4, state.there(shown.index(SCHEMA.attributeType("uid")).number()));
        assertEquals(2, state.there(shown.index(SCHEMA.attributeType("cn")).number()));
        assertNull("has keys of other kinds there", shown.index(SCHEMA.attributeType("sn")));
        assertNull("is being built there", shown.index(SCHEMA.attributeType("mail")));
        assertEquals(0, state.there(HierarchyKeys.INDEX));
    }

    /** What the numbers are there is worked out anew where either side has other indexes, and is what it was where neither has. */
    @Test
    public void theNextStateGoesByTheIndexesOfItsTime() {
        List<IndexDefinition> two = List.of(index("cn", IndexKind.EQUALITY), index("uid", IndexKind.EQUALITY));
        AttributeIndexer there = new AttributeIndexer(SCHEMA, two);
        AttributeIndexer here = new AttributeIndexer(SCHEMA, List.of(two.get(1), two.get(0)));
        DistantState first = new DistantState("node1", 1, 1, 1, 1, IndexList.of(there), here, null);
        DistantState same = new DistantState("node1", 2, 2, 1, 1, IndexList.of(there), here, first);
        assertEquals("it lacks nothing", here, same.indexer());
        assertEquals("uid", 3, same.there(2));
        assertEquals("cn", 2, same.there(3));
        AttributeIndexer lacking = new AttributeIndexer(SCHEMA, two.subList(0, 1));
        DistantState without = new DistantState("node1", 3, 3, 1, 1, IndexList.of(lacking), here, same);
        assertNull("the holder has it no more", ((AttributeIndexer) without.indexer()).index(SCHEMA.attributeType("uid")));
        DistantState again = new DistantState("node1", 4, 4, 1, 1, IndexList.of(there), here, without);
        assertEquals("the holder has it again", 3, again.there(2));
        AttributeIndexer reordered = new AttributeIndexer(SCHEMA, two);
        DistantState renumbered = new DistantState("node1", 5, 5, 1, 1, IndexList.of(there), reordered, again);
        assertEquals(2, renumbered.there(2));
        assertEquals(3, renumbered.there(3));
    }

    /** States are kept as long as they are read, and others are not. */
    @Test
    public void statesThatNobodyReadsAreDropped() throws Exception {
        MemoryStore there = store(1);
        members.add("node1", there);
        DistantStore store = open(INDEXER);
        awaitShown(store, there.sequence());
        try (Snapshot kept = store.snapshot()) {
            for (int i = 0; i < 3 * StoreReader.MOST_STATES; i++) {
                StoreTests.add(there, 1, "more " + i, "green");
                awaitShown(store, there.sequence());
                try (Snapshot snapshot = store.snapshot()) {
                    assertTrue(snapshot.sequence() >= there.sequence());
                }
            }
            assertEquals(1, kept.ids(0, HierarchyKeys.children(0)).cardinality());
            assertNotNull(kept.entry(1));
        }
    }

    /** What the one before kept open is gone with it: another state is never shown in its place. */
    @Test
    public void aHolderThatIsStartedAgainKnowsNoStateOfBefore() throws Exception {
        MemoryStore there = store(10);
        members.add("node1", there);
        DistantStore store = open(INDEXER);
        awaitShown(store, there.sequence());
        try (Snapshot before = store.snapshot()) {
            members.here.remove("node1").close();
            Await.until("that nobody is asked", () -> store.replica().problem() != null);
            StoreTests.add(there, 1, "new", "green");
            members.add("node1", there);
            awaitShown(store, there.sequence());
            StoreException gone = assertThrows(StoreException.class, () -> before.entry(1));
            assertTrue(gone.getMessage(), gone.getMessage().contains("is not kept open any more"));
        }
    }

    /** Who reads more states than are kept open loses the oldest of them. */
    @Test
    public void theNewestStatesAreKept() throws Exception {
        MemoryStore there = store(1);
        members.add("node1", there);
        DistantStore store = open(INDEXER);
        List<Snapshot> kept = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * StoreReader.MOST_STATES; i++) {
                StoreTests.add(there, 1, "more " + i, "green");
                awaitShown(store, there.sequence());
                kept.add(store.snapshot());
                assertNotNull(kept.get(kept.size() - 1).entry(1));
            }
            assertNull("nobody was lost meanwhile", store.replica().problem());
            assertThrows(StoreException.class, () -> kept.get(0).entry(1));
        } finally {
            kept.forEach(Snapshot::close);
        }
    }

    @Test
    public void whatIsNoQuestionIsRefusedAndNothingIsHeldForIt() throws Exception {
        MemoryStore there = store(10);
        members.add("node1", there);
        StoreAnswers answers = members.here.get("node1");
        Random random = new Random(7);
        for (int i = 0; i < 5_000; i++) {
            StoreQuestion.Kind kind = StoreQuestion.Kind.values()[random.nextInt(StoreQuestion.Kind.values().length)];
            byte[] question = new StoreQuestion(kind, LOG, new UUID(1, 2)).write().longNumber(random.nextInt(3)).number(random.nextInt()).bytes(new byte[random.nextInt(9)])
                    .number(random.nextInt(5)).longNumber(random.nextLong()).toByteArray();
            byte[] broken = Arrays.copyOf(question, random.nextInt(question.length) + 1);
            for (int flips = random.nextInt(4); flips > 0; flips--) {
                broken[random.nextInt(broken.length)] ^= 1 << random.nextInt(8);
            }
            CompletableFuture<byte[]> answer = answers.answer(broken);
            assertNotNull(Await.result("an answer", answer));
        }
        assertFalse(StoreAnswers.concerns(new byte[] {0x30, 0}));
        DistantStore store = open(INDEXER);
        awaitShown(store, there.sequence());
        try (Snapshot snapshot = store.snapshot(); Snapshot.KeyCursor keys = snapshot.keys(1, KeyRange.ALL)) {
            assertTrue(keys.next());
        }
    }
}
