package org.alder.server.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.testing.Simulation;
import org.alder.server.SimulatedServer;
import org.alder.server.wire.SimulatedSocket;

/**
 * A server and its clients in one {@link Simulation}: sessions, workers, followers and connections, with all that they do to each
 * other. Everything follows from the seed. What has to hold, docs/simulation.md says.
 */
public final class SessionRun implements SimulatedClient.Surroundings {
    private static final int READ_BYTES = 4096;
    private static final long SECOND_NANOS = 1_000_000_000L;
    /** More than any limit of time is. */
    private static final long QUIET_NANOS = 100 * SECOND_NANOS;
    /** Often, or now and then: each finds what the others seldom do. */
    private static final int[] SWITCHES = {4, 30, 250};

    private final Simulation simulation;
    private final SplittableRandom random;
    private final Map<Simulation.Actor, Long> began = new HashMap<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<SyncedContent> copies = new ArrayList<>();
    private final List<PagedReading> readings = new ArrayList<>();
    private SimulatedServer server;
    private ContentHistory history;
    private CommitFeed.Following following;
    private boolean forgets;
    private boolean stopping;

    private SessionRun(long seed) {
        simulation = new Simulation(seed, SWITCHES);
        random = simulation.random().split();
    }

    /** What a run was like, for the test, which has other classes of the same names. */
    public static final class Runner implements LongFunction<long[]> {
        /** @return the hash of its trace, and what {@link SessionSimulationTest} counts */
        @Override
        public long[] apply(long seed) {
            SessionRun run = new SessionRun(seed);
            Steps.begin(run.simulation);
            try {
                run.simulation.run(run::simulate);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(e + "\n" + run.simulation.trace(), e);
            } finally {
                Steps.begin(null);
            }
            return run.counts();
        }
    }

    private long[] counts() {
        List<Asked> asked = clients.stream().flatMap(each -> each.asked().stream()).toList();
        return new long[] {simulation.traceHash(), simulation.steps(), simulation.turns(), asked.size(),
            asked.stream().mapToLong(each -> each.told.size()).sum(), copies.stream().mapToLong(SyncedContent::claims).sum(),
            readings.stream().filter(PagedReading::isWhole).count(),
            asked.stream().filter(each -> each.kind == Asked.Kind.SORTED && each.result != null && each.result == 0).count(),
            clients.stream().flatMap(each -> each.transactions().stream()).filter(SimulatedTransaction::isMade).count()};
    }

