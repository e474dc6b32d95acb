package org.alder.perf.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.alder.perf.client.UnexpectedResultException;

/**
 * Measures what one server is to take from beginning to end. On a busy machine another one may lead in the middle of it, as a leader does that gets no
 * processor for 2 s: then it is measured again. One thread.
 */
final class SteadyLeader {
    private static final int TRIES = 10;
    /** Referral, busy, unavailable: what a server answers that leads no longer, or not yet. */
    private static final Set<Integer> LEADS_NOT = Set.of(10, 51, 52);

    private int changes;

    /** What is measured. */
    @FunctionalInterface
    interface Measurement<T> {
        /**
         * @param ports of those that take it, the leader's first
         * @throws IOException where not all of it was taken
         */
        T measure(List<Integer> ports) throws IOException, InterruptedException;
    }

    /** How often something was measured again. */
    int changes() {
        return changes;
    }

    /** @throws IOException what the measurement threw, where the same server led all the time, or ever new ones do */
    <T> T measure(Deployment deployment, Measurement<T> measurement) throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            List<Integer> ports = deployment.ports();
            try {
                return measurement.measure(ports);
            } catch (IOException e) {
                boolean leadsNot = e instanceof UnexpectedResultException result && LEADS_NOT.contains(result.code());
                if (tries == TRIES || !leadsNot && deployment.ports().equals(ports)) {
                    throw e;
                }
                System.err.println("another member leads by itself; measuring that again: " + e.getMessage());
                changes++;
            }
        }
    }
}
