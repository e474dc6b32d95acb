package org.alder.perf.process;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

public class GcLogTest {
    @Test
    public void theMostBeforeAndAfterCollectionsCount() {
        assertEquals(new GcLog(300L << 20, 90L << 20), GcLog.parse(List.of(
                "[0.010s][info][gc] Using G1",
                "[0.5s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 300M->20M(512M) 4.012ms",
                "[0.9s][info][gc] GC(1) Concurrent Mark Cycle 12.3ms",
                "[1.5s][info][gc] GC(2) Pause Young (Mixed) (G1 Evacuation Pause) 200M->90M(512M) 4.012ms")));
    }

    @Test
    public void withoutCollectionsNothingIsKnown() {
        assertEquals(new GcLog(0, 0), GcLog.parse(List.of("[0.010s][info][gc] Using G1")));
    }
}
