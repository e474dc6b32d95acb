package org.alder.server.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.definition.DefinitionKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definitions of another server, file by file. Those of a file that defines nothing new are left out: Alder has them. One thread.
 */
final class MigratedSchema {
    private static final Logger LOG = LoggerFactory.getLogger(MigratedSchema.class);
    static final Set<String> DIRECTIVES = Set.of("objectidentifier", "attributetype", "attributetypes", "objectclass", "objectclasses",
            "ldapsyntax", "ditcontentrule");

    private static final Pattern NAME = Pattern.compile("\\sNAME\\s+\\(?\\s*'([^']+)'");

    private final Path work;
    private final List<Path> installed;
    private final Map<String, StringBuilder> files = new LinkedHashMap<>();
    private final Map<String, ForeignSetting> first = new LinkedHashMap<>();
    private final Map<String, String> taken = new LinkedHashMap<>();
    private final List<Path> macroFiles = new ArrayList<>();
    private Schema schema;

    /** @param work a folder of the caller's, who deletes it @param installed files whose definitions are there already */
    MigratedSchema(Path work, List<Path> installed) {
        this.installed = installed;
        this.work = work;
    }

    /** Keeps a definition, as a directive of OpenLDAP. */
    void add(ForeignSetting setting) {
        files.computeIfAbsent(setting.file(), none -> new StringBuilder()).append(setting.name().replace("types", "type").replace("classes", "class"))
                .append(' ').append(setting.text().replaceAll("\\s+", " ")).append('\n');
        first.putIfAbsent(setting.file(), setting);
    }

    /** Takes over what is new, and reports it. */
    void link(MigrationReport report) throws MigrationException {
        try {
            schema = Schema.load(installed);
            List<Path> paths = new ArrayList<>();
            for (Map.Entry<String, StringBuilder> file : files.entrySet()) {
                String name = name(file.getKey());
                Path path = Files.writeString(work.resolve(name), "# From " + file.getKey().replaceAll("\\p{Cntrl}+", " ") + "\n" + file.getValue());
                paths.add(path);
                link(paths, file.getKey(), name, report);
            }
            dropUnusedMacros(paths);
        } catch (IOException e) {
            throw new MigrationException("cannot write the schema: " + e, e);
        }
    }

    private void link(List<Path> paths, String source, String name, MigrationReport report) throws IOException {
        Path path = paths.get(paths.size() - 1);
        try {
            String fresh = fresh(path);
            if (fresh.isEmpty()) {
                keepMacros(paths, path, name);
                return;
            }
            Files.writeString(path, fresh);
            Schema more = with(paths);
            if (count(more) > count(schema)) {
                taken.put(name, Files.readString(path));
                report.mapped(first.get(source), (count(more) - count(schema)) + " definitions that Alder has not, in schema/" + name);
                schema = more;
                return;
            }
        } catch (StoreException e) {
            report.open(first.get(source), "the definitions of this file are left out: " + e.getMessage().replace(path.toString(), name)
                    + ". Mend a copy, and name it with schemaFile");
        }
        keepMacros(paths, path, name);
    }

    /** What of a file is not defined already; empty if all is. What is there holds, as everywhere, also where it differs in words. */
    private String fresh(Path path) throws IOException {
        StringBuilder fresh = new StringBuilder();
        boolean isAny = false;
        for (String line : Files.readString(path).split("\n")) {
            Matcher name = NAME.matcher(line);
            boolean isKnown = name.find() && (line.startsWith("attributetype ") ? schema.attributeType(name.group(1)) != null
                    : line.startsWith("objectclass ") && schema.objectClass(name.group(1)) != null);
            isAny |= !isKnown && !line.startsWith("#") && !line.startsWith("objectidentifier ");
            fresh.append(isKnown ? "" : line + "\n");
        }
        return isAny ? fresh.toString() : "";
    }

    /** Macros that it defines may be used by others. */
    private void keepMacros(List<Path> paths, Path path, String name) throws IOException {
        paths.remove(path);
        String macros = Files.readString(path).lines().filter(line -> line.startsWith("objectidentifier ")).reduce("", (a, b) -> a + b + "\n");
        if (!macros.isEmpty()) {
            paths.add(Files.writeString(path, macros));
            taken.put(name, macros);
            macroFiles.add(path);
        }
    }

    private void dropUnusedMacros(List<Path> paths) {
        List<Path> fewer = new ArrayList<>(paths);
        fewer.removeAll(macroFiles);
        try {
            schema = with(fewer);
            macroFiles.forEach(path -> taken.remove(path.getFileName().toString()));
        } catch (StoreException e) {
            // One of them is used: all stay.
            LOG.debug("Macros are used by other files", e);
        }
    }

    private Schema with(List<Path> more) {
        List<Path> all = new ArrayList<>(installed);
        all.addAll(more);
        return Schema.load(all);
    }

    private static int count(Schema schema) {
        int count = 0;
        for (DefinitionKind kind : DefinitionKind.values()) {
            count += schema.definitions(kind).size();
        }
        return count;
    }

    /** A name without folders, of harmless characters, and another one for each file. */
    private String name(String source) {
        String plain = Path.of(source).getFileName().toString().replaceFirst("\\.[A-Za-z]+$", "").replaceFirst("^cn=", "")
                .replaceFirst("^\\{-?\\d+\\}", "").replaceAll("[^A-Za-z0-9_-]+", "-");
        String base = plain.isEmpty() ? "schema" : plain.substring(0, Math.min(60, plain.length()));
        String name = base + ".schema";
        for (int n = 2; Files.exists(work.resolve(name)); n++) {
            name = base + "-" + n + ".schema";
        }
        return name;
    }

    Schema schema() {
        return schema;
    }

    /** Texts by names of files. */
    Map<String, String> files() {
        return taken;
    }
}
