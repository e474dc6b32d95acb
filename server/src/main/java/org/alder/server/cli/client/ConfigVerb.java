package org.alder.server.cli.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alder.ldif.LdifWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.server.assembly.StoredConfiguration;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.client.LdapAnswer;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ConfigurationText;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.SettingOverride;
import org.alder.server.config.Settings;
import org.alder.server.directory.own.RunningConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows and changes the configuration of a data folder: over LDAP where a server runs, else in the folder itself. */
@Command(name = "config", mixinStandardHelpOptions = true, description = "Show, check or change the configuration: of the running server"
        + " over LDAP, else that of the data folder.",
        footer = {"  alder config show", "  alder config diff", "  alder config diff other.ldif --json", "  alder config check other.ldif",
            "  alder config set sizeLimit=500", "  alder config set example/compression=none", "  alder config add-partition sales suffix=dc=sales,dc=org",
            "  alder config remove-partition sales", "  alder config undo"})
public final class ConfigVerb implements Verb {
    private enum Action {
        SHOW, DIFF, CHECK, SET, ADD_PARTITION, REMOVE_PARTITION, UNDO;

        /** As it is written on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Mixin
    private DataOptions data;

    @Mixin
    private ServerOptions server;

    @Parameters(index = "0", paramLabel = "ACTION", description = "show: what it says. diff: what differs in"
            + " it from FILE, or from the defaults. check: whether FILE can be used with this data folder. set: change KEY=VALUE, or"
            + " PARTITION/KEY=VALUE; a key that comes several times has all these values, KEY= alone its default."
            + " add-partition: make the partition NAME, of suffix=DN and perhaps more KEY=VALUE. remove-partition: serve NAME no longer; its data"
            + " stay in the folder. undo: take the newest"
            + " change back.")
    private Action action;

    @Parameters(index = "1..*", paramLabel = "FILE|NAME|KEY=VALUE", description = "What the action is about.")
    private List<String> about = List.of();

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException, DirectoryException {
        boolean fits = switch (action) {
            case SHOW, UNDO -> about.isEmpty();
            case DIFF -> about.size() <= 1;
            case CHECK, REMOVE_PARTITION -> about.size() == 1;
            case SET -> !about.isEmpty();
            case ADD_PARTITION -> about.size() >= 2;
        };
        if (!fits) {
            throw new WrongCallException(action + ": expected " + switch (action) {
                case SHOW, UNDO -> "nothing behind it";
                case DIFF -> "one FILE, or none";
                case CHECK -> "one FILE";
                case SET -> "KEY=VALUE";
                case ADD_PARTITION -> "NAME suffix=DN";
                case REMOVE_PARTITION -> "NAME";
            });
        }
        for (String each : action == Action.SET ? about : action == Action.ADD_PARTITION ? about.subList(1, about.size()) : List.<String>of()) {
            if (each.indexOf('=') < 1) {
                throw new WrongCallException(action + ": " + each + ": expected KEY=VALUE or PARTITION/KEY=VALUE");
            }
        }
        switch (action) {
            case SHOW -> show(said().configuration());
            case DIFF -> diff();
            case CHECK -> check();
            case SET -> set();
            case ADD_PARTITION -> addPartition();
            case REMOVE_PARTITION -> removePartition();
            default -> undo();
        }
        out().flush();
        return 0;
    }

    private PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** What the running server goes by, also where that was said when it was started; else what the folder says. */
    private ConfigurationText said() throws IOException, ConfigurationException, CommandException {
        try (ServerConnection calls = server.openIfRunning(data)) {
            if (calls == null) {
                data.requireNamed();
                return data.chosen().text().with(List.of());
            }
            return served(calls);
        }
    }

    private static ConfigurationText served(ServerConnection calls) throws IOException, ConfigurationException, CommandException {
        ByteArrayOutputStream ldif = new ByteArrayOutputStream();
        try (LdifWriter writer = new LdifWriter(ldif, 0)) {
            writer.write(ServerConnection.ldif(calls.read(ServerConfiguration.DN, List.of("*"))));
            for (LdapAnswer.Entry partition : calls.children(ServerConfiguration.DN)) {
                writer.write(ServerConnection.ldif(partition));
            }
        }
        return ConfigurationReader.text(Path.of(ServerConfiguration.DN), ldif.toByteArray());
    }

    private void show(ServerConfiguration configuration) {
        if (!json.isOn()) {
            out().print(Utf8.stored(configuration.ldif()));
            return;
        }
        print(ServerConfiguration.DN, configuration.settings());
        configuration.partitions().forEach(each -> print(ServerConfiguration.dn(each.name()), each.settings()));
    }

    private void print(String dn, Settings settings) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("dn", dn);
        facts.putAll(settings.said());
        out().println(JsonText.of(facts));
    }

    private void diff() throws ConfigurationException, IOException, CommandException {
        ConfigurationText text = said();
        ServerConfiguration own = text.absolute().configuration();
        ServerConfiguration other = (about.isEmpty() ? text.onlyDefaults() : ConfigurationReader.text(Path.of(about.get(0))).absolute()).configuration();
        own.differences(other).forEach((dn, keys) -> {
            if (keys.isEmpty()) {
                out().println(json.isOn() ? JsonText.of(Map.of("dn", dn)) : dn + ": there in one of them only");
            }
            for (String key : keys) {
                difference(dn, key, own.values(dn, key), other.values(dn, key));
            }
        });
    }

