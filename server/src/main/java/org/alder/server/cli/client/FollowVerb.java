package org.alder.server.cli.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.client.LdapAnswer;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.Key;
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

/** Makes a partition a copy of another server's, which is kept up to date, shows how far it is, and ends that. */
@Command(name = "follow", mixinStandardHelpOptions = true, description = "Make a partition an up-to-date copy of another server (OpenLDAP, 389 "
        + "or Alder, by RFC 4533), show its progress, or stop following. A running server does it at once, otherwise from its next start on.",
        footer = {"  alder follow", "  alder follow ldap://ldap.example.com --base dc=example,dc=com -D cn=copy,dc=example,dc=com -y copy.password --wait",
            "  alder follow status --json", "  alder follow refresh --base dc=example,dc=com", "  alder follow stop --base dc=example,dc=com"})
public final class FollowVerb implements Verb {
    private static final long POLL_MILLIS = 200;
    private static final String STATUS = "status";
    private static final String STOP = "stop";
    private static final Map<String, String> ORDERS = Map.of("refresh", "refresh", "allow-deletions", "allowDeletions");
    private static final List<Key<?>> KEYS = List.of(PartitionKeys.FOLLOW_PROVIDER, PartitionKeys.FOLLOW_BIND_DN, PartitionKeys.FOLLOW_PASSWORD_FILE,
            PartitionKeys.FOLLOW_FILTER, PartitionKeys.FOLLOW_LOG, PartitionKeys.FOLLOW_TLS, PartitionKeys.FOLLOW_AUTHORITY_FILE);

    @Mixin
    private DataOptions data;

    @Mixin
    private JsonOption json;

    @Parameters(index = "0", paramLabel = "URL|ACTION", arity = "0..1", defaultValue = STATUS, description = "ldap://HOST[:PORT], ldaps:// or "
            + "ldapi://: follow that server. status: show which partitions follow which server, and how far they are. stop: stop following; the "
            + "entries stay, and clients can change them here. refresh: fetch and compare all entries again. allow-deletions: let the next refresh "
            + "delete everything that the server does not name. Default: status.")
    private String action;

    @Option(names = {"-b", "--base"}, paramLabel = "DN", description = "The suffix of the partition, and the base that is followed. A missing "
            + "partition is made. Default, except with a URL: all partitions that follow a server.")
    private String base;

    @Option(names = {"-D", "--bind-dn"}, paramLabel = "DN", description = "The DN to bind as at the followed server; it must be allowed to read "
            + "everything. Default: anonymous.")
    private String bindDn;

    @Option(names = {"-y", "--password-file"}, paramLabel = "F", description = "The password of --bind-dn, as one line. The server reads the "
            + "file at each login: it must stay where it is.")
    private Path passwordFile;

    @Option(names = "--filter", paramLabel = "F", description = "Which entries are followed. Default: all.")
    private String filter;

    @Option(names = "--log", paramLabel = "DN", description = "Where OpenLDAP logs what was changed, such as cn=accesslog: changes come without the "
            + "entries.")
    private String log;

    @Option(names = "--authority", paramLabel = "F", description = "The certificates, PEM, that are trusted when the followed server shows its own. The file"
            + " has to stay. Default: those that Java trusts.")
    private Path authority;

    @Option(names = "--in-clear", description = "Do not start TLS on ldap:// connections to other machines: entries and passwords cross the "
            + "network in clear.")
    private boolean inClear;

    @Option(names = "--wait", description = "Wait until the partition is a complete copy.")
    private boolean wait;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException, DirectoryException {
        boolean isUrl = action.contains("://");
        boolean hasOptions = bindDn != null || passwordFile != null || filter != null || log != null || authority != null || inClear;
        if (!isUrl && !ORDERS.containsKey(action) && !action.equals(STATUS) && !action.equals(STOP)) {
            throw new WrongCallException(action + ": expected a URL such as ldap://ldap.example.com, or status, stop, refresh or allow-deletions");
        } else if (isUrl ? base == null : hasOptions) {
            throw new WrongCallException(isUrl ? action + ": say with --base what is to be followed there" : action + ": expected no option but --base");
        } else if ((bindDn == null) != (passwordFile == null)) {
            throw new WrongCallException("expected both --bind-dn and --password-file, or neither");
        }
        try (ServerConnection calls = new ServerOptions().openIfRunning(data)) {
            if (isUrl) {
                follow(calls);
            } else if (action.equals(STATUS)) {
                status(running(calls));
            } else if (action.equals(STOP)) {
                stop(calls);
            } else {
                order(running(calls));
            }
            if (calls != null && wait) {
                await(calls);
            }
        }
        out().flush();
        return 0;
    }

    private PrintWriter out() {
        return command.commandLine().getOut();
    }

    private ServerConnection running(ServerConnection calls) throws CommandException {
        if (calls == null) {
            throw new CommandException(action + ": " + data.noServer() + ": start it, or name its data folder with --data");
        }
        return calls;
    }

