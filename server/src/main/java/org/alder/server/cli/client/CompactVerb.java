package org.alder.server.cli.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.text.JsonText;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.cli.option.Verb;
import org.alder.server.client.LdapCall;
import org.alder.server.config.ConfigurationException;
import org.alder.server.extended.Compaction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Merges the files of partitions now: by the server, if one runs, else by itself. */
@Command(name = "compact", mixinStandardHelpOptions = true,
        description = "Merge all files of each partition into one now, which takes the least room and is read fastest. The server does it by and"
                + " by; this does it at once, also while it runs, and ends when it is done. Until then the disk needs room for a second copy.",
        footer = {"  alder compact", "  alder compact --suffix dc=example,dc=com --json"})
public final class CompactVerb implements Verb {
    @Mixin
    private PartitionOptions options;

    @Mixin
    private ServerOptions server;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec command;

    private volatile boolean byServer;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        Schema schema = options.schema();
        List<PartitionFolder> folders = options.folders(options.configuration(), schema);
        try (ServerConnection calls = server.openIfRunning(options)) {
            byServer = calls != null;
            if (byServer) {
                calls.waitForEver();
            }
            for (PartitionFolder folder : folders) {
                StoreStatus before = status(folder);
                if (byServer) {
                    ServerConnection.require(calls.ask(LdapCall.extended(Compaction.OID, folder.suffix().text().getBytes(StandardCharsets.UTF_8))),
                            "merge the files of \"" + folder.suffix().text() + '"');
                } else {
                    try (Partition partition = folder.open()) {
                        partition.store().maintenance().compact();
                    }
                }
                print(folder.suffix().text(), before, status(folder));
            }
        }
        return 0;
    }

    /** As it is on disk. */
    private static StoreStatus status(PartitionFolder folder) throws IOException, ConfigurationException {
        try (Partition partition = folder.openReadOnly()) {
            return partition.store().maintenance().status();
        }
    }

    private void print(String suffix, StoreStatus before, StoreStatus after) {
        PrintWriter out = command.commandLine().getOut();
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("partition", suffix);
            facts.put("entries", after.entries());
            facts.put("segmentsBefore", before.parts());
            facts.put("segments", after.parts());
            facts.put("diskBytesBefore", before.diskBytes());
            facts.put("diskBytes", after.diskBytes());
            out.println(JsonText.of(facts));
        } else {
            out.println(String.format(Locale.ROOT, "%s: %d segments and %,d bytes on disk before, %d and %,d now", suffix, before.parts(),
                    before.diskBytes(), after.parts(), after.diskBytes()));
        }
        out.flush();
    }

    @Override
    public String whenInterrupted() {
        return byServer ? "stopped before the end: the server goes on merging" : "stopped before the end: what was merged stays, no entry is lost";
    }
}
