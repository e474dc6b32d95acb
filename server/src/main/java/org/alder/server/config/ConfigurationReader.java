package org.alder.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.partition.text.Utf8;

/**
 * Reads a configuration file such as conf/config.ldif: one entry of objectClass alderServer, and one of objectClass
 * alderPartition for each partition. Every key has a default; unknown keys, unusable values and missing partitions are refused.
 */
public final class ConfigurationReader {
    private static final int MAX_PORT = 65535;
    private static final int DEFAULT_PORT = 10389;
    private static final int DEFAULT_DUPLICATE_THRESHOLD = 1000;
    private static final String THRESHOLD = "threshold=";
    private static final String INLINE = "inline=";
    private static final String INDEX_LINE = "ATTRIBUTE eq|sub|pres[,...] [threshold=N] [inline=ATTRIBUTE[,...]]";
    private static final int DEFAULT_LARGE_ATTRIBUTE_THRESHOLD = 1000;
    private static final Set<String> DEFAULT_PRIMARY_KEYS = Set.of("uid", "entryUUID");
    private static final Set<String> DEFAULT_MEMBER_OF = Set.of("member", "uniqueMember");
    private static final Set<String> DEFAULT_REFERENCES = Set.of("member", "uniqueMember", "owner", "manager", "secretary",
            "seeAlso",
            "roleOccupant");
    private static final String NO_ATTRIBUTE = "none";

    private final String file;
    private LdifEntry server;
    private final List<LdifEntry> partitions = new ArrayList<>();

    private ConfigurationReader(Path file) {
        this.file = file.toString();
    }