    /** A partition of the configuration. @param provider empty if it follows none */
    private record Configured(String dn, String suffix, String provider) {
    }

    private List<Configured> configured(ServerConnection calls) throws IOException, ConfigurationException, CommandException {
        List<Configured> all = new ArrayList<>();
        if (calls == null) {
            for (PartitionConfiguration each : data.configuration().partitions()) {
                String provider = each.get(PartitionKeys.FOLLOW_PROVIDER);
                all.add(new Configured(ServerConfiguration.dn(each.name()), each.suffix(), provider == null ? "" : provider));
            }
            return all;
        }
        for (LdapAnswer.Entry each : calls.children(ServerConfiguration.DN)) {
            all.add(new Configured(each.dn(), value(each, PartitionKeys.SUFFIX.name()), value(each, PartitionKeys.FOLLOW_PROVIDER.name())));
        }
        return all;
    }

    private boolean isMeant(Schema schema, String suffix) throws DirectoryException {
        return base == null || Dn.parse(schema, base).equals(Dn.parse(schema, suffix));
    }

    /** Those that follow a server, and are meant. @throws CommandException if there are none, or several */
    private Configured following(ServerConnection calls) throws IOException, ConfigurationException, CommandException, DirectoryException {
        Schema schema = data.schema();
        List<Configured> found = new ArrayList<>();
        for (Configured each : configured(calls)) {
            if (!each.provider.isEmpty() && isMeant(schema, each.suffix)) {
                found.add(each);
            }
        }
        if (found.size() != 1) {
            throw new CommandException(action + ": " + (found.isEmpty() ? "no partition " + (base == null ? "" : "of " + base + " ") + "follows a server"
                    : "several partitions follow servers, " + found.stream().map(Configured::suffix).toList() + ": say which one with --base"));
        }
        return found.get(0);
    }

    private void follow(ServerConnection calls) throws IOException, ConfigurationException, CommandException, DirectoryException {
        Schema schema = data.schema();
        Map<Key<?>, String> said = said();
        Configured target = null;
        for (Configured each : configured(calls)) {
            target = isMeant(schema, each.suffix) ? each : target;
        }
        List<Modification> changes = new ArrayList<>();
        String note;
        if (target != null) {
            KEYS.forEach(key -> changes.add(modification(Modification.Kind.REPLACE, key.name(), said.get(key))));
            note = change(calls, target.dn, changes);
        } else {
            changes.add(modification(Modification.Kind.ADD, "objectClass", ServerConfiguration.PARTITION_CLASS));
            changes.add(modification(Modification.Kind.ADD, PartitionKeys.SUFFIX.name(), base));
            said.forEach((key, value) -> changes.add(modification(Modification.Kind.ADD, key.name(), value)));
            note = add(calls, ServerConfiguration.dn(name(schema)), changes);
        }
        told(base, "follows " + action, calls == null ? data.noServer() + ": it begins with the next start" : note);
    }

    private Map<Key<?>, String> said() throws CommandException {
        Map<Key<?>, String> said = new LinkedHashMap<>();
        said.put(PartitionKeys.FOLLOW_PROVIDER, action);
        if (bindDn != null) {
            said.put(PartitionKeys.FOLLOW_BIND_DN, bindDn);
            said.put(PartitionKeys.FOLLOW_PASSWORD_FILE, "file:" + readable(passwordFile));
        }
        if (filter != null) {
            said.put(PartitionKeys.FOLLOW_FILTER, filter);
        }
        if (log != null) {
            said.put(PartitionKeys.FOLLOW_LOG, log);
        }
        if (inClear) {
            said.put(PartitionKeys.FOLLOW_TLS, "none");
        }
        if (authority != null) {
            said.put(PartitionKeys.FOLLOW_AUTHORITY_FILE, readable(authority).toString());
        }
        return said;
    }

    private static Path readable(Path file) throws CommandException {
        if (!Files.isReadable(file)) {
            throw new CommandException(file + " cannot be read");
        }
        return file.toAbsolutePath().normalize();
    }

    /** Of the folder of a new partition: the first RDN's value, as far as it can be one. */
    private String name(Schema schema) throws DirectoryException {
        String value = Utf8.shown(Dn.parse(schema, base).rdn().avas().get(0).value());
        String name = value.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return name.isEmpty() ? "followed" : name;
    }

