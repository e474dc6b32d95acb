package org.alder.perf.engine;

import java.io.IOException;
import java.util.Set;
import org.alder.partition.error.DirectoryException;
import org.alder.perf.process.OwnUsage;

/** Something done several times, one after the other, by one thread of this process; CPU of all its threads. Immutable. */
record Timed(long count, double seconds, double cpuSeconds) {
    /** One time, by its number from 0. */
    @FunctionalInterface
    interface Step {
        void run(long i) throws IOException, DirectoryException;
    }

    /** At least once. */
    static Timed forSeconds(double time, Step step) throws IOException, DirectoryException {
        return run(Long.MAX_VALUE, System.nanoTime() + (long) (time * 1e9), step);
    }

    static Timed times(long count, Step step) throws IOException, DirectoryException {
        return run(count, Long.MAX_VALUE, step);
    }

    private static Timed run(long most, long endNanos, Step step) throws IOException, DirectoryException {
        double cpu = OwnUsage.cpuSeconds(Set.of());
        long start = System.nanoTime();
        long done = 0;
        do {
            step.run(done++);
        } while (done < most && System.nanoTime() < endNanos);
        return new Timed(done, (System.nanoTime() - start) / 1e9, OwnUsage.cpuSeconds(Set.of()) - cpu);
    }

    double micros() {
        return seconds * 1e6 / count;
    }

    double cpuMicros() {
        return cpuSeconds * 1e6 / count;
    }
}
