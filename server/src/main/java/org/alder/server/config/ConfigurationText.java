package org.alder.server.config;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.ldif.LdifWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.text.Utf8;

/**
 * A configuration as somebody said it: which keys it names, and with which texts. What it means is {@link #configuration}, which is
 * the one way to find out whether it can be used. Immutable.
 */
public final class ConfigurationText {
    private final Path folder;
    private final ConfigurationEntry server;
    private final List<ConfigurationEntry> partitions;
    private final List<SettingOverride> overrides;

    /** @param folder where relative paths begin  @param overrides what goes before the entries */
    ConfigurationText(Path folder, ConfigurationEntry server, List<ConfigurationEntry> partitions, List<SettingOverride> overrides) {
        this.folder = folder;
        this.server = server;
        this.partitions = List.copyOf(partitions);
        this.overrides = List.copyOf(overrides);
    }

    /** The same, but for what others say. */
    public ConfigurationText with(List<SettingOverride> others) {
        return new ConfigurationText(folder, server, partitions, others);
    }

    public List<SettingOverride> overrides() {
        return overrides;
    }

    /** The same with another folder where relative paths begin. */
    public ConfigurationText in(Path other) {
        return new ConfigurationText(other, server, partitions, overrides);
    }

    /** The same without the lines that say what holds by default. @throws ConfigurationException as {@link #configuration} */
    public ConfigurationText withoutDefaults() throws ConfigurationException {
        List<ConfigurationEntry> shorter = new ArrayList<>();
        for (ConfigurationEntry each : partitions) {
            shorter.add(each.without(SettingsReader.read(folder, each, PartitionKeys.all()).saidByDefault()));
        }
        return new ConfigurationText(folder, server.without(SettingsReader.read(folder, server, ServerKeys.all()).saidByDefault()), shorter,
                overrides);
    }

