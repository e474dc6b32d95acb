package org.alder.perf.bench;

import java.io.IOException;
import org.alder.partition.error.DirectoryException;
import org.alder.perf.process.Machine;
import org.alder.perf.report.Report;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.CommandException;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Mixin;

/** What all benchmarks have in common: they find a {@link Report}, print it and write it where they are told. One thread. */
public abstract class BenchmarkVerb implements Verb {
    @Mixin
    private PerfOptions options;

    private volatile boolean measured;

    /**
     * Runs the benchmark in a new folder that is removed afterwards.
     *
     * @throws IOException also if the server's answers are not those the data set has
     */
    public abstract Report measure(Machine machine) throws IOException, InterruptedException, DirectoryException,
            ConfigurationException, CommandException;

    public final PerfOptions options() {
        return options;
    }

    @Override
    public final Integer call() throws IOException, InterruptedException, DirectoryException, ConfigurationException,
            CommandException {
        Report report = measure(Machine.here());
        measured = true;
        options.print(report);
        options.write(report);
        return 0;
    }

    @Override
    public final String whenInterrupted() {
        return measured ? "stopped when all was measured: the report may not be whole"
                : "stopped before the end: no figure was printed, and no report written" + options.abandon();
    }
}
