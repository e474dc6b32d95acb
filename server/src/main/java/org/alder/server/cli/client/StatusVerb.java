package org.alder.server.cli.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.Faults;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.cli.option.Verb;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what is in a data folder, also beside a running server. */
@Command(name = "status", mixinStandardHelpOptions = true,
        description = "Show entries, bytes on disk, caches and indexes of each partition, and whether a running server accepts work. With "
                + "--ready only the last, as the exit status: 0 = yes; 1 = no, or no answer.",
        footer = {"  alder status",
                "  alder status --json | jq .entries",
                "  alder status --ready -H ldaps://ldap.example.com:10636 --ca ca.pem"})
public final class StatusVerb implements Verb {
    @Mixin
    private PartitionOptions options;

    @Mixin
    private ServerOptions server;

    @Mixin
    private JsonOption json;

    @Option(names = "--ready", description = "Only ask the running server whether it accepts work: the exit status is 0 if it does, else 1.")
    private boolean ready;

    @Spec
    private CommandSpec command;

    /** Whether there is a server that does not say how it is. */
    private boolean refused;

    /**
     * What the running server says of itself.
     *
     * @param overload of what there is so much that it refuses new work
     * @param indexes  of its partitions, by their suffixes
     */
    private record ServerState(boolean ready, List<String> overload, Map<String, ServedIndexes> indexes) {
        static ServerState of(ServerConnection server) throws IOException, CommandException {
            Map<String, List<byte[]>> monitor = server.read("cn=Monitor", List.of("alderReady", "alderOverload")).byDescription();
            if (!monitor.containsKey("alderReady")) {
                throw new CommandException("the server does not show whether it takes new work");
            }
            return new ServerState("TRUE".equals(Utf8.shown(monitor.get("alderReady").get(0))),
                    monitor.getOrDefault("alderOverload", List.of()).stream().map(Utf8::shown).toList(), ServedIndexes.of(server));
        }

