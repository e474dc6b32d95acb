package org.alder.server.cli.option;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.ServerConfiguration;
import picocli.CommandLine.Option;

/** {@code --data}, {@code --conf} and {@code --suffix}: which partitions a verb is about. */
public final class PartitionOptions extends DataOptions {
    @Option(names = "--suffix", paramLabel = "DN",
            description = "Which partition. Default: all. Commands that work on one partition need it if there are several.")
    private String suffix;

    /** Whether a partition with this suffix is one that the verb is about. */
    public boolean isMeant(Schema schema, String ofPartition) throws DirectoryException {
        return suffix == null || Dn.parse(schema, suffix).equals(Dn.parse(schema, ofPartition));
    }

    /** All partitions, or the one that was named; of one that is distributed its shards. */
    public List<PartitionFolder> folders(ServerConfiguration server, Schema schema)
            throws DirectoryException, ConfigurationException, CommandException {
        List<PartitionFolder> folders = data().partitions(server, schema);
        if (suffix == null) {
            return folders;
        }
        Dn wanted = Dn.parse(schema, suffix);
        List<PartitionFolder> named = folders.stream().filter(folder -> folder.suffix().equals(wanted)).toList();
        if (!named.isEmpty()) {
            return named;
        }
        throw new CommandException("no partition has the suffix \"" + suffix + "\"; the configuration has " + suffixes(server));
    }

    /** The one partition, which is named where there are several. */
    public PartitionFolder folder(ServerConfiguration server, Schema schema)
            throws DirectoryException, ConfigurationException, CommandException {
        return folder(server, schema, null);
    }

    /** The same; where none is named, an entry says which one it is. @param entry null for none */
    public PartitionFolder folder(ServerConfiguration server, Schema schema, Dn entry)
            throws DirectoryException, ConfigurationException, CommandException {
        List<PartitionFolder> shards = shards(server, schema, entry);
        if (shards.size() > 1) {
            throw new CommandException("\"" + shards.get(0).suffix().text() + "\" is distributed over " + shards.size()
                    + " shards: name an entry below it, which says which one");
        }
        return shards.get(0);
    }

    /** The same, and of a partition that is distributed all shards in their order, or the one that has the entry. */
    public List<PartitionFolder> shards(ServerConfiguration server, Schema schema, Dn entry)
            throws DirectoryException, ConfigurationException, CommandException {
        List<PartitionFolder> folders = folders(server, schema);
        if (entry != null) {
            List<PartitionFolder> of = folders.stream().filter(folder -> folder.holds(entry)).toList();
            folders = of.isEmpty() ? folders : of;
        }
        if (folders.stream().map(PartitionFolder::suffix).distinct().count() > 1) {
            throw new CommandException("the configuration has several partitions, " + suffixes(server)
                    + ": say which one with --suffix");
        }
        return folders;
    }

    private static List<String> suffixes(ServerConfiguration server) {
        return server.partitions().stream().map(PartitionConfiguration::suffix).toList();
    }
}
