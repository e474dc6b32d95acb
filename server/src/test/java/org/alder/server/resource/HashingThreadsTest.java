package org.alder.server.resource;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** One thread, which is busy until it is released, so that all else waits. */
public class HashingThreadsTest {
    private static final int MOST_WAITING = 10;

    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch busy = new CountDownLatch(1);
    private final Counters counters = new Counters();
    private final HashingThreads threads = new HashingThreads(1, MOST_WAITING, counters);
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    @Before
    public void occupy() throws Exception {
        threads.run("nobody", "nobody", () -> {
            busy.countDown();
            Await.latch("the release", released);
            return true;
        });
        Await.latch("the thread to be busy", busy);
    }

    @After
    public void close() {
        released.countDown();
        threads.close();
    }

    private CompletableFuture<Boolean> submit(String source, String subject) {
        return threads.run(source, subject, () -> done.add(source + subject));
    }

    private static DirectoryException refusal(CompletableFuture<?> future) {
        return (DirectoryException) assertThrows(CompletionException.class, future::join).getCause();
    }

    @Test
    public void sourcesTakeTurnsAndSoDoTheirSubjects() throws Exception {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (String each : List.of("a1", "a1", "a1", "a2", "b1", "b1", "c1")) {
            all.add(submit(each.substring(0, 1), each.substring(1)));
        }
        released.countDown();
        for (CompletableFuture<Boolean> each : all) {
            Await.result("its turn", each);
        }
        assertEquals(List.of("a1", "b1", "c1", "a2", "b1", "a1", "a1"), done);
    }

    @Test
    public void oneAddressHasHalfOfTheQueueAndTheRefusalNamesTheKey() throws Exception {
        for (int i = 0; i < MOST_WAITING / 2; i++) {
            submit("a", "" + i);
        }
        DirectoryException refusal = refusal(submit("a", "one more"));
        assertEquals(ResultCode.BUSY, refusal.resultCode());
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("(passwordQueue)"));
        for (int i = 0; i < MOST_WAITING / 2; i++) {
            submit("b", "" + i);
        }
        assertTrue(refusal(submit("c", "one more")).getMessage().contains(MOST_WAITING + " passwords"));
        assertEquals(MOST_WAITING, threads.waiting());
        assertEquals(2, counters.counter("passwords", "alderTasksRefused").sum());
        released.countDown();
        Await.until("all is done", () -> done.size() == MOST_WAITING);
        Await.result("its turn", submit("c", "again"));
    }

    @Test
    public void whatIsCancelledLeavesTheQueueAndIsNotDone() throws Exception {
        CompletableFuture<Boolean> first = submit("a", "1");
        CompletableFuture<Boolean> second = submit("a", "1");
        CompletableFuture<Boolean> third = submit("a", "2");
        first.cancel(false);
        third.cancel(false);
        assertEquals(1, threads.waiting());
        released.countDown();
        Await.result("its turn", second);
        assertEquals(List.of("a1"), done);
    }

    @Test
    public void aFaultIsToldAndTheThreadGoesOn() throws Exception {
        CompletableFuture<Boolean> faulty = threads.run("a", "a", () -> {
            throw new IllegalStateException("a fault");
        });
        CompletableFuture<Boolean> next = submit("a", "a");
        released.countDown();
        Await.result("its turn", next);
        assertEquals("a fault", assertThrows(CompletionException.class, faulty::join).getCause().getMessage());
    }

    @Test
    public void whatWaitsAtTheEndIsGivenUp() {
        CompletableFuture<Boolean> waiting = submit("a", "a");
        released.countDown();
        threads.close();
        // Its turn may have come before the end.
        assertTrue(waiting.isDone());
        assertEquals(ResultCode.UNAVAILABLE, refusal(submit("a", "a")).resultCode());
    }
}
