package org.alder.server.cli.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.schema.Schema;
import org.alder.server.assembly.DataFolder;
import org.alder.server.assembly.StoredConfiguration;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.SettingOverride;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code --data}, {@code --conf} and {@code --set}, the variables that stand in for them, and what follows from them. */
public class DataOptions {
    @Option(names = "--data", paramLabel = "DIR", description = "The data folder. Default: ALDER_DATA, else ./data.")
    private Path data;

    @Option(names = "--conf", paramLabel = "FILE", description = "The configuration. Default: ALDER_CONF, else what the data folder was"
            + " started with last, else conf/config.ldif of the installation.")
    private Path configuration;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Use another value for a key, this time only; PARTITION/KEY=VALUE for one "
            + "partition. May be repeated. Default: the variables ALDER_SET_KEY.", converter = Said.class)
    private List<String> set = new ArrayList<>();

    /** Of the form KEY=VALUE. */
    private static final class Said implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (text.indexOf('=') < 1) {
                throw new TypeConversionException(text + ": expected KEY=VALUE or PARTITION/KEY=VALUE");
            }
            return text;
        }
    }

    public DataFolder data() {
        Path named = data != null ? data : path("ALDER_DATA");
        return new DataFolder(named == null ? Path.of("./data") : named);
    }

    /** What is to be said where none answers; one that listens elsewhere, or for another folder, may run. */
    public String noServer() {
        return "no server answers on " + data().socket();
    }

    /** @throws CommandException if a data folder was named that is not there, or in which there are no data */
    public void requireNamed() throws CommandException, IOException {
        data().requireOpen();
        boolean isNamed = data != null || path("ALDER_DATA") != null;
        if (isNamed && !data().isThere()) {
            Path folder = data().path();
            throw new CommandException(Files.isDirectory(folder) ? "there are no data in " + folder + ": start the server or import into it first"
                    : "no such folder: " + folder);
        }
    }

    private static Path path(String variable) {
        String value = System.getenv(variable);
        return value == null || value.isEmpty() ? null : Path.of(value);
    }

    public ServerConfiguration configuration() throws ConfigurationException, IOException {
        return chosen().text().configuration();
    }

    /** The file that a verb was given, else the one that it goes by. */
    public Path configurationFile() throws ConfigurationException, IOException {
        Path given = given();
        Path source = given != null ? given : chosen().source();
        return source != null ? source : data().configuration();
    }

    private Path given() {
        return configuration != null ? configuration : path("ALDER_CONF");
    }

    /** What the configuration says, and where that was said. */
    public StoredConfiguration.Chosen chosen() throws ConfigurationException, IOException {
        data().requireOpen();
        StoredConfiguration.Chosen chosen = new StoredConfiguration(data()).choose(given());
        List<SettingOverride> overrides = new ArrayList<>(SettingOverride.ofEnvironment(System.getenv()));
        overrides.addAll(SettingOverride.ofOptions(set));
        return new StoredConfiguration.Chosen(chosen.text().with(overrides), chosen.source());
    }

    /** The built-in schema, all files in conf/schema, those that the configuration names, and what was added over LDAP. */
    public Schema schema() throws IOException, ConfigurationException {
        return schema(List.of());
    }

    /** The same with further files. */
    public Schema schema(List<Path> further) throws IOException, ConfigurationException {
        return data().schema(configuration(), further);
    }
}