    private void simulate() {
        server = new SimulatedServer(1 + random.nextInt(3), random.nextBoolean() ? 2 : 8);
        history = new ContentHistory(server.partition());
        following = server.partition().store().feed().follow(history);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            SimulatedClient client = new SimulatedClient(i, simulation, this);
            client.connected(server.wire().connect(i % 2, client));
            clients.add(client);
        }
        Steps.onTask(() -> began.put(simulation.current(), simulation.steps()));
        for (int i = 0; i < 2; i++) {
            int loop = i;
            simulation.start("I/O " + i, () -> serve(loop));
        }
        List<Simulation.Actor> actors = new ArrayList<>();
        clients.forEach(client -> actors.add(simulation.start(client.toString(), client::work)));
        if (random.nextInt(4) == 0) {
            actors.add(simulation.start("clock", this::passTime));
        }
        if (random.nextInt(6) == 0) {
            actors.add(simulation.start("operator", this::operate));
        }
        if (random.nextInt(5) == 0) {
            forgets = true;
            actors.add(simulation.start("forgetter", this::forget));
        }
        actors.forEach(Simulation.Actor::join);
        simulation.awaitQuiet(QUIET_NANOS);
        clients.forEach(SimulatedClient::requireAnswered);
        clients.forEach(client -> requireTold(client, false));
        changeOnce();
        simulation.awaitQuiet(QUIET_NANOS);
        clients.forEach(client -> requireTold(client, true));
        end();
    }

    @Override
    public long workBegan() {
        return began.getOrDefault(simulation.current(), 0L);
    }

    @Override
    public long sequence() {
        return server.partition().store().sequence();
    }

    @Override
    public boolean mayBeForgotten() {
        return forgets;
    }

    @Override
    public List<SyncedContent> copies() {
        return copies;
    }

    @Override
    public List<PagedReading> readings() {
        return readings;
    }

    /** What an I/O thread does. */
    private void serve(int loop) {
        List<SimulatedSocket> sockets = new ArrayList<>();
        for (int i = loop; i < clients.size(); i += 2) {
            sockets.add(clients.get(i).socket());
        }
        SplittableRandom own = random.split();
        while (true) {
            simulation.await("waits for I/O", () -> stopping || sockets.stream().anyMatch(SimulatedSocket::hasWork), Long.MAX_VALUE);
            List<SimulatedSocket> ready = sockets.stream().filter(SimulatedSocket::hasWork).toList();
            if (ready.isEmpty()) {
                return;
            }
            began.put(simulation.current(), simulation.steps());
            ready.get(own.nextInt(ready.size())).work(own.nextInt(2), own.nextInt(3) == 0 ? 1 + own.nextInt(40) : READ_BYTES);
        }
    }

    /** Much time: who is too slow for a limit is told to go. */
    private void passTime() {
        for (int i = random.nextInt(6); i > 0; i--) {
            simulation.pause(SECOND_NANOS * (1 + random.nextInt(40)));
            clients.forEach(SimulatedClient::mayEnd);
            clients.forEach(client -> server.wire().endIfOverdue(client.socket(), simulation.now()));
        }
    }

    /** The server stops, or disconnects who is connected. */
    private void operate() {
        simulation.pause(random.nextInt(200_000));
        clients.forEach(SimulatedClient::mayEnd);
        if (random.nextBoolean()) {
            server.service().drain();
            simulation.pause(random.nextInt(200_000));
        }
        server.service().disconnectAll();
    }

    /** What was changed is forgotten, so that whoever has an older copy gets everything again. */
    private void forget() {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            simulation.pause(random.nextInt(200_000));
            server.forgetChanges();
        }
    }

    /** Whoever still follows is to be told of this. */
    private void changeOnce() {
        server.add("cn=last," + SimulatedServer.OPEN, "objectClass: device", "cn: last");
        server.add("cn=last," + SimulatedServer.SECRET, "objectClass: device", "cn: last");
    }

    private void end() {
        for (SimulatedClient client : clients) {
            client.mayEnd();
            if (!client.socket().hasEnded()) {
                client.socket().vanish();
            }
        }
        simulation.awaitQuiet(QUIET_NANOS);
        following.close();
        assertEquals("sessions at the end", 0, server.service().sessionCount());
        assertEquals("bytes held for nobody", 0, server.heldBytes());
        assertEquals("tasks that wait", 0, server.waitingTasks());
        assertEquals("snapshots and followers left open", 0, server.openSnapshots());
        clients.forEach(this::requireDone);
        copies.forEach(each -> each.requireExact(history));
        readings.forEach(each -> each.requireWhole(history));
        stopping = true;
        server.close();
        simulation.awaitQuiet(QUIET_NANOS);
    }

    /**
     * Who follows was told what was changed there, each once and in order, from some change on to the last; and nothing else.
     *
     * @param hasChanged whether something was changed since all began to follow
     */
    private void requireTold(SimulatedClient client, boolean hasChanged) {
        for (Asked asked : client.asked()) {
            boolean isWhole = client.following().contains(asked) && !client.socket().hasEnded();
            if (asked.kind == Asked.Kind.SYNC && isWhole) {
                asked.copy.requireNewest(asked, history);
            } else if (asked.kind == Asked.Kind.FOLLOW) {
                requireTold(client, asked, isWhole, hasChanged);
            }
        }
    }

    private void requireTold(SimulatedClient client, Asked asked, boolean isWhole, boolean hasChanged) {
        List<ContentHistory.ToldChange> expected = history.toldTo(asked.identity(), asked.name);
        int last = expected.size();
        if (!isWhole && !asked.told.isEmpty()) {
            last = expected.indexOf(asked.told.get(asked.told.size() - 1)) + 1;
        }
        int first = last - asked.told.size();
        assertTrue(client + ": " + asked + " was told\n" + asked.told + "\nof\n" + expected,
                first >= 0 && (asked.told.isEmpty() || expected.subList(first, last).equals(asked.told)));
        if (isWhole && hasChanged && !expected.isEmpty()) {
            assertTrue(client + ": " + asked + " was not told of the last change\n" + expected, !asked.told.isEmpty());
        }
    }

    /** Each search found what was there, and each update is what it was answered. */
    private void requireDone(SimulatedClient client) {
        for (Asked asked : client.asked()) {
            if (Asked.Kind.UPDATES.contains(asked.kind) && asked.kind != Asked.Kind.DELETE) {
                boolean isDone = asked.token == null ? history.wasThere(asked.target) : history.commitOf(asked.token) != null;
                assertTrue(client + ": behind the end it did " + asked, !asked.behindEnd || !isDone);
                assertTrue(client + ": what it was told and what is there are two things: " + asked + ", done: " + isDone,
                        asked.result == null || (asked.result == 0) == isDone);
            } else if (asked.kind == Asked.Kind.SEARCH && asked.result != null && asked.result == 0) {
                history.requireSeen(asked);
            } else if (asked.kind == Asked.Kind.SORTED && asked.result != null && asked.result == 0) {
                asked.sorted.requireSeen(asked, history);
            }
        }
        client.transactions().forEach(each -> each.requireWhole(history));
    }
}
