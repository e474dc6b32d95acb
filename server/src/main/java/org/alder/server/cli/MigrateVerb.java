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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.file.Folders;
import org.alder.partition.file.OwnerOnly;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.Verb;
import org.alder.server.migration.Migration;
import org.alder.server.migration.MigrationException;
import org.alder.server.migration.MigrationReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a configuration of another server's. */
@Command(name = "migrate", mixinStandardHelpOptions = true,
        description = "Make a configuration of another server's: suffixes, indexes, schema, limits, policies, and of OpenLDAP's access rules and"
                + " overlays. Says what was taken over and what was not, with file and line. Entries come over with import (docs/migration.md).",
        footer = {"  alder migrate /etc/ldap/slapd.d --to alder.ldif",
                "  alder migrate dse.ldif"})
final class MigrateVerb implements Verb {
    @Parameters(paramLabel = "SOURCE", description = "slapd.conf, the folder slapd.d, or what slapcat -n 0 prints; dse.ldif of 389 Directory"
            + " Server; config.ldif of OpenDJ. It is only read.")
    private Path source;

    @Option(names = "--to", paramLabel = "FILE", description = "Where the configuration is written; schema files go into the folder schema"
            + " beside it. Files that are there stay as they are. Default: standard output, and no schema files.")
    private Path target;

    @Option(names = "--entries", paramLabel = "FILE", description = "What 389 Directory Server or OpenDJ prints of its entries (db2ldif,"
            + " export-ldif), for the access control instructions in them. May be given several times. Without, nobody but the administrator is"
            + " granted anything.")
    private List<Path> entries = List.of();

    @Override
    public Integer call() throws IOException, CommandException {
        Migration migration;
        try {
            migration = Migration.of(source, entries);
        } catch (MigrationException e) {
            throw new CommandException(e.getMessage(), e);
        }
        if (target == null) {
            System.out.print(migration.configuration().text());
        } else {
            write(migration);
        }
        report(migration.report());
        return 0;
    }

    private void write(Migration migration) throws IOException, CommandException {
        List<Path> written = new ArrayList<>();
        Path folder = target.toAbsolutePath().resolveSibling("schema");
        if (!migration.configuration().schemaFiles().isEmpty()) {
            Folders.create(folder);
        }
        for (Map.Entry<String, String> file : migration.configuration().schemaFiles().entrySet()) {
            written.add(write(folder.resolve(file.getKey()), file.getValue()));
        }
        written.add(write(target, migration.configuration().text()));
        written.forEach(file -> System.out.println("wrote " + file));
        System.out.println("next: bin/alder import --data DIR --conf " + target + " FILE.ldif, and bin/alder start --data DIR --conf " + target);
    }

    private static Path write(Path file, String text) throws IOException, CommandException {
        try (OutputStream out = Channels.newOutputStream(FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OwnerOnly.file(file)))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            return file;
        } catch (FileAlreadyExistsException e) {
            throw new CommandException(file + " is there already: name another file with --to", e);
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
