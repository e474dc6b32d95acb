package org.alder.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What the operating system tells of a process that this one started, and its end. One thread. */
record ChildProcess(Process process) implements AutoCloseable {
    private static final int STOP_SECONDS = 120;

    double cpuSeconds() {
        return process.info().totalCpuDuration().map(used -> used.toNanos() / 1e9).orElse(Double.NaN);
    }

    /**
     * A size of {@code /proc/PID/status}.
     *
     * @param key {@code VmRSS} for what is resident now, {@code VmHWM} for the most there was
     * @return -1 where the system does not tell, or the process has ended
     */
    long bytes(String key) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
                if (line.startsWith(key + ":")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
            return -1;
        } catch (IOException e) {
            // Not there, or gone between being opened and being read, which is "No such process".
            return -1;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("waited " + STOP_SECONDS + " s for process " + process.pid() + " to end as it was told to; it is killed");
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
