package org.alder.server.cli.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.ldif.progress.Phases;
import org.alder.ldif.progress.Progress;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.backup.BackupChecker;
import org.alder.partition.jdbm.backup.BackupFolder;
import org.alder.partition.jdbm.backup.BackupPoint;
import org.alder.partition.jdbm.backup.BackupPoint.SavedStore;
import org.alder.partition.jdbm.backup.BackupWriter;
import org.alder.partition.jdbm.backup.ClusterContents;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.server.assembly.DataBackup;
import org.alder.server.cli.option.ClusterServices;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes backups, also beside a running server, of which it needs nothing but its files. */
@Command(name = "backup", mixinStandardHelpOptions = true, subcommands = {BackupVerb.ListVerb.class, BackupVerb.VerifyVerb.class},
        description = "Back up all partitions, the schema, the configuration and the keys; also while the server runs. A second backup"
                + " to the same folder copies only what is new.",
        footer = {"  alder backup --to /backups/alder --keep 14", "  alder backup --to /backups/alder --follow",
            "  alder backup --to /backups/node1 --cluster node1.conf",
            "  alder backup list --from /backups/alder", "  alder backup verify --from /backups/alder"})
public final class BackupVerb implements Verb {
    private static final long FOLLOW_MILLIS = 500;

    @Mixin
    private DataOptions data;

    @Option(names = "--to", paramLabel = "DIR", description = "The folder of backups, created if missing. It holds password hashes and keys, and "
            + "is readable by its owner alone.")
    private Path to;

    @Option(names = "--keep", paramLabel = "N", description = "Afterwards remove all points but the newest N. Default: keep all.")
    private Integer keep;

    @Option(names = "--follow", description = "Run until stopped: copy the commit log as it grows, so that every moment up to the last second "
            + "can be restored.")
    private boolean follow;

    @Option(names = "--every", paramLabel = "HOURS", defaultValue = "24", description = "With --follow: how often to make a new point, in hours. "
            + "Default: ${DEFAULT-VALUE}.")
    private int everyHours;

    @Option(names = "--cluster", paramLabel = "FILE", description = "Of a member of a cluster: the file that it is started with. What its folder"
            + " lacks is read from the cluster, whose other members run. Default: the data folder is that of a server alone.")
    private Path clusterFile;

    @Mixin
    private JsonOption json;

    @Mixin
    private ProgressOption progressOption;

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException, InterruptedException {
        require(to != null, "say where to with --to DIR (or list, or verify)");
        require(keep == null || keep > 0, "--keep " + keep + ": expected at least 1");
        require(everyHours > 0, "--every " + everyHours + ": expected at least 1 hour");
        require(!to.toAbsolutePath().normalize().startsWith(data.data().path().toAbsolutePath().normalize()), "--to " + to
                + " is in the data folder: expected a folder elsewhere, best on another disk");
        if (!Files.isDirectory(data.data().path())) {
            throw new CommandException("no such folder: " + data.data().path());
        }
        try (ClusterContents cluster = clusterFile == null ? null : ClusterServices.find(ClusterContents.Service.class).open(clusterFile);
                BackupWriter writer = BackupWriter.open(to)) {
            if (follow) {
                follow(writer, cluster);
            } else {
                save(writer, backup(cluster));
            }
        }
        return 0;
    }

    private static void require(boolean holds, String message) throws CommandException {
        if (!holds) {
            throw new WrongCallException(message);
        }
    }

    @Override
    public String whenInterrupted() {
        return follow ? "stopped; what was copied so far can be restored"
                : "stopped before the end: there is no new point, and the earlier ones are whole";
    }

    private DataBackup backup(ClusterContents cluster) throws IOException, ConfigurationException, CommandException {
        // What the file names by relative paths is found by these where it is restored.
        Path file = data.configurationFile();
        ServerConfiguration configuration = ConfigurationReader.read(file);
        DataBackup backup = new DataBackup(data.data(), file, configuration,
                data.data().partitions(configuration, data.schema()), cluster);
        require(!backup.sources().isEmpty(), data.data().path() + " holds no partition: start the server or import into it first");
        return backup;
    }

    private void save(BackupWriter writer, DataBackup backup) {
        Progress progress = progressOption.progress();
        BackupPoint point = writer.save(backup.sources(), backup, new Phases(progress, Progress.Unit.BYTES)::update);
        progress.finish();
        backup.suffixesWithoutStore().forEach(suffix -> System.err.println("alder: " + suffix + " has no files, and is not in the backup"));
        List<String> removed = List.of();
        try {
            removed = keep == null ? removed : writer.keepNewest(keep);
        } finally {
            // Whatever becomes of the others, this one is there.
            show(point, removed, json.isOn());
        }
    }

