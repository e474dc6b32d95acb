package org.alder.perf.bystander;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;

/**
 * What some clients do to a server again and again, each over a connection of its own. Immutable.
 *
 * @param login who they are
 */
record Attack(String name, int clients, Load.Login login, Turn turn) {
    private static final int STOP_SECONDS = 300;
    private static final long REFUSED_PAUSE_MILLIS = 10;

    /** Done again and again by each client. */
    @FunctionalInterface
    interface Turn {
        /** @throws IOException if the server disconnects: then the client comes again */
        void run(LdapConnection connection, SplittableRandom random) throws IOException, InterruptedException;
    }

    /** The attack while it goes on. Started and stopped by one thread. */
    final class Running {
        private final ExecutorService pool = Executors.newFixedThreadPool(clients);
        private final List<Future<?>> threads = new ArrayList<>();
        private final Set<LdapConnection> open = ConcurrentHashMap.newKeySet();
        private final LongAdder turns = new LongAdder();
        private final LongAdder disconnections = new LongAdder();
        private volatile boolean stopped;

        private Running(int port, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < clients; i++) {
                SplittableRandom own = random.split();
                threads.add(pool.submit(() -> attack(port, own)));
            }
        }

        private void attack(int port, SplittableRandom random) {
            while (!stopped) {
                try (LdapConnection connection = login.connect(port)) {
                    open.add(connection);
                    while (!stopped) {
                        turn.run(connection, random);
                        turns.increment();
                    }
                    open.remove(connection);
                } catch (IOException e) {
                    comeAgain();
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        private void comeAgain() {
            if (!stopped) {
                disconnections.increment();
                try {
                    Thread.sleep(REFUSED_PAUSE_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    stopped = true;
                }
            }
        }

        /** How often one of them has done what it does. */
        long turns() {
            return turns.sum();
        }

        /** How often one of them was disconnected, or not let in. */
        long disconnections() {
            return disconnections.sum();
        }

        /** Disconnects all, and waits until they have ended. */
        void stop() throws IOException, InterruptedException {
            stopped = true;
            pool.shutdownNow();
            for (LdapConnection connection : open) {
                connection.close();
            }
            if (!pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the attack \"" + name + "\" does not end in " + STOP_SECONDS + " seconds");
            }
            try {
                for (Future<?> thread : threads) {
                    thread.get();
                }
            } catch (ExecutionException e) {
                throw new IOException("the attack \"" + name + "\" ends with a fault: " + e.getCause(), e.getCause());
            }
        }
    }

    Running start(int port, long seed) {
        return new Running(port, seed);
    }
}
