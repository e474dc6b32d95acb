package org.alder.partition.jdbm.write;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.Transaction;
import org.alder.partition.testing.Await;
import org.junit.Test;

public class WriterQueueTest {
    private static final long LONG_NANOS = 60_000_000_000L;

    private final WriterQueue queue = new WriterQueue(Threads.INSTANCE);

    private static PendingTransaction<Void> transaction(boolean isLong) {
        Transaction<Void> nothing = context -> null;
        return new PendingTransaction<>(nothing.called(isLong, () -> "nothing"));
    }

    private static WriterCall<Void> call() {
        return new WriterCall<>(() -> null, new CompletableFuture<>());
    }

    /** Also where it was taken while a group waited for a transaction. */
    @Test(timeout = Await.MILLIS)
    public void whatIsNoTransactionKeepsItsTurn() throws Exception {
        PendingTransaction<Void> first = transaction(false);
        WriterCall<Void> second = call();
        PendingTransaction<Void> third = transaction(false);
        queue.add(first);
        queue.add(second);
        queue.add(third);
        assertSame(first, queue.pollTransaction(LONG_NANOS));
        assertNull("a call comes first", queue.pollTransaction(LONG_NANOS));
        assertTrue(queue.hasOther());
        assertNull(queue.pollTransaction(0));
        assertSame(second, queue.take());
        assertSame(third, queue.pollTransaction(0));
        assertNull(queue.pollTransaction(0));
    }

    @Test(timeout = Await.MILLIS)
    public void whatMayTakeLongIsNoMemberOfAGroup() throws Exception {
        PendingTransaction<Void> slow = transaction(true);
        queue.add(slow);
        assertNull(queue.pollTransaction(0));
        assertSame(slow, queue.poll(0));
    }

    @Test(timeout = Await.MILLIS)
    public void nothingComesBehindTheEnd() throws Exception {
        PendingTransaction<Void> before = transaction(false);
        PendingTransaction<Void> behind = transaction(false);
        queue.add(before);
        queue.end();
        queue.add(behind);
        assertTrue(behind.future().isCompletedExceptionally());
        assertEquals(2, queue.size());
        assertSame(before, queue.take());
        assertNull(queue.pollTransaction(LONG_NANOS));
        assertSame(WriterQueue.STOP, queue.take());
    }

    @Test
    public void failsAllThatWaitsForAThreadThatIsGone() {
        PendingTransaction<Void> waiting = transaction(false);
        queue.add(waiting);
        queue.failAll();
        assertTrue(waiting.future().isCompletedExceptionally());
    }
}
