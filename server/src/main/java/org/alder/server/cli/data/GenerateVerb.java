package org.alder.server.cli.data;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.ldif.LdifGenerator;
import org.alder.ldif.LdifWriter;
import org.alder.ldif.SampleValues;
import org.alder.ldif.progress.Progress;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes the sample data set. */
@Command(name = "generate", mixinStandardHelpOptions = true, description = "Write sample users as LDIF.",
        footer = {"  alder generate --entries 10000 --realistic --output people.ldif"})
public final class GenerateVerb implements Verb {
    @Option(names = "--entries", paramLabel = "N", required = true, description = "How many users.")
    private long entries;

    @Option(names = "--seed", paramLabel = "S", description = "Another seed gives other values. Default: ${DEFAULT-VALUE}.")
    private long seed = LdifGenerator.DEFAULT_SEED;

    @Option(names = "--realistic",
            description = "Realistic names, titles, places and addresses, not random letters.")
    private boolean realistic;

    @Option(names = "--output", paramLabel = "FILE", description = "Where they are written; it takes its place when it is whole. Default: standard output.")
    private Path output;

    @Mixin
    private ProgressOption progressOption;

    private volatile OutputFile written;

    @Override
    public Integer call() throws IOException, CommandException {
        if (entries < 0) {
            throw new WrongCallException("--entries " + entries + ": expected a number that is not negative");
        }
        Progress progress = progressOption.progress();
        SampleValues values = realistic ? SampleValues.REALISTIC : SampleValues.RANDOM;
        written = OutputFile.of(output);
        boolean whole = false;
        try {
            try (LdifWriter writer = new LdifWriter(written.open())) {
                new LdifGenerator(seed, values).writeTo(writer, entries, progress);
            }
            written.complete();
            whole = true;
        } finally {
            if (!whole) {
                written.discard();
            }
        }
        return 0;
    }

    @Override
    public String whenInterrupted() {
        OutputFile file = written;
        return "stopped before the end" + (file == null ? "" : ": " + file.discard());
    }
}
