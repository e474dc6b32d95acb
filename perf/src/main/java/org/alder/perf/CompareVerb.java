package org.alder.perf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.perf.report.Comparison;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.CommandException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Two JSON reports side by side, for instance of two commits. */
@Command(name = "compare", mixinStandardHelpOptions = true,
        description = "Print each figure that two JSON reports have in common, and the second divided by the first.")
final class CompareVerb implements Verb {
    @Parameters(index = "0", paramLabel = "A.json")
    private Path first;

    @Parameters(index = "1", paramLabel = "B.json")
    private Path second;

    @Override
    public Integer call() throws IOException, CommandException {
        String before = Files.readString(first);
        String after = Files.readString(second);
        try {
            System.out.print(new Comparison(before, after).text());
            return 0;
        } catch (IllegalArgumentException e) {
            throw new CommandException("cannot compare " + first + " with " + second + ": " + e.getMessage(), e);
        }
    }
}
