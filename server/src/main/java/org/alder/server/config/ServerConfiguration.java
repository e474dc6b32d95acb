package org.alder.server.config;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifWriter;

/**
 * A whole configuration, checked as far as it can be without a schema. Immutable.
 *
 * @param settings   the values of {@link ServerKeys}
 * @param partitions at least one
 */
public record ServerConfiguration(Settings settings, List<PartitionConfiguration> partitions) {
    /** The entry of the server, above those of the partitions. */
    public static final String DN = "cn=config";
    public static final String SERVER_CLASS = "alderServer";
    public static final String PARTITION_CLASS = "alderPartition";

    public ServerConfiguration {
        partitions = List.copyOf(partitions);
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    /** The entry of the partition of this name. */
    public static String dn(String partition) {
        return "cn=" + partition + "," + DN;
    }

    /**
     * What a server goes by that began with this, and is told another while it runs: also the partitions are those of the other.
     *
     * @throws ConfigurationException if what takes effect now does not go together with what waits for the next start
     */
    public ServerConfiguration live(ServerConfiguration newer) throws ConfigurationException {
        Map<String, PartitionConfiguration> byName = byName();
        Settings mixed = settings.live(newer.settings);
        ServerKeys.check(mixed);
        List<Settings> ofPartitions = new ArrayList<>();
        for (PartitionConfiguration each : newer.partitions) {
            PartitionConfiguration known = byName.get(each.name());
            ofPartitions.add(known == null ? each.settings() : known.settings().live(each.settings()));
        }
        List<HeapShare> shares = HeapShare.divide(mixed, ofPartitions, Runtime.getRuntime().maxMemory());
        List<PartitionConfiguration> all = new ArrayList<>();
        for (int i = 0; i < shares.size(); i++) {
            all.add(new PartitionConfiguration(newer.partitions.get(i).name(), ofPartitions.get(i), shares.get(i)));
        }
        return new ServerConfiguration(mixed, all);
    }

    /** Why another value of the key of this name waits for the next start, where it does. */
    public static String whyItWaits(String key) {
        Key<?> ofServer = Key.named(key, ServerKeys.all());
        return (ofServer != null ? ofServer : Key.named(key, PartitionKeys.all())).effect().why();
    }

    /** The keys that have other values in the other one, by the DN of their entries; a DN without keys is there in one of them only. */
    public Map<String, List<String>> differences(ServerConfiguration other) {
        Map<String, List<String>> differences = new TreeMap<>();
        Map<String, PartitionConfiguration> others = other.byName();
        Map<String, PartitionConfiguration> byName = byName();
        put(differences, DN, settings.differences(other.settings));
        for (PartitionConfiguration each : partitions) {
            PartitionConfiguration same = others.get(each.name());
            if (same == null) {
                differences.put(dn(each.name()), List.of());
            } else {
                put(differences, dn(each.name()), each.settings().differences(same.settings()));
            }
        }
        other.partitions.stream().filter(each -> !byName.containsKey(each.name())).forEach(each -> differences.put(dn(each.name()), List.of()));
        return differences;
    }

    /** What holds of a key of the entry of this name, as it is written; empty for nothing. */
    public List<String> values(String dn, String key) {
        Settings of = settings;
        for (PartitionConfiguration each : partitions) {
            of = dn(each.name()).equals(dn) ? each.settings() : of;
        }
        return of.said().getOrDefault(key, of.defaults().getOrDefault(key, List.of()));
    }

    private static void put(Map<String, List<String>> differences, String dn, List<String> keys) {
        if (!keys.isEmpty()) {
            differences.put(dn, keys);
        }
    }

    /** The partitions by their names, of which capitals do not matter. */
    public Map<String, PartitionConfiguration> byName() {
        Map<String, PartitionConfiguration> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        partitions.forEach(each -> byName.put(each.name(), each));
        return byName;
    }

    /** A configuration file that says what this was made of. */
    public byte[] ldif() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LdifWriter writer = new LdifWriter(out, 0)) {
            writer.write(entry(DN, SERVER_CLASS, settings));
            for (PartitionConfiguration each : partitions) {
                writer.write(entry(dn(each.name()), PARTITION_CLASS, each.settings()));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }

    private static LdifEntry entry(String dn, String objectClass, Settings settings) {
        List<LdifAttribute> attributes = new ArrayList<>();
        attributes.add(LdifAttribute.of("objectClass", objectClass));
        settings.said().forEach((key, values) -> values.forEach(value -> attributes.add(LdifAttribute.of(key, value))));
        return new LdifEntry(dn, attributes);
    }
}
