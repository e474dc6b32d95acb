package org.alder.perf.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.process.ServerProcess;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.Verb;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A cluster that fails in every way, under clients who know what they were told. */
@Command(name = "cluster-faults", mixinStandardHelpOptions = true,
        description = "Kill, stop and cut off the members of a cluster at random, fill their disks, have these fail, set their clocks wrong, and hold what clients were told against each other:"
                + " nothing acknowledged is lost, nothing refused is done, one order explains all answers, and all members have the same in the end."
                + " Ends at the first difference, with exit status 1.")
public final class ClusterFaultsVerb implements Verb {
    @Option(names = "--faults", paramLabel = "N", description = "How many. Default: ${DEFAULT-VALUE}.")
    private int faults = 10;

    @Option(names = "--seed", paramLabel = "S", description = "What goes wrong, and when. Default: a new one, which is printed.")
    private Long seed;

    @Option(names = "--work", paramLabel = "DIR", description = "Where data and logs are kept. Default: a temporary folder.")
    private Path work;

    @Option(names = "--failures", paramLabel = "DIR",
            description = "Where the history of a difference is kept. Default: ${DEFAULT-VALUE}.")
    private Path failures = Path.of("cluster-failures");

    @Option(names = "--kinds", paramLabel = "KIND,...", split = ",", description = "What may go wrong, of: ${COMPLETION-CANDIDATES}. Default: all of them.")
    private List<Faults.Kind> kinds = List.of();

    @Mixin
    private Layout layout;

    @Mixin
    private OtherBuild other;

    /** This process is in name spaces of its own, and ends with the one that has started it. */
    @Option(names = "--in-lab", hidden = true)
    private boolean inLab;

    @Override
    public Integer call() throws IOException, InterruptedException, CommandException {
        if (faults < 1 || faults > 1_000_000) {
            throw new CommandException("--faults " + faults + ": expected 1 to 1000000");
        }
        other.check();
        long used = seed == null ? System.nanoTime() : seed;
        if (inLab) {
            endWithParent();
            return run(used, work);
        }
        System.out.println("seed " + used);
        try (WorkFolder folder = WorkFolder.create(work)) {
            List<String> prefix = Lab.prefix();
            return prefix == null ? run(used, folder.path()) : ServerProcess.runHere(prefix, inLab(used, folder.path()));
        }
    }

    private List<String> inLab(long used, Path folder) throws CommandException {
        List<String> all = new ArrayList<>(List.of("perf", "cluster-faults", "--in-lab", "--faults", Integer.toString(faults), "--seed", Long.toString(used),
                "--work", folder.toString(), "--failures", failures.toString()));
        if (!kinds.isEmpty()) {
            all.addAll(List.of("--kinds", kinds.stream().map(Faults.Kind::name).collect(Collectors.joining(","))));
        }
        all.addAll(layout.numbers().arguments());
        all.addAll(other.arguments());
        return all;
    }

    /** Whose end is the end of this process's input. */
    private static void endWithParent() {
        Thread thread = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                System.err.println("the process that has started this one cannot be heard: " + e);
            }
            Runtime.getRuntime().halt(CommandLine.ExitCode.SOFTWARE);
        }, "parent");
        thread.setDaemon(true);
        thread.start();
    }

    private int run(long used, Path folder) throws IOException, InterruptedException, CommandException {
        FaultRun run = new FaultRun(new FaultRun.Settings(faults, used, other.builds(), layout.numbers(), folder, failures, kinds, inLab),
                System.err::println);
        String difference = run.run();
        System.out.println(run.summary());
        System.out.println(difference == null ? "no difference" : "DIFFERENCE: " + difference);
        return difference == null ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
