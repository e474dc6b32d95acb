package org.alder.server.cli.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.alder.ldif.LdifModify;
import org.alder.ldif.LdifWriter;
import org.alder.ldif.bulk.Export;
import org.alder.ldif.progress.Progress;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ServerConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a partition as LDIF, also beside a running server. */
@Command(name = "export", mixinStandardHelpOptions = true,
        description = "Write whole partitions as LDIF, each at one point in time; also while the server runs.",
        footer = {"  alder export --output all.ldif",
                "  alder export --suffix dc=example,dc=com | gzip > example.ldif.gz", "  alder export --json --output all.ldif | jq .entries"})
public final class ExportVerb implements Verb {
    /** What is not of one moment for so long is not by a change of the schema. */
    private static final long MOST_MILLIS = 500;
    private static final int LEAST_ATTEMPTS = 2;
    private static final long PAUSE_MILLIS = 50;

    @Mixin
    private PartitionOptions options;

    @Option(names = "--output", paramLabel = "FILE", description = "Where they are written; it takes its place when it is whole. Default: standard output.")
    private Path output;

    @Option(names = "--for", paramLabel = "LOADER", description = "Leave out what another server does not know: slapadd (OpenLDAP; one "
            + "partition) or ldif2db (389 Directory Server). Definitions that were added over LDAP are then printed as comments.")
    private ExportTarget.Server loader;

    @Mixin
    private JsonOption json;

    @Mixin
    private ProgressOption progressOption;

    private volatile OutputFile written;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException, InterruptedException {
        if (json.isOn() && output == null) {
            throw new WrongCallException("--json needs --output FILE: standard output has the entries");
        }
        Progress progress = progressOption.progress();
        List<Partition> partitions = new ArrayList<>();
        List<Map<String, Object>> facts = new ArrayList<>();
        written = OutputFile.of(output);
        boolean whole = false;
        try {
            partitions.addAll(ofOneMoment(this::open));
            Schema schema = partitions.isEmpty() ? options.schema() : partitions.get(0).schema();
            ExportTarget target = loader == null ? null : new ExportTarget(schema, loader);
            try (LdifWriter writer = writer(schema)) {
                for (Partition partition : partitions) {
                    facts.add(export(partition, writer, target == null ? Export.Form.WHOLE : target, progress));
                }
            }
            written.complete();
            whole = true;
            if (json.isOn()) {
                facts.forEach(each -> System.out.println(JsonText.of(each)));
            }
            if (target != null && target.leftOut() > 0) {
                System.err.println("alder: left out " + Counted.of(target.leftOut(), "value") + " of Alder's own, or that the other server makes itself");
            }
        } finally {
            if (!whole) {
                written.discard();
            }
            partitions.forEach(Partition::close);
        }
        return 0;
    }

    private List<Partition> open() throws IOException, DirectoryException, ConfigurationException, CommandException {
        Schema schema = options.schema();
        ServerConfiguration configuration = options.configuration();
        return PartitionFolder.openReadOnly(loader == null ? options.folders(configuration, schema) : options.shards(configuration, schema, null));
    }

    /** Reads the schema, and opens what goes by it. */
    @FunctionalInterface
    interface Opening {
        List<Partition> open() throws IOException, DirectoryException, ConfigurationException, CommandException;
    }

    /** A server beside it may be changing the schema: what was read of that and what the stores go by are then not of one moment, which passes. */
    static List<Partition> ofOneMoment(Opening opening) throws IOException, DirectoryException, ConfigurationException, CommandException,
            InterruptedException {
        long beganNanos = System.nanoTime();
        for (int attempt = 1;; attempt++) {
            try {
                return opening.open();
            } catch (StoreException e) {
                boolean isOver = attempt >= LEAST_ATTEMPTS && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos) > MOST_MILLIS;
                if (e.kind() != StoreException.Kind.REFUSED || isOver) {
                    throw e;
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    @Override
    public String whenInterrupted() {
        OutputFile file = written;
        return "stopped before the end" + (file == null ? "" : ": " + file.discard());
    }

    /** Before the entries stand the definitions they need, as a change that import makes, and a client, too. */
    private LdifWriter writer(Schema schema) throws IOException {
        OutputStream out = written.open();
        List<LdifModify.Modification> definitions = new ArrayList<>();
        for (Definition definition : schema.onlineDefinitions()) {
            definitions.add(new LdifModify.Modification(LdifModify.Kind.ADD, definition.kind().attribute(),
                    List.of(definition.text().getBytes(StandardCharsets.UTF_8))));
        }
        if (loader != null) {
            for (LdifModify.Modification definition : definitions) {
                String text = definition.description() + ": " + Utf8.stored(definition.values().get(0));
                out.write(("# " + text.replaceAll("\\R", " ") + '\n').getBytes(StandardCharsets.UTF_8));
            }
            return LdifWriter.withoutHeader(out);
        }
        LdifWriter writer = new LdifWriter(out);
        if (!definitions.isEmpty()) {
            writer.write(new LdifModify(0, Schema.SUBSCHEMA_DN, List.of(), definitions));
        }
        return writer;
    }

    /** Returns what there is to know of it. */
    private Map<String, Object> export(Partition partition, LdifWriter writer, Export.Form form, Progress progress)
            throws IOException, DirectoryException {
        long began = System.nanoTime();
        try (Snapshot snapshot = partition.snapshot()) {
            progress.begin("exporting", Progress.Unit.ENTRIES, partition.store().maintenance().status().entries());
            long entries = new Export(partition, snapshot, writer, form).run(progress);
            progress.finish();
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("partition", partition.label());
            facts.put("entries", entries);
            facts.put("output", String.valueOf(output));
            facts.put("seconds", JsonOption.secondsSince(began));
            return facts;
        }
    }
}
