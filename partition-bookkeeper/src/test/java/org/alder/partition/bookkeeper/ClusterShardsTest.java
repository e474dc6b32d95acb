package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.Partition;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.TestDirectory;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.UpdateOptions;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.partition.update.copy.LedCopies;
import org.alder.partition.update.copy.SuffixCopies;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Shards that different members of a cluster lead. */
public class ClusterShardsTest {
    private static final Schema SCHEMA = Schema.load(List.of(Path.of("../conf/schema/follow.ldif")));
    private static final Dn SUFFIX = dn("ou=people,dc=example,dc=com");
    private static final List<IndexDefinition> INDEXES = List.of(new IndexDefinition(SCHEMA.attributeType("entryUUID"), Set.of(IndexKind.EQUALITY),
            IndexDefinition.DEFAULT_DUPLICATE_THRESHOLD));
    private static final int MEMBERS = 3;
    private static final int SHARDS = 4;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final ClusterService service = new BookKeeperCluster();
    private final List<Member> members = new ArrayList<>();
    private EmbeddedZooKeeper zooKeeper;

    /** One of them, with all shards. */
    private final class Member implements AutoCloseable {
        private final ClusterService.Cluster cluster;
        private final List<Partition> shards = new ArrayList<>();
        private final LedCopies copies;

        Member(Path file, Path folder) throws IOException {
            cluster = service.join(file, folder.resolve("cluster"));
            for (int i = 0; i < SHARDS; i++) {
                shards.add(new Partition(SCHEMA, new EntryTree(SUFFIX, new Shard(i, SHARDS)), INDEXES, cluster.sharing(log(i), SUFFIX.text(),
                        new JdbmEngine(StoreSettings.defaults())).open(folder.resolve(log(i)), new AttributeIndexer(SCHEMA, INDEXES)),
                        EntryRules.standard(SCHEMA), Set.of()));
            }
            copies = LedCopies.start(shards);
        }

        @Override
        public void close() {
            copies.close();
            shards.forEach(Partition::close);
            cluster.close();
        }
    }

    private static Dn dn(String text) {
        try {
            return Dn.parse(SCHEMA, text);
        } catch (DirectoryException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String log(int shard) {
        return "people.shard-" + shard + "-of-" + SHARDS;
    }

    @Before
    public void start() throws Exception {
        int[] port = new int[1];
        zooKeeper = TestCluster.onFreePort(found -> {
            port[0] = found;
            return EmbeddedZooKeeper.start(path("zookeeper-" + found), 1, List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, found, 0, 0)), 500, true);
        });
        StringBuilder lines = new StringBuilder("zookeeper: " + TestCluster.HOST + ":" + port[0] + "\n");
        int[] bookies = TestCluster.freePorts(MEMBERS);
        for (int i = 0; i < MEMBERS; i++) {
            lines.append("member: node").append(i).append(" url=ldap://node").append(i).append(" host=").append(TestCluster.HOST).append(" bookie=")
                    .append(bookies[i]).append('\n');
        }
        for (int i = 0; i < MEMBERS; i++) {
            Files.writeString(file(i), "name: node" + i + "\n" + lines);
            members.add(new Member(file(i), path("node" + i)));
        }
    }

    @After
    public void close() {
        members.forEach(Member::close);
        zooKeeper.close();
    }

