package org.alder.perf.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.server.cli.option.CommandException;
import picocli.CommandLine.Option;

/** Which builds the members of a cluster under test run. */
final class OtherBuild {
    @Option(names = "--other-build", paramLabel = "DIR", description = "A checkout of an older commit that is built, or an installation of it: members begin with that build. Default: none, all have"
            + " this one.")
    private Path folder;

    void check() throws CommandException {
        if (folder != null && !Files.isExecutable(launcher())) {
            throw new CommandException("--other-build " + folder + ": there is no program at " + launcher());
        }
    }

    private Path launcher() {
        return folder.resolve("bin").resolve("alder");
    }

    boolean isGiven() {
        return folder != null;
    }

    Cluster.Builds builds() {
        return new Cluster.Builds(Path.of(System.getProperty("alder.home", ".")).toAbsolutePath(), folder == null ? null : folder.toAbsolutePath().normalize());
    }

    /** As they were given. */
    List<String> arguments() {
        return folder == null ? List.of() : List.of("--other-build", folder.toAbsolutePath().toString());
    }
}
