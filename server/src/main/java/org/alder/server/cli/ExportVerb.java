package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.ldif.LdifWriter;
import org.alder.ldif.bulk.Export;
import org.alder.ldif.progress.Progress;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a partition as LDIF, also beside a running server. */
@Command(name = "export", mixinStandardHelpOptions = true,
        description = "Write whole partitions as LDIF, each at one point in time; also while the server runs.")
final class ExportVerb implements Verb {
    @Mixin
    private PartitionOptions options;

    @Option(names = "--output", paramLabel = "FILE", description = "Default: standard output.")
    private Path output;

    @Mixin
    private ProgressOption progressOption;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        Schema schema = options.schema();
        List<PartitionFolder> folders = options.folders(options.configuration(), schema);
        Progress progress = progressOption.progress();
        List<Partition> partitions = new ArrayList<>();
        try {
            for (PartitionFolder folder : folders) {
                partitions.add(folder.openReadOnly());
            }
            try (LdifWriter writer = new LdifWriter(GenerateVerb.open(output))) {
                for (Partition partition : partitions) {
                    export(partition, writer, progress);
                }
            }
        } finally {
            partitions.forEach(Partition::close);
        }
        return 0;
    }

    private static void export(Partition partition, LdifWriter writer, Progress progress) throws IOException, DirectoryException {
        try (Snapshot snapshot = partition.snapshot()) {
            progress.begin("exporting", Progress.Unit.ENTRIES, partition.store().maintenance().status().entries());
            new Export(partition, snapshot, writer).run(progress);
            progress.finish();
        }
    }
}
