package org.alder.server.cli.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.text.Counted;
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
        description = "Merge all files of each partition into one now, which takes the least space and is read fastest. The server merges little "
                + "by little anyway; this does it at once, also while it runs, and waits until it is done. Meanwhile the disk needs room for a "
                + "second copy.",
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

    /** How much there is of a partition. */
    private record Size(String suffix, long entries, long segments, long diskBytes) {
        Size and(Size other) {
            return new Size(suffix, entries + other.entries, segments + other.segments, diskBytes + other.diskBytes);
        }
    }

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        Schema schema = options.schema();
        try (ServerConnection calls = server.openIfRunning(options)) {
            byServer = calls != null;
            if (byServer) {
                calls.waitForEver();
                compact(calls, schema);
                return 0;
            }
        }
        for (PartitionFolder folder : options.folders(options.configuration(), schema)) {
            Size before = size(folder);
            try (Partition partition = folder.open()) {
                partition.store().maintenance().compact();
            }
            print(before, size(folder));
        }
        return 0;
    }

    private void compact(ServerConnection calls, Schema schema) throws IOException, CommandException, DirectoryException {
        for (Size before : sizes(calls, schema)) {
            ServerConnection.require(calls.ask(LdapCall.extended(Compaction.OID, before.suffix.getBytes(StandardCharsets.UTF_8))),
                    "merge the files of \"" + before.suffix + '"');
            for (Size after : sizes(calls, schema)) {
                if (after.suffix.equals(before.suffix)) {
                    print(before, after);
                }
            }
        }
    }

    /** Of shards, all together. */
    private Collection<Size> sizes(ServerConnection calls, Schema schema) throws IOException, CommandException, DirectoryException {
        Map<String, Size> bySuffix = new LinkedHashMap<>();
        for (ServedPartition each : ServedPartition.of(calls, options, schema)) {
            bySuffix.merge(each.suffix(), new Size(each.suffix(), each.entries(), each.segments(), each.diskBytes()), Size::and);
        }
        return bySuffix.values();
    }

    /** As it is on disk. */
    private static Size size(PartitionFolder folder) throws IOException, ConfigurationException {
        try (Partition partition = folder.openReadOnly()) {
            StoreStatus status = partition.store().maintenance().status();
            return new Size(folder.label(), status.entries(), status.parts(), status.diskBytes());
        }
    }

    private void print(Size before, Size after) {
        PrintWriter out = command.commandLine().getOut();
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("partition", after.suffix);
            facts.put("entries", after.entries);
            facts.put("segmentsBefore", before.segments);
            facts.put("segments", after.segments);
            facts.put("diskBytesBefore", before.diskBytes);
            facts.put("diskBytes", after.diskBytes);
            out.println(JsonText.of(facts));
        } else {
            out.println(String.format(Locale.ROOT, "%s: %s and %,d bytes on disk before, %d and %,d now", after.suffix,
                    Counted.of(before.segments, "segment"), before.diskBytes, after.segments, after.diskBytes));
        }
        out.flush();
    }

    @Override
    public String whenInterrupted() {
        return byServer ? "stopped before the end: the server goes on merging" : "stopped before the end: what was merged stays, no entry is lost";
    }
}
