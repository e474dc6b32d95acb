package org.alder.partition.jdbm.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.store.FaultFolder;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;

/**
 * The store in a simulation, run after run, each with the next seed. {@code -Dalder.test.simulation=SECONDS} says for how long, 5 if
 * it is not given; {@code -Dalder.test.seed=S} begins with a seed, which repeats the run that failed with it.
 */
public class SimulationTest {
    private static final double SECONDS = Double.parseDouble(System.getProperty("alder.test.simulation", "5"));

    @Rule
    public final FaultFolder temporary = new FaultFolder();

    @Test
    public void whateverTheOrderAndTheFaultsWhatWasPromisedHolds() throws IOException {
        long first = Seed.of(SimulationTest.class);
        Path parent = temporary.newFolder().toPath();
        long begin = System.nanoTime();
        long runs = 0;
        long failed = 0;
        long images = 0;
        long reads = 0;
        long histories = 0;
        long turns = 0;
        do {
            SimulatedRun run = run(first + runs, parent);
            runs++;
            failed += run.hasFailed() ? 1 : 0;
            images += run.images();
            reads += run.reads();
            histories += run.histories();
            turns += run.turns();
        } while (System.nanoTime() - begin < SECONDS * 1e9);
        double minutes = (System.nanoTime() - begin) / 60e9;
        System.out.printf(Locale.ROOT, "SimulationTest: %d seeds from %d, %d turns, %d with a disk that failed, %d failures of power, %d readings,"
                + " %d of them told what had changed; a minute: %.0f interleavings%n", runs, first, turns, failed, images, reads, histories,
                runs / minutes);
        assertTrue("turns: " + turns, turns > 0);
    }

    private static SimulatedRun run(long seed, Path parent) throws IOException {
        SimulatedRun run = new SimulatedRun(seed, parent);
        try {
            run.run();
        } catch (RuntimeException | Error e) {
            throw new AssertionError("with -Dalder.test.seed=" + seed + ": " + e + "\n" + run.trace(), e);
        }
        SystemDisk.INSTANCE.deleteTree(run.folder());
        return run;
    }

    @Test
    public void aSeedRepeatsItsRun() throws IOException {
        long seed = Seed.of(SimulationTest.class);
        Path parent = temporary.newFolder().toPath();
        for (int i = 0; i < 5; i++) {
            SimulatedRun first = run(seed + i, parent);
            SimulatedRun second = run(seed + i, parent);
            assertEquals("seed " + (seed + i) + "\n" + first.trace() + "\n\n" + second.trace(), first.traceHash(), second.traceHash());
        }
    }

    /** Two tasks that add to a number in two steps, which loses additions in some orders and in others not. */
    @Test
    public void manyOrdersAreTried() {
        List<Integer> sums = new ArrayList<>();
        for (int seed = 0; seed < 200; seed++) {
            int[] sum = {0};
            Simulation simulation = new Simulation(seed);
            simulation.run(() -> addTwice(simulation, sum));
            sums.add(sum[0]);
        }
        assertTrue(sums.toString(), sums.contains(1) && sums.contains(2));
    }

    private static void addTwice(Simulation simulation, int[] sum) {
        List<Tasks.Task> tasks = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            tasks.add(simulation.start("adder " + i, () -> {
                int before = sum[0];
                simulation.step("has read");
                sum[0] = before + 1;
            }));
        }
        for (Tasks.Task task : tasks) {
            try {
                task.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    public void aWakingThatIsForgottenIsADeadlock() {
        Simulation simulation = new Simulation(1);
        Object monitor = new Object();
        AssertionError deadlock = assertThrows(AssertionError.class, () -> simulation.run(() -> {
            synchronized (monitor) {
                try {
                    simulation.waitOn(monitor, Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }));
        assertTrue(deadlock.getMessage(), deadlock.getMessage().contains("nobody can go on: test"));
    }
}
