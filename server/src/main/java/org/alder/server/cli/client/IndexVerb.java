package org.alder.server.cli.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.alder.ldif.progress.Phases;
import org.alder.ldif.progress.Progress;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.client.LdapAnswer;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.directory.own.RunningConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows and changes the indexes of partitions: of a running server over LDAP, else in the configuration of the data folder. */
@Command(name = "index", mixinStandardHelpOptions = true, description = "Show or change the indexes of partitions. A running server builds them "
        + "in the background, and uses each as soon as it is complete; without one, the next start builds what is missing.",
        footer = {"  alder index", "  alder index suggest", "  alder index add mail eq,sub --wait", "  alder index add initials eq inline=employeeType",
                "  alder index remove cn sub", "  alder index rebuild cn"})
public final class IndexVerb implements Verb {
    private static final long POLL_MILLIS = 200;
    /** While the indexes are changed once more, there is none for a moment. */
    private static final int MOST_LOOKS_WITHOUT_BUILD = 50;
    private static final String KINDS = "(eq|sub|pres)(,(eq|sub|pres))*";
    private static final List<String> ORDER = List.of("eq", "sub", "pres");

    private enum Action {
        LIST, ADD, REMOVE, REBUILD, SUGGEST;

        /** As it is written on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Mixin
    private PartitionOptions options;

    @Mixin
    private ServerOptions server;

    @Mixin
    private JsonOption json;

    @Option(names = "--wait", description = "Wait until the build is complete, and show its progress.")
    private boolean wait;

    @Mixin
    private ProgressOption progressOption;

    @Parameters(index = "0", paramLabel = "ACTION", arity = "0..1", defaultValue = "list", description = "list: show the indexes, with the "
            + "progress of those being built. add: add an index, or further kinds to one. remove: remove an index, or some of its kinds. rebuild: "
            + "build an index again; the old one is used until then. suggest: show which indexes the searches of the running server lacked since "
            + "its start, the most expensive first. Default: list.")
    private Action action;

    @Parameters(index = "1", paramLabel = "ATTRIBUTE", arity = "0..1", description = "The attribute.")
    private String attribute;

    @Parameters(index = "2..*", paramLabel = "KINDS", arity = "0..*", description = "eq, sub and pres with commas between them; with add also"
            + " inline=ATTRIBUTE,... and threshold=N, as the key index has them. Default: eq to add, all to remove.")
    private List<String> kinds = List.of();

    @Spec
    private CommandSpec command;

    private boolean asked;

    /** The index lines of a partition, as they are configured. @param dn of its entry of the configuration */
    private record Configured(String dn, String suffix, List<String> lines) {
    }

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException, DirectoryException {
        boolean shows = action == Action.LIST || action == Action.SUGGEST;
        if (shows != (attribute == null) || action == Action.REBUILD && !kinds.isEmpty()) {
            throw new WrongCallException(action + ": expected " + (shows ? "no attribute" : action == Action.REBUILD ? "one attribute"
                    : "an attribute, and perhaps kinds such as eq,sub"));
        }
        Schema schema = options.schema();
        try (ServerConnection calls = server.openIfRunning(options)) {
            switch (action) {
                case LIST -> list(calls, schema);
                case SUGGEST -> suggest(running(calls), schema);
                case REBUILD -> rebuild(running(calls), schema);
                default -> change(calls, schema);
            }
        }
        command.commandLine().getOut().flush();
        return 0;
    }

    private ServerConnection running(ServerConnection calls) throws CommandException {
        if (calls == null) {
            throw new CommandException(action + ": " + options.noServer() + "; " + (action == Action.SUGGEST ? "it is about the searches of a running one"
                    : "bin/alder verify --repair builds all indexes anew"));
        }
        return calls;
    }

    private void list(ServerConnection calls, Schema schema) throws IOException, ConfigurationException, CommandException, DirectoryException {
        if (calls != null) {
            boolean found = false;
            for (ServedIndexes each : ServedIndexes.of(calls).values()) {
                if (options.isMeant(schema, each.suffix())) {
                    awaitBuilt(calls, each.suffix());
                    print(wait ? ServedIndexes.of(calls).get(each.suffix()) : each);
                    found = true;
                }
            }
            requireFound(found);
            return;
        }
        for (PartitionFolder folder : options.folders(options.configuration(), schema)) {
            try (Partition partition = folder.openReadOnly()) {
                List<ServedIndexes.Index> indexes = new ArrayList<>();
                for (IndexDefinition each : partition.indexes()) {
                    indexes.add(new ServedIndexes.Index(each.type().name(), each.kindNames(), true, -1, -1));
                }
                print(new ServedIndexes(folder.suffix().text(), indexes, null));
            }
        }
    }

