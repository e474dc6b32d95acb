package org.alder.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.partition.text.Utf8;

/**
 * Reads a configuration file such as conf/config.ldif: one entry of objectClass alderServer, and one of objectClass
 * alderPartition for each partition. What is left out, also a whole entry, is as in conf/config.ldif; unknown keys and unusable
 * values are refused.
 */
public final class ConfigurationReader {
    static final LdifEntry DEFAULT_SERVER = new LdifEntry("cn=config", List.of(LdifAttribute.of("objectClass", "alderServer")));
    static final LdifEntry DEFAULT_PARTITION = new LdifEntry("cn=example,cn=config", List.of(
            LdifAttribute.of("objectClass", "alderPartition"), LdifAttribute.of("suffix", "dc=example,dc=com")));

    private final String file;
    private LdifEntry server;
    private final List<LdifEntry> partitions = new ArrayList<>();

    private ConfigurationReader(Path file) {
        this.file = file.toString();
    }

    /** @throws ConfigurationException naming file, line, key and value; correct the file and start again */
    public static ServerConfiguration read(Path file) throws ConfigurationException {
        ConfigurationReader reader = new ConfigurationReader(file);
        reader.load(file);
        return reader.server();
    }

    private void load(Path path) throws ConfigurationException {
        try (LdifReader reader = new LdifReader(Files.newInputStream(path))) {
            for (LdifRecord record = reader.next(); record != null; record = reader.next()) {
                if (!(record instanceof LdifEntry entry)) {
                    throw new ConfigurationException(file + ", line " + record.line() + ": a change record, expected entries");
                }
                sort(entry);
            }
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(file + ": there is no such file", e);
        } catch (IOException e) {
            throw new ConfigurationException(file + ": cannot be read: " + e.getMessage(), e);
        } catch (LdifException e) {
            throw new ConfigurationException(file + ", line " + e.line() + ": " + e.reason(), e);
        }
    }

    private void sort(LdifEntry entry) throws ConfigurationException {
        if (hasClass(entry, "alderPartition")) {
            partitions.add(entry);
        } else if (!hasClass(entry, "alderServer")) {
            throw wrong(entry, "expected objectClass alderServer or alderPartition");
        } else if (server != null) {
            throw wrong(entry, "a second alderServer entry");
        } else {
            server = entry;
        }
    }

    private static boolean hasClass(LdifEntry entry, String objectClass) {
        return entry.attributes().stream().anyMatch(attribute -> attribute.description().equalsIgnoreCase("objectClass")
                && objectClass.equalsIgnoreCase(Utf8.decodeOrNull(attribute.value())));
    }

    private ConfigurationException wrong(LdifEntry entry, String problem) {
        return new ConfigurationException(file + ", line " + entry.line() + ", entry " + entry.dn() + ": " + problem);
    }

    private ServerConfiguration server() throws ConfigurationException {
        if (server == null && partitions.isEmpty()) {
            throw new ConfigurationException(file + ": expected an entry of objectClass alderServer or alderPartition");
        }
        Settings settings = SettingsReader.read(file, server == null ? DEFAULT_SERVER : server, ServerKeys.all());
        ServerKeys.check(settings);
        return new ServerConfiguration(settings, partitions(settings));
    }

    private List<PartitionConfiguration> partitions(Settings all) throws ConfigurationException {
        if (partitions.isEmpty()) {
            partitions.add(DEFAULT_PARTITION);
        }
        List<String> names = new ArrayList<>();
        List<Settings> settings = new ArrayList<>();
        Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (LdifEntry entry : partitions) {
            names.add(name(entry));
            settings.add(PartitionConfiguration.checked(SettingsReader.read(file, entry, PartitionKeys.all())));
            if (!taken.add(name(entry))) {
                throw wrong(entry, "a second partition named " + name(entry));
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
    private String name(LdifEntry entry) throws ConfigurationException {
        String rdn = entry.dn().split(",", 2)[0];
        String name = rdn.substring(rdn.indexOf('=') + 1).trim();
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw wrong(entry, "the partition's name " + name + " may have letters, digits, dots, hyphens and underscores only");
        }
        return name;
    }
}
