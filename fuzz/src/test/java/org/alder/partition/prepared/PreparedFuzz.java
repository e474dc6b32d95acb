package org.alder.partition.prepared;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.util.UUID;
import org.alder.partition.error.StoreException;

/** Whatever a store gives back as a system record, it is read as a part of a transaction of several shards, or its decision, or found to be damaged. */
public final class PreparedFuzz {
    private static final UUID ID = new UUID(1, 2);

    private PreparedFuzz() {
    }

    public static void record(byte[] input) {
        try {
            byte[] once = PreparedTransaction.decode(ID, input).encode();
            assertArrayEquals(once, PreparedTransaction.decode(ID, once).encode());
        } catch (StoreException e) {
            requireCorrupt(e);
        }
        try {
            byte[] once = Decision.decode(ID, input).encode();
            assertArrayEquals(once, Decision.decode(ID, once).encode());
        } catch (StoreException e) {
            requireCorrupt(e);
        }
    }

    private static void requireCorrupt(StoreException e) {
        assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
        assertFalse(e.getMessage().isEmpty());
    }
}