    /** @throws ConfigurationException naming file, entry, key and value; correct the file and start again */
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
            throw new ConfigurationException(file + ": " + e.getMessage(), e);
        }
    }

    private void sort(LdifEntry entry) throws ConfigurationException {
        if (hasClass(entry, "alderPartition")) {
            partitions.add(entry);
        } else if (!hasClass(entry, "alderServer")) {
            throw new ConfigurationException(file + ", entry " + entry.dn() + " (line " + entry.line()
                    + "): expected objectClass alderServer or alderPartition");
        } else if (server != null) {
            throw new ConfigurationException(file + ", entry " + entry.dn() + " (line " + entry.line()
                    + "): a second alderServer entry");
        } else {
            server = entry;
        }
    }

    private static boolean hasClass(LdifEntry entry, String objectClass) {
        return entry.attributes().stream().anyMatch(attribute -> attribute.description().equalsIgnoreCase("objectClass")
                && objectClass.equalsIgnoreCase(Utf8.decodeOrNull(attribute.value())));
    }

    private ServerConfiguration server() throws ConfigurationException {
        if (server == null || partitions.isEmpty()) {
            throw new ConfigurationException(file
                    + ": expected one entry of objectClass alderServer and at least one of alderPartition");
        }
        Keys keys = new Keys(file, server);
        ServerConfiguration configuration = new ServerConfiguration(
                keys.text("listenHost", "127.0.0.1"),
                keys.number("listenPort", DEFAULT_PORT, 0, MAX_PORT),
                keys.text("administratorDn", "cn=Directory Manager"),
                keys.choice("anonymousAccess", AnonymousAccess.ROOT_DSE, AnonymousAccess.class),
                keys.number("sizeLimit", 0, 0, Integer.MAX_VALUE),
                keys.number("timeLimitSeconds", 600, 0, Integer.MAX_VALUE),
                keys.number("examinedLimit", 1_000_000, 0, Integer.MAX_VALUE),
                size(keys, "maxRequestBytes", "16m"),
                size(keys, "maxRequestBytesBeforeBind", "64k"),
                size(keys, "writeHighWaterBytes", "256k"),
                keys.number("transactionUpdates", 1000, 1, 100_000),
                size(keys, "transactionBytes", "16m"),
                keys.number("transactionSeconds", 60, 1, 86_400),
                superiorReferrals(keys),
                keys.number("workerThreads", 0, 0, 1024),
                keys.number("maxConnections", 0, 0, 1_000_000),
                keys.number("maxConnectionsPerAddress", 0, 0, 1_000_000),
                keys.number("firstMessageTimeoutSeconds", 30, 0, 86_400),
                keys.number("messageTimeoutSeconds", 120, 0, 86_400),
                keys.number("idleTimeoutSecondsBeforeBind", 300, 0, 31_536_000),
                keys.number("idleTimeoutSeconds", 0, 0, 31_536_000),
                keys.bytes("unfinishedBytes", "8%"),
                keys.bytes("operationBytes", "15%"),
                partitions());
        keys.finish();
        return configuration;
    }

    private static List<String> superiorReferrals(Keys keys) throws ConfigurationException {
        List<String> urls = keys.all("superiorReferral");
        for (String url : urls) {
            if (!url.matches("ldaps?://[^/?\\s]+(/[^\\s]*)?")) {
                throw new ConfigurationException(keys.wrong("superiorReferral", url,
                        "ldap://HOST[:PORT] or ldaps://HOST[:PORT]"));
            }
        }
        return urls;
    }

    private static int size(Keys keys, String key, String fallback) throws ConfigurationException {
        return (int) Math.min(Integer.MAX_VALUE, keys.bytes(key, fallback));
    }

    private List<PartitionConfiguration> partitions() throws ConfigurationException {
        List<PartitionConfiguration> result = new ArrayList<>();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (LdifEntry entry : partitions) {
            PartitionConfiguration partition = partition(entry);
            if (!names.add(partition.name())) {
                throw new ConfigurationException(file + ", entry " + entry.dn() + ": a second partition named "
                        + partition.name());
            }
            result.add(partition);
        }
        return List.copyOf(result);
    }

    private PartitionConfiguration partition(LdifEntry entry) throws ConfigurationException {
        Keys keys = new Keys(file, entry);
        String suffix = keys.text("suffix", null);
        if (suffix == null) {
            throw new ConfigurationException(file + ", entry " + entry.dn() + " (line " + entry.line() + "): expected a suffix");
        }
        int threshold = keys.number("duplicateThreshold", DEFAULT_DUPLICATE_THRESHOLD, 1, Integer.MAX_VALUE);
        List<PartitionConfiguration.Index> indexes = indexes(keys, threshold);
        PartitionConfiguration partition = new PartitionConfiguration(
                name(entry),
                suffix,
                keys.choice("durability", PartitionConfiguration.Durability.SYNC, PartitionConfiguration.Durability.class),
                keys.number("durabilityIntervalMillis", 100, 1, 60_000),
                keys.bytes("memoryLayerBytes", "64m"),
                keys.bytes("entryCacheBytes", "25%"),
                keys.bytes("indexCacheBytes", "12%"),
                keys.choice("compression", PartitionConfiguration.Compression.LZ4, PartitionConfiguration.Compression.class),
                keys.number("snapshotTimeLimitSeconds", 600, 0, Integer.MAX_VALUE),
                keys.bytes("diskLowBytes", "256m"),
                keys.bytes("mergeBytesPerSecond", "0"),
                keys.flag("warmSegments", true),
                keys.number("largeAttributeThreshold", DEFAULT_LARGE_ATTRIBUTE_THRESHOLD, 0, Integer.MAX_VALUE),
                keys.flag("keyTables", true),
                keys.bytes("changeHistoryBytes", "64m"),
                indexes,
                indexed(keys, "primaryKey", DEFAULT_PRIMARY_KEYS, indexes),
                Set.copyOf(keys.all("ignoreIndex")),
                indexed(keys, "memberOf", DEFAULT_MEMBER_OF, indexes),
                new RuleReader(keys).read(indexed(keys, "reference", DEFAULT_REFERENCES, indexes)));
        keys.finish();
        return partition;
    }

    /** The RDN's value becomes a folder's name, so it is kept to characters that are safe there. */
    private String name(LdifEntry entry) throws ConfigurationException {
        String rdn = entry.dn().split(",", 2)[0];
        String name = rdn.substring(rdn.indexOf('=') + 1).trim();
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new ConfigurationException(file + ", entry " + entry.dn() + " (line " + entry.line()
                    + "): the partition's name "
                    + name + " may have letters, digits, dots, hyphens and underscores only");
        }
        return name;
    }

    private List<PartitionConfiguration.Index> indexes(Keys keys, int threshold) throws ConfigurationException {
        List<PartitionConfiguration.Index> result = new ArrayList<>();
        Set<String> attributes = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String line : keys.all("index")) {
            PartitionConfiguration.Index index = index(keys, line, threshold);
            if (!attributes.add(index.attribute())) {
                throw new ConfigurationException(keys.wrong("index", line, "the only index line for " + index.attribute()));
            }
            result.add(index);
        }
        return List.copyOf(result);
    }

    /** Attributes that need an equality index: of the default those that have one; one that is named and has none is refused. */
    private static Set<String> indexed(Keys keys, String key, Set<String> usual, List<PartitionConfiguration.Index> indexes)
            throws ConfigurationException {
        Set<String> equality = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        indexes.stream().filter(index -> index.kinds().contains(PartitionConfiguration.Kind.EQ))
                .forEach(index -> equality.add(index.attribute()));
        List<String> named = keys.all(key);
        if (named.isEmpty()) {
            return usual.stream().filter(equality::contains).collect(Collectors.toUnmodifiableSet());
        }
        if (named.equals(List.of(NO_ATTRIBUTE))) {
            return Set.of();
        }
        for (String attribute : named) {
            if (!equality.contains(attribute)) {
                throw new ConfigurationException(keys.wrong(key, attribute,
                        "an attribute of an index line with eq, or " + NO_ATTRIBUTE));
            }
        }
        return Set.copyOf(new TreeSet<>(named));
    }

    private PartitionConfiguration.Index index(Keys keys, String line, int defaultThreshold) throws ConfigurationException {
        String[] words = line.split("\\s+");
        Set<PartitionConfiguration.Kind> kinds = EnumSet.noneOf(PartitionConfiguration.Kind.class);
        int threshold = defaultThreshold;
        List<String> inline = List.of();
        try {
            for (String kind : words.length < 2 ? new String[0] : words[1].split(",")) {
                kinds.add(PartitionConfiguration.Kind.valueOf(kind.toUpperCase(Locale.ROOT)));
            }
            for (String option : Arrays.asList(words).subList(Math.min(words.length, 2), words.length)) {
                if (option.startsWith(THRESHOLD)) {
                    threshold = Integer.parseInt(option.substring(THRESHOLD.length()));
                } else if (option.startsWith(INLINE) && option.length() > INLINE.length()) {
                    inline = List.of(option.substring(INLINE.length()).split(","));
                } else {
                    throw new IllegalArgumentException(option);
                }
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(keys.wrong("index", line, INDEX_LINE), e);
        }
        if (kinds.isEmpty() || threshold < 1) {
            throw new ConfigurationException(keys.wrong("index", line, INDEX_LINE + ", N at least 1"));
        }
        return new PartitionConfiguration.Index(words[0], kinds, threshold, inline);
    }
}
