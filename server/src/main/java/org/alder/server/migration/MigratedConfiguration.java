package org.alder.server.migration;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRules;
import org.alder.server.access.LimitRule;
import org.alder.server.assembly.AdministratorAssembly;
import org.alder.server.assembly.DataFolder;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;

/**
 * A configuration of Alder that is being made of another server's, and the schema files that belong to it. Each line is held against the
 * reader of configurations and the schema as soon as it is added, so that what comes out can be started with. One thread.
 */
public final class MigratedConfiguration {
    private static final int MOST_SUFFIX_CHARACTERS = 4096;
    private static final int MOST_LINES = 5_000;
    /** The object class, and the suffix. */
    private static final int MOST_OF_OTHERS = 2;

    private final Schema schema;
    private final Path trial;
    private final List<String> head;
    private final Map<String, String> schemaFiles;
    private final Part server = new Part("cn=config", "alderServer");
    private final List<Part> partitions = new ArrayList<>();
    private int lines;

    /** The lines of one entry. */
    final class Part {
        private final String dn;
        private final List<String> lines = new ArrayList<>();
        /** Of these, what is read to see whether a server would start: comments and rules, of which there may be thousands, are not. */
        private final List<String> read = new ArrayList<>();
        private final Map<String, Integer> counts = new LinkedHashMap<>();

        private Part(String dn, String objectClass) {
            this.dn = dn;
            read.add("objectClass: " + objectClass);
            lines.addAll(read);
        }

        boolean has(String key) {
            return counts.containsKey(key.toLowerCase(Locale.ROOT));
        }

        /**
         * Adds a rule about access if it can be. It is held against the schema alone, whatever else there is: there may be thousands.
         *
         * @param comment stands above it; may be empty
         * @return why not; null if it is there now
         */
        String addRule(String rule, String comment) throws MigrationException {
            count();
            try {
                AccessRules.add(schema, rule, "", false, new ArrayList<>());
            } catch (AccessRuleException e) {
                return e.getMessage();
            }
            put(ServerKeys.ACCESS_RULE.name(), rule, comment);
            return null;
        }

        /** The same before all rules that are there. */
        String addFirstRule(String rule, String comment) throws MigrationException {
            List<String> others = new ArrayList<>(lines);
            lines.clear();
            String problem = addRule(rule, comment);
            int at = others.indexOf(others.stream().filter(each -> each.startsWith(ServerKeys.ACCESS_RULE.name() + ":")).findFirst().orElse(""));
            // The comment of the first one stands above it.
            others.addAll(at < 0 ? others.size() : at > 0 && others.get(at - 1).startsWith("#") ? at - 1 : at, lines);
            lines.clear();
            lines.addAll(others);
            return problem;
        }

        private void put(String key, String value, String comment) {
            if (!comment.isEmpty()) {
                lines.add("# " + comment.replaceAll("\\p{Cntrl}+", " "));
            }
            lines.add(line(key, value));
        }

        /** Adds a line if it can be. @param comment stands above it; may be empty @return why not; null if it is there now */
        String add(String key, String value, String comment) throws MigrationException {
            read.add(line(key, value));
            String problem = problem(this);
            if (problem != null) {
                read.remove(read.size() - 1);
                return problem;
            }
            put(key, value, comment);
            counts.merge(key.toLowerCase(Locale.ROOT), 1, Integer::sum);
            return null;
        }
    }

    /**
     * @param schemaFiles texts by file names, already in the schema
     * @param trial       the name of a file beside which the schema files are, in a folder of the caller's; it is not written
     */
    MigratedConfiguration(Schema schema, Map<String, String> schemaFiles, List<String> head, Path trial) {
        this.schema = schema;
        this.schemaFiles = schemaFiles;
        this.head = head;
        this.trial = trial;
        schemaFiles.keySet().forEach(name -> server.lines.add(line(ServerKeys.SCHEMA_FILE.name(), "schema/" + name)));
    }

    Schema schema() {
        return schema;
    }

    Part server() {
        return server;
    }

    List<Part> partitions() {
        return partitions;
    }

    /** A partition of this suffix; null if it cannot be. */
    Part partition(String suffix, String comment) throws MigrationException {
        if (suffix.length() > MOST_SUFFIX_CHARACTERS) {
            return null;
        }
        Part part = new Part("cn=" + name(suffix) + ",cn=config", "alderPartition");
        partitions.add(part);
        if (part.add("suffix", suffix, comment) != null) {
            partitions.remove(part);
            return null;
        }
        return part;
    }

