package org.alder.perf.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.UnexpectedResultException;
import org.junit.Test;

public class SteadyLeaderTest {
    private final SteadyLeader steady = new SteadyLeader();
    private int tries;

    /** Whose leader is at these ports, whenever somebody asks; the last one for ever. */
    private static Deployment at(Integer... ports) {
        Deque<Integer> left = new ArrayDeque<>(List.of(ports));
        return new Deployment() {
            @Override
            public String label() {
                return "scripted";
            }

            @Override
            public List<Integer> ports() {
                return List.of(left.size() == 1 ? left.peek() : left.poll());
            }

            @Override
            public List<Long> processes() {
                return List.of();
            }

            @Override
            public double cpuSeconds() {
                return 0;
            }
        };
    }

    /** Fails at first, in one way or the other. */
    private SteadyLeader.Measurement<String> failing(int times, Integer code) {
        return ports -> {
            if (tries++ < times) {
                if (code != null) {
                    new LdapConnection.Result(code, "told so", null, 0, 0).expect(0);
                }
                throw new IOException("connection closed");
            }
            return "measured";
        };
    }

    @Test
    public void whatOneTookIsMeasuredOnce() throws Exception {
        assertEquals("measured", steady.measure(at(1), failing(0, null)));
        assertEquals(0, steady.changes());
        assertEquals(1, tries);
    }

    @Test
    public void whereAnotherOneLeadsItIsMeasuredAgain() throws Exception {
        assertEquals("measured", steady.measure(at(1, 2), failing(1, null)));
        assertEquals(1, steady.changes());
    }

    /** The same one may lead again by then. */
    @Test
    public void whereItWasToldSoItIsMeasuredAgain() throws Exception {
        assertEquals("measured", steady.measure(at(1), failing(2, 10)));
        assertEquals(2, steady.changes());
    }

    @Test
    public void otherFailuresEndIt() {
        IOException closed = assertThrows(IOException.class, () -> steady.measure(at(1), failing(1, null)));
        assertEquals("connection closed", closed.getMessage());
        tries = 0;
        assertThrows(UnexpectedResultException.class, () -> steady.measure(at(1), failing(1, 68)));
        assertEquals(1, tries);
        assertEquals(0, steady.changes());
    }

    @Test
    public void itIsGivenUpSometime() {
        assertThrows(IOException.class, () -> steady.measure(at(1), failing(Integer.MAX_VALUE, 52)));
        assertEquals(10, tries);
    }
}
