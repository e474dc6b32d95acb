package org.alder.server.resource;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Await;
import org.junit.Test;

public class FairWorkersTest {
    private static void await(CountDownLatch latch) {
        try {
            Await.latch("a task", latch);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void oneConnectionWithManyTasksDelaysAnotherByOneOnly() {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(64 + 2);
        try (FairWorkers workers = new FairWorkers(1, 1000, new Counters())) {
            FairWorkers.Lane busy = workers.lane();
            FairWorkers.Lane other = workers.lane();
            busy.execute(() -> await(asked));
            for (int i = 0; i < 64; i++) {
                busy.execute(() -> {
                    order.add("busy");
                    done.countDown();
                });
            }
            for (int i = 0; i < 2; i++) {
                other.execute(() -> {
                    order.add("other");
                    done.countDown();
                });
            }
            asked.countDown();
            await(done);
        }
        assertTrue(order.toString(), order.indexOf("other") <= 1 && order.lastIndexOf("other") <= 3);
        assertEquals(66, order.size());
    }

    @Test(timeout = Await.MILLIS)
    public void oneConnectionHasHalfOfTheThreadsAtMost() {
        try (FairWorkers workers = new FairWorkers(4, 1000, new Counters())) {
            CountDownLatch end = new CountDownLatch(1);
            CountDownLatch started = new CountDownLatch(2);
            AtomicInteger running = new AtomicInteger();
            FairWorkers.Lane busy = workers.lane();
            for (int i = 0; i < 10; i++) {
                busy.execute(() -> {
                    running.incrementAndGet();
                    started.countDown();
                    await(end);
                });
            }
            await(started);
            CountDownLatch others = new CountDownLatch(2);
            workers.lane().execute(others::countDown);
            workers.lane().execute(others::countDown);
            await(others);
            assertEquals("while others are served", 2, running.get());
            assertEquals(8, workers.waitingTasks());
            end.countDown();
        }
    }

    @Test(timeout = Await.MILLIS)
    public void anErrorInOneTaskEndsNoThread() {
        CountDownLatch done = new CountDownLatch(1);
        try (FairWorkers workers = new FairWorkers(1, 1000, new Counters())) {
            FairWorkers.Lane lane = workers.lane();
            lane.execute(() -> {
                throw new AssertionError("a fault for the test");
            });
            lane.execute(done::countDown);
            await(done);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatWaitsIsDoneBeforeTheEnd() {
        AtomicInteger count = new AtomicInteger();
        try (FairWorkers workers = new FairWorkers(2, 1000, new Counters())) {
            FairWorkers.Lane lane = workers.lane();
            for (int i = 0; i < 100; i++) {
                lane.execute(() -> {
                    if (count.incrementAndGet() == 100) {
                        lane.execute(count::incrementAndGet);
                    }
                });
            }
        }
        assertEquals("also what comes of the last one", 101, count.get());
    }

    /** A connection that asks for little is served however much others ask for. */
    @Test(timeout = Await.MILLIS)
    public void whereMuchWaitsALaneGetsNoSecondNewTask() throws Exception {
        Counters counters = new Counters();
        try (FairWorkers workers = new FairWorkers(1, 3, counters)) {
            CountDownLatch held = new CountDownLatch(1);
            FairWorkers.Lane greedy = workers.lane();
            FairWorkers.Lane modest = workers.lane();
            greedy.execute(() -> await(held));
            Await.until("the thread to be taken", () -> workers.waitingTasks() == 0);
            for (int i = 0; i < 3; i++) {
                greedy.requireRoom();
                assertEquals(List.of(), counters.overloads());
                greedy.execute(() -> { });
            }
            DirectoryException refusal = assertThrows(DirectoryException.class, greedy::requireRoom);
            assertEquals(ResultCode.BUSY, refusal.resultCode());
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("3 pieces of work wait") && refusal.getMessage().contains("(workerQueue)"));
            assertEquals(List.of("work for worker threads (workerQueue)"), counters.overloads());
            modest.requireRoom();
            modest.execute(() -> { });
            assertThrows(DirectoryException.class, modest::requireRoom);
            held.countDown();
            Await.until("the work to be done", () -> workers.waitingTasks() == 0);
            assertEquals(List.of(), counters.overloads());
            greedy.requireRoom();
        }
    }
}
