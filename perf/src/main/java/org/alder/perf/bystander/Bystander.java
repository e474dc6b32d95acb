package org.alder.perf.bystander;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.PacedLoad;

/**
 * Clients that ask for little at a fixed rate: equality searches of one entry, binds with a cheap scheme, and small modifies. All are
 * connected before anybody attacks. Used by one thread, and closed by it.
 */
final class Bystander implements AutoCloseable {
    private static final int SEARCHERS = 8;
    private static final double BINDS_PER_SECOND = 50;
    private static final double MODIFIES_PER_SECOND = 50;

    private final List<LdapConnection> searchers = new ArrayList<>();
    private final List<LdapConnection> binders = new ArrayList<>();
    private final List<LdapConnection> writers = new ArrayList<>();
    private final SampleSearches searches;
    private final SampleUpdates updates;
    private final Load.Login user;
    private final double searchesPerSecond;
    private final long seed;

    /** How long its requests took. */
    record Times(Latencies searches, Latencies binds, Latencies modifies) {
        void add(Times other) {
            searches.add(other.searches);
            binds.add(other.binds);
            modifies.add(other.modifies);
        }
    }

    /** What goes on beside it. */
    @FunctionalInterface
    interface Beside {
        void run() throws IOException, InterruptedException;
    }

    /** @param user who binds */
    Bystander(int port, SampleSearches searches, SampleUpdates updates, Load.Login user, Load.Login administrator,
            double searchesPerSecond, long seed) throws IOException {
        this.searches = searches;
        this.updates = updates;
        this.user = user;
        this.searchesPerSecond = searchesPerSecond;
        this.seed = seed;
        for (int i = 0; i < SEARCHERS; i++) {
            searchers.add(user.connect(port));
        }
        binders.add(user.connect(port));
        writers.add(administrator.connect(port));
    }

    /** Measures while something else goes on. @param warmUpNanos what was answered earlier does not count */
    Times beside(long warmUpNanos, Beside other) throws IOException, InterruptedException {
        long measured = System.nanoTime() + warmUpNanos;
        List<PacedLoad> loads = List.of(PacedLoad.start(searchers, searchesPerSecond, seed, searches::byUid),
                PacedLoad.start(binders, BINDS_PER_SECOND, seed, (client, random) -> client.bind(user.dn(), user.password()).expect(0)),
                PacedLoad.start(writers, MODIFIES_PER_SECOND, seed, updates.modifies(searches.users().entries())));
        List<Latencies> times = new ArrayList<>();
        try {
            other.run();
        } finally {
            for (PacedLoad load : loads) {
                Latencies its = new Latencies();
                load.stop().stream().filter(sample -> sample.dueNanos() + sample.nanos() - measured >= 0)
                        .forEach(sample -> its.add(sample.nanos()));
                times.add(its);
            }
        }
        return new Times(times.get(0), times.get(1), times.get(2));
    }

    @Override
    public void close() throws IOException {
        for (List<LdapConnection> some : List.of(searchers, binders, writers)) {
            for (LdapConnection connection : some) {
                connection.close();
            }
        }
    }
}
