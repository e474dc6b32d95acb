package org.alder.partition.jdbm.disk;

import static org.junit.Assert.assertEquals;

import java.lang.ref.Reference;
import java.util.concurrent.LinkedBlockingQueue;
import org.alder.partition.testing.Await;
import org.junit.Test;

public class DeletedSpaceTest {
    private final LinkedBlockingQueue<String> collections = new LinkedBlockingQueue<>();
    private final DeletedSpace space = new DeletedSpace(() -> collections.add("one"));

    @Test
    public void aCollectionIsAskedForOnceAfterEachDeletion() throws Exception {
        space.giveBack();
        Object owner = new Object();
        space.keep(owner, 100);
        space.giveBack();
        Await.next("the collection after the first", collections);
        space.giveBack();
        space.keep(owner, 23);
        assertEquals(123, space.bytes());
        space.giveBack();
        Await.next("the collection after the second", collections);
        assertEquals("no more", 0, collections.size());
        Reference.reachabilityFence(owner);
    }

    @Test
    public void whatACollectionFoundIsNotKeptAnyMore() throws Exception {
        space.keep(new Object(), 100);
        System.gc();
        Await.until("the space to be given back", () -> space.bytes() == 0);
        space.giveBack();
        assertEquals(0, collections.size());
    }
}
