package org.alder.partition.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.alder.partition.entry.Csn;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class CsnTest {
    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    public void hasTheFormOfOpenLdap() {
        long time = Instant.parse("2026-11-21T14:22:43.120Z").toEpochMilli();
        assertEquals("20261121142243.120000Z#000000#000#0001a7", new Csn(time, 0x1a7).toString());
        assertEquals("20261121142243.120000Z#abcdef#000#123456", new Csn(time, 0xabcdef123456L).toString());
        assertEquals("19700101000000.000000Z#000000#000#000000", new Csn(0, 0).toString());
    }

    @Test
    public void sortsAsCommitsFollowEachOther() {
        long seed = Seed.of(CsnTest.class);
        Random random = new Random(seed);
        Csn before = new Csn(1_000_000_000_000L, 1);
        for (int i = 0; i < 10_000; i++) {
            Csn next = new Csn(before.timeMillis() + random.nextInt(3) * random.nextInt(100_000),
                    before.sequence() + 1 + random.nextInt(1 << 20));
            assertTrue(before + " before " + next, before.toString().compareTo(next.toString()) < 0);
            assertEquals(next, Csn.parse(next.bytes()));
            before = next;
        }
    }

    @Test
    public void knowsWhatCannotBeItsOwn() {
        assertNull("another server's ID", Csn.parse(ascii("20261121142243.120000Z#000000#001#000000")));
        assertNull("microseconds", Csn.parse(ascii("20261121142243.120001Z#000000#000#000000")));
        assertNull("capitals", Csn.parse(ascii("20261121142243.120000Z#00000A#000#000000")));
        assertNull("no such day", Csn.parse(ascii("20260231142243.120000Z#000000#000#000000")));
        assertNull(Csn.parse(ascii("20261121142243.12000xZ#000000#000#000000")));
        assertNull(Csn.parse(ascii("20261121142243Z#000000#00#000000")));
        assertNull(Csn.parse(new byte[0]));
        assertNull(Csn.parse(new byte[Csn.BYTES]));
    }
}
