package org.alder.partition;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
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
}