    /** Made of the values in the suffix, and another one for each. */
    private String name(String suffix) {
        String plain = suffix.replaceAll("[^,=]*=", "").replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-+|-+$", "");
        String base = plain.isEmpty() ? "partition" : plain.substring(0, Math.min(40, plain.length()));
        String name = base;
        for (int n = 2; isTaken("cn=" + name + ",cn=config"); n++) {
            name = base + "-" + n;
        }
        return name;
    }

    private boolean isTaken(String dn) {
        return partitions.stream().anyMatch(part -> part.dn.equalsIgnoreCase(dn));
    }

    private static String line(String key, String value) {
        boolean isPlain = value.chars().allMatch(c -> c >= ' ' && c < 127) && !value.isEmpty() && " :<".indexOf(value.charAt(0)) < 0
                && !value.endsWith(" ");
        return isPlain ? key + ": " + value : key + ":: " + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    }

    private void count() throws MigrationException {
        if (++lines > MOST_LINES) {
            throw new MigrationException("more than " + MOST_LINES + " settings");
        }
    }

    /** Names that partitions have, as they are compared. */
    List<Dn> suffixes(List<String> suffixes) throws MigrationException {
        List<Dn> names = new ArrayList<>();
        try {
            for (String suffix : suffixes) {
                names.add(Dn.parse(schema, suffix));
            }
        } catch (DirectoryException e) {
            throw new MigrationException(e.getMessage(), e);
        }
        return names;
    }

    /** Why the server would not start with this; null if it would. */
    private String problem(Part changed) throws MigrationException {
        count();
        try {
            ServerConfiguration read = read(tried(changed));
            new DataFolder(trial.resolveSibling("data")).partitions(read, schema);
            AdministratorAssembly.dn(read, schema);
            for (String rule : read.get(ServerKeys.LIMIT_RULE)) {
                LimitRule.parse(schema, rule, "");
            }
            String policy = read.get(ServerKeys.PASSWORD_POLICY_ENTRY);
            if (policy != null) {
                Dn.parse(schema, policy);
            }
            return null;
        } catch (ConfigurationException | AccessRuleException | DirectoryException e) {
            return e.getMessage().replace(trial + ", ", "");
        }
    }

    private ServerConfiguration read(String text) throws ConfigurationException {
        return ConfigurationReader.text(trial, text.getBytes(StandardCharsets.UTF_8)).configuration();
    }

    /** Reads all of it together, as a server does that starts. @throws MigrationException if that would not start, which its lines do not show */
    void requireWhole() throws MigrationException {
        try {
            ServerConfiguration read = read(text());
            new DataFolder(trial.resolveSibling("data")).partitions(read, schema);
            List<AccessRule> rules = new ArrayList<>();
            for (String rule : read.get(ServerKeys.ACCESS_RULE)) {
                AccessRules.add(schema, rule, "", false, rules);
            }
        } catch (ConfigurationException | AccessRuleException e) {
            throw new MigrationException("a server would not start with what was made: " + e.getMessage().replace(trial + ", ", ""), e);
        }
    }

    /** What is read to see whether a server would start: of partitions other than the one that is changed, that they are there. */
    private String tried(Part changed) {
        StringBuilder text = new StringBuilder();
        append(text, server, server.read);
        partitions.forEach(part -> append(text, part, part == changed ? part.read : part.read.subList(0, Math.min(MOST_OF_OTHERS, part.read.size()))));
        return text.toString();
    }

    /** As it is written to a file. */
    public String text() {
        StringBuilder text = new StringBuilder();
        head.forEach(each -> text.append("# ").append(each).append('\n'));
        append(text, server, server.lines);
        partitions.forEach(part -> append(text, part, part.lines));
        return text.toString();
    }

    private static void append(StringBuilder text, Part part, List<String> lines) {
        text.append("\ndn: ").append(part.dn).append('\n');
        lines.forEach(line -> text.append(line).append('\n'));
    }

    /** Texts by the names of the files, which belong into a folder {@code schema} beside the configuration. */
    public Map<String, String> schemaFiles() {
        return new LinkedHashMap<>(schemaFiles);
    }
}
