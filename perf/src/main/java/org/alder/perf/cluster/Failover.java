package org.alder.perf.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.perf.client.LdapConnection;

/**
 * A client that adds one entry after the other to whoever takes them, while leaders are killed or hand over: it goes to the next member where
 * one is gone, or takes no updates. One thread starts each.
 */
final class Failover {
    private static final int SUCCESS = 0;
    private static final int ALREADY_EXISTS = 68;
    private static final long BEFORE_MILLIS = 500;
    private static final long LIMIT_SECONDS = 300;

    private final ClusterNodes nodes;
    private int rounds;

    Failover(ClusterNodes nodes) {
        this.nodes = nodes;
    }

    /**
     * What one brought, in seconds.
     *
     * @param sinceAsked from when the leader was killed, or asked to hand over, to the next add that another one acknowledged
     * @param gap        the longest time in which no add was acknowledged
     */
    record Times(double sinceAsked, double gap) {
    }

    /** What is done to the leader while the client adds. */
    private interface Blow {
        void strike() throws IOException, InterruptedException;
    }

    /** Kills the leader, waits until another one takes updates, and brings the first one back. */
    Times kill() throws IOException, InterruptedException {
        while (true) {
            int leader = nodes.awaitLeader();
            Times times = round(leader, () -> nodes.kill(leader));
            if (times != null) {
                nodes.restart(leader);
                nodes.awaitLeader();
                return times;
            }
        }
    }

    Times move() throws IOException, InterruptedException {
        while (true) {
            int leader = nodes.awaitLeader();
            Times times = round(leader, () -> nodes.moveLeader((leader + 1) % ClusterNodes.NODES));
            nodes.awaitLeader();
            if (times != null) {
                return times;
            }
        }
    }

    /** Null where another member led before anything was done, as on a busy machine. */
    private Times round(int leader, Blow blow) throws IOException, InterruptedException {
        Adder adder = new Adder("f" + rounds++, leader);
        FutureTask<Void> task = new FutureTask<>(adder, null);
        Thread thread = new Thread(task, "failover");
        thread.start();
        try {
            TimeLimit first = new TimeLimit("the first adds");
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(BEFORE_MILLIS) || adder.acknowledged < 1) {
                adder.check();
                first.pause();
            }
            if (adder.elsewhereNanos != 0) {
                return null;
            }
            long asked = System.nanoTime();
            blow.strike();
            TimeLimit next = new TimeLimit("an add that another member acknowledges");
            while (adder.elsewhereNanos == 0) {
                adder.check();
                next.pause();
            }
            adder.stopped = true;
            task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            adder.check();
            adder.requireAll();
            return new Times((adder.elsewhereNanos - asked) / 1e9, adder.gapNanos / 1e9);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the client that adds does not come to its end: " + e, e);
        } finally {
            adder.stopped = true;
            thread.interrupt();
        }
    }

    /** Adds until it is stopped. */
    private final class Adder implements Runnable {
        private final String prefix;
        private final int first;
        private final List<String> done = new ArrayList<>();
        private volatile int acknowledged;
        private volatile long elsewhereNanos;
        private volatile long gapNanos;
        private volatile boolean stopped;
        private volatile Exception failure;
        private int at;
        private LdapConnection connection;

        Adder(String prefix, int first) {
            this.prefix = prefix;
            this.first = first;
            this.at = first;
        }

        void check() throws IOException {
            Exception now = failure;
            if (now != null) {
                throw new IOException("the client that adds failed: " + now.getMessage(), now);
            }
        }

        @Override
        public void run() {
            try {
                long last = System.nanoTime();
                for (int i = 0; !stopped; i++) {
                    if (!addUntilAcknowledged(prefix + "-" + i)) {
                        break;
                    }
                    long now = System.nanoTime();
                    gapNanos = Math.max(gapNanos, now - last);
                    last = now;
                    acknowledged++;
                    if (at != first && elsewhereNanos == 0) {
                        elsewhereNanos = now;
                    }
                }
            } catch (IOException | InterruptedException e) {
                failure = e;
            } finally {
                shut();
            }
        }

        /** Where the answer to the first try was lost, the entry may be there already: then it was made. False where it was stopped. */
        private boolean addUntilAcknowledged(String name) throws IOException, InterruptedException {
            TimeLimit limit = new TimeLimit("an add that is acknowledged");
            while (!stopped) {
                int code = tryToAdd(name);
                if (code == SUCCESS || code == ALREADY_EXISTS) {
                    done.add(name);
                    return true;
                }
                shut();
                at = (at + 1) % ClusterNodes.NODES;
                limit.pause();
            }
            return false;
        }

        /** -1 where nobody answers. */
        private int tryToAdd(String name) {
            try {
                if (connection == null) {
                    connection = nodes.connect(at);
                }
                return ClusterNodes.add(connection, name).code();
            } catch (IOException e) {
                return -1;
            }
        }

        private void shut() {
            try {
                if (connection != null) {
                    connection.close();
                }
            } catch (IOException e) {
                failure = e;
            }
            connection = null;
        }

        /** @throws IOException where one is lost that was acknowledged */
        void requireAll() throws IOException {
            try (LdapConnection client = nodes.connect(at)) {
                for (String name : done) {
                    if (!ClusterNodes.has(client, name)) {
                        throw new IOException("the entry " + name + " was acknowledged, and is not on " + ClusterNodes.name(at));
                    }
                }
            }
        }
    }
}
