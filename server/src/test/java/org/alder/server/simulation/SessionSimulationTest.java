package org.alder.server.simulation;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/**
 * Sessions, followers and workers in a simulation, run after run, each with the next seed. {@code -Dalder.test.simulation=SECONDS} says
 * for how long, 10 if it is not given; {@code -Dalder.test.seed=S} begins with a seed, which repeats the run that failed with it.
 */
public class SessionSimulationTest {
    private static final double SECONDS = Double.parseDouble(System.getProperty("alder.test.simulation", "10"));
    /** Of what each run says how much of it there was. */
    private static final List<String> COUNTED = List.of("steps", "turns", "requests", "changes told", "states of copies", "readings in pages",
            "sorted searches", "transactions");
    private static final OperatingSystemMXBean PROCESS = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    @SuppressWarnings("unchecked")
    private static LongFunction<long[]> runner() throws ReflectiveOperationException {
        SteppedClasses classes = new SteppedClasses(SessionSimulationTest.class.getClassLoader());
        return (LongFunction<long[]>) classes.loadClass(SessionRun.Runner.class.getName()).getDeclaredConstructor().newInstance();
    }

    private static long[] run(LongFunction<long[]> runner, long seed) {
        try {
            return runner.apply(seed);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("with -Dalder.test.seed=" + seed, e);
        }
    }

    @Test
    public void whateverTheOrderWhatAClientMayRelyOnHolds() throws ReflectiveOperationException {
        long first = Seed.of(SessionSimulationTest.class);
        LongFunction<long[]> runner = runner();
        long begin = System.nanoTime();
        long beginProcessor = PROCESS.getProcessCpuTime();
        long runs = 0;
        long[] sums = new long[COUNTED.size() + 1];
        do {
            long[] run = run(runner, first + runs++);
            for (int i = 1; i < sums.length; i++) {
                sums[i] += run[i];
            }
        } while (System.nanoTime() - begin < SECONDS * 1e9);
        double minutes = (System.nanoTime() - begin) / 60e9;
        double processorMinutes = (PROCESS.getProcessCpuTime() - beginProcessor) / 60e9;
        String counted = IntStream.range(1, sums.length).mapToObj(i -> sums[i] + " " + COUNTED.get(i - 1)).collect(Collectors.joining(", "));
        System.out.printf(Locale.ROOT, "SessionSimulationTest: %d seeds from %d, %s; interleavings: %.0f a minute, %.0f a minute of one processor%n",
                runs, first, counted, runs / minutes, runs / processorMinutes);
        assertTrue(counted, runs < 100 || LongStream.of(sums).skip(1).allMatch(sum -> sum > 0));
    }

    @Test
    public void aSeedRepeatsItsRun() throws ReflectiveOperationException {
        long seed = Seed.of(SessionSimulationTest.class);
        LongFunction<long[]> runner = runner();
        for (int i = 0; i < 5; i++) {
            assertArrayEquals("seed " + (seed + i), run(runner, seed + i), run(runner, seed + i));
        }
    }
}
