package org.alder.partition.jdbm.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.store.FaultFolder;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;

/**
 * The store in a simulation, run after run, each with the next seed. {@code -Dalder.test.simulation=SECONDS} says for how long, 5 if
 * it is not given; {@code -Dalder.test.seed=S} begins with a seed, which repeats the run that failed with it.
 */
public class StoreSimulationTest {
    private static final double SECONDS = Double.parseDouble(System.getProperty("alder.test.simulation", "5"));

    private static final OperatingSystemMXBean PROCESS = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    @Rule
    public final FaultFolder temporary = FaultFolder.inMemory();

    /** What all runs were like together. */
    private static final class Sums {
        private long runs;
        private long failed;
        private long images;
        private long reads;
        private long histories;
        private long turns;

        private synchronized void add(StoreRun run) {
            runs++;
            failed += run.hasFailed() ? 1 : 0;
            images += run.images();
            reads += run.reads();
            histories += run.histories();
            turns += run.turns();
        }
    }

    @Test
    public void whateverTheOrderAndTheFaultsWhatWasPromisedHolds() throws IOException, InterruptedException {
        long first = Seed.of(StoreSimulationTest.class);
        Path parent = temporary.newFolder().toPath();
        long begin = System.nanoTime();
        long beginProcessor = PROCESS.getProcessCpuTime();
        Sums sums = new Sums();
        SeededRuns.run(first, SECONDS, seed -> sums.add(run(seed, parent)));
        double minutes = (System.nanoTime() - begin) / 60e9;
        double processorMinutes = (PROCESS.getProcessCpuTime() - beginProcessor) / 60e9;
        System.out.printf(Locale.ROOT, "StoreSimulationTest: %d seeds from %d, %d turns, %d with a disk that failed, %d failures of power, %d readings,"
                + " %d of them told what had changed; interleavings: %.0f a minute, %.0f a minute of one processor%n", sums.runs, first, sums.turns,
                sums.failed, sums.images, sums.reads, sums.histories, sums.runs / minutes, sums.runs / processorMinutes);
        assertTrue("turns: " + sums.turns, sums.turns > 0);
    }

    private static StoreRun run(long seed, Path parent) throws IOException {
        StoreRun run = new StoreRun(seed, parent);
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
        long seed = Seed.of(StoreSimulationTest.class);
        Path parent = temporary.newFolder().toPath();
        for (int i = 0; i < 5; i++) {
            StoreRun first = run(seed + i, parent);
            StoreRun second = run(seed + i, parent);
            assertEquals("seed " + (seed + i) + "\n" + first.trace() + "\n\n" + second.trace(), first.traceHash(), second.traceHash());
        }
    }
}
