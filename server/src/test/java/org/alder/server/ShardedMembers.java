package org.alder.server;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.alder.partition.Partition;
import org.alder.partition.commit.Settling;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.partition.update.copy.LedCopies;
import org.alder.partition.update.copy.SuffixCopies;
import org.alder.server.auth.Administrator;
import org.alder.server.cluster.LedShards;

/** Members of a cluster in one process, each with all shards of a naming context, of which it leads the one with its number and shows the others at once. */
final class ShardedMembers implements AutoCloseable {
    static final String SUFFIX = TestServer.SUFFIX;
    static final int MEMBERS = 3;

    private final List<Store> stores = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();
    private final Map<String, Function<byte[], CompletableFuture<byte[]>>> answering = new ConcurrentHashMap<>();
    /** What becomes of a question to a member. */
    private volatile UnaryOperator<Function<byte[], CompletableFuture<byte[]>>> way = asked -> asked;
    private volatile int level = FeatureLevel.NEWEST;

    /** One of them. */
    private final class Member {
        private final String name;
        private final List<Partition> shards = new ArrayList<>();
        private final AlderServer server;
        private final LedCopies copies;

        Member(int number, List<IndexDefinition> indexes, UnaryOperator<ServerSettings> change, UniqueRule... unique) throws IOException {
            name = name(number);
            for (int i = 0; i < MEMBERS; i++) {
                shards.add(partition(i, indexes, shown(i, i == number), unique));
            }
            ClusterService.Cluster cluster = cluster();
            Partition.join(shards, new LedShards(cluster, shards));
            copies = LedCopies.start(shards);
            server = AlderServer.start(change.apply(ServerSettings.of("127.0.0.1", 0, TestServer.SCHEMA, List.copyOf(shards),
                    new Administrator(TestServer.dn(TestServer.ADMIN), TestServer.ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8)))
                    .with(draft -> {
                        draft.passwords = TestServer.QUICK_PASSWORDS;
                        draft.wire = draft.wire.withLimits(TestServer.patient(draft.wire.limits()));
                        draft.cluster = cluster;
                    })));
        }

        private ClusterService.Cluster cluster() {
            return (ClusterService.Cluster) Proxy.newProxyInstance(Member.class.getClassLoader(), new Class<?>[] {ClusterService.Cluster.class},
                    (self, method, arguments) -> switch (method.getName()) {
                        case "name" -> name;
                        case "level" -> level;
                        case "asks" -> true;
                        case "ask" -> way.apply(answering.getOrDefault((String) arguments[0], ShardedMembers::notYet)).apply((byte[]) arguments[1]);
                        case "answerWith" -> arguments[0] == null ? answering.remove(name) : answering.put(name, answers(arguments[0]));
                        case "spreadMinutes" -> 0L;
                        case "close" -> null;
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
        }

        @SuppressWarnings("unchecked")
        private static Function<byte[], CompletableFuture<byte[]>> answers(Object argument) {
            return (Function<byte[], CompletableFuture<byte[]>>) argument;
        }
    }

    ShardedMembers(UniqueRule... unique) throws IOException {
        this(settings -> settings, unique);
    }

    ShardedMembers(UnaryOperator<ServerSettings> change, UniqueRule... unique) throws IOException {
        List<IndexDefinition> indexes = List.of("objectClass", "uid", "mail", "entryUUID").stream()
                .map(each -> new IndexDefinition(TestServer.SCHEMA.attributeType(each), Set.of(IndexKind.EQUALITY), 1000)).toList();
        for (int i = 0; i < MEMBERS; i++) {
            stores.add(new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes)));
        }
        fill(indexes);
        for (int i = 0; i < MEMBERS; i++) {
            members.add(new Member(i, indexes, change, unique));
        }
    }

    private void fill(List<IndexDefinition> indexes) {
        List<Partition> whole = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            whole.add(partition(i, indexes, stores.get(i)));
        }
        Partition.join(whole, null);
        new Updates(whole.get(0)).add(TestServer.dn(SUFFIX), List.of(new Attribute("objectClass", List.of(utf8("domain"))), new Attribute("dc", List.of(utf8("example")))),
                new UpdateOrigin(TestServer.ADMIN, Instant.EPOCH)).join();
        new SuffixCopies(whole).renew().join();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Partition partition(int shard, List<IndexDefinition> indexes, Store store, UniqueRule... unique) {
        EntryRules rules = new EntryRules(List.of(), ReferenceRule.NONE, List.of(unique), List.of(), List.of(), EntryLimits.STANDARD);
        return new Partition(TestServer.SCHEMA, new EntryTree(TestServer.dn(SUFFIX), new Shard(shard, MEMBERS)), indexes, store, rules, Set.of());
    }

    private static CompletableFuture<byte[]> notYet(byte[] question) {
        return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, "it does not answer yet; nothing was done"));
    }

    private static String name(int number) {
        return "node" + number;
    }

    private Store shown(int shard, boolean leads) {
        TestReplica replica = new TestReplica();
        StoreException refusal = leads ? null : NotLeaderException.handingOn("this replica takes no updates; nothing was done", name(shard));
        replica.role = leads ? Replica.Role.LEADER : Replica.Role.REPLICA;
        replica.refusal = refusal;
        Store store = replica.in(stores.get(shard));
        return leads ? store : (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) ->
                method.getName().equals("submit") ? CompletableFuture.failedFuture(refusal) : method.invoke(store, arguments));
    }

    /** From now on questions between members go this way. */
    void way(UnaryOperator<Function<byte[], CompletableFuture<byte[]>>> other) {
        way = other;
    }

    /** What the cluster may write where its members read it. */
    void level(int now) {
        level = now;
    }

    /** The shard that a member leads, as that one writes it. */
    Partition shard(int member) {
        return members.get(member).shards.get(member);
    }

    LDAPConnection bound(int member, String dn, String password) throws LDAPException {
        LDAPConnection connection = new LDAPConnection(TestServer.patience(), "127.0.0.1", members.get(member).server.port());
        connection.bind(dn, password);
        return connection;
    }

    LDAPConnection admin(int member) throws LDAPException {
        return bound(member, TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
    }

    /** Has a member finish what it can of the shard that it leads, as it does from time to time. */
    CompletableFuture<Void> settle(int member) {
        List<Partition> shards = members.get(member).shards;
        return Settling.settle(shards, shards.get(0).shards().writers());
    }

    /** Whether a shard has noted a part of a transaction whose end it does not know, or one whose end others may not. */
    boolean isUndecided(int shard) {
        return stores.get(shard).systemRecords().bytes() > 0;
    }

    @Override
    public void close() {
        members.forEach(each -> each.server.close());
        members.forEach(each -> each.copies.close());
        members.get(0).shards.forEach(Partition::close);
    }
}
