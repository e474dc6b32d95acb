package org.alder.partition.bookkeeper.compare;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Test;

/** Stores in memory that are told the same, and one of which is changed behind its back; slices of a few kilobytes. */
public class ComparingTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final int ENTRIES = 300;
    /** Only when asked for. */
    private static final Limits LIMITS = new Limits(0, 4_000, 2_000, Await.MILLIS, 5);

    private final Map<String, byte[]> texts = new ConcurrentHashMap<>();
    private final List<String> away = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> leader = new AtomicReference<>("a");
    /** Who cannot read its entries. */
    private final AtomicReference<String> damaged = new AtomicReference<>("nobody");
    private final List<MemoryStore> stores = new ArrayList<>();
    private final List<Comparing> comparing = new ArrayList<>();
    private final Map<String, String> found = new ConcurrentHashMap<>();

    private final Board board = new Board() {
        @Override
        public byte[] read(String name) {
            return texts.get(name);
        }

        @Override
        public void write(String name, byte[] text) {
            texts.put(name, text);
        }

        @Override
        public void remove(String name) {
            texts.remove(name);
        }

        @Override
        public List<String> members() {
            return List.of("a", "b", "c").stream().filter(each -> !away.contains(each)).toList();
        }
    };

    @After
    public void close() throws Exception {
        for (Comparing each : comparing) {
            each.close();
        }
        stores.forEach(Store::close);
    }

    /** The next one, with so many entries. */
    private MemoryStore add(TestIndexer indexer) {
        String name = List.of("a", "b", "c").get(stores.size());
        MemoryStore store = new MemoryStore(indexer);
        stores.add(store);
        StoreTests.add(store, 0, "top");
        for (int i = 1; i < ENTRIES; i++) {
            StoreTests.add(store, 1, "n" + i, "c" + i % 50);
        }
        comparing.add(new Comparing(board, name, "o=test", asMember(store, name), LIMITS, bytes -> { }, why -> found.put(name, why)));
        return store;
    }

    private Store asMember(Store store, String name) {
        Replica replica = proxy(Replica.class, new Object(), Map.of("role", () -> leader.get().equals(name) ? Replica.Role.LEADER : Replica.Role.REPLICA));
        return proxy(Store.class, store, Map.of("replica", () -> replica, "snapshot", () -> damaged.get().equals(name) ? damaged(store) : store.snapshot()));
    }

    private static Snapshot damaged(Store store) {
        return proxy(Snapshot.class, store.snapshot(), Map.of("entries", () -> {
            throw new StoreException(StoreException.Kind.CORRUPT, "segment-000007 is not what it was");
        }));
    }

    private interface Answer {
        Object get();
    }

    private static <T> T proxy(Class<T> type, Object other, Map<String, Answer> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (answers.containsKey(method.getName())) {
                return answers.get(method.getName()).get();
            }
            try {
                return method.invoke(other, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private Comparison compare() throws Exception {
        long pass = Results.ask(board);
        return Await.value("a comparison", () -> Results.last(board), last -> last != null && last.pass() >= pass);
    }

    private void changeAll(String name) {
        for (MemoryStore store : stores) {
            StoreTests.add(store, 1, name, "red");
        }
    }

    private static List<Boolean> differs(Comparison comparison) {
        return comparison.members().stream().map(Comparison.Member::differs).toList();
    }

    @Test
    public void equalMembersHaveEqualDigestsAndOthersAfterAChange() throws Exception {
        for (int i = 0; i < 3; i++) {
            add(INDEXER);
        }
        Comparison first = compare();
        assertTrue(first.differences().toString(), first.isEqual());
        assertEquals(ENTRIES, first.sequence());
        assertEquals(3, first.tables());
        assertEquals(1, first.members().stream().map(Comparison.Member::digest).distinct().count());
        changeAll("more");
        Comparison second = compare();
        assertTrue(second.isEqual());
        assertFalse(first.members().get(0).digest().equals(second.members().get(0).digest()));
        assertEquals("as it was written", second, Results.parse(Results.bytes(second)));
    }

    @Test
    public void anEntryThatOneHasOtherwiseIsNamedAndThatOneIsTold() throws Exception {
        for (int i = 0; i < 3; i++) {
            add(INDEXER);
        }
        // The same number of transactions, of which one is another.
        StoreTests.recolor(stores.get(0), 200, List.of("c49"), List.of("new"));
        StoreTests.recolor(stores.get(1), 200, List.of("c49"), List.of("old"));
        StoreTests.recolor(stores.get(2), 200, List.of("c49"), List.of("new"));
        Comparison comparison = compare();
        assertEquals(List.of(false, true, false), differs(comparison));
        assertTrue(comparison.toString(), comparison.differences().contains(new Comparison.Difference("entries", "cn=n199,o=test", List.of("b"))));
        assertTrue(comparison.toString(), comparison.differences().stream().anyMatch(each -> each.table().equals("color")
                && List.of("new", "old").contains(each.item())));
        Await.until("that it is told", () -> found.containsKey("b"));
        assertTrue(found.get("b"), found.get("b").contains("entry cn=n199,o=test"));
        assertEquals(1, found.size());
        assertEquals(comparison, Results.parse(Results.bytes(comparison)));
    }

    @Test
    public void ofTwoNobodyKnowsWhichIsRight() throws Exception {
        add(INDEXER);
        add(INDEXER);
        away.add("c");
        StoreTests.delete(stores.get(0), 100);
        StoreTests.delete(stores.get(1), 101);
        Comparison comparison = compare();
        assertFalse(comparison.isEqual());
        assertEquals(List.of(false, false), differs(comparison));
        assertEquals(List.of("a", "b"), comparison.differences().get(0).members());
        assertEquals(Map.of(), found);
    }

    /** Whatever the others hold: one that cannot read what it holds knows that it is not right. */
    @Test
    public void damageIsToldToWhoHasItAndTheOthersAreComparedOn() throws Exception {
        for (int i = 0; i < 3; i++) {
            add(INDEXER);
        }
        damaged.set("a");
        Comparison comparison = compare();
        assertEquals(List.of(true, false, false), differs(comparison));
        assertEquals(1, comparison.differences().size());
        assertTrue("" + comparison, comparison.differences().get(0).text().contains("damage: ") && comparison.differences().get(0).text()
                .contains("segment-000007 is not what it was (a)"));
        Await.until("that it is told", () -> found.containsKey("a"));
    }

    /** Entries alone, and those indexes that all have. */
    @Test
    public void indexesThatNotAllHaveAreNotCompared() throws Exception {
        add(INDEXER);
        add(new TestIndexer("color", "size"));
        add(INDEXER);
        Comparison comparison = compare();
        assertTrue(comparison.isEqual());
        assertEquals(3, comparison.tables());
        assertEquals(List.of("size"), comparison.skipped());
    }

    @Test
    public void membersAreComparedWhileTheyChangeAndWhenAnotherOneLeads() throws Exception {
        for (int i = 0; i < 3; i++) {
            add(INDEXER);
        }
        AtomicBoolean ends = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            for (int i = 0; !ends.get(); i++) {
                changeAll("w" + i);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }, Await.THREADS);
        try {
            assertTrue(compare().isEqual());
            leader.set("c");
            Comparison later = compare();
            assertTrue(later.isEqual());
            assertTrue(later.sequence() > ENTRIES);
        } finally {
            ends.set(true);
            writing.join();
        }
    }
}
