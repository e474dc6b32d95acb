package org.alder.server.cli.data;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.alder.ldif.LdifGenerator;
import org.alder.ldif.LdifWriter;
import org.alder.ldif.SampleValues;
import org.alder.ldif.progress.Progress;
import org.alder.partition.file.OwnerOnly;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
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
            description = "Names, titles, places and addresses that repeat as people's do, not random letters.")
    private boolean realistic;

    @Option(names = "--output", paramLabel = "FILE", description = "Default: standard output.")
    private Path output;

    @Mixin
    private ProgressOption progressOption;

    @Override
    public Integer call() throws IOException, CommandException {
        if (entries < 0) {
            throw new CommandException("--entries " + entries + ": expected a number that is not negative");
        }
        Progress progress = progressOption.progress();
        SampleValues values = realistic ? SampleValues.REALISTIC : SampleValues.RANDOM;
        try (LdifWriter writer = new LdifWriter(open(output))) {
            new LdifGenerator(seed, values).writeTo(writer, entries, progress);
        }
        return 0;
    }

    /**
     * The file, the owner's alone if it is made now, since entries have passwords; or standard output without the buffering and
     * charset of {@code System.out}.
     */
    static OutputStream open(Path output) throws IOException {
        return output == null ? new FileOutputStream(FileDescriptor.out) : Channels.newOutputStream(FileChannel.open(output,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE),
                OwnerOnly.file(output)));
    }
}
