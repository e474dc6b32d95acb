package org.alder.server;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.memory.StoreDamage;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.auth.ReadyHashes;
import org.alder.server.wire.ConnectionLimits;

/**
 * A server on memory stores, or others, with two suffixes, {@value #SUFFIX} and {@value #OTHER_SUFFIX}, and under the first
 * one {@code
 * ou=users} with the users 1 to {@value #USERS}, whose password is {@value #USER_PASSWORD}.
 */
public final class TestServer implements AutoCloseable {
    public static final String SUFFIX = "dc=example,dc=com";
    public static final String OTHER_SUFFIX = "dc=other";
    public static final String ADMIN = "cn=Directory Manager";
    public static final String ADMIN_PASSWORD = "a secret";
    public static final String USER_PASSWORD = "password";
    public static final int USERS = 50;
    /** Attributes with more values are outside of their records. */
    public static final int LARGE_ATTRIBUTE_THRESHOLD = 10;
    /** Hashes that take no time, so that only tests about them wait for them; and passwords stay as they are. */
    public static final PasswordSettings QUICK_PASSWORDS =
            PasswordSettings.STANDARD.withScheme(NewPasswordScheme.SSHA512).withUpgrade(false).withReadyHashes(ReadyHashes.ALL);
    public static final Schema SCHEMA = Schema.load(schemaFiles());

    private final LoggedFaults faults = new LoggedFaults();
    private final Function<EntryIndexer, Store> engine;
    private final UnaryOperator<EntryRules> rules;
    private final List<SnapshotCountingStore> stores = new ArrayList<>();
    private final List<Partition> partitions;
    private final AlderServer server;

    public TestServer() {
        this(settings -> settings);
    }

    public TestServer(UnaryOperator<ServerSettings> change) {
        this(change, MemoryStore::new, true);
    }

    /**
     * @param engine makes the store of each suffix, in their order
     * @param fill whether the stores are empty and get the entries
     */
    public TestServer(UnaryOperator<ServerSettings> change, Function<EntryIndexer, Store> engine, boolean fill) {
        this(change, engine, fill, rules -> rules);
    }

    /** On memory stores, with other rules for the entries of each suffix. */
    public static TestServer withRules(UnaryOperator<EntryRules> rules) {
        return withRules(rules, MemoryStore::new);
    }

    /** The same on other stores. */
    public static TestServer withRules(UnaryOperator<EntryRules> rules, Function<EntryIndexer, Store> engine) {
        return new TestServer(settings -> settings, engine, true, rules);
    }

