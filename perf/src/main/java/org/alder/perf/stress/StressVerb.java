package org.alder.perf.stress;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.perf.bench.WorkFolder;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.WrongCallException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Everything at once against a model, for hours. */
@Command(name = "stress", mixinStandardHelpOptions = true,
        description = "Mix all kinds of updates and searches on a server that is killed, stopped and started again with other indexes,"
                + " whose disk gets full, and that is backed up meanwhile, and hold all of its answers, its followers' copies and"
                + " its exports against a model. Ends at the first difference, with exit status 1.")
public final class StressVerb implements Verb {
    private static final double SECONDS_PER_HOUR = 3600;

    @Option(names = "--hours", paramLabel = "N", required = true, description = "How long; 0.1 is six minutes.")
    private double hours;

    @Option(names = "--seed", paramLabel = "S", description = "What the load is made from. Default: a new one, which is printed.")
    private Long seed;

    @Option(names = "--workers", paramLabel = "N", description = "Clients that update at the same time. Default: ${DEFAULT-VALUE}.")
    private int workers = 8;

    @Option(names = "--round-seconds", paramLabel = "S",
            description = "The longest from one start of the server to the next. Default: ${DEFAULT-VALUE}.")
    private double roundSeconds = 20;

    @Option(names = "--disk", paramLabel = "MIB",
            description = "Size of the disk in memory that the data are on, so that it can get full. 0 = they are in --work, whose"
                    + " disk does not. Default: ${DEFAULT-VALUE}.")
    private int diskMebibytes = 192;

    @Option(names = "--work", paramLabel = "DIR", description = "Where data and logs are kept. Default: a temporary folder.")
    private Path work;

    @Option(names = "--failures", paramLabel = "DIR",
            description = "Where the history of a difference is kept, with the data folder. Default: ${DEFAULT-VALUE}.")
    private Path failures = Path.of("stress-failures");

    @Override
    public Integer call() throws IOException, InterruptedException, CommandException {
        if (!(hours > 0) || workers < 1 || workers > 1000 || !(roundSeconds > 0) || diskMebibytes < 0) {
            throw new WrongCallException("--hours and --round-seconds: expected more than 0; --workers: 1 to 1000; --disk: at least 0");
        }
        long used = seed == null ? System.nanoTime() : seed;
        System.out.println("seed " + used);
        try (WorkFolder folder = WorkFolder.create(work)) {
            StressRun run = new StressRun(new StressRun.Settings(hours * SECONDS_PER_HOUR, roundSeconds, used, workers, diskMebibytes,
                    Path.of(System.getProperty("alder.home", ".")), folder.path(), failures), System.err::println);
            String difference = run.run();
            System.out.println(run.summary());
            System.out.println(difference == null ? "no difference" : "DIFFERENCE: " + difference);
            return difference == null ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }
}
