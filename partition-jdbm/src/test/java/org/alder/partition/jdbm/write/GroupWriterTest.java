package org.alder.partition.jdbm.write;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.FaultFolder;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.RetryException;
import org.alder.partition.store.Transaction;
import org.alder.partition.testing.Await;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.slf4j.LoggerFactory;

/** What becomes of a group, and of those who wait, where something fails that should not. */
public class GroupWriterTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final int COLOR = 1;
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(LongTransactions.class);

    @Rule
    public final FaultFolder temporary = new FaultFolder();

    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false).withDiskLow(1000, 0);
    /** What opening, making or replacing a file, or making a folder, throws now. */
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private Path folder;

    @Before
    public void makeFolder() throws IOException {
        folder = temporary.newFolder().toPath();
    }

    private Disk disk(Set<String> failing) {
        Class<?>[] seam = {Disk.class};
        return (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), seam, (proxy, method, arguments) -> {
            if (fault.get() != null && failing.contains(method.getName())) {
                throw fault.get();
            }
            try {
                return method.invoke(SystemDisk.INSTANCE, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static FileSystemException tooManyOpenFiles() {
        return new FileSystemException("a file", null, "Too many open files");
    }

    /** A transaction whose answer cannot be given. */
    private static PendingTransaction<Void> unanswerable(long id) {
        return new PendingTransaction<>(context -> {
            context.add(id, StoreTests.entry(0, "a" + id, "red"));
            return null;
        }) {
            @Override
            void complete() {
                throw new OutOfMemoryError("of a test");
            }
        };
    }

    @Test(timeout = Await.MILLIS)
    public void aGroupThatIsDurableIsNotTakenBackWhereAnAnswerFails() throws Exception {
        try (OpenWriter open = new OpenWriter(folder, settings, log -> log)) {
            GroupWriter writer = open.writer();
            CountDownLatch begin = new CountDownLatch(1);
            CompletableFuture<Long> first = writer.submit(context -> {
                await(begin);
                return context.allocateId();
            });
            writer.submit(unanswerable(1));
            CompletableFuture<Long> last = writer.submit(context -> {
                context.add(2, StoreTests.entry(0, "b", "red"));
                return 2L;
            });
            begin.countDown();
            Await.result("the first transaction", first);
            assertEquals(2L, Await.result("the last transaction", last).longValue());
            assertNull(writer.readOnlyReason());
            assertEquals("shown", 2, open.sequence());
        }
        assertEquals("in the log", 2, OpenWriter.lastLogged(folder));
    }

    /** Its append lasts until the gate is open. */
    private static GroupLog gated(GroupLog log, CountDownLatch gate) {
        return (GroupLog) Proxy.newProxyInstance(GroupLog.class.getClassLoader(), new Class<?>[] {GroupLog.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("append")) {
                await(gate);
            }
            return method.invoke(log, arguments);
        });
    }

    private static Transaction<Void> madeAgain() {
        return context -> {
            context.add(7, StoreTests.entry(0, "c", "red"));
            throw new RetryException("of a test") {
                private static final long serialVersionUID = 1L;
            };
        };
    }

    @Test(timeout = Await.MILLIS)
    public void whatIsMadeAgainDoesNotWaitForItsGroup() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (OpenWriter open = new OpenWriter(folder, settings, log -> gated(log, gate))) {
            GroupWriter writer = open.writer();
            CountDownLatch begin = new CountDownLatch(1);
            CompletableFuture<Long> first = writer.submit(context -> {
                await(begin);
                context.add(1, StoreTests.entry(0, "a", "red"));
                return 1L;
            });
            CompletableFuture<Void> again = writer.submit(madeAgain());
            begin.countDown();
            ExecutionException ended = assertThrows(ExecutionException.class, () -> Await.result("one that is made again", again));
            assertTrue(ended.getCause().toString(), ended.getCause() instanceof RetryException);
            assertFalse("it is not in the log yet", first.isDone());
            gate.countDown();
            Await.result("the others of its group", first);
            assertThrows(ExecutionException.class, () -> Await.result("one alone", writer.submit(madeAgain())));
            assertEquals("nothing of it is shown", 1, open.sequence());
        }
    }

    /** Its groups wait for clients that come back. */
    private static GroupLog slow(GroupLog log) {
        return (GroupLog) Proxy.newProxyInstance(GroupLog.class.getClassLoader(), new Class<?>[] {GroupLog.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("append")) {
                TimeUnit.MILLISECONDS.sleep(3);
            }
            return method.invoke(log, arguments);
        });
    }

    @Test(timeout = Await.MILLIS)
    public void groupsThatWaitKeepWhatIsQueuedInItsOrder() throws Exception {
        int clients = 4;
        int each = 50;
        try (OpenWriter open = new OpenWriter(folder, settings, GroupWriterTest::slow)) {
            GroupWriter writer = open.writer();
            List<Thread> threads = new ArrayList<>();
            AtomicReference<Throwable> failed = new AtomicReference<>();
            for (int client = 0; client < clients; client++) {
                long first = 1 + (long) client * each;
                threads.add(new Thread(() -> {
                    try {
                        for (long id = first; id < first + each; id++) {
                            long added = id;
                            CompletableFuture<Void> done = writer.submit(context -> {
                                context.add(added, StoreTests.entry(0, "a" + added, "red"));
                                return null;
                            });
                            CompletableFuture<Boolean> behind = writer.call(done::isDone);
                            assertTrue("what is queued behind a transaction comes behind its answer", Await.result("the call", behind));
                        }
                    } catch (Exception | Error e) {
                        failed.set(e);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertNull(String.valueOf(failed.get()), failed.get());
            assertEquals("shown", clients * each, open.sequence());
        }
        assertEquals("in the log", clients * each, OpenWriter.lastLogged(folder));
    }

    /** All that had come by then was made before anybody got an answer. */
    @Test(timeout = Await.MILLIS)
    public void whatTakesLongIsToldAndNobodyWaitsForTheNext() throws Exception {
        ListAppender<ILoggingEvent> told = told();
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER)) {
            CountDownLatch begin = new CountDownLatch(1);
            Transaction<Long> sleeper = context -> {
                await(begin);
                sleep();
                context.add(context.allocateId(), StoreTests.entry(0, "a", "red"));
                return 1L;
            };
            CompletableFuture<Long> slow = store.submit(sleeper.called(false, () -> "modify of \"cn=large\""));
            CompletableFuture<Boolean> next = store.submit(context -> slow.isDone());
            begin.countDown();
            assertTrue("answered before the next was begun", Await.result("the next", next));
            assertTrue(store.status().background().longTransactions() >= 1);
            assertTrue(store.status().background().longestTransactionNanos() > LongTransactions.LONG_NANOS);
        } finally {
            LOGGER.detachAppender(told);
            LOGGER.setLevel(null);
        }
        String line = told.list.get(0).getFormattedMessage();
        assertTrue(line, line.startsWith("modify of \"cn=large\" kept other updates of " + folder) && line.contains(" ms: it changes 1 entry, "));
    }

    /** They would wait for its end. */
    @Test(timeout = Await.MILLIS)
    public void whatMayTakeLongIsInNoGroupWithThoseBefore() throws Exception {
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER)) {
            CountDownLatch begin = new CountDownLatch(1);
            store.submit(context -> {
                await(begin);
                return null;
            });
            CompletableFuture<Long> quick = store.submit(context -> {
                context.add(context.allocateId(), StoreTests.entry(0, "a", "red"));
                return 1L;
            });
            Transaction<Boolean> large = context -> quick.isDone();
            CompletableFuture<Boolean> last = store.submit(large.called(true, () -> "a large one"));
            begin.countDown();
            assertTrue("answered before it was begun", Await.result("the large one", last));
        }
    }

    @Test
    public void whoMakesManyLongUpdatesDoesNotFillTheLog() {
        ListAppender<ILoggingEvent> told = told();
        LongTransactions transactions = new LongTransactions(folder);
        PendingTransaction<Void> any = new PendingTransaction<>(context -> null);
        try {
            for (int i = 0; i < 200; i++) {
                long start = Long.MAX_VALUE + i * 100_000_000L;
                transactions.ran(any, start, start + LongTransactions.LONG_NANOS + 1, 2, 1000);
                transactions.ran(any, start, start + LongTransactions.LONG_NANOS, 2, 1000);
            }
        } finally {
            LOGGER.detachAppender(told);
            LOGGER.setLevel(null);
        }
        assertEquals(200, transactions.count());
        assertEquals(LongTransactions.LONG_NANOS + 1, transactions.longestNanos());
        assertEquals(2, told.list.size());
        String line = told.list.get(1).getFormattedMessage();
        assertTrue(line, line.startsWith("an update kept ") && line.endsWith("it changes 2 entries, 1,000 bytes, together or not at all;"
                + " 99 others did before and are not told"));
    }

    private static ListAppender<ILoggingEvent> told() {
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        LOGGER.setLevel(Level.INFO);
        LOGGER.addAppender(told);
        return told;
    }

    private static void sleep() {
        try {
            Thread.sleep(60);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            Await.latch("the test to let it go on", latch);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The layer is full after the group, and its freezing fails, while the mark of a flush waits behind the group. */
    @Test(timeout = Await.MILLIS)
    public void aFlushAndAClosingEndWhereTheWriterFailsBeforeThem() throws Exception {
        try (JdbmStore store = JdbmStore.open(folder, settings.withMemoryLayerBytes(1), INDEXER, disk(Set.of("create")))) {
            CountDownLatch begin = new CountDownLatch(1);
            CountDownLatch flushing = new CountDownLatch(1);
            CompletableFuture<Void> added = store.submit(context -> {
                await(begin);
                context.add(context.allocateId(), StoreTests.entry(0, "a", "red"));
                fault.set(new OutOfMemoryError("of a test"));
                return null;
            });
            CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> {
                flushing.countDown();
                store.flush();
            }, Await.THREADS);
            await(flushing);
            begin.countDown();
            Await.result("the add", added);
            ExecutionException failure = assertThrows(ExecutionException.class, () -> Await.result("the flush", flush));
            assertEquals(StoreException.Kind.READ_ONLY, StoreTests.kindOf(failure));
        }
        fault.set(null);
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER)) {
            assertEquals(1, StoreTests.ids(store, COLOR, "red").cardinality());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void updatesGoOnWhenANewLogCanBeStartedAgain() {
        updatesGoOn(Set.of("create"));
    }

    @Test(timeout = Await.MILLIS)
    public void updatesGoOnWhenFilesCanBeOpenedAndMadeAgain() {
        updatesGoOn(Set.of("create", "createFolder", "open", "list", "replace", "syncFolder", "willWrite"));
    }

    private void updatesGoOn(Set<String> failing) {
        try (JdbmStore store = JdbmStore.open(folder, settings.withMemoryLayerBytes(1), INDEXER, disk(failing))) {
            for (int i = 0; i < 3; i++) {
                StoreTests.add(store, 0, "before" + i, "red");
                fault.set(tooManyOpenFiles());
                // The group before may have been refused a new log, or the flush of its layer a file.
                String reason = reasonOfRefusal(store);
                assertTrue(reason, reason.contains("Too many open files") && reason.contains("go on when it can"));
                assertEquals(2 * i + 1, StoreTests.ids(store, COLOR, "red").cardinality());
                fault.set(null);
                untilTaken(store, "after" + i);
                assertEquals(2 * i + 2, StoreTests.ids(store, COLOR, "red").cardinality());
                untilFlushed(store);
                assertNull(store.status().readOnlyReason());
            }
        }
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER)) {
            assertEquals(6, StoreTests.ids(store, COLOR, "red").cardinality());
        }
        StoreTests.assertFilesSound(folder);
    }

    /** Updates with no effect are taken until the shortage is noticed. */
    private static String reasonOfRefusal(JdbmStore store) {
        while (true) {
            try {
                store.flush();
                store.submit(context -> null).join();
            } catch (StoreException e) {
                assertEquals(e.toString(), StoreException.Kind.DISK_FULL, e.kind());
                return e.getMessage();
            } catch (CompletionException e) {
                assertEquals(e.toString(), StoreException.Kind.DISK_FULL, StoreTests.kindOf(e));
                return e.getCause().getMessage();
            }
        }
    }

    private static void untilTaken(JdbmStore store, String name) {
        while (true) {
            try {
                StoreTests.add(store, 0, name, "red");
                return;
            } catch (CompletionException e) {
                assertEquals(e.toString(), StoreException.Kind.DISK_FULL, StoreTests.kindOf(e));
                Thread.onSpinWait();
            }
        }
    }

    private static void untilFlushed(JdbmStore store) {
        while (true) {
            try {
                store.flush();
                return;
            } catch (StoreException e) {
                assertEquals(e.toString(), StoreException.Kind.DISK_FULL, e.kind());
                Thread.onSpinWait();
            }
        }
    }
}
