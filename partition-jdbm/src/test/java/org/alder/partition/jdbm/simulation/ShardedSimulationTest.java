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
 * Transactions of several shards in a simulation, run after run, each with the next seed. {@code -Dalder.test.simulation=SECONDS} says for how long, 5 if it
 * is not given; {@code -Dalder.test.seed=S} begins with a seed, which repeats the run that failed with it.
 */
public class ShardedSimulationTest {
    private static final double SECONDS = Double.parseDouble(System.getProperty("alder.test.simulation", "5"));

    @Rule
    public final FaultFolder temporary = FaultFolder.inMemory();

    @Test
    public void whateverFailsAllOfATransactionIsMadeOrNothing() throws IOException, InterruptedException {
        long first = Seed.of(ShardedSimulationTest.class);
        Path parent = temporary.newFolder().toPath();
        LongAdder runs = new LongAdder();
        LongAdder acknowledged = new LongAdder();
        LongAdder moves = new LongAdder();
        LongAdder images = new LongAdder();
        SeededRuns.run(first, SECONDS, seed -> {
            ShardedRun run = run(seed, parent);
            runs.increment();
            acknowledged.add(run.acknowledged());
            moves.add(run.moves());
            images.add(run.images());
        });
        System.out.println("ShardedSimulationTest: " + runs + " seeds from " + first + ", " + acknowledged + " transfers and " + moves + " moves acknowledged, "
                + images + " failures of power");
        assertTrue("acknowledged: " + acknowledged, acknowledged.sum() > 0);
    }

    private static ShardedRun run(long seed, Path parent) throws IOException {
        ShardedRun run = new ShardedRun(seed, parent);
        try {
            run.run();
        } catch (Exception | Error e) {
            throw new AssertionError("with -Dalder.test.seed=" + seed + ": " + e + "\n" + run.trace(), e);
        }
        SystemDisk.INSTANCE.deleteTree(run.folder());
        return run;
    }

    @Test
    public void aSeedRepeatsItsRun() throws IOException {
        long seed = Seed.of(ShardedSimulationTest.class);
        Path parent = temporary.newFolder().toPath();
        for (int i = 0; i < 3; i++) {
            ShardedRun first = run(seed + i, parent);
            ShardedRun second = run(seed + i, parent);
            assertEquals("seed " + (seed + i) + "\n" + first.trace() + "\n\n" + second.trace(), first.traceHash(), second.traceHash());
        }
    }
}