    private void difference(String dn, String key, List<String> values, List<String> others) {
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("dn", dn);
            facts.put("key", key);
            facts.put("values", values);
            facts.put(about.isEmpty() ? "defaults" : "there", others);
            out().println(JsonText.of(facts));
        } else {
            out().println(dn + " " + key + ": " + shown(values) + (about.isEmpty() ? ", by default " : ", there ") + shown(others));
        }
    }

    private static String shown(List<String> values) {
        return values.isEmpty() ? "nothing" : String.join(" | ", values);
    }

    private void check() throws ConfigurationException, IOException, CommandException {
        if (server.isGiven()) {
            throw new WrongCallException("check: looks at the data folder, and asks no server: leave --url, --bind-dn and --password-file out");
        }
        ServerConfiguration checked = ConfigurationReader.text(Path.of(about.get(0))).configuration();
        FolderConfiguration.check(data.data(), checked);
        boolean withData = data.data().isThere();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("file", about.get(0));
        facts.put("usable", true);
        facts.put("data", withData);
        out().println(json.isOn() ? JsonText.of(facts) : about.get(0) + " can be used" + (withData ? "" : "; there are no data in " + data.data().path()));
    }

    private void set() throws ConfigurationException, IOException, CommandException, DirectoryException {
        try (ServerConnection calls = server.openIfRunning(data)) {
            if (calls == null) {
                Changes changes = changes(data.chosen().text().with(List.of()));
                new FolderConfiguration(data).modify(changes.dn, changes.all);
                told(false, data.noServer() + ": it holds from the next start on", "");
            } else {
                Changes changes = changes(served(calls));
                told(true, "the running server goes by it", calls.modify(changes.dn, changes.all));
            }
        }
    }

    /** Of one entry. */
    private record Changes(String dn, List<Modification> all) {
    }

    /** @param text says which partitions there are */
    private Changes changes(ConfigurationText text) throws ConfigurationException, CommandException {
        Map<String, List<Modification>> changes = new LinkedHashMap<>();
        for (SettingOverride each : SettingOverride.ofOptions(about)) {
            List<byte[]> values = each.values().equals(List.of("")) ? List.of()
                    : each.values().stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList();
            changes.computeIfAbsent(text.dn(each), key -> new ArrayList<>()).add(new Modification(Modification.Kind.REPLACE, each.key(), values));
        }
        if (changes.size() > 1) {
            throw new WrongCallException("set: expected the keys of one entry at a time, found those of " + String.join(" and ", changes.keySet()));
        }
        Map.Entry<String, List<Modification>> only = changes.entrySet().iterator().next();
        return new Changes(only.getKey(), only.getValue());
    }

    private void addPartition() throws IOException, ConfigurationException, CommandException, DirectoryException {
        String dn = ServerConfiguration.dn(about.get(0));
        List<Modification> keys = new ArrayList<>(List.of(added("objectClass", List.of(ServerConfiguration.PARTITION_CLASS))));
        for (SettingOverride each : SettingOverride.ofOptions(about.subList(1, about.size()))) {
            if (each.partition() != null) {
                throw new WrongCallException("add-partition: " + each.partition() + "/" + each.key() + ": expected KEY=VALUE");
            }
            keys.add(added(each.key(), each.values()));
        }
        try (ServerConnection calls = server.openIfRunning(data)) {
            if (calls == null) {
                new FolderConfiguration(data).add(dn, keys);
                told(false, data.noServer() + ": it holds from the next start on", "");
            } else {
                told(true, "the running server serves the partition " + about.get(0), calls.add(dn, keys));
            }
        }
    }

    private static Modification added(String key, List<String> values) {
        return new Modification(Modification.Kind.ADD, key, values.stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList());
    }

    private void removePartition() throws IOException, ConfigurationException, CommandException, DirectoryException {
        String dn = ServerConfiguration.dn(about.get(0));
        try (ServerConnection calls = server.openIfRunning(data)) {
            if (calls == null) {
                if (data.configuration().partitions().stream().noneMatch(each -> each.name().equalsIgnoreCase(about.get(0)))) {
                    throw new CommandException("remove-partition: there is no partition " + about.get(0));
                }
                new FolderConfiguration(data).delete(dn);
                told(false, data.noServer() + ": it holds from the next start on", "");
            } else {
                told(true, "the running server no longer serves the partition " + about.get(0), calls.delete(dn));
            }
        }
    }

    private void undo() throws ConfigurationException, IOException, CommandException {
        try (ServerConnection calls = server.openIfRunning(data)) {
            if (calls != null) {
                told(true, "the running server has taken its newest change back", calls.modify(ServerConfiguration.DN,
                        List.of(new Modification(Modification.Kind.DELETE, RunningConfiguration.CHANGES, List.of()))));
                return;
            }
        }
        StoredConfiguration.Past newest = new FolderConfiguration(data).undo();
        told(false, data.noServer() + ": from the next start on it is as before change " + newest.number() + ": "
                + newest.summary().replaceFirst("^" + newest.number() + " ", ""), "");
    }

    /** @param byServer whether a running server has done it, not the verb itself in the data folder */
    private void told(boolean byServer, String what, String note) {
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("changed", true);
            facts.put("byServer", byServer);
            facts.put("note", note);
            out().println(JsonText.of(facts));
            return;
        }
        out().println(note.isEmpty() ? what : what + "; " + note);
    }
}
