package org.alder.perf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.file.OwnerOnly;
import org.alder.perf.client.Load;
import org.alder.perf.process.ProcessRun;
import org.alder.perf.process.ServerProcess;

/**
 * A data folder that a bulk load filled with the generator's users, ready to be served. Immutable.
 *
 * @param folder what {@code --data} takes
 * @param configuration what {@code --conf} takes
 * @param users what it holds
 * @param load what the bulk load took
 */
public record LoadedData(Path folder, Path configuration, SampleUsers users, ProcessRun load) {
    /** The administrator's. */
    public static final String PASSWORD = "benchmark";
    public static final Load.Login ADMINISTRATOR = new Load.Login("cn=Directory Manager", PASSWORD);

    /** @param partitionLines further lines of configuration for the partition */
    public static LoadedData load(Path work, LdifGenerator generator, long entries, List<String> partitionLines) throws IOException,
            InterruptedException {
        Path ldif = work.resolve("data.ldif");
        SampleUsers users = SampleUsers.write(generator, entries, ldif);
        LoadedData loaded = load(work, users, ldif, "data", partitionLines);
        Files.delete(ldif);
        return loaded;
    }

    /** @param name of the data folder in the work folder */
    public static LoadedData load(Path work, SampleUsers users, Path ldif, String name, List<String> partitionLines)
            throws IOException, InterruptedException {
        return load(work, users, ldif, name, partitionLines, List.of());
    }

    /** @param javaOptions of the virtual machine that loads */
    public static LoadedData load(Path work, SampleUsers users, Path ldif, String name, List<String> partitionLines,
            List<String> javaOptions) throws IOException, InterruptedException {
        Path folder = work.resolve(name);
        Path configuration = PerfOptions.configuration(work, name + ".conf.ldif", partitionLines);
        Path rejects = work.resolve(name + ".rejects.ldif");
        ProcessRun load = ServerProcess.run(javaOptions, List.of("import", "--data", folder.toString(), "--conf",
                configuration.toString(), "--rejects", rejects.toString(), ldif.toString()));
        writePassword(folder);
        return new LoadedData(folder, configuration, users, load);
    }

    /** Lets {@link #ADMINISTRATOR} in. The folder is made if there is none. */
    public static void writePassword(Path folder) throws IOException {
        Path file = Files.createDirectories(folder).resolve("admin.password");
        Files.writeString(Files.createFile(file, OwnerOnly.file(file)), PASSWORD);
    }

    public double loadSeconds() {
        return load.wallSeconds();
    }

    /** The same data under another configuration. */
    public LoadedData with(Path otherConfiguration) {
        return new LoadedData(folder, otherConfiguration, users, load);
    }

    /** A server of its own process. */
    public ServerProcess serve() throws IOException {
        return ServerProcess.start(folder, configuration);
    }

    /** A server of its own process that takes the commands of {@link ServeVerb}. */
    public ServerProcess serveWithCommands() throws IOException {
        return ServerProcess.start(List.of("perf", "serve", "--data", folder.toString(), "--conf", configuration.toString()));
    }
}