        Map<String, Object> facts() {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("server", "running");
            facts.put("ready", ready);
            facts.put("overload", overload);
            return facts;
        }
    }

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        if (ready) {
            try (ServerConnection calls = server.open(options)) {
                ServerState state = ServerState.of(calls);
                print(state);
                if (!state.ready) {
                    throw new CommandException("the server refuses new work");
                }
                return 0;
            }
        }
        if (server.namesServer()) {
            try (ServerConnection calls = server.open(options)) {
                printServed(calls);
            }
            return 0;
        }
        Map<String, ServedIndexes> served = printServer();
        for (PartitionFolder folder : options.folders(options.configuration(), options.schema())) {
            try (Partition partition = folder.openReadOnly()) {
                ServedIndexes indexes = served.get(folder.suffix().text());
                if (json.isOn()) {
                    command.commandLine().getOut().println(JsonText.of(facts(folder, partition, indexes)));
                } else {
                    print(folder.configuration(), folder, partition, indexes);
                }
            }
        }
        return refused ? 1 : 0;
    }

    /** Of a server that may have other data than the data folder has. */
    private void printServed(ServerConnection calls) throws IOException, CommandException, DirectoryException, ConfigurationException {
        print(ServerState.of(calls));
        PrintWriter out = command.commandLine().getOut();
        for (ServedPartition each : ServedPartition.of(calls, options, options.schema())) {
            if (json.isOn()) {
                out.println(JsonText.of(facts(each)));
            } else {
                print(each);
            }
        }
        out.flush();
    }

    private void print(ServedPartition partition) {
        PrintWriter out = command.commandLine().getOut();
        out.println("partition   " + partition.suffix());
        printSizes(partition.entries(), partition.sequence(), partition.diskBytes(), partition.logBytes(), partition.segments());
        partition.indexes().lines().forEach(line -> out.println("index       " + line));
        if (partition.indexes().build() != null) {
            out.println("build       " + partition.indexes().build().text());
        }
    }

    private static Map<String, Object> facts(ServedPartition partition) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", partition.suffix());
        facts.put("entries", partition.entries());
        facts.put("sequence", partition.sequence());
        facts.put("diskBytes", partition.diskBytes());
        facts.put("segments", partition.segments());
        facts.put("logBytes", partition.logBytes());
        facts.put("indexes", partition.indexes().lines());
        if (partition.indexes().build() != null) {
            facts.put("indexBuild", partition.indexes().build().facts());
        }
        return facts;
    }

    /** Says nothing if no server runs, as far as can be seen. @return the indexes of its partitions, by their suffixes */
    private Map<String, ServedIndexes> printServer() throws IOException, ConfigurationException, CommandException {
        try (ServerConnection calls = server.openIfRunning(options)) {
            if (calls != null) {
                ServerState state = ServerState.of(calls);
                print(state);
                return state.indexes;
            }
        } catch (CommandException | IOException e) {
            if (server.isGiven()) {
                throw e;
            }
            command.commandLine().getErr().println("alder: the running server does not tell how it is, and what follows is what its folder has: "
                    + (e instanceof IOException fault ? Faults.describe(fault) : e.getMessage()));
            refused = true;
        }
        return Map.of();
    }

    private void print(ServerState state) {
        PrintWriter out = command.commandLine().getOut();
        if (json.isOn()) {
            out.println(JsonText.of(state.facts()));
        } else {
            out.println("server      " + (state.ready ? "takes new work" : "refuses new work"));
            state.overload.forEach(each -> out.println("overload    " + each));
        }
        out.flush();
    }

    /** @param served null if no server runs */
    private void print(PartitionConfiguration configuration, PartitionFolder folder, Partition partition, ServedIndexes served) {
        PrintWriter out = command.commandLine().getOut();
        StoreStatus status = partition.store().maintenance().status();
        out.println("partition   " + folder.label());
        out.println("folder      " + folder.path());
        printSizes(status.entries(), status.sequence(), status.diskBytes(), status.journalBytes(), status.parts());
        out.println("cache       at most " + bytes(configuration.heap().indexCacheBytes()) + " of indexes");
        for (IndexDefinition index : partition.indexes()) {
            out.println("index       " + index.type().name() + " " + kinds(configuration, index)
                    + (index.inline().isEmpty() ? "" : " inline " + index.inlineNames())
                    + ", nested above " + Counted.of(index.duplicateThreshold(), "entry") + " per key");
        }
        if (served != null && served.build() != null) {
            out.println("build       " + served.build().text());
        }
        out.flush();
    }

    private void printSizes(long entries, long sequence, long diskBytes, long logBytes, long segments) {
        PrintWriter out = command.commandLine().getOut();
        out.println("entries     " + entries + " at sequence " + sequence);
        out.println("disk        " + bytes(diskBytes) + ": " + bytes(diskBytes - logBytes) + " in " + Counted.of(segments, "segment") + ", "
                + bytes(logBytes) + " in logs");
    }

    private static Map<String, Object> facts(PartitionFolder folder, Partition partition, ServedIndexes served) {
        PartitionConfiguration configuration = folder.configuration();
        StoreStatus status = partition.store().maintenance().status();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", folder.label());
        facts.put("folder", folder.path().toString());
        facts.put("entries", status.entries());
        facts.put("sequence", status.sequence());
        facts.put("diskBytes", status.diskBytes());
        facts.put("segments", status.parts());
        facts.put("logBytes", status.journalBytes());
        facts.put("indexCacheBytes", configuration.heap().indexCacheBytes());
        facts.put("indexes", partition.indexes().stream().map(index -> index.type().name() + " " + kinds(configuration, index))
                .toList());
        if (served != null && served.build() != null) {
            facts.put("indexBuild", served.build().facts());
        }
        return facts;
    }

    private static String kinds(PartitionConfiguration configuration, IndexDefinition index) {
        String kinds = index.kindNames();
        boolean ignored = configuration.get(PartitionKeys.IGNORE_INDEX).stream()
                .anyMatch(name -> index.type().names().stream().anyMatch(name::equalsIgnoreCase));
        return ignored ? kinds + " (ignored by searches)" : kinds;
    }

    private static String bytes(long count) {
        return String.format(Locale.ROOT, "%,d bytes", count);
    }
}
