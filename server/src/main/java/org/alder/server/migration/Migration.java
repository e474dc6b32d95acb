package org.alder.server.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.alder.partition.file.OwnerOnly;

/**
 * A configuration of another server, read, and made one of Alder's. Nothing of it is asked or changed.
 *
 * @param configuration can be started with
 * @param report        what became of each setting
 */
public record Migration(MigratedConfiguration configuration, MigrationReport report) {
    /**
     * @param source slapd.conf, the folder slapd.d, or the LDIF that {@code slapcat -n 0} prints; dse.ldif of 389 Directory Server;
     *               config.ldif of OpenDJ
     * @throws MigrationException if it cannot be read, or is none of these
     */
    public static Migration of(Path source) throws MigrationException {
        Source read = read(source);
        List<ForeignSetting> settings = read.settings();
        Path work = null;
        try {
            work = Files.createTempDirectory("alder-migrate");
            MigrationReport report = new MigrationReport();
            MigratedSchema schema = new MigratedSchema(work);
            settings.stream().filter(setting -> MigratedSchema.DIRECTIVES.contains(setting.name())).forEach(schema::add);
            schema.link(report);
            Path trial = Files.createFile(work.resolve("configuration.ldif"), OwnerOnly.file(work));
            MigratedConfiguration configuration = new MigratedConfiguration(schema.schema(), schema.files(),
                    List.of("Made of " + source.getFileName() + " by bin/alder migrate. Read it: docs/migration.md"), trial);
            new SlapdMigration(configuration, read.hasRules(), report).run(settings);
            return new Migration(configuration, report);
        } catch (IOException e) {
            throw new MigrationException("cannot write a temporary file: " + e, e);
        } finally {
            delete(work);
        }
    }

    /** @param hasRules whether they say who may do what */
    private record Source(List<ForeignSetting> settings, boolean hasRules) {
    }

    private static Source read(Path source) throws MigrationException {
        if (!Files.exists(source)) {
            throw new MigrationException("no such file or folder: " + source);
        } else if (Files.isDirectory(source)) {
            return new Source(SlapdFolder.read(source), true);
        }
        String text = SlapdConf.text(source);
        boolean isLdif = text.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith("version:"))
                .findFirst().orElse("").toLowerCase(Locale.ROOT).startsWith("dn:");
        if (!isLdif) {
            return new Source(SlapdConf.read(source), true);
        }
        List<ForeignEntry> entries = ForeignEntry.read(source);
        boolean isNetscape = NetscapeConfiguration.isOne(entries);
        if (!isNetscape && !OpenDjConfiguration.isOne(entries)) {
            return new Source(SlapdFolder.read(source), true);
        }
        List<ForeignSetting> settings = new ArrayList<>(ownSchema(source.toAbsolutePath().resolveSibling("schema")));
        settings.addAll(isNetscape ? NetscapeConfiguration.settings(entries) : OpenDjConfiguration.settings(entries));
        return new Source(settings, false);
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
