package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.schema.Schema;
import org.alder.server.assembly.DataFolder;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.ServerConfiguration;
import picocli.CommandLine.Option;

/** {@code --data} and {@code --conf}, and what follows from them. */
class DataOptions {
    @Option(names = "--data", paramLabel = "DIR", defaultValue = "./data",
            description = "The data folder. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(names = "--conf", paramLabel = "FILE",
            description = "The configuration. Default: conf/config.ldif of the installation.")
    private Path configuration;

    DataFolder data() {
        return new DataFolder(data);
    }

    Path configurationFile() {
        return configuration == null ? DataFolder.installedConfiguration() : configuration;
    }

    ServerConfiguration configuration() throws ConfigurationException {
        return ConfigurationReader.read(configurationFile());
    }

    /** The built-in schema, all files in conf/schema, and what was added over LDAP. */
    Schema schema() throws IOException {
        return data().schema(List.of());
    }

    /** Of all partitions. */
    List<PartitionFolder> allFolders(ServerConfiguration server, Schema schema) throws ConfigurationException {
        List<PartitionFolder> folders = new ArrayList<>();
        Set<Dn> suffixes = new HashSet<>();
        for (PartitionConfiguration partition : server.partitions()) {
            PartitionFolder folder = new PartitionFolder(schema, partition, data());
            if (!suffixes.add(folder.suffix())) {
                throw partition.settings().fault(PartitionKeys.SUFFIX, "another partition has the suffix \"" + partition.suffix()
                        + "\" too, expected one of its own");
            }
            folders.add(folder);
        }
        return folders;
    }
}