    /** @param value null for none */
    private static Modification modification(Modification.Kind kind, String key, String value) {
        return new Modification(kind, key, value == null ? List.of() : List.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    private String change(ServerConnection calls, String dn, List<Modification> changes) throws IOException, ConfigurationException,
            CommandException, DirectoryException {
        if (calls != null) {
            return calls.modify(dn, changes);
        }
        folder().modify(dn, changes);
        return "";
    }

    private String add(ServerConnection calls, String dn, List<Modification> keys) throws IOException, ConfigurationException, CommandException,
            DirectoryException {
        if (calls != null) {
            return calls.add(dn, keys);
        }
        folder().add(dn, keys);
        return "";
    }

    private FolderConfiguration folder() {
        return new FolderConfiguration(data, "stop it first, or change the followProvider of the partition with alder config set --url");
    }

    private void stop(ServerConnection calls) throws IOException, ConfigurationException, CommandException, DirectoryException {
        Configured target = following(calls);
        String note = change(calls, target.dn, KEYS.stream().map(key -> modification(Modification.Kind.REPLACE, key.name(), null)).toList());
        told(target.suffix, "follows " + target.provider + " no longer; clients can change its entries", note);
    }

    private void order(ServerConnection calls) throws IOException, ConfigurationException, CommandException, DirectoryException {
        Configured target = following(calls);
        String note = calls.modify(target.dn, List.of(modification(Modification.Kind.ADD, RunningConfiguration.FOLLOW, ORDERS.get(action))));
        told(target.suffix, action.equals("refresh") ? "asks " + target.provider + " for all entries anew"
                : "the next refresh may delete whatever " + target.provider + " has not named", note);
    }

    private void told(String suffix, String what, String note) {
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("partition", suffix);
            facts.put("changed", what);
            facts.put("note", note);
            out().println(JsonText.of(facts));
        } else {
            out().println(suffix + ": " + what + (note.isEmpty() ? "" : "; " + note));
        }
        out().flush();
    }

    private List<LdapAnswer.Entry> served(ServerConnection calls) throws IOException, ConfigurationException, CommandException, DirectoryException {
        Schema schema = data.schema();
        List<LdapAnswer.Entry> found = new ArrayList<>();
        for (LdapAnswer.Entry each : calls.children("cn=Monitor")) {
            if (!value(each, "alderFollowProvider").isEmpty() && isMeant(schema, value(each, "alderSuffix"))) {
                found.add(each);
            }
        }
        return found;
    }

    private void status(ServerConnection calls) throws IOException, ConfigurationException, CommandException, DirectoryException {
        List<LdapAnswer.Entry> all = served(calls);
        for (LdapAnswer.Entry each : all) {
            print(each);
        }
        if (all.isEmpty() && !json.isOn()) {
            out().println("no partition follows a server");
        }
    }

    private void print(LdapAnswer.Entry partition) {
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("partition", value(partition, "alderSuffix"));
            for (LdapAnswer.Attribute each : partition.attributes()) {
                if (each.description().startsWith("alderFollow")) {
                    String name = each.description().substring("alderFollow".length());
                    facts.put(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1), fact(Utf8.shown(each.values().get(0))));
                }
            }
            out().println(JsonText.of(facts));
            return;
        }
        line("partition", value(partition, "alderSuffix"));
        line("follows", value(partition, "alderFollowProvider"));
        line("state", value(partition, "alderFollowState") + (value(partition, "alderFollowRefreshed").equals("TRUE") ? "" : ", no copy yet"));
        line("reason", value(partition, "alderFollowReason"));
        line("refresh", number(partition, "Told") + " entries told, " + number(partition, "Rate") + " a second; " + number(partition, "Refreshes")
                + " refreshes have ended");
        line("changes", number(partition, "Added") + " added, " + number(partition, "Modified") + " modified, " + number(partition, "Renamed") + " renamed, "
                + number(partition, "Deleted") + " deleted");
        line("last", value(partition, "alderFollowLastTime"));
        line("position", value(partition, "alderFollowPosition"));
    }

    private static Object fact(String text) {
        if (text.matches("\\d{1,18}")) {
            return Long.parseLong(text);
        }
        return text.equals("TRUE") ? Boolean.TRUE : text.equals("FALSE") ? Boolean.FALSE : text;
    }

    private void line(String name, String text) {
        if (!text.isEmpty()) {
            out().println(String.format(Locale.ROOT, "%-11s %s", name, TerminalText.shown(text)));
        }
    }

    private static String number(LdapAnswer.Entry entry, String name) {
        String text = value(entry, "alderFollow" + name);
        return text.matches("\\d{1,18}") ? String.format(Locale.ROOT, "%,d", Long.parseLong(text)) : "0";
    }

    /** Empty for none. */
    private static String value(LdapAnswer.Entry entry, String name) {
        List<byte[]> values = entry.byDescription().getOrDefault(name, List.of());
        return values.isEmpty() ? "" : Utf8.shown(values.get(0));
    }

    private void await(ServerConnection calls) throws IOException, ConfigurationException, CommandException, DirectoryException {
        while (true) {
            List<LdapAnswer.Entry> all = served(calls);
            for (LdapAnswer.Entry each : all) {
                if (value(each, "alderFollowState").equals("halted")) {
                    throw new CommandException(value(each, "alderSuffix") + ": " + TerminalText.shown(value(each, "alderFollowReason")));
                }
            }
            if (all.stream().allMatch(each -> value(each, "alderFollowState").equals("following"))) {
                all.forEach(this::print);
                return;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandException("interrupted; the server goes on");
            }
        }
    }

    @Override
    public String whenInterrupted() {
        return "the server goes on";
    }
}
