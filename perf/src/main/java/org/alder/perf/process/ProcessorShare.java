package org.alder.perf.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a process gets of this machine's processors at most, until this is closed: so servers that share a machine each have what they would have on one of their
 * own. By control groups of Linux (cgroup, version 1 or 2), which root may make. One thread.
 */
public final class ProcessorShare implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    /** Short, so that who has used its share waits for the next one for some milliseconds alone. */
    private static final int PERIOD_MICROS = 10_000;
    private static final String PROCESSES = "cgroup.procs";

    private final Path parent;
    private final Path group;
    private final long process;

    private ProcessorShare(Path parent, Path group, long process) {
        this.parent = parent;
        this.group = group;
        this.process = process;
    }

    /**
     * For one process, all threads of it; those that it starts are in it, too.
     *
     * @param processors such as 0.5
     * @throws IOException saying what is needed, where there are no control groups, or this process may not make one
     */
    public static ProcessorShare of(long process, double processors) throws IOException {
        Path first = ROOT.resolve("cpu");
        boolean isFirst = Files.isDirectory(first);
        Path parent = isFirst ? first : ROOT;
        Path group = parent.resolve("alder-perf-" + process);
        long quotaMicros = Math.round(processors * PERIOD_MICROS);
        ProcessorShare share = new ProcessorShare(parent, group, process);
        boolean done = false;
        try {
            if (!isFirst) {
                write(parent.resolve("cgroup.subtree_control"), "+cpu");
            }
            Files.createDirectory(group);
            if (isFirst) {
                write(group.resolve("cpu.cfs_period_us"), "" + PERIOD_MICROS);
                write(group.resolve("cpu.cfs_quota_us"), "" + quotaMicros);
            } else {
                write(group.resolve("cpu.max"), quotaMicros + " " + PERIOD_MICROS);
            }
            write(group.resolve(PROCESSES), "" + process);
            done = true;
        } catch (IOException e) {
            throw new IOException("a server cannot be given a share of the processors: that needs control groups of Linux (cgroup) below " + ROOT + ", and root: " + e, e);
        } finally {
            if (!done) {
                share.close();
            }
        }
        return share;
    }

    private static void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.US_ASCII), StandardOpenOption.WRITE);
    }

    /** The process has all processors again, if it is still there. */
    @Override
    public void close() {
        if (!Files.isDirectory(group)) {
            return;
        }
        try {
            write(parent.resolve(PROCESSES), "" + process);
        } catch (IOException e) {
            // It has ended, and is in no group.
            System.err.println("process " + process + " gives its share of the processors back: " + e.getMessage());
        }
        try {
            Files.delete(group);
        } catch (IOException e) {
            System.err.println("remove the control group " + group + " yourself: " + e.getMessage());
        }
    }
}
