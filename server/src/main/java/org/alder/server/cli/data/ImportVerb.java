package org.alder.server.cli.data;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.alder.ldif.LdifReader;
import org.alder.ldif.RejectFile;
import org.alder.ldif.bulk.BulkImport;
import org.alder.ldif.bulk.ImportResult;
import org.alder.ldif.bulk.LdifSource;
import org.alder.ldif.bulk.OtherSuffixException;
import org.alder.ldif.progress.Progress;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.ClusterLoading;
import org.alder.partition.store.ClusterService;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.assembly.AdministratorAssembly;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.assembly.ServerAssembly;
import org.alder.server.assembly.SharedAssembly;
import org.alder.server.assembly.StoredConfiguration;
import org.alder.server.auth.Passwords;
import org.alder.server.cli.option.ClusterServices;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.Faults;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.MemoryOption;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.directory.own.OnlineSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Loads LDIF into a new generation of a partition that no server holds. */
@Command(name = "import", mixinStandardHelpOptions = true,
        description = "Load LDIF into a partition, offline. Good entries load; the others go to a reject file, and the exit"
                + " status is 1.",
        footer = {"  alder import all.ldif",
                "  alder import --replace --rejects rejected.ldif all.ldif.gz",
                "  alder import --data node1 --cluster node1.conf --replace all.ldif",
                "  zcat backup.gz | alder import --replace -", "  alder import --json all.ldif | jq .rejected"})
public final class ImportVerb implements Verb {
    private static final Path STANDARD_STREAM = Path.of("-");

    @Mixin
    private PartitionOptions options;

    @Option(names = "--replace",
            description = "Replace all entries of the partition. The old ones stay until the new ones are complete.")
    private boolean replace;

    @Option(names = "--rejects", paramLabel = "FILE",
            description = "The file for rejected records, with line numbers and reasons; - is standard output. Default: beside each FILE, "
                    + "people.rejects.ldif for people.ldif; for standard input, rejects.ldif in the data folder.")
    private Path rejectPath;

    @Option(names = "--force", description = "Start even if the disk seems too small.")
    private boolean force;

    @Option(names = "--cluster", paramLabel = "FILE", description = "Load for all members of a cluster into the data folder of one of them, which is stopped,"
            + " with the file that it is started with; the others run, and need a copy of this one then. Default: for a server alone.")
    private Path clusterFile;

    @Mixin
    private MemoryOption memory;

    @Mixin
    private JsonOption json;

