package org.alder.partition.testing;

import static org.alder.partition.testing.TextDirectory.utf8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreEngine;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** What every engine promises of {@link SystemRecords}, and of transactions that are checked and not made. */
public abstract class SystemRecordConformance {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    @Rule
    public final Timeout limit = new Timeout(10, TimeUnit.MINUTES);

    private StoreEngine engine;
    private Path folder;
    private Store store;

    /** A new engine. */
    protected abstract StoreEngine engine();

    @Before
    public final void open() {
        engine = engine();
        folder = temporary.getRoot().toPath().resolve("store");
        store = engine.open(folder, TextDirectory.INDEXER);
    }

    @After
    public final void close() {
        store.close();
    }

    private void reopen() {
        store.close();
        store = engine.open(folder, TextDirectory.INDEXER);
    }

    private void put(String key, String record) {
        store.submit(context -> {
            context.putSystemRecord(key, record == null ? null : utf8(record));
            return null;
        }).join();
    }

    private SystemRecords records() {
        try (Snapshot snapshot = store.snapshot()) {
            return snapshot.systemRecords();
        }
    }

    private static void assertRecord(String expected, SystemRecords records, String key) {
        assertArrayEquals(utf8(expected), records.get(key));
    }

    private static EntryRecord entry(String name) {
        return EntryRecord.of(0, utf8("cn=" + name), List.of(new Attribute("cn", List.of(utf8(name)))), List.of());
    }

    private long add(WriteContext context, String name) {
        long id = context.allocateId();
        context.add(id, entry(name));
        return id;
    }

    @Test
    public void whatIsKeptIsThereUntilItIsTakenAway() {
        assertTrue(records().isEmpty());
        put("b", "one");
        put("a", "two");
        assertEquals(2, store.sequence());
        SystemRecords two = records();
        assertRecord("one", two, "b");
        List<String> keys = new ArrayList<>();
        two.forEach((key, record) -> keys.add(key));
        assertEquals(List.of("a", "b"), keys);
        assertEquals(8, two.bytes());
        put("b", "three");
        put("a", null);
        assertRecord("three", records(), "b");
        assertNull(records().get("a"));
        assertRecord("one", two, "b");
        assertNotEquals(two, records());
        put("b", null);
        assertTrue(records().isEmpty());
    }

    @Test
    public void theyAreThereAfterARestartAFlushAndARepair() {
        put("b", "one");
        reopen();
        assertRecord("one", records(), "b");
        store.maintenance().flush();
        reopen();
        assertRecord("one", records(), "b");
        store.submit(context -> {
            add(context, "top");
            context.putSystemRecord("c", utf8("two"));
            return null;
        }).join();
        store.maintenance().flush();
        put("b", null);
        store.maintenance().flush();
        put("d", "four");
        store.maintenance().compact();
        put("e", "five");
        assertEquals(5, store.sequence());
        SystemRecords before = records();
        store.close();
        try (Store reader = engine.openReadOnly(folder, TextDirectory.INDEXER); Snapshot snapshot = reader.snapshot()) {
            assertEquals(before, snapshot.systemRecords());
        }
        engine.repair(folder, TextDirectory.INDEXER);
        store = engine.open(folder, TextDirectory.INDEXER);
        assertEquals(before, records());
        assertNull(before.get("b"));
        assertRecord("two", before, "c");
        assertRecord("five", before, "e");
    }

    @Test
    public void aLoadLeavesNone() throws Exception {
        put("b", "one");
        store.close();
        try (BulkLoad load = engine.bulkLoad(folder, TextDirectory.INDEXER, 1 << 20)) {
            load.add(1, entry("top"));
            load.publish((phase, done, total) -> { });
        }
        store = engine.open(folder, TextDirectory.INDEXER);
        assertTrue(records().isEmpty());
    }

    @Test
    public void aTransactionSeesThemAsItSeesEntries() {
        put("b", "one");
        store.submit(context -> {
            context.putSystemRecord("b", utf8("two"));
            context.putSystemRecord("c", utf8("three"));
            assertRecord("one", context.state().systemRecords(), "b");
            context.advance();
            assertRecord("two", context.state().systemRecords(), "b");
            context.putSystemRecord("c", null);
            return null;
        }).join();
        assertRecord("two", records(), "b");
        assertNull(records().get("c"));
    }