    private TestServer(UnaryOperator<ServerSettings> change, Function<EntryIndexer, Store> engine, boolean fill,
            UnaryOperator<EntryRules> rules) {
        this.engine = engine;
        this.rules = rules;
        try {
            partitions = List.of(partition(SUFFIX), partition(OTHER_SUFFIX));
            Administrator administrator = new Administrator(dn(ADMIN), ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8));
            if (fill) {
                fill();
            }
            server = AlderServer.start(change.apply(ServerSettings.of("127.0.0.1", 0, SCHEMA, partitions, administrator)
                    .with(draft -> {
                        draft.passwords = QUICK_PASSWORDS;
                        draft.wire = draft.wire.withLimits(patient(draft.wire.limits()));
                    })));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Clients wait as long as tests do, and the server as long for them: 30 seconds are few on a machine that does much else. */
    static ConnectionLimits patient(ConnectionLimits limits) {
        return limits.withSeconds(Await.SECONDS, Await.SECONDS, Await.SECONDS, limits.idleSeconds())
                .withAnswerSeconds(Await.SECONDS).withHandshakes(limits.handshakes(), Await.SECONDS);
    }

    private static List<Path> schemaFiles() {
        try (Stream<Path> files = Files.list(Path.of("../conf/schema"))) {
            return files.filter(file -> file.toString().endsWith(".ldif")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Dn dn(String text) {
        try {
            return Dn.parse(SCHEMA, text);
        } catch (DirectoryException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private Partition partition(String suffix) {
        List<IndexDefinition> indexes = new ArrayList<>();
        for (String name : List.of("objectClass", "uid", "entryUUID", "member", "uniqueMember",
                "manager", "employeeNumber", "uidNumber", "l")) {
            Set<IndexKind> kinds = name.endsWith("ember") ? EnumSet.of(IndexKind.EQUALITY, IndexKind.PRESENCE)
                    : EnumSet.of(IndexKind.EQUALITY);
            indexes.add(new IndexDefinition(SCHEMA.attributeType(name), kinds, 1000));
        }
        indexes.add(new IndexDefinition(SCHEMA.attributeType("memberURL"), Set.of(IndexKind.PRESENCE), 1000));
        SnapshotCountingStore store = new SnapshotCountingStore(
                engine.apply(new AttributeIndexer(SCHEMA, indexes, LARGE_ATTRIBUTE_THRESHOLD)));
        stores.add(store);
        return new Partition(SCHEMA, dn(suffix), indexes, store, rules.apply(EntryRules.standard(SCHEMA)), Set.of());
    }

    private void fill() {
        add(SUFFIX, "objectClass: domain", "dc: example");
        add("ou=users," + SUFFIX, "objectClass: organizationalUnit", "ou: users");
        for (int i = 1; i <= USERS; i++) {
            add(userDn(i), "objectClass: top", "objectClass: person", "objectClass: organizationalPerson",
                    "objectClass: inetOrgPerson",
                    "uid: user." + i, "cn: User " + i, "cn;lang-de: Nutzer " + i, "sn: Number" + i, "givenName: Given" + i,
                    "employeeNumber: " + i, "userPassword: " + USER_PASSWORD);
        }
        add(OTHER_SUFFIX, "objectClass: domain", "dc: other");
    }

    public static String userDn(int number) {
        return "uid=user." + number + ",ou=users," + SUFFIX;
    }

    /** In the order of the suffixes. */
    public List<Partition> partitions() {
        return partitions;
    }

    /** Adds an entry behind the server's back. */
    public void add(String dn, String... lines) {
        List<String> descriptions = Arrays.stream(lines).map(line -> line.substring(0, line.indexOf(':'))).distinct().toList();
        List<Attribute> attributes = new ArrayList<>();
        for (String description : descriptions) {
            List<byte[]> values = Arrays.stream(lines).filter(line -> line.startsWith(description + ": "))
                    .map(line -> line.substring(description.length() + 2).getBytes(StandardCharsets.UTF_8)).toList();
            attributes.add(new Attribute(description, values));
        }
        Partition target = partitions.stream().filter(each -> dn(dn).isDescendantOrSelf(each.suffix())).findFirst().orElseThrow();
        new Updates(target).add(dn(dn), attributes, new UpdateOrigin(ADMIN, Instant.EPOCH)).join();
    }

    /** Adds that many devices {@code cn=device.N} of about 300 bytes under {@code ou=users} in one transaction. */
    public void addDevices(int count) {
        Partition partition = partitions.get(0);
        long parent = resolve("ou=users," + SUFFIX);
        partition.store().submit(context -> {
            for (int i = 1; i <= count; i++) {
                byte[] rdn = ("cn=device." + i).getBytes(StandardCharsets.UTF_8);
                List<Attribute> user = List.of(
                        new Attribute("objectClass", List.of("device".getBytes(StandardCharsets.UTF_8))),
                        new Attribute("cn", List.of(("device." + i).getBytes(StandardCharsets.UTF_8))),
                        new Attribute("description", List.of("x".repeat(200).getBytes(StandardCharsets.UTF_8))));
                context.add(context.allocateId(), EntryRecord.of(parent, rdn, user, List.of()));
            }
            return null;
        }).join();
    }

    /** Adds that many accounts {@code uid=account.N} under {@code ou=users} in one transaction, not in the order of the uids. */
    public void addAccounts(int count) {
        Partition partition = partitions.get(0);
        long parent = resolve("ou=users," + SUFFIX);
        partition.store().submit(context -> {
            for (int i = 0; i < count; i++) {
                byte[] uid = ("account." + (long) i * 7919 % count).getBytes(StandardCharsets.UTF_8);
                List<Attribute> user = List.of(
                        new Attribute("objectClass", List.of("account".getBytes(StandardCharsets.UTF_8))),
                        new Attribute("uid", List.of(uid)));
                byte[] rdn = ("uid=" + new String(uid, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
                context.add(context.allocateId(), EntryRecord.of(parent, rdn, user, List.of()));
            }
            return null;
        }).join();
    }

    /** Adds that many groups {@code cn=group.N} under {@code ou=users} in one transaction, each of this one member. */
    public void addGroups(int count, String member) {
        long parent = resolve("ou=users," + SUFFIX);
        partitions.get(0).store().submit(context -> {
            for (int i = 1; i <= count; i++) {
                byte[] name = ("group." + i).getBytes(StandardCharsets.UTF_8);
                List<Attribute> user = List.of(
                        new Attribute("objectClass", List.of("groupOfNames".getBytes(StandardCharsets.UTF_8))),
                        new Attribute("cn", List.of(name)),
                        new Attribute("member", List.of(member.getBytes(StandardCharsets.UTF_8))));
                context.add(context.allocateId(), EntryRecord.of(parent, ("cn=group." + i).getBytes(StandardCharsets.UTF_8), user, List.of()));
            }
            return null;
        }).join();
    }

    /** Adds an entry under {@code ou=users} without a look at the schema, as an older schema may have left it. */
    public void addUnchecked(String rdn, List<Attribute> attributes) {
        long parent = resolve("ou=users," + SUFFIX);
        partitions.get(0).store().submit(context -> {
            context.add(context.allocateId(), EntryRecord.of(parent, rdn.getBytes(StandardCharsets.UTF_8), attributes, List.of()));
            return null;
        }).join();
    }

    /** Adds an entry under the first suffix, or that suffix itself, as it is: without a look at the schema. */
    public void addRecord(String dn, List<Attribute> user, List<Attribute> operational) {
        long parent = dn.equals(SUFFIX) ? HierarchyKeys.NO_PARENT : resolve(dn.substring(dn.indexOf(',') + 1));
        byte[] rdn = dn.substring(0, dn.indexOf(',')).getBytes(StandardCharsets.UTF_8);
        partitions.get(0).store().submit(context -> {
            context.add(context.allocateId(), EntryRecord.of(parent, rdn, user, operational));
            return null;
        }).join();
    }

    private long resolve(String dn) {
        try (Snapshot snapshot = partitions.get(0).snapshot()) {
            return partitions.get(0).resolve(snapshot, dn(dn));
        }
    }

    /** Puts a record in an entry's place that is no record; on memory stores only. */
    public void damage(String dn) {
        long id = resolve(dn);
        byte[] rdn = dn.substring(0, dn.indexOf(',')).getBytes(StandardCharsets.UTF_8);
        EntryRecord record = EntryRecord.of(resolve(dn.substring(dn.indexOf(',') + 1)), rdn,
                List.of(new Attribute("objectClass", List.of(new byte[] {'x'}))), List.of());
        byte[] bytes = record.bytes().clone();
        bytes[record.userOffset()] = 0x7F;
        StoreDamage.record((MemoryStore) stores.get(0).inner(), id, EntryRecord.of(bytes));
    }

    /** Makes the memory stores forget what was changed up to now. */
    public void forgetChanges() {
        stores.forEach(store -> ((MemoryStore) store.inner()).forgetChanges());
    }

    public void closeStores() {
        stores.forEach(SnapshotCountingStore::close);
    }

    /** Notes from now on which threads read which entries under the first suffix. */
    public void noteReaders() {
        stores.get(0).noteReaders();
    }

    /** How often the record of an entry under the first suffix was read so far, and not its name alone. */
    public int readRecords() {
        return stores.get(0).readRecords();
    }

    /** The names of the threads that have read this entry, or its name, since. */
    public Set<String> readersOf(String dn) {
        return stores.get(0).readersOf(resolve(dn));
    }

    /** Reading an entry under the first suffix takes so long from now on. */
    public void readSlowly(long millis) {
        stores.get(0).readSlowly(millis);
    }

    /** Whether each look at an index of the first suffix fails from now on. */
    public void failIndexes(boolean failing) {
        stores.get(0).failIndexes(failing);
    }

    /** Snapshots of the first suffix so far. */
    public int openedSnapshots() {
        return stores.get(0).openedSnapshots();
    }

    /** Snapshots that nobody closed yet. */
    public int openSnapshots() {
        return stores.stream().mapToInt(SnapshotCountingStore::openSnapshots).sum();
    }

    public int port() {
        return server.port();
    }

    public AlderServer server() {
        return server;
    }

    /** Of clients that wait as long as tests do: for a connection, TLS and all, and for an answer. */
    public static LDAPConnectionOptions patience() {
        LDAPConnectionOptions options = new LDAPConnectionOptions();
        options.setConnectTimeoutMillis(Await.MILLIS);
        options.setResponseTimeoutMillis(Await.MILLIS);
        options.setAbandonOnTimeout(false);
        return options;
    }

    public LDAPConnection anonymous() throws LDAPException {
        return new LDAPConnection(patience(), "127.0.0.1", port());
    }

    public LDAPConnection admin() throws LDAPException {
        LDAPConnection connection = anonymous();
        connection.bind(ADMIN, ADMIN_PASSWORD);
        return connection;
    }

    public LDAPConnection user(int number) throws LDAPException {
        LDAPConnection connection = anonymous();
        connection.bind(userDn(number), USER_PASSWORD);
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
            partitions.forEach(Partition::close);
        }
    }
}
