package org.alder.perf.client;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

public class SpreadLoadTest {
    private static List<Integer> connections(int ports, int connections) {
        return SpreadLoad.over(List.of(1, 2, 3).subList(0, ports), connections, 0, 1, 0, null).loads().stream().map(Load::connections).toList();
    }

    @Test
    public void connectionsGoToOneServerAfterAnother() {
        assertEquals(List.of(1), connections(3, 1));
        assertEquals(List.of(1, 1), connections(3, 2));
        assertEquals(List.of(3, 3, 2), connections(3, 8));
        assertEquals(List.of(11, 11, 10), connections(3, 32));
        assertEquals(List.of(8), connections(1, 8));
    }
}