    @Test
    public void whatFailsKeepsNothing() {
        assertThrows(CompletionException.class, () -> store.submit((Transaction<Void>) context -> {
            context.putSystemRecord("b", utf8("two"));
            throw new DirectoryException(ResultCode.OTHER, "no");
        }).join());
        assertTrue(records().isEmpty());
        assertEquals(0, store.sequence());
    }

    @Test
    public void keysAndSizesHaveLimits() {
        for (String key : List.of("", "a b", "\u00e9", "x".repeat(SystemRecords.MOST_KEY_CHARACTERS + 1))) {
            assertThrows(key, CompletionException.class, () -> put(key, "x"));
        }
        put("x".repeat(SystemRecords.MOST_KEY_CHARACTERS), "x");
        byte[] half = new byte[SystemRecords.MOST_BYTES / 2];
        store.submit(context -> {
            context.putSystemRecord("half", half);
            return null;
        }).join();
        CompletionException e = assertThrows(CompletionException.class, () -> store.submit(context -> {
            context.putSystemRecord("other", half);
            return null;
        }).join());
        assertEquals(StoreException.Kind.TOO_LARGE, ((StoreException) e.getCause()).kind());
        assertNull(records().get("other"));
        store.maintenance().flush();
        reopen();
        assertArrayEquals(half, records().get("half"));
    }

    @Test
    public void whatIsTakenBackIsNotMade() {
        long top = store.submit(context -> add(context, "top")).join();
        long below = store.submit(context -> {
            long id = add(context, "below");
            context.putSystemRecord("gone", utf8("x"));
            context.advance();
            context.rename(top, 0, utf8("cn=other"), List.of());
            context.delete(id);
            context.advance();
            assertEquals("cn=other", context.state().entry(top).rdn());
            context.takeBack();
            assertEquals("cn=top", context.state().entry(top).rdn());
            assertNull(context.state().entry(id));
            assertNull(context.state().systemRecords().get("gone"));
            context.putSystemRecord("kept", utf8("y"));
            return id;
        }).join();
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals(2, snapshot.sequence());
            assertEquals("cn=top", snapshot.entry(top).rdn());
            assertNull(snapshot.entry(below));
            assertRecord("y", snapshot.systemRecords(), "kept");
            assertNull(snapshot.systemRecords().get("gone"));
        }
        assertTrue(store.submit(context -> add(context, "next")).join() > below);
        assertEquals(3, store.sequence());
    }

    /** What is kept may speak of them. */
    @Test
    public void entryIdsOfATransactionThatIsTakenBackAreNotGivenAgain() {
        long given = store.submit(context -> {
            long id = add(context, "top");
            context.takeBack();
            context.putSystemRecord("kept", utf8("y"));
            return id;
        }).join();
        reopen();
        assertTrue(store.submit(context -> add(context, "top")).join() > given);
        store.submit(context -> {
            context.add(given, entry("late"));
            context.putSystemRecord("kept", null);
            return null;
        }).join();
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals("cn=late", snapshot.entry(given).rdn());
        }
    }

    /** What the store does not keep is refused when it is taken back, too. */
    @Test
    public void whatIsTakenBackIsHeldToTheLimitsOfTheStore() {
        CompletionException e = assertThrows(CompletionException.class, () -> store.submit(context -> {
            context.delete(77);
            context.takeBack();
            return null;
        }).join());
        assertTrue(e.toString(), e.getCause() instanceof IllegalStateException);
        assertEquals(0, store.sequence());
    }

    @Test
    public void followersAreToldOfEntriesAlone() throws Exception {
        List<String> told = new ArrayList<>();
        store.feed().follow(commit -> {
            try (commit) {
                synchronized (told) {
                    told.add(commit.sequence() + " " + commit.changes().size());
                }
            }
        });
        store.submit(context -> {
            context.putSystemRecord("b", utf8("one"));
            return add(context, "top");
        }).join();
        put("b", "two");
        store.submit(context -> add(context, "other")).join();
        Await.until("the followers were told", () -> {
            synchronized (told) {
                return told.equals(List.of("1 1", "3 1"));
            }
        });
    }
}
