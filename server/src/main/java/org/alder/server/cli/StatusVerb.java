package org.alder.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.text.JsonText;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what is in a data folder, also beside a running server. */
@Command(name = "status", mixinStandardHelpOptions = true,
        description = "Show entries, bytes on disk, caches and indexes of each partition; also while the server runs.")
final class StatusVerb implements Verb {
    @Mixin
    private PartitionOptions options;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        for (PartitionFolder folder : options.folders(options.configuration(), options.schema())) {
            try (Partition partition = folder.openReadOnly()) {
                if (json.isOn()) {
                    command.commandLine().getOut().println(JsonText.of(facts(folder, partition)));
                } else {
                    print(folder.configuration(), folder, partition);
                }
            }
        }
        return 0;
    }

    private void print(PartitionConfiguration configuration, PartitionFolder folder, Partition partition) {
        PrintWriter out = command.commandLine().getOut();
        StoreStatus status = partition.store().maintenance().status();
        out.println("partition   " + configuration.suffix());
        out.println("folder      " + folder.path());
        out.println("entries     " + status.entries() + " at sequence " + status.sequence());
        out.println("disk        " + bytes(status.diskBytes()) + ": " + bytes(status.diskBytes() - status.journalBytes()) + " in "
                + status.parts() + " segments, " + bytes(status.journalBytes()) + " in logs");
        out.println("caches      at most " + bytes(configuration.heap().entryCacheBytes()) + " of entries, "
                + bytes(configuration.heap().indexCacheBytes()) + " of indexes");
        for (IndexDefinition index : partition.indexes()) {
            out.println("index       " + index.type().name() + " " + kinds(configuration, index)
                    + (index.inline().isEmpty() ? "" : " inline " + index.inlineNames())
                    + ", nested above " + index.duplicateThreshold() + " entries per key");
        }
        out.flush();
    }

    private static Map<String, Object> facts(PartitionFolder folder, Partition partition) {
        PartitionConfiguration configuration = folder.configuration();
        StoreStatus status = partition.store().maintenance().status();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", configuration.suffix());
        facts.put("folder", folder.path().toString());
        facts.put("entries", status.entries());
        facts.put("sequence", status.sequence());
        facts.put("diskBytes", status.diskBytes());
        facts.put("segments", status.parts());
        facts.put("logBytes", status.journalBytes());
        facts.put("entryCacheBytes", configuration.heap().entryCacheBytes());
        facts.put("indexCacheBytes", configuration.heap().indexCacheBytes());
        facts.put("indexes", partition.indexes().stream().map(index -> index.type().name() + " " + kinds(configuration, index))
                .toList());
        return facts;
    }

    private static String kinds(PartitionConfiguration configuration, IndexDefinition index) {
        String kinds = String.join(",", index.kinds().stream().sorted().map(kind -> switch (kind) {
            case EQUALITY -> "eq";
            case SUBSTRING -> "sub";
            case PRESENCE -> "pres";
        }).toList());
        boolean ignored = configuration.get(PartitionKeys.IGNORE_INDEX).stream()
                .anyMatch(name -> index.type().names().stream().anyMatch(name::equalsIgnoreCase));
        return ignored ? kinds + " (ignored by searches)" : kinds;
    }

    private static String bytes(long count) {
        return String.format(Locale.ROOT, "%,d bytes", count);
    }
}
