package org.alder.partition.update;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertFalse;

import org.alder.partition.ber.BerException;
import org.alder.partition.testing.TestDirectory;

/** Whatever a member sends as an entry that comes from another shard, it is read, or told to be none. */
public final class ArrivalFuzz {
    private ArrivalFuzz() {
    }

    public static void arrival(byte[] input) {
        try {
            byte[] once = Arrival.decode(TestDirectory.SCHEMA, input).encode();
            assertArrayEquals(once, Arrival.decode(TestDirectory.SCHEMA, once).encode());
        } catch (BerException e) {
            assertFalse(e.getMessage().isEmpty());
        }
    }
}