    /**
     * Stands for what is said: the same of two texts that differ in their folders, in the order of their keys, and in lines that say
     * what holds by default.
     */
    public String fingerprint() throws ConfigurationException {
        ServerConfiguration said = absolute().with(List.of()).withoutDefaults().configuration();
        StringBuilder all = new StringBuilder().append(new TreeMap<>(said.settings().said()));
        said.partitions().forEach(each -> all.append('\n').append(each.name()).append(new TreeMap<>(each.settings().said())));
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same as it is understood from any folder. */
    public ConfigurationText absolute() {
        return new ConfigurationText(folder, server.absolute(ServerKeys.all(), folder),
                partitions.stream().map(each -> each.absolute(PartitionKeys.all(), folder)).toList(), overrides);
    }

    /** @throws ConfigurationException naming file, line, key and value */
    public ServerConfiguration configuration() throws ConfigurationException {
        ConfigurationEntry ofServer = server;
        List<ConfigurationEntry> ofPartitions = new ArrayList<>(partitions);
        for (SettingOverride override : overrides) {
            if (isOfServer(override)) {
                ofServer = override.applied(ofServer);
            } else {
                int number = number(override, ofPartitions);
                ofPartitions.set(number, override.applied(ofPartitions.get(number)));
            }
        }
        Settings settings = SettingsReader.read(folder, ofServer, ServerKeys.all());
        ServerKeys.check(settings);
        return new ServerConfiguration(settings, partitions(settings, ofPartitions));
    }

    /** The entry that one is about. @throws ConfigurationException if there is none */
    public String dn(SettingOverride override) throws ConfigurationException {
        return isOfServer(override) ? ServerConfiguration.DN : ServerConfiguration.dn(name(partitions.get(number(override, partitions))));
    }

    /** The same entries without a line that need not be there. */
    public ConfigurationText onlyDefaults() {
        String suffix = PartitionKeys.SUFFIX.name();
        return new ConfigurationText(folder, server.only(Set.of()), partitions.stream().map(each -> each.only(Set.of(suffix))).toList(), List.of());
    }

    /**
     * The same with what another says of the keys that the members of a cluster have in common, of the server and of those partitions
     * that both have.
     */
    public ConfigurationText sharing(ConfigurationText cluster) throws ConfigurationException {
        Map<String, ConfigurationEntry> others = cluster.byName();
        List<ConfigurationEntry> taken = new ArrayList<>();
        for (ConfigurationEntry each : partitions) {
            ConfigurationEntry other = others.get(name(each));
            taken.add(other == null ? each : each.sharing(PartitionKeys.all(), other));
        }
        return new ConfigurationText(folder, server.sharing(ServerKeys.all(), cluster.server), taken, overrides);
    }

    /**
     * What the members of a cluster are to have in common when one of them goes by this: its keys of that kind, and partitions that it does
     * not have as they were.
     *
     * @param before what they have in common up to now; null for nothing
     * @return as the text of a file, the same wherever the same is said
     */
    public byte[] shared(ConfigurationText before) throws ConfigurationException {
        Map<String, ConfigurationEntry> all = before == null ? new TreeMap<>(String.CASE_INSENSITIVE_ORDER) : before.byName();
        for (ConfigurationEntry each : partitions) {
            all.put(name(each), each);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LdifWriter writer = new LdifWriter(out, 0)) {
            writer.write(server.shared(ServerKeys.all()).ldif(ServerConfiguration.DN, ServerConfiguration.SERVER_CLASS));
            for (Map.Entry<String, ConfigurationEntry> each : all.entrySet()) {
                writer.write(each.getValue().shared(PartitionKeys.all()).ldif(ServerConfiguration.dn(each.getKey()), ServerConfiguration.PARTITION_CLASS));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }

    /** What it says of keys that members of a cluster may have in common from a later feature level on alone. @return the names of these keys, in words; null for none */
    public String newerThan(int level) {
        List<String> newer = new ArrayList<>();
        addNewer(server, ServerKeys.all(), level, newer);
        partitions.forEach(each -> addNewer(each, PartitionKeys.all(), level, newer));
        return newer.isEmpty() ? null : String.join(", ", newer);
    }

    private static void addNewer(ConfigurationEntry said, List<Key<?>> table, int level, List<String> newer) {
        for (Key<?> key : table) {
            if (key.holder() == Key.Holder.CLUSTER && key.level() > level && said.lines().stream().anyMatch(line -> line.key().equalsIgnoreCase(key.name()))) {
                newer.add(key.name() + " (level " + key.level() + ")");
            }
        }
    }

    /**
     * Whether it says anything, but what holds by default, of keys that the members of a cluster have in common, where they have nothing yet:
     * of a partition, and where nothing at all is in common of the server.
     *
     * @param cluster what they have; null for nothing
     */
    public boolean addsTo(ConfigurationText cluster) throws ConfigurationException {
        ConfigurationText said = with(List.of()).withoutDefaults();
        Map<String, ConfigurationEntry> known = cluster == null ? Map.of() : cluster.byName();
        boolean adds = cluster == null && !said.server.shared(ServerKeys.all()).lines().isEmpty();
        for (ConfigurationEntry each : said.partitions) {
            adds |= !known.containsKey(name(each)) && !each.shared(PartitionKeys.all()).lines().isEmpty();
        }
        return adds;
    }

    /** The partitions' entries by their names, of which capitals do not matter. */
    private Map<String, ConfigurationEntry> byName() throws ConfigurationException {
        Map<String, ConfigurationEntry> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (ConfigurationEntry each : partitions) {
            byName.put(name(each), each);
        }
        return byName;
    }

    private static boolean isOfServer(SettingOverride override) {
        return override.partition() == null && Key.named(override.key(), PartitionKeys.all()) == null;
    }

    /** Which of the partitions one is about. */
    private static int number(SettingOverride override, List<ConfigurationEntry> partitions) throws ConfigurationException {
        for (int i = 0; i < partitions.size(); i++) {
            if (override.partition() == null ? partitions.size() == 1 : name(partitions.get(i)).equalsIgnoreCase(override.partition())) {
                return i;
            }
        }
        throw new ConfigurationException(override.place() + ", " + override.key() + ": " + (override.partition() == null
                ? "the configuration has several partitions, expected the name of one before the key"
                : "the configuration has no partition " + override.partition()));
    }

    private List<PartitionConfiguration> partitions(Settings all, List<ConfigurationEntry> partitions) throws ConfigurationException {
        List<String> names = new ArrayList<>();
        List<Settings> settings = new ArrayList<>();
        Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (ConfigurationEntry entry : partitions) {
            names.add(name(entry));
            settings.add(PartitionConfiguration.checked(SettingsReader.read(folder, entry, PartitionKeys.all())));
            if (!taken.add(name(entry))) {
                throw new ConfigurationException(entry.place() + ": a second partition named " + name(entry));
            }
        }
        List<HeapShare> shares = HeapShare.divide(all, settings, Runtime.getRuntime().maxMemory());
        List<PartitionConfiguration> result = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            result.add(new PartitionConfiguration(names.get(i), settings.get(i), shares.get(i)));
        }
        return result;
    }

    /** The RDN's value becomes a folder's name, so it is kept to characters that are safe there. */
    private static String name(ConfigurationEntry entry) throws ConfigurationException {
        String rdn = entry.dn().split(",", 2)[0];
        String name = rdn.substring(rdn.indexOf('=') + 1).trim();
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new ConfigurationException(entry.place() + ": the partition's name " + name
                    + " may have letters, digits, dots, hyphens and underscores only");
        }
        return name;
    }

    /**
     * The same after a modify request (RFC 4511 4.6). Values are added to, and deleted from, those that hold: of a key that may be
     * given several times also those that hold by default. A key without values is as if it were not said, but one that lost the
     * last of them by its name is without any.
     *
     * @param dn of the entry, as {@link ServerConfiguration} has it
     * @throws DirectoryException if there are no such values, or the entry cannot be changed in this way
     */
    public ConfigurationText modified(String dn, List<Modification> modifications) throws DirectoryException,
            ConfigurationException {
        if (dn.equals(ServerConfiguration.DN)) {
            return new ConfigurationText(folder, modified(server, ServerKeys.all(), modifications), partitions, overrides);
        }
        List<ConfigurationEntry> changed = new ArrayList<>();
        for (ConfigurationEntry each : partitions) {
            changed.add(ServerConfiguration.dn(name(each)).equalsIgnoreCase(dn) ? modified(each, PartitionKeys.all(), modifications) : each);
        }
        return new ConfigurationText(folder, server, changed, overrides);
    }

    /**
     * The same with another partition, behind those that there are.
     *
     * @param dn   of its entry, as {@link ServerConfiguration} has it
     * @param keys what an add request says of it (RFC 4511 4.7), objectClass and cn among it
     * @throws DirectoryException if there is one of this name, or it is no partition's entry
     */
    public ConfigurationText added(String dn, List<Modification> keys) throws DirectoryException, ConfigurationException {
        for (ConfigurationEntry each : partitions) {
            if (ServerConfiguration.dn(name(each)).equalsIgnoreCase(dn)) {
                throw new DirectoryException(ResultCode.ENTRY_ALREADY_EXISTS, "there is a partition \"" + dn + "\" already");
            }
        }
        ConfigurationEntry entry = new ConfigurationEntry(dn, dn, List.of());
        boolean isPartition = false;
        for (Modification each : keys) {
            boolean isClass = each.description().equalsIgnoreCase("objectClass");
            isPartition |= isClass && each.values().stream().anyMatch(value -> ServerConfiguration.PARTITION_CLASS.equalsIgnoreCase(Utf8.shown(value)));
            if (!isClass && !each.description().equalsIgnoreCase("cn")) {
                entry = entry.with(each.description(), each.values(), dn);
            }
        }
        if (!isPartition) {
            throw new DirectoryException(ResultCode.OBJECT_CLASS_VIOLATION, "\"" + dn + "\" is not of objectClass "
                    + ServerConfiguration.PARTITION_CLASS + ", which is what entries below " + ServerConfiguration.DN + " are");
        }
        name(entry);
        List<ConfigurationEntry> more = new ArrayList<>(partitions);
        more.add(entry);
        return new ConfigurationText(folder, server, more, overrides);
    }

    /**
     * The same without a partition.
     *
     * @param dn of its entry, as {@link ServerConfiguration} has it
     * @throws DirectoryException if it is the only one
     */
    public ConfigurationText removed(String dn) throws DirectoryException, ConfigurationException {
        List<ConfigurationEntry> left = new ArrayList<>();
        for (ConfigurationEntry each : partitions) {
            if (!ServerConfiguration.dn(name(each)).equalsIgnoreCase(dn)) {
                left.add(each);
            }
        }
        if (left.isEmpty()) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "\"" + dn + "\" is the only partition: expected another one to be"
                    + " added first");
        }
        return new ConfigurationText(folder, server, left, overrides);
    }

    private static ConfigurationEntry modified(ConfigurationEntry entry, List<Key<?>> table, List<Modification> modifications)
            throws DirectoryException {
        ConfigurationEntry changed = entry;
        for (Modification modification : modifications) {
            String name = modification.description();
            if (SettingsReader.NO_KEYS.contains(name.toLowerCase(Locale.ROOT))) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the configuration's " + name + " cannot be changed, expected a key");
            }
            Key<?> key = Key.named(name, table);
            if (key == null) {
                throw new DirectoryException(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, UnknownKey.message(name, table));
            }
            changed = changed.modified(key, modification);
        }
        return changed;
    }
}
