package org.alder.server.resource;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class MemoryBudgetTest {
    private final MemoryBudget budget = new MemoryBudget("someBytes", 1000);

    @Test
    public void whatIsTakenIsGivenBackOnce() throws DirectoryException {
        MemoryBudget.Share share = budget.open(Holding.REQUEST);
        share.grow(600);
        share.shrink(100);
        share.grow(200);
        assertEquals(700, budget.heldBytes());
        share.shrink(10_000);
        assertEquals("no more than it has", 0, budget.heldBytes());
        share.grow(50);
        share.close();
        share.close();
        share.shrink(50);
        assertEquals(0, budget.heldBytes());
    }

    @Test
    public void refusalsSayWhichLimitAndLeaveEverythingAsItIs() throws DirectoryException {
        MemoryBudget.Share share = budget.open(Holding.REQUEST);
        share.grow(900);
        MemoryBudget.Share other = budget.open(Holding.REQUEST);
        DirectoryException busy = assertThrows(DirectoryException.class, () -> other.grow(101));
        assertEquals(ResultCode.BUSY, busy.resultCode());
        assertTrue(busy.getMessage(), busy.getMessage().contains("900 of the 1000 bytes") && busy.getMessage().contains("someBytes"));
        assertEquals("never", ResultCode.ADMIN_LIMIT_EXCEEDED,
                assertThrows(DirectoryException.class, () -> other.grow(1001)).resultCode());
        assertEquals(900, budget.heldBytes());
        other.grow(100);
        share.close();
        assertEquals(100, budget.heldBytes());
    }

    @Test
    public void whatIsThereAlreadyIsCountedBeyondTheLimit() {
        MemoryBudget.Share share = budget.open(Holding.REQUEST);
        share.take(5000);
        assertTrue(budget.isScarce());
        assertFalse(budget.open(Holding.REQUEST).tryGrow(1));
        share.close();
        share.take(5000);
        assertTrue("a closed share counts nothing", share.tryGrow(5000));
        assertEquals(0, budget.heldBytes());
        assertFalse(budget.isScarce());
    }

    @Test
    public void whatMovesIsCountedOnce() throws DirectoryException {
        MemoryBudget.Share share = budget.open(Holding.REQUEST);
        share.grow(300);
        MemoryBudget.Share moved = share.moved(Holding.TRANSACTION);
        share.close();
        assertEquals(300, budget.heldBytes());
        moved.close();
        assertEquals(0, budget.heldBytes());
    }

    @Test(timeout = Await.MILLIS)
    public void manyThreadsLeaveNothingBehindAndNeverTakeTooMuch() throws Exception {
        long seed = Seed.of(MemoryBudgetTest.class);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Random random = new Random(seed + i);
            running.add(threads.submit(() -> useAndGiveBack(random)));
        }
        for (Future<?> each : running) {
            Await.result("a thread that takes and gives", each);
        }
        threads.shutdown();
        assertEquals(0, budget.heldBytes());
    }

    private void useAndGiveBack(Random random) {
        for (int i = 0; i < 20_000; i++) {
            try (MemoryBudget.Share share = budget.open(Holding.REQUEST)) {
                for (int steps = random.nextInt(5); steps > 0; steps--) {
                    share.tryGrow(random.nextInt(600));
                    share.shrink(random.nextInt(300));
                    assertTrue(budget.heldBytes() <= budget.limitBytes());
                }
            }
        }
    }
}