    private void requireFound(boolean found) throws CommandException {
        if (!found) {
            throw new CommandException(action + ": the server shows no such partition");
        }
    }

    private void print(ServedIndexes served) {
        PrintWriter out = command.commandLine().getOut();
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("partition", served.suffix());
            facts.put("indexes", served.indexes().stream().map(IndexVerb::facts).toList());
            if (served.build() != null) {
                facts.put("build", served.build().facts());
            }
            out.println(JsonText.of(facts));
            return;
        }
        out.println("partition   " + served.suffix());
        for (ServedIndexes.Index each : served.indexes()) {
            out.println("index       " + each.attribute() + " " + each.kinds() + (!each.complete() ? ", being built" : each.keys() < 0 ? ""
                    : String.format(Locale.ROOT, ", keys: %,d, bytes: %,d", each.keys(), each.bytes())));
        }
        if (served.build() != null) {
            out.println("build       " + served.build().text());
        }
    }

    private static Map<String, Object> facts(ServedIndexes.Index index) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("attribute", index.attribute());
        facts.put("kinds", index.kinds());
        facts.put("complete", index.complete());
        if (index.complete() && index.keys() >= 0) {
            facts.put("keys", index.keys());
            facts.put("bytes", index.bytes());
        }
        return facts;
    }

    private void change(ServerConnection calls, Schema schema) throws IOException, ConfigurationException, CommandException, DirectoryException {
        Configured partition = configured(calls, schema);
        String old = partition.lines.stream().filter(line -> isSame(schema, line.split("\\s+")[0])).findFirst().orElse(null);
        String line = action == Action.ADD ? added(old) : removed(partition, old);
        if (line != null && line.equals(old)) {
            throw new CommandException("add: " + partition.suffix + " has the index " + old + " already");
        }
        List<Modification> modifications = new ArrayList<>();
        if (old != null) {
            modifications.add(modification(Modification.Kind.DELETE, PartitionKeys.INDEX.name(), old));
        }
        if (line != null) {
            modifications.add(modification(Modification.Kind.ADD, PartitionKeys.INDEX.name(), line));
        }
        String note;
        if (calls == null) {
            new FolderConfiguration(options).modify(partition.dn, modifications);
            note = options.noServer() + ": the next start builds what is missing";
        } else {
            note = calls.modify(partition.dn, modifications);
        }
        told(calls, partition, line == null ? "no index of " + attribute : "index " + line, note);
    }

    private boolean isSame(Schema schema, String name) {
        AttributeType type = schema.attributeType(attribute);
        return type == null ? name.equalsIgnoreCase(attribute) : schema.attributeType(name) == type;
    }

    private static Modification modification(Modification.Kind kind, String key, String value) {
        return new Modification(kind, key, List.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    /** The line with the kinds that it has and those that are wanted; the options are those that are said, if any are. */
    private String added(String old) throws CommandException {
        List<String> words = kinds.isEmpty() ? List.of("eq") : kinds;
        Set<String> all = new LinkedHashSet<>(wanted(words.get(0)));
        List<String> further = words.subList(1, words.size());
        String name = attribute;
        if (old != null) {
            List<String> before = Arrays.asList(old.split("\\s+"));
            name = before.get(0);
            all.addAll(wanted(before.get(1)));
            further = further.isEmpty() ? before.subList(2, before.size()) : further;
        }
        return line(name, all, further);
    }

    /** Null for no line. */
    private String removed(Configured partition, String old) throws CommandException {
        if (old == null) {
            throw new CommandException("remove: " + partition.suffix + " has no index of " + attribute);
        }
        if (kinds.size() > 1) {
            throw new WrongCallException("remove: expected kinds such as eq,sub, found " + String.join(" ", kinds));
        }
        List<String> before = Arrays.asList(old.split("\\s+"));
        Set<String> left = new LinkedHashSet<>(wanted(before.get(1)));
        if (kinds.isEmpty()) {
            return null;
        }
        for (String kind : wanted(kinds.get(0))) {
            if (!left.remove(kind)) {
                throw new CommandException("remove: the index " + old + " of " + partition.suffix + " has no " + kind);
            }
        }
        return left.isEmpty() ? null : line(before.get(0), left, before.subList(2, before.size()));
    }

    private static String line(String name, Set<String> kinds, List<String> further) {
        String line = name + " " + String.join(",", kinds.stream().sorted(Comparator.comparing(ORDER::indexOf)).toList());
        return further.isEmpty() ? line : line + " " + String.join(" ", further);
    }

    private static List<String> wanted(String kinds) throws CommandException {
        String small = kinds.toLowerCase(Locale.ROOT);
        if (!small.matches(KINDS)) {
            throw new WrongCallException("kinds " + kinds + ": expected eq, sub and pres with commas between them");
        }
        return List.of(small.split(","));
    }

    private Configured configured(ServerConnection calls, Schema schema) throws IOException, ConfigurationException, CommandException,
            DirectoryException {
        if (calls == null) {
            PartitionConfiguration configuration = options.folder(options.configuration(), schema).configuration();
            Map<String, List<String>> said = configuration.settings().said();
            String key = PartitionKeys.INDEX.name();
            return new Configured(ServerConfiguration.dn(configuration.name()), configuration.suffix(),
                    indexed(said.containsKey(key) ? said.get(key) : configuration.settings().defaults().getOrDefault(key, List.of())));
        }
        List<Configured> found = new ArrayList<>();
        for (LdapAnswer.Entry entry : calls.children(ServerConfiguration.DN)) {
            String suffix = value(entry, PartitionKeys.SUFFIX.name());
            if (options.isMeant(schema, suffix)) {
                found.add(new Configured(entry.dn(), suffix, indexed(values(entry, PartitionKeys.INDEX.name()))));
            }
        }
        if (found.size() > 1) {
            throw new CommandException("the server has several partitions, " + found.stream().map(Configured::suffix).toList()
                    + ": say which one with --suffix");
        }
        requireFound(!found.isEmpty());
        return found.get(0);
    }

    /** Without the word that stands for no index. */
    private static List<String> indexed(List<String> lines) {
        return lines.stream().filter(line -> line.indexOf(' ') > 0).toList();
    }

    private static List<String> values(LdapAnswer.Entry entry, String name) {
        return entry.byDescription().getOrDefault(name, List.of()).stream().map(Utf8::shown).toList();
    }

    private static String value(LdapAnswer.Entry entry, String name) {
        List<String> values = values(entry, name);
        return values.isEmpty() ? "" : values.get(0);
    }

    private void rebuild(ServerConnection calls, Schema schema) throws IOException, ConfigurationException, CommandException, DirectoryException {
        Configured partition = configured(calls, schema);
        String note = calls.modify(partition.dn, List.of(modification(Modification.Kind.ADD, RunningConfiguration.REBUILD, attribute)));
        told(calls, partition, "index of " + attribute + " is built anew", note);
    }

    private void told(ServerConnection calls, Configured partition, String what, String note) throws IOException, CommandException {
        asked = true;
        if (calls != null) {
            awaitBuilt(calls, partition.suffix);
        }
        PrintWriter out = command.commandLine().getOut();
        String rest = wait && calls != null ? "complete" : note;
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("partition", partition.suffix);
            facts.put("changed", what);
            facts.put("note", rest);
            out.println(JsonText.of(facts));
        } else {
            out.println(partition.suffix + ": " + what + (rest.isEmpty() ? "" : "; " + rest));
        }
    }

    private void awaitBuilt(ServerConnection calls, String suffix) throws IOException, CommandException {
        if (!wait) {
            return;
        }
        Progress progress = progressOption.progress();
        Phases phases = new Phases(progress, Progress.Unit.STEPS);
        int looksWithoutBuild = 0;
        for (ServedIndexes served = served(calls, suffix); !served.isComplete(); served = served(calls, suffix)) {
            ServedIndexes.Build build = served.build();
            looksWithoutBuild = build == null ? looksWithoutBuild + 1 : 0;
            if (looksWithoutBuild > MOST_LOOKS_WITHOUT_BUILD) {
                throw new CommandException("the indexes of " + String.join(", ", served.unfinished()) + " are not complete, and nothing builds them:"
                        + " ask for them again, or restart the server, which builds them");
            }
            if (build != null && !build.failure().isEmpty()) {
                throw new CommandException("nothing is built now: " + build.text());
            }
            if (build != null) {
                phases.update(build.phase(), build.done(), build.total());
            }
            pause();
        }
        progress.finish();
    }

    private static void pause() throws CommandException {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("interrupted; the server goes on building");
        }
    }

    private ServedIndexes served(ServerConnection calls, String suffix) throws IOException, CommandException {
        for (ServedIndexes each : ServedIndexes.of(calls).values()) {
            if (each.suffix().equalsIgnoreCase(suffix)) {
                return each;
            }
        }
        throw new CommandException(action + ": the server does not show the partition " + suffix + " any more");
    }

    private void suggest(ServerConnection calls, Schema schema) throws IOException, CommandException, DirectoryException {
        Map<String, ServedIndexes> served = ServedIndexes.of(calls);
        List<LdapAnswer.Entry> rows = new ArrayList<>();
        for (LdapAnswer.Entry row : calls.children("cn=unindexed,cn=Monitor")) {
            String suffix = value(row, "alderSuffix");
            if (options.isMeant(schema, suffix) && served.containsKey(suffix) && !isThere(served.get(suffix), value(row, "alderIndexToAdd"))) {
                rows.add(row);
            }
        }
        rows.sort(Comparator.comparingLong((LdapAnswer.Entry row) -> number(row, "alderLatencyMicros")).reversed());
        PrintWriter out = command.commandLine().getOut();
        int suggested = 0;
        for (LdapAnswer.Entry row : rows) {
            if (!isHadByMost(row)) {
                suggested++;
                out.println(json.isOn() ? JsonText.of(suggestion(row)) : text(row, served.size() > 1));
            } else if (!json.isOn()) {
                out.println(whyNot(row));
            }
        }
        if (suggested == 0 && !json.isOn()) {
            out.println("since the server began, no search lacked an index that would help");
        }
    }

    /** An index of presence has all the entries that have the attribute under one key: where these are most of all, it spares few of them. */
    private static boolean isHadByMost(LdapAnswer.Entry row) {
        return value(row, "alderIndexToAdd").endsWith(" pres") && 2 * number(row, "alderReturnedEntries") >= number(row, "alderExaminedEntries");
    }

    private static String whyNot(LdapAnswer.Entry row) {
        String attribute = value(row, "alderAttribute");
        return String.format(Locale.ROOT, "# not %s: most entries have %s (of %,d that searches looked at, %,d were returned), so that the index would spare few of them",
                value(row, "alderIndexToAdd"), attribute, number(row, "alderExaminedEntries"), number(row, "alderReturnedEntries"));
    }

    /** It may have been added since. */
    private static boolean isThere(ServedIndexes served, String toAdd) {
        String[] words = toAdd.split(" ");
        return served.indexes().stream().anyMatch(each -> each.attribute().equalsIgnoreCase(words[0]) && each.has(words[1]));
    }

    private static long number(LdapAnswer.Entry row, String name) {
        return Long.parseLong(value(row, name));
    }

    private static String text(LdapAnswer.Entry row, boolean withSuffix) {
        return String.format(Locale.ROOT, "bin/alder index add %s%s    # searches: %,d, slow: %,d, seconds: %.1f, entries examined: %,d, returned: %,d",
                value(row, "alderIndexToAdd"), withSuffix ? " --suffix '" + value(row, "alderSuffix") + "'" : "", number(row, "alderSearches"),
                number(row, "alderSlow"), number(row, "alderLatencyMicros") / 1e6, number(row, "alderExaminedEntries"),
                number(row, "alderReturnedEntries"));
    }

    private static Map<String, Object> suggestion(LdapAnswer.Entry row) {
        String[] words = value(row, "alderIndexToAdd").split(" ");
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", value(row, "alderSuffix"));
        facts.put("attribute", words[0]);
        facts.put("kinds", words[1]);
        facts.put("searches", number(row, "alderSearches"));
        facts.put("slow", number(row, "alderSlow"));
        facts.put("micros", number(row, "alderLatencyMicros"));
        facts.put("examined", number(row, "alderExaminedEntries"));
        facts.put("returned", number(row, "alderReturnedEntries"));
        facts.put("last", value(row, "alderLastTime"));
        return facts;
    }

    @Override
    public String whenInterrupted() {
        return asked ? "stopped waiting: the server goes on building" : "stopped before the end";
    }
}
