package org.alder.server.wire;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class ConnectionLimitsTest {
    @Test
    public void connectionsLeaveDescriptorsForTheStore() {
        assertEquals("of the usual 1024", 640, ConnectionLimits.withoutReserve(1024));
        assertTrue("as many as there are", ConnectionLimits.withoutReserve(65_536) > 50_000);
        int affordable = ConnectionLimits.affordable();
        assertTrue("at most one for 48 KiB of heap: " + affordable,
                affordable <= Math.max(16, Runtime.getRuntime().maxMemory() / (48 << 10)));
        assertEquals(affordable / 2, ConnectionLimits.standard().connectionsPerAddress());
    }
}
