package org.alder.perf.faults;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.perf.bench.WorkFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.Verb;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A cluster that goes over from another build to this one under clients who know what they were told. */
@Command(name = "cluster-upgrade", mixinStandardHelpOptions = true,
        description = "Have the members of a cluster go over from an older build to this one, one after the other, back and forth, under updates: no update waits but for planned moves, nothing"
                + " acknowledged is lost, and all members have the same in the end, when the feature level was raised. Ends at the first difference, with exit status 1.")
public final class ClusterUpgradeVerb implements Verb {
    @Mixin
    private OtherBuild other;

    @Mixin
    private Layout layout;

    @Option(names = "--seed", paramLabel = "S", description = "What clients ask. Default: a new one, which is printed.")
    private Long seed;

    @Option(names = "--work", paramLabel = "DIR", description = "Where data and logs are kept. Default: a temporary folder.")
    private Path work;

    @Option(names = "--failures", paramLabel = "DIR", description = "Where the history of a difference is kept. Default: ${DEFAULT-VALUE}.")
    private Path failures = Path.of("cluster-failures");

    @Override
    public Integer call() throws IOException, InterruptedException, CommandException {
        if (!other.isGiven()) {
            throw new CommandException("expected --other-build DIR: the build of which the members go over to this one");
        }
        other.check();
        long used = seed == null ? System.nanoTime() : seed;
        System.out.println("seed " + used);
        try (WorkFolder folder = WorkFolder.create(work)) {
            UpgradeRun run = new UpgradeRun(new UpgradeRun.Settings(used, other.builds(), layout.numbers(), folder.path(), failures), System.err::println);
            String difference = run.run();
            System.out.println(run.summary());
            System.out.println(difference == null ? "no difference" : "DIFFERENCE: " + difference);
            return difference == null ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }
}
