package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.ldif.LdifWriter;
import org.alder.ldif.bulk.Export;
import org.alder.ldif.progress.Progress;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a partition as LDIF, also beside a running server. */
@Command(name = "export", mixinStandardHelpOptions = true,
        description = "Write a whole partition as LDIF, at one point in time; also while the server runs.")
final class ExportVerb implements Verb {
    @Mixin
    private DataOptions data;

    @Option(names = "--suffix", paramLabel = "DN", description = "Which partition. Default: the first of the configuration.")
    private String suffix;

    @Option(names = "--output", paramLabel = "FILE", description = "Default: standard output.")
    private Path output;

    @Mixin
    private ProgressOption progressOption;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        Schema schema = data.schema();
        PartitionConfiguration configuration = DataOptions.partition(data.configuration(), schema, suffix);
        PartitionFolder folder = new PartitionFolder(schema, configuration, data.folder(configuration));
        Progress progress = progressOption.progress();
        try (Partition partition = folder.openReadOnly();
                Snapshot snapshot = partition.snapshot();
                LdifWriter writer = new LdifWriter(GenerateVerb.open(output))) {
            progress.begin("exporting", Progress.Unit.ENTRIES, partition.store().maintenance().status().entries());
            new Export(partition, snapshot, writer).run(progress);
            progress.finish();
        }
        return 0;
    }
}
