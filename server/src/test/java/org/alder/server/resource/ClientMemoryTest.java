package org.alder.server.resource;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.junit.Test;

public class ClientMemoryTest {
    private final MemoryBudget budget = new MemoryBudget("someBytes", 900);
    private final ClientMemory memory = new ClientMemory(budget);

    /** With so many connections as it likes, one client took what there was for all. */
    @Test
    public void whoTakesAllLeavesSomethingForOthers() throws DirectoryException {
        ClientMemory.Client greedy = memory.client("greedy", false);
        MemoryBudget.Share first = greedy.open(Holding.REQUEST);
        first.grow(200);
        MemoryBudget.Share second = memory.client("greedy", false).open(Holding.REQUEST);
        second.grow(100);
        DirectoryException refusal = assertThrows(DirectoryException.class, () -> second.grow(1));
        assertEquals(ResultCode.BUSY, refusal.resultCode());
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("300 of the 300 bytes allowed for one client")
                && refusal.getMessage().contains("someBytes"));
        assertEquals("never", ResultCode.ADMIN_LIMIT_EXCEEDED,
                assertThrows(DirectoryException.class, () -> second.grow(301)).resultCode());
        memory.client("other", false).open(Holding.REQUEST).grow(300);
        first.shrink(50);
        second.grow(50);
        assertEquals(600, budget.heldBytes());
    }

    @Test
    public void whatTheBudgetRefusesIsNotCountedForTheClient() throws DirectoryException {
        budget.open(Holding.REQUEST).grow(800);
        MemoryBudget.Share share = memory.client("a", false).open(Holding.REQUEST);
        assertFalse(share.tryGrow(200));
        assertTrue(share.refusal(200), share.refusal(200).contains("all clients together"));
        share.grow(100);
        share.close();
        budget.open(Holding.REQUEST).take(-800);
        memory.client("a", false).open(Holding.REQUEST).grow(300);
    }

    @Test
    public void theExemptMayHaveAll() throws DirectoryException {
        MemoryBudget.Share share = memory.client("administrator", true).open(Holding.REQUEST);
        share.grow(900);
        assertFalse(share.tryGrow(1));
    }

    @Test
    public void aClientIsForgottenWithItsLastConnection() throws DirectoryException {
        ClientMemory.Client first = memory.client("a", false);
        ClientMemory.Client second = memory.client("a", false);
        assertSame(first, second);
        MemoryBudget.Share share = first.open(Holding.REQUEST);
        share.grow(10);
        first.close();
        assertEquals(1, memory.count());
        second.close();
        assertEquals(0, memory.count());
        MemoryBudget.Share moved = share.moved(Holding.TRANSACTION);
        moved.close();
        assertEquals(0, budget.heldBytes());
    }
}
