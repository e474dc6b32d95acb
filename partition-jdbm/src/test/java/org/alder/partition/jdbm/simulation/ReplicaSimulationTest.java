package org.alder.partition.jdbm.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.store.FaultFolder;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;

/**
 * Stores that share a log, in a simulation, run after run, each with the next seed. {@code -Dalder.test.simulation=SECONDS} says for how
 * long, 5 if it is not given; {@code -Dalder.test.seed=S} begins with a seed, which repeats the run that failed with it.
 */
public class ReplicaSimulationTest {
    private static final double SECONDS = Double.parseDouble(System.getProperty("alder.test.simulation", "5"));

    @Rule
    public final FaultFolder temporary = FaultFolder.inMemory();

    @Test
    public void whoeverLeadsAndWhateverFailsAllHaveWhatWasPromised() throws IOException, InterruptedException {
        long first = Seed.of(ReplicaSimulationTest.class);
        Path parent = temporary.newFolder().toPath();
        LongAdder runs = new LongAdder();
        LongAdder acknowledged = new LongAdder();
        LongAdder unknown = new LongAdder();
        LongAdder faults = new LongAdder();
        LongAdder epochs = new LongAdder();
        LongAdder reads = new LongAdder();
        SeededRuns.run(first, SECONDS, seed -> {
            ReplicaRun run = run(seed, parent);
            runs.increment();
            acknowledged.add(run.acknowledged());
            unknown.add(run.unknown());
            faults.add(run.faults());
            epochs.add(run.epochs());
            reads.add(run.reads());
        });
        System.out.println("ReplicaSimulationTest: " + runs + " seeds from " + first + ", " + acknowledged + " updates acknowledged, " + unknown
                + " with unknown outcome, " + epochs + " leaders, " + faults + " faults, " + reads + " readings");
        assertTrue("acknowledged: " + acknowledged, acknowledged.sum() > 0);
    }

    private static ReplicaRun run(long seed, Path parent) throws IOException {
        ReplicaRun run = new ReplicaRun(seed, parent);
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
        long seed = Seed.of(ReplicaSimulationTest.class);
        Path parent = temporary.newFolder().toPath();
        for (int i = 0; i < 5; i++) {
            ReplicaRun first = run(seed + i, parent);
            ReplicaRun second = run(seed + i, parent);
            assertEquals("seed " + (seed + i) + "\n" + first.trace() + "\n\n" + second.trace(), first.traceHash(), second.traceHash());
        }
    }
}
