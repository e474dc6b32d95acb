package org.alder.perf.process;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** What this process has used so far, for benchmarks that have the store in their own process. Stateless, thread safe. */
public final class OwnUsage {
    private static final Path COUNTERS = Path.of("/proc/self/io");
    private static final String WRITTEN = "wchar:";

    private OwnUsage() {
    }

    /**
     * CPU time of all of Java's threads that are alive now, but those; the virtual machine's own (compiler, collector) do not
     * count.
     *
     * @param ignoredThreads IDs
     */
    public static double cpuSeconds(Set<Long> ignoredThreads) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (long id : threads.getAllThreadIds()) {
            if (!ignoredThreads.contains(id)) {
                nanos += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return nanos / 1e9;
    }

    /** File descriptors that the process may have; more than there can be where the system does not tell. */
    public static long mostDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount() : Long.MAX_VALUE;
    }

    /** Bytes handed to the operating system to be written; NaN where it does not tell. */
    public static double writtenBytes() throws IOException {
        if (!Files.isReadable(COUNTERS)) {
            return Double.NaN;
        }
        return Files.readAllLines(COUNTERS).stream().filter(line -> line.startsWith(WRITTEN))
                .mapToDouble(line -> Double.parseDouble(line.substring(WRITTEN.length()).trim())).findFirst().orElse(Double.NaN);
    }
}
