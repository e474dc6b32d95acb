package org.alder.partition.jdbm.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.MemorySharedLog;
import org.alder.partition.jdbm.log.MemorySharedLog.Script;
import org.alder.partition.jdbm.store.CrashScript;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Simulation;

/**
 * Two or three machines whose stores share a log in one {@link Simulation}: writers, readers, and somebody who has machines hang, cuts
 * them off, restarts them, breaks their clocks and moves the lead. Everything follows from the seed. What is held against what,
 * docs/simulation.md says.
 */
final class ReplicaRun {
    private static final long MILLI = 1_000_000;
    /** Each takes some time. */
    private static final int MOST_TRIES = 3000;

    private final long seed;
    private final Path folder;
    private final Simulation simulation;
    private final SplittableRandom random;
    private final Tasks tasks;
    private final MemorySharedLog log = new MemorySharedLog();
    private final SimulatedLock lock;
    private final List<SimulatedMachine> machines = new ArrayList<>();
    private final List<CrashScript> scripts = new ArrayList<>();
    /** What machines have shown at each sequence. */
    private final Map<Long, String> shown = new HashMap<>();
    private final int oneOf;
    private boolean faulty;
    private int acknowledged;
    private int unknown;
    private int faults;
    private int reads;
    private int probes;

    /** @param parent where folders are made */
    ReplicaRun(long seed, Path parent) throws IOException {
        this.seed = seed;
        this.folder = Files.createTempDirectory(parent, "run");
        this.simulation = new Simulation(seed, 600, 200, 40);
        this.tasks = new SimulatedTasks(simulation);
        this.random = simulation.random().split();
        this.lock = new SimulatedLock(simulation);
        this.oneOf = random.nextInt(3) == 0 ? Integer.MAX_VALUE : 3 + random.nextInt(20);
    }

    int acknowledged() {
        return acknowledged;
    }

    int unknown() {
        return unknown;
    }

    int faults() {
        return faults;
    }

    int reads() {
        return reads;
    }

    long epochs() {
        return log.epoch();
    }

    long turns() {
        return simulation.turns();
    }

    long traceHash() {
        return simulation.traceHash();
    }

    String trace() {
        return simulation.trace();
    }

    Path folder() {
        return folder;
    }

    void run() {
        simulation.run(this::simulate);
    }

    /** How an append ends that reaches the log. */
    private Script ending() {
        boolean isDone = !faulty || random.nextInt(oneOf) > 0;
        return isDone ? Script.DONE : Script.values()[random.nextInt(Script.values().length)];
    }

