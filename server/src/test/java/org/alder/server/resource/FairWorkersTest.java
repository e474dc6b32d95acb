package org.alder.server.resource;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
        try (FairWorkers workers = new FairWorkers(1, 1000, new Counters(), () -> 0)) {
            FairWorkers.Lane busy = workers.lane("busy");
            FairWorkers.Lane other = workers.lane("other");
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
            FairWorkers.Lane busy = workers.lane("busy");
            for (int i = 0; i < 10; i++) {
                busy.execute(() -> {
                    running.incrementAndGet();
                    started.countDown();
                    await(end);
                });
            }
            await(started);
            CountDownLatch others = new CountDownLatch(2);
            workers.lane("other").execute(others::countDown);
            workers.lane("third").execute(others::countDown);
            await(others);
            assertEquals("while others are served", 2, running.get());
            assertEquals(8, workers.waitingTasks());
            end.countDown();
        }
    }

    @Test(timeout = Await.MILLIS)
    public void oneClientWithManyConnectionsDelaysAnotherByOneTaskOnly() {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(64 + 2);
        try (FairWorkers workers = new FairWorkers(1, 1000, new Counters(), () -> 0)) {
            workers.lane("busy").execute(() -> await(asked));
            for (int i = 0; i < 64; i++) {
                workers.lane("busy").execute(() -> {
                    order.add("busy");
                    done.countDown();
                });
            }
            FairWorkers.Lane other = workers.lane("a client who logs in");
            other.belongTo("other");
            for (int i = 0; i < 2; i++) {
                other.execute(() -> {
                    order.add("other");
                    done.countDown();
                });
            }
            asked.countDown();
            await(done);
        }
        assertTrue(order.toString(), order.lastIndexOf("other") <= 3);
        assertEquals(66, order.size());
    }

    /** Also if there is nobody else at the time: who comes later is served. */
    @Test(timeout = Await.MILLIS)
    public void oneClientLeavesAThreadToOthers() {
        try (FairWorkers workers = new FairWorkers(4, 1000, new Counters())) {
            CountDownLatch end = new CountDownLatch(1);
            CountDownLatch started = new CountDownLatch(3);
            AtomicInteger running = new AtomicInteger();
            for (int i = 0; i < 10; i++) {
                workers.lane("busy").execute(() -> {
                    running.incrementAndGet();
                    started.countDown();
                    await(end);
                });
            }
            await(started);
            CountDownLatch other = new CountDownLatch(1);
            workers.lane("other").execute(other::countDown);
            await(other);
            assertEquals(3, running.get());
            assertEquals(7, workers.waitingTasks());
            end.countDown();
        }
    }

    /** The cheap ones go first: whoever has had less time. */
    @Test(timeout = Await.MILLIS)
    public void whoHasHadLittleComesBeforeWhoHasHadMuch() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(2);
        AtomicLong clock = new AtomicLong();
        try (FairWorkers workers = new FairWorkers(1, 1000, new Counters(), clock::get)) {
            FairWorkers.Lane dear = workers.lane("dear");
            FairWorkers.Lane cheap = workers.lane("cheap");
            CountDownLatch asked = new CountDownLatch(1);
            dear.execute(() -> clock.addAndGet(20_000_000));
            workers.lane("third").execute(() -> await(asked));
            Await.until("the thread to be taken", () -> clock.get() > 0 && workers.waitingTasks() == 0);
            dear.execute(() -> {
                order.add("dear");
                done.countDown();
            });
            cheap.execute(() -> {
                order.add("cheap");
                done.countDown();
            });
            asked.countDown();
            await(done);
        }
        assertEquals(List.of("cheap", "dear"), order);
    }

    @Test(timeout = Await.MILLIS)
    public void anErrorInOneTaskEndsNoThread() {
        CountDownLatch done = new CountDownLatch(1);
        try (FairWorkers workers = new FairWorkers(1, 1000, new Counters())) {
            FairWorkers.Lane lane = workers.lane("one");
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
            FairWorkers.Lane lane = workers.lane("one");
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
            FairWorkers.Lane greedy = workers.lane("greedy");
            FairWorkers.Lane modest = workers.lane("modest");
            greedy.execute(() -> await(held));
            Await.until("the thread to be taken", () -> workers.waitingTasks() == 0);
            for (int i = 0; i < 3; i++) {
                greedy.requireRoom();
                assertEquals(List.of(), counters.overload().look(i));
                greedy.execute(() -> { });
            }
            DirectoryException refusal = assertThrows(DirectoryException.class, greedy::requireRoom);
            assertEquals(ResultCode.BUSY, refusal.resultCode());
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("3 pieces of work wait") && refusal.getMessage().contains("(workerQueue)"));
            assertEquals(List.of("work for worker threads: 3, the mark is 3 (workerQueue)"), counters.overload().look(3));
            modest.requireRoom();
            modest.execute(() -> { });
            assertThrows(DirectoryException.class, modest::requireRoom);
            held.countDown();
            Await.until("the work to be done", () -> workers.waitingTasks() == 0);
            assertEquals(List.of(), counters.overload().look(3 + Overload.CALM_NANOS));
            greedy.requireRoom();
        }
    }
}
