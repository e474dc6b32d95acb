package org.alder.server.cli.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.schema.Schema;
import org.alder.server.assembly.DataFolder;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.config.Settings;
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

    /** The built-in schema, all files in conf/schema, those that the configuration names, and what was added over LDAP. */
    public Schema schema() throws IOException, ConfigurationException {
        return schema(List.of());
    }

    /** The same with further files. */
    public Schema schema(List<Path> further) throws IOException, ConfigurationException {
        Settings settings = configuration().settings();
        List<Path> files = new ArrayList<>();
        for (String name : settings.get(ServerKeys.SCHEMA_FILE)) {
            Path file = settings.path(name);
            if (!Files.isRegularFile(file)) {
                throw settings.fault(ServerKeys.SCHEMA_FILE, files.size(), "there is no file " + file);
            }
            files.add(file);
        }
        files.addAll(further);
        return data().schema(files);
    }
}
