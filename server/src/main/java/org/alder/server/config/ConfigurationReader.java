package org.alder.server.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        return text(file).configuration();
    }

    /** What a file says. @throws ConfigurationException naming file and line, if it has other things than a configuration in it */
    public static ConfigurationText text(Path file) throws ConfigurationException {
        try (InputStream in = Files.newInputStream(file)) {
            return text(file, in);
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(file + ": there is no such file", e);
        } catch (IOException e) {
            throw new ConfigurationException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The same of the bytes of a file. */
    public static ConfigurationText text(Path file, byte[] content) throws ConfigurationException {
        try {
            return text(file, new ByteArrayInputStream(content));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ConfigurationText text(Path file, InputStream in) throws ConfigurationException, IOException {
        ConfigurationReader reader = new ConfigurationReader(file);
        reader.load(in);
        return reader.said(file.toAbsolutePath().getParent());
    }

    private void load(InputStream in) throws ConfigurationException, IOException {
        try (LdifReader reader = new LdifReader(in)) {
            for (LdifRecord record = reader.next(); record != null; record = reader.next()) {
                if (!(record instanceof LdifEntry entry)) {
                    throw new ConfigurationException(file + ", line " + record.line() + ": a change record, expected entries");
                }
                sort(entry);
            }
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

    private ConfigurationText said(Path folder) throws ConfigurationException {
        if (server == null && partitions.isEmpty()) {
            throw new ConfigurationException(file + ": expected an entry of objectClass alderServer or alderPartition");
        }
        if (partitions.isEmpty()) {
            partitions.add(DEFAULT_PARTITION);
        }
        return new ConfigurationText(folder, ConfigurationEntry.of(file, server == null ? DEFAULT_SERVER : server),
                partitions.stream().map(entry -> ConfigurationEntry.of(file, entry)).toList(), List.of());
    }
}
