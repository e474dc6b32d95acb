package org.alder.partition;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.store.Transaction;
import org.junit.Test;

public class LongUpdatesTest {
    private final LongUpdates updates = new LongUpdates();
    private final List<CompletableFuture<Integer>> inStore = new ArrayList<>();

    private CompletableFuture<Integer> submit() {
        Transaction<Integer> any = context -> 0;
        return updates.submit(any, transaction -> {
            CompletableFuture<Integer> future = new CompletableFuture<>();
            inStore.add(future);
            return future;
        });
    }

    @Test
    public void oneIsInTheStoreAtATimeHoweverItEnds() {
        CompletableFuture<Integer> first = submit();
        CompletableFuture<Integer> second = submit();
        CompletableFuture<Integer> third = submit();
        assertEquals(1, inStore.size());
        assertFalse(first.isDone());
        inStore.get(0).completeExceptionally(new IllegalStateException("a fault for the test"));
        assertThrows(CompletionException.class, first::join);
        assertEquals(2, inStore.size());
        inStore.get(1).complete(2);
        assertEquals(2, second.join().intValue());
        assertEquals(3, inStore.size());
        inStore.get(2).complete(3);
        assertEquals(3, third.join().intValue());
        submit();
        assertEquals("nobody is before it", 4, inStore.size());
    }

    /** As those of a store that is closed. */
    @Test
    public void manyThatFailAtOnceAreNoDeepStack() {
        submit();
        List<CompletableFuture<Integer>> failing = new ArrayList<>();
        Transaction<Integer> any = context -> 0;
        for (int i = 0; i < 100_000; i++) {
            boolean thrown = i % 2 == 0;
            failing.add(updates.submit(any, transaction -> {
                if (thrown) {
                    throw new IllegalStateException("a fault for the test");
                }
                return CompletableFuture.failedFuture(new IllegalStateException("a fault for the test"));
            }));
        }
        inStore.get(0).complete(1);
        for (CompletableFuture<Integer> each : failing) {
            assertThrows(CompletionException.class, each::join);
        }
    }
}
