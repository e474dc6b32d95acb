package org.alder.server.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
        ServerConfiguration bare = read(SERVER
                + "\ndn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n"
                + Files.readAllLines(SHIPPED).stream().filter(line -> line.startsWith("index:")).collect(Collectors.joining("\n"))
                        + "\n");
        assertEquals(bare, shipped);
        assertEquals(10389, shipped.listenPort());
        assertEquals(25, shipped.partitions().get(0).indexes().size());
    }

    @Test
    public void theShippedFileNamesEveryKey() throws IOException {
        String shipped = Files.readString(SHIPPED);
        for (RecordComponent component : ServerConfiguration.class.getRecordComponents()) {
            String key = component.getName();
            assertTrue(key, key.equals("partitions") || shipped.contains("\n" + key + ": ")
                    || shipped.contains("\n#" + key + ": "));
        }
    }

    @Test
    public void superiorReferrals() throws Exception {
        String partition = "\ndn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n";
        assertEquals(List.of("ldap://one:389", "ldaps://two/"),
                read(SERVER + "superiorReferral: ldap://one:389\nsuperiorReferral: ldaps://two/\n" + partition)
                        .superiorReferral());
        for (String wrong : List.of("one", "http://one", "ldap://", "ldap://a b")) {
            assertThrows(wrong, ConfigurationException.class,
                    () -> read(SERVER + "superiorReferral: " + wrong + "\n" + partition));
        }
    }

    @Test
    public void benchmarkConfigurationIsUsable() throws Exception {
        PartitionConfiguration partition = ConfigurationReader.read(Path.of("..", "conf", "benchmark.ldif")).partitions().get(0);
        assertEquals(9, partition.indexes().size());
        assertTrue(partition.indexes().contains(new PartitionConfiguration.Index("st",
                Set.of(PartitionConfiguration.Kind.EQ, PartitionConfiguration.Kind.SUB), 1000, List.of())));
    }

    @Test
    public void valuesAreTakenWithTheirUnits() throws Exception {
        PartitionConfiguration partition = read(SERVER + PARTITION
                + "durability: interval\ndiskLowBytes: 1g\nmergeBytesPerSecond: 10m\n"
                + "largeAttributeThreshold: 10\nwarmSegments: False\n"
                + "entryCacheBytes: 64m\nindexCacheBytes: 50%\n"
                + "duplicateThreshold: 7\nindex: cn eq,sub threshold=9\nindex: sn eq inline=l,title\nignoreIndex: cn\n")
                .partitions().get(0);
        assertEquals(PartitionConfiguration.Durability.INTERVAL, partition.durability());
        assertEquals(64L << 20, partition.entryCacheBytes());
        assertEquals(1L << 30, partition.diskLowBytes());
        assertEquals(10L << 20, partition.mergeBytesPerSecond());
        assertFalse(partition.warmSegments());
        assertEquals(10, partition.largeAttributeThreshold());
        assertEquals(Math.round(Runtime.getRuntime().maxMemory() * 0.5), partition.indexCacheBytes(), 1);
        assertEquals(List.of(9, 7), partition.indexes().stream().map(PartitionConfiguration.Index::duplicateThreshold).toList());
        assertEquals(List.of(List.of(), List.of("l", "title")),
                partition.indexes().stream().map(PartitionConfiguration.Index::inline).toList());
        assertEquals(Set.of("cn"), partition.ignoredIndexes());
    }

    private Set<String> primaryKeys(String lines) throws Exception {
        return read(SERVER + PARTITION + lines).partitions().get(0).primaryKeys();
    }

    @Test
    public void primaryKeysAreUidAndEntryUuidUnlessTheFileSaysOtherwise() throws Exception {
        String indexes = "index: UID eq\nindex: entryUUID eq,pres\nindex: mail eq\nindex: cn sub\n";
        assertEquals(Set.of("uid", "entryUUID"), primaryKeys(indexes));
        assertEquals(Set.of("uid"), primaryKeys("index: uid eq\n"));
        assertEquals(Set.of(), primaryKeys("index: uid pres\n"));
        assertEquals(Set.of("mail", "uid"), primaryKeys(indexes + "primaryKey: mail\nprimaryKey: uid\n"));
        assertEquals(Set.of(), primaryKeys(indexes + "primaryKey: none\n"));
        assertTrue(read(SERVER + PARTITION).partitions().get(0).keyTables());
        assertFalse(read(SERVER + PARTITION + "keyTables: false\n").partitions().get(0).keyTables());
    }

    @Test
    public void anythingUnusableIsNamed() {
        refused(SERVER + PARTITION + "index: cn sub\nprimaryKey: cn\n", "primaryKey", "cn", "eq");
        refused(SERVER + PARTITION + "index: cn eq\nprimaryKey: none\nprimaryKey: cn\n", "primaryKey", "none");
        refused("", "alderServer");
        refused(SERVER, "alderPartition");
        refused(SERVER + SERVER.replace("dn", "\ndn") + PARTITION, "second alderServer");
        refused(SERVER + "listenPort: 70000\n" + PARTITION, "listenPort", "70000", "65535", "line 1");
        refused(SERVER + "listenPort: x\n" + PARTITION, "listenPort", "x");
        refused(SERVER + "listenPort: 1\nlistenPort: 2\n" + PARTITION, "listenPort", "2 times");
        refused(SERVER + "colour: red\n" + PARTITION, "unknown key colour", "listenPort");
        refused(SERVER + "anonymousAccess: some\n" + PARTITION, "anonymousAccess", "some", "root_dse");
        refused(SERVER + "maxRequestBytes: many\n" + PARTITION, "maxRequestBytes", "many", "64m");
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
}
