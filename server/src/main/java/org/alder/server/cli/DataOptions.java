package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.ServerConfiguration;
import picocli.CommandLine.Option;

/**
 * {@code --data} and {@code --conf}, and what follows from them: the configuration, the schema, and where each partition's folder
 * is.
 */
public final class DataOptions {
    @Option(names = "--data", paramLabel = "DIR", defaultValue = "./data",
            description = "The data folder. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(names = "--conf", paramLabel = "FILE",
            description = "The configuration. Default: conf/config.ldif of the installation.")
    private Path configuration;

    Path data() {
        return data;
    }

    ServerConfiguration configuration() throws ConfigurationException {
        return ConfigurationReader.read(configuration == null ? home().resolve("conf/config.ldif") : configuration);
    }

    /** Where this partition's store is. */
    Path folder(PartitionConfiguration partition) {
        return folder(data, partition);
    }

    /** Where this partition's store is in a data folder. */
    public static Path folder(Path data, PartitionConfiguration partition) {
        return data.resolve("partitions").resolve(partition.name());
    }

    /** The schema of a server with these data: the built-in one, all files in conf/schema, and what was added over LDAP. */
    Schema schema() throws IOException {
        return schema(List.of());
    }

    /** As {@link #schema()} with further files. */
    Schema schema(List<Path> further) throws IOException {
        List<Path> all = new ArrayList<>(schemaFiles());
        all.addAll(further);
        return Schema.load(all, onlineSchema());
    }

    /** Where definitions that are added over LDAP are kept. */
    Path onlineSchema() {
        return data.resolve("schema.ldif");
    }

    /** The built-in schema and all files in conf/schema. */
    public static Schema installedSchema() throws IOException {
        return Schema.load(schemaFiles());
    }

    private static List<Path> schemaFiles() throws IOException {
        try (Stream<Path> files = Files.list(home().resolve("conf/schema"))) {
            return files.filter(DataOptions::isSchemaFile).sorted().toList();
        }
    }

    private static boolean isSchemaFile(Path file) {
        return file.toString().endsWith(".ldif") || file.toString().endsWith(".schema");
    }

    private static Path home() {
        return Path.of(System.getProperty("alder.home", "."));
    }

    /** The partition with this suffix, or the first one if it is null. */
    static PartitionConfiguration partition(ServerConfiguration server, Schema schema, String suffix)
            throws DirectoryException, CommandException {
        if (suffix == null) {
            return server.partitions().get(0);
        }
        Dn wanted = Dn.parse(schema, suffix);
        for (PartitionConfiguration partition : server.partitions()) {
            if (Dn.parse(schema, partition.suffix()).equals(wanted)) {
                return partition;
            }
        }
        throw new CommandException("no partition has the suffix \"" + suffix + "\"; the configuration has "
                + server.partitions().stream().map(PartitionConfiguration::suffix).toList());
    }
}
