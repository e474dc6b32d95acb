package org.alder.perf.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One load on several servers at once, whose connections go to one after another. Immutable. */
public record SpreadLoad(List<Load> loads) {
    /**
     * A closed loop, as {@link Load} is.
     *
     * @param ports       of servers on this machine
     * @param connections of all together
     */
    public static SpreadLoad over(List<Integer> ports, int connections, long warmUpNanos, long measuredNanos, long seed, Load.Login login) {
        List<Load> loads = new ArrayList<>();
        for (int i = 0; i < Math.min(ports.size(), connections); i++) {
            int own = (connections - i + ports.size() - 1) / ports.size();
            loads.add(new Load(ports.get(i), own, warmUpNanos, measuredNanos, seed + ((long) i << Integer.SIZE), login));
        }
        return new SpreadLoad(loads);
    }

    /** Runs to its end; what a request threw ends all. CPU time is not measured. */
    public Load.Outcome run(Load.Request request) throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(loads.size());
        try {
            List<Future<Load.Outcome>> running = new ArrayList<>();
            for (Load load : loads) {
                running.add(pool.submit(() -> load.run(request, () -> Double.NaN)));
            }
            Load.Outcome all = running.get(0).get();
            for (Future<Load.Outcome> each : running.subList(1, running.size())) {
                all = all.beside(each.get());
            }
            return all;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException fault ? fault : new IOException("a load thread failed: " + e.getCause(), e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }
}
