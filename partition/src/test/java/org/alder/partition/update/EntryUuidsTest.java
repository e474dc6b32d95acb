package org.alder.partition.update;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.alder.partition.testing.Requirement;
import org.junit.Test;

public final class EntryUuidsTest {
    @Test
    @Requirement(rfc = 4530, section = "2.2", text = "entryUUID values are UUIDs of RFC 4122")
    public void carriesTimeVersionAndVariant() {
        UUID uuid = UUID.fromString(new String(new EntryUuids().next(0x0123_4567_89ABL), StandardCharsets.US_ASCII));
        assertEquals(0x0123_4567_89ABL, uuid.getMostSignificantBits() >>> 16);
        assertEquals(7, uuid.version());
        assertEquals(2, uuid.variant());
    }

    @Test
    public void ascendsWithinAMillisecondAndWhenTheClockGoesBack() {
        EntryUuids uuids = new EntryUuids();
        byte[] last = uuids.next(1000);
        for (int i = 0; i < 10_000; i++) {
            byte[] next = uuids.next(1000 - i % 2);
            assertTrue(Arrays.compare(last, next) < 0);
            assertEquals(7, UUID.fromString(new String(next, StandardCharsets.US_ASCII)).version());
            last = next;
        }
    }
}