    @Mixin
    private ProgressOption progressOption;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "LDIF, also gzip; - is standard input.")
    private List<Path> files;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        long began = System.nanoTime();
        for (Path file : files) {
            check(file);
        }
        if (json.isOn() && STANDARD_STREAM.equals(rejectPath)) {
            throw new WrongCallException("--rejects - and --json: leave one of the two out, both are for standard output");
        }
        if (clusterFile == null) {
            return load(null, began);
        }
        if (!replace) {
            throw new CommandException("with --cluster the entries that all members have are replaced: add --replace, or use ldapadd on a running member");
        }
        try (Closeable held = options.data().hold(); ClusterLoading cluster = ClusterServices.find(ClusterService.class).loading(clusterFile)) {
            return load(cluster, began);
        }
    }

    /** @param cluster whose members the entries are for, in the folder of one of them, which is held; null for a server that stands alone */
    private int load(ClusterLoading cluster, long began) throws IOException, DirectoryException, ConfigurationException, CommandException {
        StoredConfiguration.Chosen chosen = options.chosen();
        ServerConfiguration server = chosen.text().configuration();
        Schema schema = options.schema();
        OnlineSchema online = cluster == null ? new OnlineSchema(options.data().onlineSchema(), options.data().files())
                : SharedAssembly.take(cluster.schema(), schema, options.data());
        List<PartitionFolder> shards = options.shards(server, schema, null);
        PartitionFolder folder = shards.get(0);
        UpdateOrigin origin = new UpdateOrigin(AdministratorAssembly.dn(server, schema).text(), Instant.now());
        if (!replace && !shards.stream().allMatch(PartitionFolder::isEmpty)) {
            throw new CommandException(folder.path() + " already holds entries of " + folder.suffix().text()
                    + ": add --replace to replace them, or use ldapadd on the running server");
        }
        if (!force) {
            LoadSpace.require(folder.path(), files);
        }
        Progress progress = progressOption.progress();
        try (Closeable held = cluster == null ? options.data().hold() : () -> { }; RejectFile rejects = rejects();
                BulkLoad load = PartitionFolder.bulkLoad(shards, memory.bytes(), cluster);
                BulkImport importing = new BulkImport(schema, folder.suffix(), origin, folder.rules(), load,
                        rejects)) {
            ImportedPasswords passwords = new ImportedPasswords(schema, new Passwords(ServerAssembly.importedPasswords(server)));
            ImportedLocks locks = new ImportedLocks(schema);
            ForeignState foreign = new ForeignState(placeholder(folder));
            ImportedEntries entries = new ImportedEntries(schema, passwords, locks, foreign, rejects);
            new StoredConfiguration(options.data()).take(chosen);
            ImportedSchema definitions = new ImportedSchema(schema, online);
            for (Path file : files) {
                if (rejectPath == null) {
                    rejects.goOnIn(rejectsOf(file));
                }
                read(importing, entries, definitions, file, rejects, progress);
            }
            passwords.warn();
            locks.warn();
            foreign.warn();
            ImportResult result = importing.publish(progress);
            rejects.close();
            ByteArrayOutputStream remarked = new ByteArrayOutputStream();
            try (PrintStream remarks = new PrintStream(remarked, false, StandardCharsets.UTF_8)) {
                definitions.print(remarks);
                passwords.print(remarks);
                foreign.print(remarks);
            }
            print(folder.suffix(), result, rejects, began, Utf8.shown(remarked.toByteArray()).lines().toList());
            return rejected(result, rejects);
        }
    }

    @Override
    public String whenInterrupted() {
        return "stopped before the end: nothing was loaded, and what the partition held before is there";
    }

    private static String placeholder(PartitionFolder folder) {
        String configured = folder.configuration().get(PartitionKeys.REFERENCE_PLACEHOLDER);
        return configured == null ? "" : configured;
    }

    /** Which partition the entries belong to, if there is one for them. */
    private String advice(Dn dn) throws IOException, ConfigurationException {
        for (PartitionFolder partition : options.data().partitions(options.configuration(), options.schema())) {
            if (dn.isDescendantOrSelf(partition.suffix())) {
                return "add --suffix \"" + partition.suffix().text() + '"';
            }
        }
        return "no partition of " + options.configurationFile() + " holds them: give one \"suffix: " + dn.text() + "\", and where there are"
                + " several, add --suffix \"" + dn.text() + '"';
    }

    /** Beside the file, or where that cannot be written, in the data folder. */
    private Path rejectsOf(Path file) {
        if (file.equals(STANDARD_STREAM)) {
            return options.data().rejects();
        }
        String name = file.getFileName().toString().replaceFirst("(?i)\\.gz$", "").replaceFirst("(?i)\\.ldif$", "") + ".rejects.ldif";
        Path beside = file.toAbsolutePath().resolveSibling(name);
        return Files.isWritable(beside.getParent()) ? file.resolveSibling(name) : options.data().path().resolve(name);
    }

    private RejectFile rejects() {
        return STANDARD_STREAM.equals(rejectPath) ? RejectFile.on(System.out)
                : new RejectFile(rejectPath == null ? options.data().rejects() : rejectPath);
    }

    /** Before anything is made: a mistyped name costs nothing. */
    private static void check(Path file) throws CommandException {
        if (!file.equals(STANDARD_STREAM)) {
            if (!Files.exists(file)) {
                throw new CommandException("no such file or folder: " + file);
            }
            if (Files.isDirectory(file)) {
                throw new CommandException(file + " is a folder, expected LDIF");
            }
        }
    }

    private void read(BulkImport importing, ImportedEntries entries, ImportedSchema definitions, Path file, RejectFile rejects,
            Progress progress) throws IOException, ConfigurationException, CommandException {
        boolean standardInput = file.equals(STANDARD_STREAM);
        String name = standardInput ? "standard input" : file.toString();
        progress.begin("reading " + (standardInput ? name : file.getFileName()), Progress.Unit.BYTES,
                standardInput ? Progress.UNKNOWN : Files.size(file));
        InputStream in = standardInput ? System.in : Files.newInputStream(file);
        try (LdifSource source = new LdifSource(new LdifReader(in), rejects, progress, definitions)) {
            importing.read(entries.of(source));
        } catch (OtherSuffixException e) {
            throw new CommandException("while reading " + name + ": " + e.getMessage() + ": " + advice(e.dn()) + ". Nothing was loaded");
        } catch (IOException e) {
            throw new IOException("while reading " + name + ": " + Faults.describe(e), e);
        }
        progress.finish();
    }

    private void print(Dn suffix, ImportResult result, RejectFile rejects, long beganNanos, List<String> remarks) {
        if (!json.isOn()) {
            System.out.println("loaded " + Counted.of(result.loaded(), "entry"));
            remarks.forEach(System.out::println);
            return;
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", suffix.text());
        facts.put("entries", result.loaded());
        facts.put("rejected", result.rejected());
        facts.put("rejects", rejects.paths().stream().map(Path::toString).toList());
        facts.put("remarks", remarks);
        facts.put("seconds", JsonOption.secondsSince(beganNanos));
        System.out.println(JsonText.of(facts));
    }

    /** Returns the exit status. */
    private static int rejected(ImportResult result, RejectFile rejects) {
        if (result.rejected() > 0) {
            System.err.println("alder: " + Counted.of(result.rejected(), "record") + (result.rejected() == 1 ? " was" : " were") + " rejected; " + (rejects.paths().isEmpty() ? "standard output"
                    : rejects.paths().stream().map(Path::toString).collect(Collectors.joining(", "))) + " has them with the reasons: correct them and load them with ldapadd -c"
                    + " (and -e relax where they bring operational attributes, as those of slapcat do)");
            return 1;
        }
        return 0;
    }
}
