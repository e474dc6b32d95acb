package org.alder.partition.memory;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.TextDirectory;
import org.junit.After;
import org.junit.Test;

/** The history of changes beside commits. */
public class MemoryHistoryTest {
    private final MemoryStore store = new MemoryStore(TextDirectory.INDEXER);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    @After
    public void close() {
        answered.countDown();
        store.close();
    }

    private void add() {
        store.submit(context -> {
            long id = context.allocateId();
            context.add(id, EntryRecord.of(0, TextDirectory.utf8("cn=" + id), List.of(), List.of()));
            return id;
        }).join();
    }

    /** One that answers the question for its time, while the history reads it, only when the test lets it. */
    private Snapshot slow(Snapshot snapshot) {
        return (Snapshot) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Snapshot.class},
                (proxy, method, arguments) -> {
                    asked.countDown();
                    Await.latch("leave to answer", answered);
                    return method.invoke(snapshot, arguments);
                });
    }

    /** A copy made from such a snapshot would have missed what the commit deleted, and never heard of it again. */
    @Test
    public void aCommitIsNotShownBeforeItsChangesAreKnown() throws Exception {
        add();
        try (Snapshot before = store.snapshot()) {
            CompletableFuture<Void> question = CompletableFuture.runAsync(() -> store.changes(before.csn(), slow(before)), Await.THREADS);
            Await.latch("the history to be read", asked);
            Thread writer = new Thread(this::add);
            writer.start();
            Await.value("the writer to wait for the history", writer::getState,
                    Set.of(Thread.State.BLOCKED, Thread.State.TERMINATED)::contains);
            try (Snapshot shown = store.snapshot()) {
                assertEquals("shown while its changes were not known", before.sequence(), shown.sequence());
            }
            answered.countDown();
            Await.end(writer);
            Await.result("the question", question);
            try (Snapshot after = store.snapshot()) {
                assertEquals(1, store.changes(before.csn(), after).changed().cardinality());
            }
        }
    }
}
