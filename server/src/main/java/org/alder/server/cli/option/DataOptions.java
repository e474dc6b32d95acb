package org.alder.server.cli.option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.schema.Schema;
import org.alder.server.assembly.DataFolder;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import picocli.CommandLine.Option;

/** {@code --data} and {@code --conf}, and what follows from them. */
public class DataOptions {
    @Option(names = "--data", paramLabel = "DIR", defaultValue = "./data",
            description = "The data folder. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(names = "--conf", paramLabel = "FILE",
            description = "The configuration. Default: conf/config.ldif of the installation.")
    private Path configuration;

    public DataFolder data() {
        return new DataFolder(data);
    }

    public Path configurationFile() {
        return configuration == null ? DataFolder.installedConfiguration() : configuration;
    }

    public ServerConfiguration configuration() throws ConfigurationException {
        return ConfigurationReader.read(configurationFile());
    }

    /** The built-in schema, all files in conf/schema, and what was added over LDAP. */
    public Schema schema() throws IOException {
        return data().schema(List.of());
    }
}