    private Path path(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private Path file(int member) {
        return path("node" + member + ".conf");
    }

    private Partition leader(int shard) throws Exception {
        return Await.value("a leader of shard " + shard, () -> members.stream().map(member -> member.shards.get(shard))
                .filter(each -> each.store().replica().role() == Replica.Role.LEADER).findFirst().orElse(null), found -> found != null);
    }

    private void lead(int shard, int member) throws Exception {
        Await.value("all members", () -> service.status(file(0), log(shard)), found -> found.leader() != null
                && found.members().stream().filter(each -> each.url() != null).count() == members.size());
        service.moveLeader(file(0), log(shard), "node" + member);
        Await.until("that it leads", () -> members.get(member).shards.get(shard).store().replica().role() == Replica.Role.LEADER);
    }

    private static UpdateOrigin origin() {
        return new UpdateOrigin("cn=admin", Instant.now());
    }

    private void add(String dn, String... lines) throws Exception {
        Dn name = dn(dn);
        List<Attribute> attributes = new ArrayList<>();
        for (String line : lines) {
            attributes.add(new Attribute(line.substring(0, line.indexOf(':')), List.of(TestDirectory.utf8(line.substring(line.indexOf(' ') + 1)))));
        }
        int shard = Shard.numberOf(SUFFIX, name, SHARDS);
        Await.result("the add of " + dn, new Updates(leader(shard)).add(name, attributes, origin(), UpdateOptions.NONE));
    }

    private void addPerson(int number) throws Exception {
        add("uid=u" + number + "," + SUFFIX.text(), "objectClass: inetOrgPerson", "uid: u" + number, "cn: u", "sn: u");
    }

    /** Of each shard of a member what it has of the suffix entry. */
    private static Set<String> csns(Member member) {
        Set<String> all = new TreeSet<>();
        for (Partition shard : member.shards) {
            try (Snapshot now = shard.snapshot()) {
                long id = shard.resolve(now, SUFFIX);
                all.add(id == HierarchyKeys.NO_PARENT ? "none" : new String(Csn.in(now.entry(id)), StandardCharsets.US_ASCII));
            }
        }
        return all;
    }

    @Test
    public void whoLeadsAShardHasTheSuffixEntryThatAnotherMemberHasMade() throws Exception {
        for (int shard = 0; shard < SHARDS; shard++) {
            lead(shard, shard % MEMBERS);
        }
        add(SUFFIX.text(), "objectClass: organizationalUnit", "ou: people");
        Await.result("copies", new SuffixCopies(members.get(0).shards).renew());
        assertEquals("when the change is acknowledged all shards have it", 1, csns(members.get(0)).size());
        for (int i = 0; i < 12; i++) {
            addPerson(i);
        }
        Await.result("a change of the suffix entry", new Updates(leader(0)).modify(SUFFIX, List.of(new Modification(Modification.Kind.REPLACE, "description",
                List.of(TestDirectory.utf8("all")))), origin(), UpdateOptions.NONE));
        Await.result("copies", new SuffixCopies(members.get(0).shards).renew());
        assertEquals(1, csns(members.get(0)).size());
        members.remove(1).close();
        for (int i = 12; i < 24; i++) {
            addPerson(i);
        }
        for (int i = 0; i < 24; i++) {
            Dn name = dn("uid=u" + i + "," + SUFFIX.text());
            for (Member member : members) {
                Partition shard = member.shards.get(Shard.numberOf(SUFFIX, name, SHARDS));
                Await.until(name.text(), () -> isThere(shard, name));
            }
        }
        assertEquals(csns(members.get(0)), csns(members.get(1)));
    }

    private static boolean isThere(Partition shard, Dn name) {
        try (Snapshot now = shard.snapshot()) {
            return shard.resolve(now, name) != HierarchyKeys.NO_PARENT;
        }
    }

    /** As where one dies between the change of the suffix entry and the copies. */
    @Test
    public void theNextLeaderOfAShardWritesTheCopyThatIsLacking() throws Exception {
        add(SUFFIX.text(), "objectClass: organizationalUnit", "ou: people");
        members.forEach(member -> member.copies.close());
        Await.result("a change of the suffix entry", new Updates(leader(0)).modify(SUFFIX, List.of(new Modification(Modification.Kind.REPLACE, "description",
                List.of(TestDirectory.utf8("changed")))), origin(), UpdateOptions.NONE));
        Await.until("that the copies are old", () -> csns(members.get(0)).size() > 1);
        try (LedCopies one = LedCopies.start(members.get(0).shards);
                LedCopies two = LedCopies.start(members.get(1).shards);
                LedCopies three = LedCopies.start(members.get(2).shards)) {
            for (Member member : members) {
                Await.until("the newest in all shards", () -> csns(member).size() == 1);
            }
        }
    }
}
