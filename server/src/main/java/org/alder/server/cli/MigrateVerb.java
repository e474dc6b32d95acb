package org.alder.server.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.file.Folders;
import org.alder.partition.file.OwnerOnly;
import org.alder.partition.text.JsonText;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.migration.Migration;
import org.alder.server.migration.MigrationException;
import org.alder.server.migration.MigrationReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a configuration of another server's. */
@Command(name = "migrate", mixinStandardHelpOptions = true,
        description = "Translate another server's configuration: suffixes, indexes, schema, limits, policies, access rules and OpenLDAP's "
                + "overlays. Reports what was translated and what was not, with file and line. Load the entries with import (docs/migration.md).",
        footer = {"  alder migrate /etc/ldap/slapd.d --output alder.ldif",
                "  alder migrate dse.ldif", "  alder migrate --json --output alder.ldif dse.ldif | jq .open"})
final class MigrateVerb implements Verb {
    @Parameters(paramLabel = "SOURCE", description = "slapd.conf, the folder slapd.d, or what slapcat -n 0 prints; dse.ldif of 389 Directory"
            + " Server; config.ldif of OpenDJ. It is only read.")
    private Path source;

    @Option(names = "--output", paramLabel = "FILE", description = "Where the configuration is written; schema files go into the folder schema"
            + " beside it. Files that are there stay as they are. Default: standard output, and no schema files.")
    private Path output;

    @Option(names = "--to", hidden = true, description = "The name that --output had.")
    private Path formerOutput;

    @Mixin
    private JsonOption json;

    @Option(names = "--entries", paramLabel = "FILE", description = "What 389 Directory Server or OpenDJ prints of its entries (db2ldif,"
            + " export-ldif), for the access control instructions in them. May be given several times. Without, nobody but the administrator is"
            + " granted anything.")
    private List<Path> entries = List.of();

    @Override
    public Integer call() throws IOException, CommandException {
        if (output != null && formerOutput != null) {
            throw new WrongCallException("--output and --to are one: leave one of the two out");
        }
        Path target = output == null ? formerOutput : output;
        if (json.isOn() && target == null) {
            throw new WrongCallException("--json needs --output FILE: standard output has the configuration");
        }
        Migration migration;
        try {
            migration = Migration.of(source, entries);
        } catch (MigrationException e) {
            throw new CommandException(e.getMessage(), e);
        }
        if (target == null) {
            System.out.print(migration.configuration().text());
            report(migration.report());
            return 0;
        }
        List<Path> written = write(migration, target);
        if (json.isOn()) {
            System.out.println(JsonText.of(facts(migration.report(), written)));
        } else {
            written.forEach(file -> System.out.println("wrote " + file));
            System.out.println("next: bin/alder import --data DIR --conf " + target + " FILE.ldif, and bin/alder start --data DIR --conf " + target);
            report(migration.report());
        }
        return 0;
    }

    private static Map<String, Object> facts(MigrationReport report, List<Path> written) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("files", written.stream().map(Path::toString).toList());
        facts.put("mapped", report.mapped());
        facts.put("unneeded", report.unneeded());
        facts.put("open", report.open());
        return facts;
    }

    /** @return the files, the configuration last */
    private static List<Path> write(Migration migration, Path target) throws IOException, CommandException {
        List<Path> written = new ArrayList<>();
        Path folder = target.toAbsolutePath().resolveSibling("schema");
        if (!migration.configuration().schemaFiles().isEmpty()) {
            Folders.create(folder);
        }
        for (Map.Entry<String, String> file : migration.configuration().schemaFiles().entrySet()) {
            written.add(write(folder.resolve(file.getKey()), file.getValue()));
        }
        written.add(write(target, migration.configuration().text()));
        return written;
    }

    private static Path write(Path file, String text) throws IOException, CommandException {
        try (OutputStream out = Channels.newOutputStream(FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OwnerOnly.file(file)))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            return file;
        } catch (FileAlreadyExistsException e) {
            throw new CommandException(file + " is there already: name another file with --output", e);
        }
    }

    private static void report(MigrationReport report) {
        System.err.println("taken over:");
        report.mapped().forEach(each -> System.err.println("  " + each));
        if (!report.unneeded().isEmpty()) {
            System.err.println("not needed: " + String.join(", ", report.unneeded()));
        }
        System.err.println(report.open().isEmpty() ? "nothing is left to do" : "left to do:");
        report.open().forEach(each -> System.err.println("  " + each));
    }
}