    /** A change of the schema or the configuration is a new point, too: entries may not be readable without it. */
    private void follow(BackupWriter writer, ClusterContents cluster) throws IOException, ConfigurationException, CommandException, InterruptedException {
        DataBackup backup = null;
        Map<String, Object> saved = Map.of();
        Instant next = Instant.now();
        while (true) {
            boolean whole = backup != null && writer.copyLogs(backup.sources());
            if (!whole || !looks(backup).equals(saved) || !Instant.now().isBefore(next)) {
                backup = backup(cluster);
                saved = looks(backup);
                save(writer, backup);
                next = Instant.now().plus(Duration.ofHours(everyHours));
            }
            Thread.sleep(FOLLOW_MILLIS);
        }
    }

    /** What is otherwise when a small file is: its time, or what it says. */
    private static Map<String, Object> looks(DataBackup backup) throws IOException {
        Map<String, Object> looks = new TreeMap<>();
        for (Map.Entry<String, Path> file : backup.list().entrySet()) {
            try {
                looks.put(file.getKey(), Files.getLastModifiedTime(file.getValue()));
            } catch (NoSuchFileException e) {
                looks.remove(file.getKey());
            }
        }
        backup.given().forEach((name, bytes) -> looks.put(name, ByteBuffer.wrap(bytes)));
        return looks;
    }

    /** @param removed the points that went for it */
    private static void show(BackupPoint point, List<String> removed, boolean json) {
        for (SavedStore store : point.stores()) {
            Instant changed = Instant.ofEpochMilli(store.timeMillis());
            if (json) {
                Map<String, Object> facts = new LinkedHashMap<>();
                facts.put("point", point.name());
                facts.put("taken", point.taken().toString());
                facts.put("partition", store.partition());
                facts.put("entries", store.entries());
                facts.put("change", store.sequence());
                facts.put("changed", changed.toString());
                facts.put("bytes", point.bytes());
                if (!removed.isEmpty()) {
                    facts.put("removed", removed);
                }
                System.out.println(JsonText.of(facts));
            } else {
                System.out.println(point.name() + ": partition " + store.partition() + ", " + Counted.of(store.entries(), "entry") + ", change "
                        + store.sequence() + " of " + changed + ", " + point.bytes() + " bytes");
            }
        }
        if (!json) {
            removed.forEach(each -> System.out.println("removed " + each));
        }
        System.out.flush();
    }

    /** {@code backup list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, description = "Show the points that can be restored, oldest first.",
            footer = {"  alder backup list --from /backups/alder", "  alder backup list --from /backups/alder --json | jq -r .point"})
    static final class ListVerb implements Verb {
        @Option(names = "--from", paramLabel = "DIR", required = true, description = "The folder of backups.")
        private Path from;

        @Mixin
        private JsonOption json;

        @Override
        public Integer call() throws IOException {
            BackupFolder folder = BackupFolder.open(from);
            boolean whole = true;
            for (String name : folder.pointNames()) {
                try {
                    show(folder.read(name), List.of(), json.isOn());
                } catch (StoreException e) {
                    System.err.println("alder: " + e.getMessage());
                    whole = false;
                }
            }
            return whole ? 0 : 1;
        }
    }

    /** {@code backup verify}. */
    @Command(name = "verify", mixinStandardHelpOptions = true, description = "Check every checksum of the points and their files. The exit "
            + "status is 1 if anything is wrong.", footer = {"  alder backup verify --from /backups/alder",
                    "  alder backup verify --from /backups/alder --json | jq .whole"})
    static final class VerifyVerb implements Verb {
        @Option(names = "--from", paramLabel = "DIR", required = true, description = "The folder of backups.")
        private Path from;

        @Option(names = "--point", paramLabel = "NAME", description = "Which one. Default: all.")
        private String point;

        @Mixin
        private JsonOption json;

        @Mixin
        private ProgressOption progressOption;

        @Override
        public Integer call() throws IOException {
            BackupFolder folder = BackupFolder.open(from);
            List<String> names = point == null ? folder.pointNames() : List.of(point);
            Progress progress = progressOption.progress();
            List<String> problems = BackupChecker.check(folder, names, new Phases(progress, Progress.Unit.BYTES)::update);
            progress.finish();
            if (json.isOn()) {
                Map<String, Object> facts = new LinkedHashMap<>();
                facts.put("points", names);
                facts.put("whole", problems.isEmpty());
                facts.put("problems", problems);
                System.out.println(JsonText.of(facts));
                return problems.isEmpty() ? 0 : 1;
            }
            problems.forEach(System.out::println);
            System.out.println(from + ": " + Counted.of(names.size(), "point") + ": " + (problems.isEmpty() ? "whole" : "NOT whole"));
            return problems.isEmpty() ? 0 : 1;
        }
    }
}
