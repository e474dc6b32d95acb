package org.alder.server.assembly;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.FeatureLevel;
import org.alder.server.TestServer;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What goes with distribution: hash, and what is refused at the start. */
public class DistributionTest {
    private static final Schema SCHEMA = TestServer.SCHEMA;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private DataFolder data;

    @Before
    public void data() {
        data = new DataFolder(folder.getRoot().toPath().resolve("data"));
    }

    private List<PartitionFolder> folders(String lines) throws IOException, ConfigurationException {
        Path file = folder.getRoot().toPath().resolve("config.ldif");
        Files.writeString(file, "dn: cn=config\nobjectClass: alderServer\n\ndn: cn=p,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n" + lines);
        ServerConfiguration configuration = ConfigurationReader.read(file);
        return data.partitions(configuration, SCHEMA);
    }

    private void assertRefused(String key, String lines) {
        ConfigurationException refused = assertThrows(ConfigurationException.class, () -> folders("distribution: hash\nindex: entryUUID eq\n" + lines));
        assertTrue(refused.getMessage(), refused.getMessage().contains(key + " cannot be kept between shards"));
    }

    @Test
    public void rulesBetweenEntriesAreRefused() {
        assertRefused("memberOf", "index: member eq\nmemberOf: member\n");
        assertRefused("reference", "index: member eq\nreference: member\n");
        assertRefused("autoNumber", "index: uidNumber eq\nautoNumber: uidNumber 1-9\n");
        assertRefused("referencesMustExist", "referencesMustExist: true\n");
    }

    /** A member that has only what is asked of it before a store is opened. @param asks whether members ask each other */
    private static ClusterService.Cluster cluster(int level, boolean asks) {
        return (ClusterService.Cluster) Proxy.newProxyInstance(ClusterService.Cluster.class.getClassLoader(), new Class<?>[] {ClusterService.Cluster.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "level" -> level;
                    case "asks" -> asks;
                    default -> throw new IllegalStateException("asked for " + method.getName());
                });
    }

    private void assertRefusedInACluster(ClusterService.Cluster cluster, String lines, String why) throws Exception {
        List<PartitionFolder> shards = folders("distribution: hash\nindex: entryUUID eq\n" + lines);
        ConfigurationException refused = assertThrows(ConfigurationException.class, () -> OpenPartitions.open(shards, cluster));
        assertTrue(refused.getMessage(), refused.getMessage().contains(why));
        OpenPartitions.open(shards).close();
    }

    private void assertKeptByMembersWhoAskEachOther(String lines) throws Exception {
        assertRefusedInACluster(cluster(FeatureLevel.ASKED_WRITERS - 1, true), lines, "from feature level 4 on, and the cluster has 3: \"cluster upgrade\" raises it");
        assertRefusedInACluster(cluster(FeatureLevel.ASKED_WRITERS, false), lines, "expected \"updates: forward\" in the cluster file");
        List<PartitionFolder> shards = folders("distribution: hash\nindex: entryUUID eq\n" + lines);
        IllegalStateException opened = assertThrows(IllegalStateException.class, () -> OpenPartitions.open(shards, cluster(FeatureLevel.ASKED_WRITERS, true)));
        assertEquals("asked for sharing", opened.getMessage());
    }

    @Test
    public void aClusterWhoseMembersAskEachOtherFollows() throws Exception {
        assertKeptByMembersWhoAskEachOther("followProvider: ldap://other.example.com\n");
    }

    @Test
    public void uniqueIsKeptByAClusterWhoseMembersAskEachOther() throws Exception {
        assertKeptByMembersWhoAskEachOther("index: uid eq\nunique: uid\n");
    }

    @Test
    public void thereAreNoneByDefault() throws Exception {
        List<PartitionFolder> shards = folders("distribution: hash\nshards: 5\n");
        assertEquals(5, shards.size());
        assertEquals("p.shard-4-of-5", shards.get(4).name());
        assertTrue(shards.get(0).rules().memberOf().isEmpty() && shards.get(0).rules().references().attributes().isEmpty());
        assertEquals(1, folders("").size());
        assertTrue(!folders("").get(0).rules().memberOf().isEmpty());
    }

    @Test
    public void theUuidsAreIndexed() {
        ConfigurationException refused = assertThrows(ConfigurationException.class, () -> folders("distribution: hash\nindex: uid eq\n"));
        assertTrue(refused.getMessage(), refused.getMessage().contains("entryUUID"));
    }

    @Test
    public void anotherNumberThanThatOfTheFoldersIsRefused() throws Exception {
        OpenPartitions.open(folders("distribution: hash\nshards: 2\n")).close();
        for (String other : new String[] {"", "distribution: hash\nshards: 3\n"}) {
            ConfigurationException refused = assertThrows(ConfigurationException.class, () -> folders(other));
            assertTrue(refused.getMessage(), refused.getMessage().contains("the partition with shards: 2"));
        }
        assertEquals(2, folders("distribution: hash\nshards: 2\n").size());
    }

    @Test
    public void aPartitionWithoutDistributionIsNotTakenForAShard() throws Exception {
        OpenPartitions.open(folders("")).close();
        ConfigurationException refused = assertThrows(ConfigurationException.class, () -> folders("distribution: hash\n"));
        assertTrue(refused.getMessage(), refused.getMessage().contains("without distribution"));
    }

    @Test
    public void shardsOfTwoImportsAreNotOpened() throws Exception {
        List<PartitionFolder> shards = folders("distribution: hash\n");
        OpenPartitions.open(shards).close();
        Files.createFile(data.cutOffImport(shards.get(0).configuration()));
        StoreException refused = assertThrows(StoreException.class, () -> OpenPartitions.open(shards));
        assertTrue(refused.getMessage(), refused.getMessage().contains("was cut off"));
    }
}
