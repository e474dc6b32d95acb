package org.alder.server.cli.data;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.List;
import java.util.Map;
import org.alder.ldif.progress.Phases;
import org.alder.ldif.progress.Progress;
import org.alder.partition.jdbm.backup.BackupFolder;
import org.alder.partition.jdbm.backup.BackupPoint.SavedFile;
import org.alder.partition.jdbm.backup.Restore;
import org.alder.partition.jdbm.backup.RestoreGoal;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.server.assembly.DataBackup;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Brings a data folder back from a backup, into a new folder. */
@Command(name = "restore", mixinStandardHelpOptions = true,
        description = "Restore a data folder from a backup into a new folder. It is put in place only when all of it is verified.",
        footer = {"  alder restore --from /backups/alder --data /var/lib/alder-restored",
            "  alder restore --from /backups/alder --at 2026-11-22T22:18:54Z --data /var/lib/alder-restored"})
public final class RestoreVerb implements Verb {
    private static final DateTimeFormatter GENERALIZED = DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT);

    @Option(names = "--from", paramLabel = "DIR", required = true, description = "The folder of backups.")
    private Path from;

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "The new data folder: absent or empty.")
    private Path target;

    @ArgGroup
    private Goal goal;

    @Mixin
    private JsonOption json;

    @Mixin
    private ProgressOption progressOption;

    /** One of these. */
    private static final class Goal {
        @Option(names = "--point", paramLabel = "NAME", description = "Restore this point (see alder backup list). Default: the newest one.")
        private String point;

        @Option(names = "--at", paramLabel = "TIME", description = "Restore everything that was committed up to this moment, and nothing after "
                + "it, such as 2026-11-22T22:18:54.5Z, 2026-11-22T23:18:54+01:00 or 20261122221854Z.")
        private String at;

        @Option(names = "--to-change", paramLabel = "N", description = "Restore all changes up to this number. Only with a single partition.")
        private Long change;
    }

    @Override
    public Integer call() throws IOException, CommandException {
        BackupFolder folder = BackupFolder.open(from);
        Progress progress = progressOption.progress();
        Restore.Result result = Restore.run(folder, goal(), target, new Phases(progress, Progress.Unit.BYTES)::update);
        progress.finish();
        List<String> elsewhere = result.point().files().stream().map(SavedFile::name).filter(name -> name.startsWith(DataBackup.ELSEWHERE))
                .map(name -> target.resolve(name).toString()).toList();
        if (json.isOn()) {
            result.partitions().forEach(each -> System.out.println(JsonText.of(facts(each, elsewhere))));
            return 0;
        }
        for (Restore.Restored partition : result.partitions()) {
            System.out.println("restored partition " + partition.partition() + ": " + Counted.of(partition.entries(), "entry") + ", up to change "
                    + partition.sequence() + " of " + Instant.ofEpochMilli(partition.timeMillis()));
        }
        elsewhere.forEach(file -> System.out.println("the configuration names a file that is now " + file + ": put it where it belongs"));
        boolean isOwn = result.point().files().stream().noneMatch(file -> file.name().equals(DataBackup.CONFIGURATION));
        System.out.println("try: bin/alder start --data " + TerminalText.quoted(target.toString()) + (isOwn ? ""
                : " --conf " + TerminalText.quoted(target.resolve(DataBackup.CONFIGURATION).toString())));
        return 0;
    }

    private Map<String, Object> facts(Restore.Restored partition, List<String> elsewhere) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", partition.partition());
        facts.put("folder", target.toString());
        facts.put("entries", partition.entries());
        facts.put("change", partition.sequence());
        facts.put("changed", Instant.ofEpochMilli(partition.timeMillis()).toString());
        facts.put("filesToPutWhereTheyBelong", elsewhere);
        return facts;
    }

    @Override
    public String whenInterrupted() {
        return "stopped before the end: remove what is in " + target;
    }

    private RestoreGoal goal() throws CommandException {
        if (goal == null) {
            return new RestoreGoal.Point(null);
        } else if (goal.at != null) {
            return new RestoreGoal.At(moment(goal.at));
        }
        return goal.point != null ? new RestoreGoal.Point(goal.point) : new RestoreGoal.Change(goal.change);
    }

    private static Instant moment(String text) throws CommandException {
        try {
            return text.indexOf('-') < 0 ? LocalDateTime.parse(text, GENERALIZED).toInstant(ZoneOffset.UTC)
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new WrongCallException("--at " + text + ": expected a moment with its time zone, such as 2026-11-22T22:18:54Z", e);
        }
    }
}
