package org.alder.perf.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.server.AlderServer;
import org.alder.server.ServerSettings;
import org.alder.server.auth.Administrator;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.CommandException;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A server whose store is told on standard input, a word a line, when to {@code flush} and when to {@code compact}; it answers
 * each with {@code done} and stops at the end of the input. For benchmarks, which have to know when a merge runs.
 */
@Command(name = "serve", hidden = true, description = "Serve one partition to a benchmark.")
public final class ServeVerb implements Verb {
    public static final String FLUSH = "flush";
    public static final String COMPACT = "compact";

    @Option(names = "--data", paramLabel = "DIR", required = true)
    private Path data;

    @Option(names = "--conf", paramLabel = "FILE", required = true)
    private Path configuration;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Partition partition = LocalPartition.open(data, configuration); AlderServer server = start(partition)) {
            System.out.println("listening on ldap://127.0.0.1:" + server.port());
            System.out.flush();
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                obey(partition, command);
            }
            return 0;
        }
    }

    private static AlderServer start(Partition partition) throws IOException, DirectoryException {
        Administrator administrator = new Administrator(Dn.parse(partition.schema(), Administrator.DEFAULT_DN),
                LoadedData.PASSWORD.getBytes(StandardCharsets.UTF_8));
        return AlderServer.start(ServerSettings.of("127.0.0.1", 0, partition.schema(), List.of(partition), administrator)
                .withAnonymousRead(true));
    }

    private static void obey(Partition partition, String command) throws CommandException {
        switch (command) {
            case FLUSH -> partition.store().maintenance().flush();
            case COMPACT -> partition.store().maintenance().compact();
            default -> throw new CommandException("expected flush or compact, found " + command);
        }
        System.out.println("done");
        System.out.flush();
    }
}
