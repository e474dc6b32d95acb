package org.alder.server.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.alder.server.assembly.DataFolder;

/**
 * A configuration of another server, read, and made one of Alder's. Nothing of it is asked or changed.
 *
 * @param configuration can be started with
 * @param report        what became of each setting
 */
public record Migration(MigratedConfiguration configuration, MigrationReport report) {
    private static final int MOST_INSTRUCTIONS = 2_000;
    /** Attributes of entries that say who may do what: of 389 and OpenDJ, and of ApacheDS. */
    private static final List<String> INSTRUCTIONS = List.of("aci", OpenDjPrivileges.OF_USERS, "prescriptiveACI", "entryACI", "subentryACI");

    /**
     * @param source slapd.conf, the folder slapd.d, or the LDIF that {@code slapcat -n 0} prints; dse.ldif of 389 Directory Server;
     *               config.ldif of OpenDJ, or of ApacheDS, or the latter's folder conf
     * @param entries what that server prints of its entries, if it keeps in them who may do what; may be empty
     * @throws MigrationException if it cannot be read, or is none of these
     */
    public static Migration of(Path source, List<Path> entries) throws MigrationException {
        Source read = read(source, entries);
        List<ForeignSetting> settings = read.settings();
        Path work = null;
        try {
            work = Files.createTempDirectory("alder-migrate");
            MigrationReport report = new MigrationReport();
            MigratedSchema schema = new MigratedSchema(work, DataFolder.installedSchemaFiles());
            settings.stream().filter(setting -> MigratedSchema.DIRECTIVES.contains(setting.name())).forEach(schema::add);
            schema.link(report);
            Path trial = work.resolve("configuration.ldif");
            MigratedConfiguration configuration = new MigratedConfiguration(schema.schema(), schema.files(),
                    List.of("Made of " + source.getFileName() + " by bin/alder migrate. Read it: docs/migration.md"), trial);
            new SlapdMigration(configuration, read.rules(), report).run(settings);
            configuration.requireWhole();
            return new Migration(configuration, report);
        } catch (IOException e) {
            throw new MigrationException("cannot write a temporary file: " + e, e);
        } finally {
            delete(work);
        }
    }

    /** What a file says. */
    record Source(List<ForeignSetting> settings, RulesSource rules) {
    }

    /** Reads a file or folder of one of these servers, whichever it is. */
    static Source read(Path source, List<Path> files) throws MigrationException {
        if (!Files.exists(source)) {
            throw new MigrationException("no such file or folder: " + source);
        } else if (ApacheConfiguration.isFolder(source)) {
            return apache(ApacheConfiguration.read(source), files);
        } else if (Files.isDirectory(source)) {
            return new Source(SlapdFolder.read(source), RulesSource.SETTINGS);
        }
        String text = SlapdConf.text(source);
        boolean isLdif = text.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith("version:"))
                .findFirst().orElse("").toLowerCase(Locale.ROOT).startsWith("dn:");
        if (!isLdif) {
            return new Source(SlapdConf.read(source), RulesSource.SETTINGS);
        }
        List<ForeignEntry> entries = ForeignEntry.read(source);
        if (ApacheConfiguration.isOne(entries)) {
            return apache(entries, files);
        }
        boolean isNetscape = NetscapeConfiguration.isOne(entries);
        if (!isNetscape && !OpenDjConfiguration.isOne(entries)) {
            return new Source(SlapdFolder.read(source), RulesSource.SETTINGS);
        }
        List<ForeignSetting> settings = new ArrayList<>(ownSchema(source.toAbsolutePath().resolveSibling("schema")));
        settings.addAll(isNetscape ? NetscapeConfiguration.settings(entries) : OpenDjConfiguration.settings(entries));
        if (files.isEmpty()) {
            return new Source(settings, RulesSource.ENTRIES_NOT_READ);
        }
        for (Path file : files) {
            addInstructions(file, settings);
        }
        return new Source(settings, isNetscape ? RulesSource.ENTRIES_OF_389 : RulesSource.ENTRIES_OF_OPENDJ);
    }

    private static Source apache(List<ForeignEntry> entries, List<Path> files) throws MigrationException {
        List<ForeignSetting> settings = new ArrayList<>(ApacheConfiguration.settings(entries));
        if (!ApacheConfiguration.hasAccessControl(entries)) {
            return new Source(settings, RulesSource.NONE);
        }
        for (Path file : files) {
            addInstructions(file, settings);
        }
        return new Source(settings, files.isEmpty() ? RulesSource.ENTRIES_NOT_READ : RulesSource.ENTRIES_OF_APACHEDS);
    }

    /** What stands in entries; those that were deleted say nothing. */
    private static void addInstructions(Path file, List<ForeignSetting> settings) throws MigrationException {
        int most = settings.size() + MOST_INSTRUCTIONS;
        ForeignEntry.read(file, entry -> {
            if (settings.size() < most && !entry.isA("nsTombstone")) {
                INSTRUCTIONS.forEach(attribute -> entry.addEach(attribute, attribute, settings));
            }
        });
        if (settings.size() >= most) {
            throw new MigrationException(file + ": " + MOST_INSTRUCTIONS + " values of aci, or of privileges, or more: expected fewer");
        }
    }

    /** What was defined at the site: both servers keep it in files that begin with 9, those with lower numbers are their own. */
    private static List<ForeignSetting> ownSchema(Path folder) throws MigrationException {
        List<ForeignSetting> settings = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return settings;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> file.getFileName().toString().matches("9\\d.*\\.ldif")).sorted().toList()) {
                for (ForeignEntry entry : ForeignEntry.read(file)) {
                    entry.values("attributeTypes").forEach(value -> settings.add(entry.setting("attributeTypes", "attributetype", value)));
                    entry.values("objectClasses").forEach(value -> settings.add(entry.setting("objectClasses", "objectclass", value)));
                }
            }
        } catch (IOException e) {
            throw new MigrationException(folder + ": cannot be read: " + e, e);
        }
        return settings;
    }

    private static void delete(Path work) throws MigrationException {
        if (work == null) {
            return;
        }
        try (Stream<Path> files = Files.list(work)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(work);
        } catch (IOException e) {
            throw new MigrationException("cannot delete the temporary folder " + work + ": " + e, e);
        }
    }
}
