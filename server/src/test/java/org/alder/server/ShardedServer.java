package org.alder.server;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.partition.update.copy.SuffixCopies;
import org.alder.server.auth.Administrator;

/** A server of a naming context with shards, and of one above it, on memory stores in this process. */
final class ShardedServer implements AutoCloseable {
    static final int SHARDS = 3;
    static final String ABOVE = TestServer.SUFFIX;
    /** Of the shards. */
    static final String SUFFIX = "ou=people," + ABOVE;
    static final int USERS = 50;

    private final LoggedFaults faults = new LoggedFaults();
    private final List<SnapshotCountingStore> stores = new ArrayList<>();
    private final Partition above;
    private final List<Partition> shards = new ArrayList<>();
    private final AlderServer server;

    ShardedServer() throws IOException {
        this(settings -> settings);
    }

    ShardedServer(UnaryOperator<ServerSettings> change) throws IOException {
        above = partition(new EntryTree(TestServer.dn(ABOVE)));
        for (int i = 0; i < SHARDS; i++) {
            shards.add(partition(new EntryTree(TestServer.dn(SUFFIX), new Shard(i, SHARDS))));
        }
        Partition.join(shards, null);
        add(ABOVE, "objectClass: domain", "dc: example");
        add(SUFFIX, "objectClass: organizationalUnit", "ou: people");
        new SuffixCopies(shards).renew().join();
        for (int i = 1; i <= USERS; i++) {
            add(userDn(i), "objectClass: inetOrgPerson", "uid: user." + i, "cn: User " + i, "sn: Number" + i % 3, "employeeNumber: " + i,
                    "userPassword: " + TestServer.USER_PASSWORD);
        }
        List<Partition> all = new ArrayList<>(shards);
        all.add(0, above);
        server = AlderServer.start(change.apply(ServerSettings.of("127.0.0.1", 0, TestServer.SCHEMA, all,
                new Administrator(TestServer.dn(TestServer.ADMIN), TestServer.ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8)))
                .with(draft -> {
                    draft.passwords = TestServer.QUICK_PASSWORDS;
                    draft.wire = draft.wire.withLimits(TestServer.patient(draft.wire.limits()));
                })));
    }

    private Partition partition(EntryTree tree) {
        List<IndexDefinition> indexes = List.of("objectClass", "uid", "entryUUID", "employeeNumber").stream()
                .map(name -> new IndexDefinition(TestServer.SCHEMA.attributeType(name), Set.of(IndexKind.EQUALITY), 1000)).toList();
        SnapshotCountingStore store = new SnapshotCountingStore(new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes)));
        stores.add(store);
        EntryRules rules = new EntryRules(List.of(), ReferenceRule.NONE, List.of(), List.of(), List.of(), EntryLimits.STANDARD);
        return new Partition(TestServer.SCHEMA, tree, indexes, store, rules, Set.of());
    }

    static String userDn(int number) {
        return "uid=user." + number + "," + SUFFIX;
    }

    /** Which one has the entry. */
    static int shard(String dn) {
        return Shard.numberOf(TestServer.dn(SUFFIX), TestServer.dn(dn), SHARDS);
    }

    private Partition of(Dn dn) {
        return dn.isDescendantOrSelf(TestServer.dn(SUFFIX)) ? shards.get(shard(dn.text())) : above;
    }

    /** Adds an entry behind the server's back. */
    void add(String dn, String... lines) {
        Map<String, List<byte[]>> values = new LinkedHashMap<>();
        for (String line : lines) {
            values.computeIfAbsent(line.substring(0, line.indexOf(':')), none -> new ArrayList<>()).add(utf8(line.substring(line.indexOf(':') + 2)));
        }
        List<Attribute> attributes = new ArrayList<>();
        values.forEach((name, of) -> attributes.add(new Attribute(name, of)));
        new Updates(of(TestServer.dn(dn))).add(TestServer.dn(dn), attributes, new UpdateOrigin(TestServer.ADMIN, Instant.EPOCH)).join();
    }

    /** Adds that many accounts {@code uid=account.N} directly below the suffix, not in the order of the uids. */
    void addAccounts(int count) {
        List<List<String>> uids = new ArrayList<>();
        shards.forEach(each -> uids.add(new ArrayList<>()));
        for (int i = 0; i < count; i++) {
            String uid = "account." + (long) i * 7919 % count;
            uids.get(shard("uid=" + uid + "," + SUFFIX)).add(uid);
        }
        for (int i = 0; i < SHARDS; i++) {
            addAccounts(shards.get(i), uids.get(i));
        }
    }

    private static void addAccounts(Partition shard, List<String> uids) {
        long parent;
        try (Snapshot now = shard.snapshot()) {
            parent = shard.resolve(now, shard.suffix());
        }
        shard.store().submit(context -> {
            for (String uid : uids) {
                List<Attribute> user = List.of(new Attribute("objectClass", List.of(utf8("account"))), new Attribute("uid", List.of(utf8(uid))));
                context.add(context.allocateId(), EntryRecord.of(parent, utf8("uid=" + uid), user, List.of()));
            }
            return null;
        }).join();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private SnapshotCountingStore store(int shard) {
        return stores.get(1 + shard);
    }

    /** Has a shard forget what was changed up to now. */
    void forgetChanges(int shard) {
        ((MemoryStore) store(shard).inner()).forgetChanges();
    }

    /** Reading an entry of any shard takes so long from now on. */
    void readSlowly(long millis) {
        stores.forEach(store -> store.readSlowly(millis));
    }

    /** Whether each look at an index of a shard fails from now on. */
    void failIndexes(int shard, boolean failing) {
        store(shard).failIndexes(failing);
    }

    /** How often the record of an entry was read so far, and not its name alone. */
    int readRecords() {
        return stores.stream().mapToInt(SnapshotCountingStore::readRecords).sum();
    }

    int openSnapshots() {
        return stores.stream().mapToInt(SnapshotCountingStore::openSnapshots).sum();
    }

    AlderServer server() {
        return server;
    }

    LDAPConnection admin() throws LDAPException {
        return bound(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
    }

    LDAPConnection user(int number) throws LDAPException {
        return bound(userDn(number), TestServer.USER_PASSWORD);
    }

    private LDAPConnection bound(String dn, String password) throws LDAPException {
        LDAPConnection connection = new LDAPConnection(TestServer.patience(), "127.0.0.1", server.port());
        connection.bind(dn, password);
        return connection;
    }

    /** What the server logged as its own faults since it was made or asked this; what is left of it fails {@link #close}. */
    List<String> takeFaults() {
        return faults.take();
    }

    /** Fails if the server left something open, or logged a fault of its own that nobody has taken. */
    @Override
    public void close() {
        try (faults) {
            server.close();
            assertEquals("snapshots left open", 0, openSnapshots());
            shards.forEach(Partition::close);
            above.close();
        }
    }
}
