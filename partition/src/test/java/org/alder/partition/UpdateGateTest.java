package org.alder.partition;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.Store;
import org.alder.partition.testing.TestDirectory;
import org.junit.Test;

/** Updates that are held back. */
public class UpdateGateTest {
    private final MemoryStore store = new MemoryStore(new AttributeIndexer(TestDirectory.SCHEMA, List.of(
            new IndexDefinition(TestDirectory.SCHEMA.attributeType("cn"), Set.of(IndexKind.EQUALITY), 1000))));
    private final UpdateGate gate = new UpdateGate(store);

    @Test
    public void updatesWaitUntilTheyAreLetIn() {
        gate.close();
        assertThrows(IllegalStateException.class, gate::close);
        CompletableFuture<String> waiting = gate.submit(context -> "done");
        assertFalse(waiting.isDone());
        gate.open();
        assertEquals("done", waiting.join());
    }

    @Test
    public void aStoreThatTakesNoTransactionsIsNoReasonToHoldThemForEver() {
        store.close();
        StoreException refused = assertThrows(StoreException.class, gate::close);
        assertEquals(StoreException.Kind.CLOSED, refused.kind());
        assertTrue("refused, not held", gate.submit(context -> "never").isCompletedExceptionally());
    }

    /** What such a store has of its own may change, and who leads next goes by that. */
    @Test
    public void whereAnotherStoreLeadsUpdatesAreHeldForThoseAloneWhoDoNotNeedIt() {
        AtomicBoolean leads = new AtomicBoolean();
        Store replica = (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("submit") && !leads.get()) {
                return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, "another store leads"));
            }
            return method.invoke(store, arguments);
        });
        UpdateGate following = new UpdateGate(replica);
        assertEquals(StoreException.Kind.NOT_LEADER, assertThrows(StoreException.class, following::close).kind());
        assertTrue("refused, not held", following.submit(context -> "never").isCompletedExceptionally());
        following.closeFollowing();
        leads.set(true);
        CompletableFuture<String> waiting = following.submit(context -> "done");
        assertFalse(waiting.isDone());
        following.open();
        assertEquals("done", waiting.join());
    }
}