    private void simulate() {
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            machines.add(new SimulatedMachine(machines.size(), simulation, lock, log, this::ending, folder));
        }
        List<Simulation.Actor> elections = machines.stream().map(machine -> simulation.start("election", machine::elect)).toList();
        machines.forEach(machine -> machine.trustForEver(true));
        await("the first leader", () -> leader() != null);
        tasks.join(CrashScript.prepare(leader().store()));
        machines.forEach(machine -> machine.trustForEver(false));
        faulty = true;
        List<Simulation.Actor> clients = startClients();
        disturb(random.nextInt(8));
        clients.forEach(Simulation.Actor::join);
        faulty = false;
        settle();
        machines.forEach(SimulatedMachine::end);
        elections.forEach(Simulation.Actor::join);
        check();
    }

    private List<Simulation.Actor> startClients() {
        List<Simulation.Actor> clients = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            CrashScript script = new CrashScript(seed, scripts.size());
            scripts.add(script);
            int transactions = 2 + random.nextInt(10);
            clients.add(simulation.start("client", () -> write(script, transactions)));
        }
        int times = 1 + random.nextInt(8);
        clients.add(simulation.start("reader", () -> read(times)));
        return clients;
    }

    private void await(String what, BooleanSupplier condition) {
        for (int i = 0; i < MOST_TRIES && !condition.getAsBoolean(); i++) {
            simulation.await(what, condition, 100 * MILLI);
        }
        assertTrue("no sign of " + what, condition.getAsBoolean());
    }

    /** Whoever has the lock, and leads; null where that is nobody. */
    private SimulatedMachine leader() {
        SimulatedMachine holder = lock.holder() < 0 ? null : machines.get(lock.holder());
        return holder != null && holder.leads() ? holder : null;
    }

    /** Mostly who has the lock. */
    private SimulatedMachine guess() {
        boolean isRight = random.nextInt(4) > 0 && lock.holder() >= 0;
        return machines.get(isRight ? lock.holder() : random.nextInt(machines.size()));
    }

    /** One transaction after the other, each until it is known what became of it. */
    private void write(CrashScript script, int transactions) {
        int most = script.steps() + transactions;
        while (script.steps() < most) {
            StoreException.Kind refused = submit(guess(), script::submit);
            if (refused == null) {
                acknowledged++;
                script.advance();
            } else if (refused == StoreException.Kind.OUTCOME_UNKNOWN) {
                unknown++;
                learn(script);
            } else {
                simulation.pause((1 + random.nextInt(200)) * MILLI);
            }
        }
    }

    /** @return null where it was made; of what it was refused for nothing may have been done but where the outcome is unknown */
    private StoreException.Kind submit(SimulatedMachine machine, Function<JdbmStore, CompletableFuture<Void>> transaction) {
        JdbmStore store = machine.store();
        if (store == null) {
            return StoreException.Kind.CLOSED;
        }
        try {
            CompletableFuture<Void> answer = transaction.apply(store);
            simulation.step("sent");
            tasks.join(answer);
            return null;
        } catch (CompletionException e) {
            return switch (StoreTests.kindOf(e)) {
                case NOT_LEADER, CLOSED, DISK_FULL, READ_ONLY, OUTCOME_UNKNOWN -> StoreTests.kindOf(e);
                default -> throw e;
            };
        }
    }

    private CompletableFuture<Void> probe(JdbmStore store) {
        String color = "probe" + probes++;
        return store.submit(context -> {
            context.modify(1, StoreTests.recolor(List.of(), List.of(color)));
            return null;
        });
    }

    /** Asks who has shown to lead, and so has all there was before. */
    private void learn(CrashScript script) {
        int known = script.steps();
        int found = -1;
        while (found < 0) {
            SimulatedMachine asked = guess();
            JdbmStore store = asked.store();
            if (submit(asked, this::probe) == null && asked.store() == store) {
                try (Snapshot snapshot = store.snapshot()) {
                    script.load(snapshot);
                    found = script.steps();
                } catch (StoreException e) {
                    assertEquals(StoreException.Kind.CLOSED, e.kind());
                }
            } else {
                simulation.pause((1 + random.nextInt(200)) * MILLI);
            }
        }
        assertTrue("steps known " + known + ", found " + found, found == known || found == known + 1);
    }

    /** Whatever a machine shows at a sequence number, all do; and none takes back what it has shown. */
    private void read(int times) {
        Map<JdbmStore, Long> last = new HashMap<>();
        for (int i = 0; i < times; i++) {
            JdbmStore store = machines.get(random.nextInt(machines.size())).store();
            if (store != null) {
                try (Snapshot snapshot = store.snapshot()) {
                    long before = last.getOrDefault(store, 0L);
                    assertTrue("shown " + before + " and then " + snapshot.sequence(), snapshot.sequence() >= before);
                    last.put(store, snapshot.sequence());
                    simulation.step("opened a snapshot at " + snapshot.sequence());
                    requireSame(snapshot);
                } catch (StoreException e) {
                    assertEquals(StoreException.Kind.CLOSED, e.kind());
                }
            }
            simulation.pause(random.nextInt(500) * MILLI);
        }
    }

    private void requireSame(Snapshot snapshot) {
        if (snapshot.sequence() > 0) {
            String now = StoreTests.digest(snapshot, CrashScript.INDEXER).toString();
            String before = shown.putIfAbsent(snapshot.sequence(), now);
            assertTrue("two states at sequence " + snapshot.sequence(), before == null || before.equals(now));
            reads++;
        }
    }

    private void disturb(int times) {
        for (int i = 0; i < times; i++) {
            simulation.pause(random.nextInt(1500) * MILLI);
            SimulatedMachine machine = guess();
            faults++;
            switch (random.nextInt(5)) {
                case 0 -> machine.log().hang(random.nextInt(15_000) * MILLI);
                case 1 -> cutOff(machine);
                case 2 -> machine.restart();
                case 3 -> lock.give(random.nextInt(machines.size()));
                default -> machine.trustForEver(random.nextBoolean());
            }
        }
    }

    /** Sometimes for longer than clients wait for an answer. */
    private void cutOff(SimulatedMachine machine) {
        machine.log().cutOff(true);
        simulation.pause(random.nextInt(20_000) * MILLI);
        machine.log().cutOff(false);
    }

    /** Nothing fails any more: somebody leads, and all get what there is. */
    private void settle() {
        machines.forEach(machine -> machine.trustForEver(false));
        StoreException.Kind refused;
        int tries = 0;
        do {
            simulation.pause(100 * MILLI);
            refused = submit(guess(), this::probe);
            assertTrue("nobody takes updates: " + refused, tries++ < MOST_TRIES);
        } while (refused != null);
        await("all of it on all machines", () -> machines.stream().allMatch(machine -> machine.store().sequence() == log.last()));
    }

    private void check() {
        assertEquals("what writers did that they may not", List.of(), log.faults());
        for (SimulatedMachine machine : machines) {
            machine.requireNotFailed(machine.store());
            try (Snapshot snapshot = machine.store().snapshot()) {
                requireSame(snapshot);
                StoreTests.assertIndexed(snapshot, CrashScript.INDEXER);
                for (int i = 0; i < scripts.size(); i++) {
                    requireDone(snapshot, i);
                }
            }
            machine.stop();
            StoreTests.assertFilesSound(machine.folder());
        }
    }

    private void requireDone(Snapshot snapshot, int writer) {
        CrashScript found = new CrashScript(seed, writer);
        found.load(snapshot);
        assertEquals("steps of writer " + writer, scripts.get(writer).steps(), found.steps());
        CrashScript replayed = new CrashScript(seed, writer);
        while (replayed.steps() < found.steps()) {
            replayed.advance();
        }
        assertEquals("entries of writer " + writer, replayed.entries(), found.entries());
    }
}
