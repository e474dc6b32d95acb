package org.alder.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * What a program took from its start to its end. Immutable.
 *
 * @param wallSeconds with the start of its process
 * @param cpuSeconds user and system time; NaN where the system does not tell
 * @param peakResidentBytes read every few milliseconds; -1 where the system does not tell
 */
public record ProcessRun(double wallSeconds, double cpuSeconds, long peakResidentBytes) {
    private static final int POLL_MILLIS = 50;
    /** Fields of /proc/self/stat after the name, from 0: the times of children that were waited for. */
    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;
    /** USER_HZ of every Linux. */
    private static final double TICKS_PER_SECOND = 100;

    /**
     * Runs a program to its end. No other child of this process may end meanwhile: its CPU time would count here. What it writes to standard
     * error goes there, unless the command says another place.
     *
     * @param called what the program was called with, for people
     * @throws IOException also if it ends with another status than 0; the message says what it was called with, and has its last lines
     */
    public static ProcessRun of(String called, ProcessBuilder command) throws IOException, InterruptedException {
        double cpu = childrenSeconds();
        long start = System.nanoTime();
        Process process = command.start();
        ChildMessages messages = new ChildMessages(process);
        ChildProcess child = new ChildProcess(process);
        long peakBytes = -1;
        do {
            peakBytes = Math.max(peakBytes, child.bytes("VmHWM"));
        } while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS));
        double wall = (System.nanoTime() - start) / 1e9;
        if (process.exitValue() != 0) {
            throw new IOException(called + " ended with status " + process.exitValue() + messages.last());
        }
        return new ProcessRun(wall, childrenSeconds() - cpu, peakBytes);
    }

    /**
     * The same of a program that says much: what it writes goes to a file.
     *
     * @throws IOException also if it ends with another status than 0; the message has what it said
     */
    static ProcessRun of(String called, ProcessBuilder command, Path messages) throws IOException, InterruptedException {
        try {
            return of(called, command.redirectErrorStream(true).redirectOutput(messages.toFile()));
        } catch (IOException e) {
            String said = Files.exists(messages) ? Files.readString(messages).strip() : "nothing";
            throw new IOException(e.getMessage() + "; it said: " + said, e);
        }
    }

    private static double childrenSeconds() throws IOException {
        Path stat = Path.of("/proc/self/stat");
        if (!Files.isReadable(stat)) {
            return Double.NaN;
        }
        String line = Files.readString(stat);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM])) / TICKS_PER_SECOND;
    }
}
