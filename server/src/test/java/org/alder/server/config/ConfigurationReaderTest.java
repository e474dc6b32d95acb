package org.alder.server.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ConfigurationReaderTest {
    private static final String SERVER = "dn: cn=config\nobjectClass: alderServer\n";
    private static final String PARTITION = "\ndn: cn=a,cn=config\nobjectClass: alderPartition\nsuffix: dc=a\n";
    private static final Path SHIPPED = Path.of("..", "conf", "config.ldif");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ServerConfiguration read(String text) throws IOException, ConfigurationException {
        return ConfigurationReader.read(Files.writeString(folder.getRoot().toPath().resolve("test.ldif"), text));
    }

    @Test
    public void theShippedFileSaysWhatTheDefaultsAre() throws Exception {
        ServerConfiguration shipped = ConfigurationReader.read(SHIPPED);
        ServerConfiguration bare = read(SERVER);
        assertSameValues(ServerKeys.all(), bare.settings(), shipped.settings());
        assertSameValues(PartitionKeys.all(), bare.partitions().get(0).settings(), shipped.partitions().get(0).settings());
        assertEquals(10389, (int) shipped.get(ServerKeys.LISTEN_PORT));
        assertEquals(25, shipped.partitions().get(0).indexes().size());
    }

    private static void assertSameValues(List<Key<?>> keys, Settings expected, Settings found) {
        for (Key<?> key : keys) {
            assertEquals(key.name(), expected.get(key), found.get(key));
        }
    }

    @Test
    public void superiorReferrals() throws Exception {
        String partition = "\ndn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n";
        assertEquals(List.of("ldap://one:389", "ldaps://two/"),
                read(SERVER + "superiorReferral: ldap://one:389\nsuperiorReferral: ldaps://two/\n" + partition)
                        .get(ServerKeys.SUPERIOR_REFERRAL));
        for (String wrong : List.of("one", "http://one", "ldap://", "ldap://a b")) {
            assertThrows(wrong, ConfigurationException.class,
                    () -> read(SERVER + "superiorReferral: " + wrong + "\n" + partition));
        }
    }

    @Test
    public void secretsStandElsewhereAndNoMessageRepeatsOne() throws Exception {
        assertEquals(new SecretReference(SecretReference.Kind.FILE, "/etc/secret"),
                read(SERVER + "administratorPassword: file:/etc/secret\n").get(ServerKeys.ADMINISTRATOR_PASSWORD));
        assertEquals(new SecretReference(SecretReference.Kind.ENVIRONMENT, "A_SECRET"),
                read(SERVER + "administratorPassword: env:A_SECRET\n").get(ServerKeys.ADMINISTRATOR_PASSWORD));
        for (String wrong : List.of("xyzzy", "file:", "env:", "env:two words", "FILE:xyzzy")) {
            String message = assertThrows(wrong, ConfigurationException.class,
                    () -> read(SERVER + "administratorPassword: " + wrong + "\n")).getMessage();
            assertTrue(message, message.contains("test.ldif, line 3, administratorPassword: "));
            assertTrue(message, message.contains("file:PATH or env:NAME, or none"));
            assertFalse(message, message.contains("xyzzy"));
        }
    }

    @Test
    public void withoutAnyAdministratorThereIsNoConfiguration() throws Exception {
        String message = assertThrows(ConfigurationException.class,
                () -> read(SERVER + "administratorPassword: none\n")).getMessage();
        assertTrue(message, message.contains("line 3, administratorPassword: none, and there is no key administrators"));
        assertEquals("cn=g,dc=a", read(SERVER + "administratorPassword: none\nadministrators: cn=g,dc=a\n")
                .get(ServerKeys.ADMINISTRATORS));
    }

    @Test
    public void benchmarkConfigurationIsUsable() throws Exception {
        PartitionConfiguration partition = ConfigurationReader.read(Path.of("..", "conf", "benchmark.ldif")).partitions().get(0);
        assertEquals(9, partition.indexes().size());
        assertTrue(partition.indexes().contains(new IndexLine("st",
                Set.of(IndexLine.Kind.EQ, IndexLine.Kind.SUB), 0, List.of())));
    }

    @Test
    public void valuesAreTakenWithTheirUnits() throws Exception {
        PartitionConfiguration partition = read(SERVER + PARTITION
                + "durability: interval\ndiskLowBytes: 1g\nmergeBytesPerSecond: 10m\n"
                + "largeAttributeThreshold: 10\nwarmSegments: False\n"
                + "indexCacheBytes: 30%\n"
                + "duplicateThreshold: 7\nindex: cn eq,sub threshold=9\nindex: sn eq inline=l,title\nignoreIndex: cn\n")
                .partitions().get(0);
        assertEquals(PartitionConfiguration.Durability.INTERVAL, partition.get(PartitionKeys.DURABILITY));
        assertEquals(1L << 30, (long) partition.get(PartitionKeys.DISK_LOW_BYTES));
        assertEquals(10L << 20, (long) partition.get(PartitionKeys.MERGE_BYTES_PER_SECOND));
        assertFalse(partition.get(PartitionKeys.WARM_SEGMENTS));
        assertEquals(10, (int) partition.get(PartitionKeys.LARGE_ATTRIBUTE_THRESHOLD));
        assertEquals(Math.round(Runtime.getRuntime().maxMemory() * 0.3), partition.get(PartitionKeys.INDEX_CACHE_BYTES), 1);
        assertEquals(List.of(9, 0), partition.indexes().stream().map(IndexLine::duplicateThreshold).toList());
        assertEquals(List.of(List.of(), List.of("l", "title")),
                partition.indexes().stream().map(IndexLine::inline).toList());
        assertEquals(List.of("cn"), partition.get(PartitionKeys.IGNORE_INDEX));
    }

    private Set<String> primaryKeys(String lines) throws Exception {
        return Set.copyOf(read(SERVER + PARTITION + lines).partitions().get(0).get(PartitionKeys.PRIMARY_KEY));
    }

    @Test
    public void primaryKeysAreUidAndEntryUuidUnlessTheFileSaysOtherwise() throws Exception {
        String indexes = "index: UID eq\nindex: entryUUID eq,pres\nindex: mail eq\nindex: cn sub\n";
        assertEquals(Set.of("uid", "entryUUID"), primaryKeys(indexes));
        assertEquals(Set.of("uid"), primaryKeys("index: uid eq\n"));
        assertEquals(Set.of(), primaryKeys("index: uid pres\n"));
        assertEquals(Set.of("mail", "uid"), primaryKeys(indexes + "primaryKey: mail\nprimaryKey: uid\n"));
        assertEquals(Set.of(), primaryKeys(indexes + "primaryKey: none\n"));
        assertTrue(read(SERVER + PARTITION).partitions().get(0).get(PartitionKeys.KEY_TABLES));
        assertFalse(read(SERVER + PARTITION + "keyTables: false\n").partitions().get(0).get(PartitionKeys.KEY_TABLES));
    }

    @Test
    public void anythingUnusableIsNamed() {
        refused(SERVER + PARTITION + "index: cn sub\nprimaryKey: cn\n", "primaryKey", "cn", "eq");
        refused(SERVER + PARTITION + "index: cn eq\nprimaryKey: none\nprimaryKey: cn\n", "primaryKey", "none");
        refused("", "alderServer");
        refused(SERVER + SERVER.replace("dn", "\ndn") + PARTITION, "second alderServer");
        refused(SERVER + "listenPort: 70000\n" + PARTITION, "listenPort", "70000", "65535", "test.ldif, line 3, ");
        refused(SERVER + "listenPort: x\n" + PARTITION, "listenPort", "x");
        refused(SERVER + "listenPort: 1\nlistenPort: 2\n" + PARTITION, "listenPort", "2 times");
        refused(SERVER + "colour: red\n" + PARTITION, "test.ldif, line 3, unknown key colour: docs/settings.md has all keys");
        refused(SERVER + "sizelimi: 5\n" + PARTITION, "unknown key sizelimi: did you mean sizeLimit? docs/settings.md has all keys");
        refused(SERVER + "lisetnPort: 5\n" + PARTITION, "unknown key lisetnPort: did you mean listenPort?");
        refused(SERVER + "suffix: dc=a\n" + PARTITION, "unknown key suffix: it is a key of partitions");
        refused(SERVER + PARTITION + "sizeLimit: 5\n", "unknown key sizeLimit: it is a key of the server");
        refused(SERVER + "x".repeat(100_000) + ": 5\n" + PARTITION, ": docs/settings.md has all keys");
        refused(SERVER + "anonymousAccess: some\n" + PARTITION, "anonymousAccess", "some", "rootDse, all");
        refused(SERVER + "maxRequestBytes: many\n" + PARTITION, "line 3, maxRequestBytes", "many", "64m");
        refused(SERVER + "maxRequestBytes: -1\n" + PARTITION, "maxRequestBytes", "-1");
        refused(SERVER + PARTITION + PARTITION, "second partition named a");
        refused(SERVER + PARTITION.replace("suffix: dc=a\n", "durability: sync\n"), "suffix");
        refused(SERVER + PARTITION.replace("cn=a,", "cn=../a,"), "../a");
        refused(SERVER + PARTITION + "durability: maybe\n", "durability", "maybe", "interval");
        refused(SERVER + PARTITION + "warmSegments: perhaps\n", "warmSegments", "perhaps", "true or false");
        refused(SERVER + PARTITION + "index: cn\n", "index", "cn");
        refused(SERVER + PARTITION + "index: cn fuzzy\n", "fuzzy");
        refused(SERVER + PARTITION + "index: cn eq threshold=0\n", "threshold=0");
        refused(SERVER + PARTITION + "index: cn eq limit=4\n", "limit=4");
        refused(SERVER + PARTITION + "index: cn eq inline=\n", "inline=", "[inline=ATTRIBUTE[,...]]");
        refused(SERVER + PARTITION + "index: cn eq\nindex: CN sub\n", "only index line");
        refused(SERVER + "\ndn: cn=x,cn=config\nobjectClass: device\n" + PARTITION, "cn=x,cn=config", "alderPartition");
        refused(SERVER + PARTITION + "\ndn: cn=x\nchangetype: delete\n", "change record");
        refused("dn: cn=config\nobjectClass alderServer\n", "line 2");
    }

    private void refused(String text, String... named) {
        ConfigurationException refusal = assertThrows(text, ConfigurationException.class, () -> read(text));
        for (String word : named) {
            assertTrue(refusal.getMessage() + " names " + word, refusal.getMessage().contains(word));
        }
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("test.ldif"));
    }

    @Test
    public void whatIsLeftOutIsAsShipped() throws Exception {
        assertEquals("dc=example,dc=com", read(SERVER + "listenPort: 1389\n").partitions().get(0).suffix());
        ServerConfiguration partitionAlone = read(PARTITION.strip() + "\n");
        assertEquals(10389, (int) partitionAlone.get(ServerKeys.LISTEN_PORT));
        assertEquals(25, partitionAlone.partitions().get(0).indexes().size());
        assertEquals(List.of(), read(SERVER + PARTITION + "index: none\n").partitions().get(0).indexes());
    }

    @Test
    public void valuesThatMadeStackTracesOrWereTakenSilentlyAreRefusedByTheLineOfTheirKey() {
        for (String line : List.of("maxRequestBytes: 0", "maxRequestBytes: 4g", "maxRequestBytes: 32k", "administratorDn:",
                "writeHighWaterBytes: 0", "maxRequestBytesBeforeBind: 17m")) {
            refused(SERVER + "sizeLimit: 3\n" + line + "\n" + PARTITION, "test.ldif, line 4, " + line.substring(0, line.indexOf(':')));
        }
        for (String line : List.of("memoryLayerBytes: 0", "indexCacheBytes: 250%", "indexCacheBytes: 100g", "indexCacheBytes: 90%",
                "suffix:")) {
            refused(SERVER + "\ndn: cn=a,cn=config\nobjectClass: alderPartition\n" + line
                    + (line.startsWith("suffix") ? "\n" : "\nsuffix: dc=a\n"), "test.ldif, line 6, ", line.substring(0, line.indexOf(':')));
        }
        refused(SERVER + PARTITION + "indexCacheBytes: 41%\n", "line 7, indexCacheBytes", "more than 40 %");
    }

    /** A file that a server was started with before is no reason not to start. */
    @Test
    public void whatEarlierBuildsKnewIsRead() throws IOException, ConfigurationException {
        PartitionConfiguration partition = read(SERVER + PARTITION + "EntryCacheBytes: 25%\nentryCacheBytes: nonsense\ncompression: zstdDictionary\n")
                .partitions().get(0);
        assertEquals(PartitionConfiguration.Compression.ZSTD_DICTIONARY, partition.get(PartitionKeys.COMPRESSION));
        refused(SERVER + "entryCacheBytes: 25%\n" + PARTITION, "test.ldif, line 3, unknown key entryCacheBytes");
    }

    @Test
    public void linesAreCountedWithCommentsAndFoldedValues() {
        refused(SERVER + "# a comment\nadministratorDn: cn=Directory\n  Manager\n\n# another\n" + PARTITION.strip()
                + "\nindex: cn eq\n# and one\nindex: sn fuzzy\n", "test.ldif, line 13, index: \"sn fuzzy\"");
    }
}
