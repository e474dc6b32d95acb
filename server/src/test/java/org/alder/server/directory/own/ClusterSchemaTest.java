package org.alder.server.directory.own;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.Partition;
import org.alder.partition.check.Checker;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.server.TestReplica;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Members that go by one schema, with stores that are told what to be; the log between them is no part of this. */
public class ClusterSchemaTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String BADGE = "( 1.3.6.1.4.1.99999.1.1 NAME 'acmeBadge' SUP name )";
    private static final String OTHER_BADGE = "( 1.3.6.1.4.1.99999.1.1 NAME 'acmeBadge' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )";
    private static final String PERSON = "( 1.3.6.1.4.1.99999.2.1 NAME 'acmePerson' SUP top AUXILIARY MAY acmeBadge )";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** What ZooKeeper has. */
    private final Map<Long, SharedSchema.Version> versions = new TreeMap<>();
    private final List<Member> members = new ArrayList<>();
    private volatile boolean answers = true;

    /** A member's view of it. */
    private final class Shared implements SharedSchema {
        private volatile long adopted;
        private volatile String hindrance;

        @Override
        public Version newest() {
            synchronized (versions) {
                return versions.isEmpty() ? null : versions.get((long) versions.size());
            }
        }

        @Override
        public Version next(long number) {
            synchronized (versions) {
                return versions.get(number + 1);
            }
        }

        @Override
        public boolean publish(Version version, Held held) throws IOException {
            synchronized (versions) {
                boolean isNext = version.number() == versions.size() + 1;
                if (isNext) {
                    versions.put(version.number(), version);
                }
                if (!answers) {
                    throw new IOException("no answer");
                }
                return isNext || versions.get(version.number()) != null
                        && Arrays.equals(versions.get(version.number()).definitions(), version.definitions());
            }
        }

        @Override
        public long turn() {
            throw new UnsupportedOperationException("nobody is asked");
        }

        @Override
        public void endTurn(long turn) {
            throw new UnsupportedOperationException("nobody asks");
        }

        @Override
        public long adopted() {
            return adopted;
        }

        @Override
        public void adopted(long number) {
            hindrance = null;
            adopted = number;
        }

        @Override
        public void hindered(String why) {
            hindrance = why;
        }
    }

    private final class Member {
        final Path data;
        final Shared shared = new Shared();
        final TestReplica replica = new TestReplica();
        final Map<String, Partition> open = new TreeMap<>();
        final Schema schema;
        final OnlineSchema online;
        final SchemaFollower follower;
        final SchemaUpdates updates;

        Member(Path data, List<Path> files, Replica.Role role) throws IOException, DirectoryException {
            this.data = data;
            replica.role = role;
            List<Path> all = new ArrayList<>(files);
            schema = Schema.load(all, data.resolve("schema.ldif"));
            ClusterSchema cluster = new ClusterSchema(shared, () -> Map.copyOf(open), ClusterSchema.Others.NONE);
            online = new OnlineSchema(data.resolve("schema.ldif"), AtomicFile.onDisk(), cluster);
            follower = SchemaFollower.start(schema, online, data.resolve("mark"));
            members.add(this);
            add("people");
            updates = new SchemaUpdates(schema, () -> List.copyOf(open.values()), online);
        }

        final void add(String name) throws DirectoryException {
            List<IndexDefinition> indexes = List.of(new IndexDefinition(schema.attributeType("objectClass"), Set.of(IndexKind.EQUALITY), 1000),
                    new IndexDefinition(schema.attributeType("name"), Set.of(IndexKind.EQUALITY), 1000));
            open.put(name, new Partition(schema, Dn.parse(schema, SUFFIX), indexes, replica.in(JdbmStore.open(data.resolve(name),
                    StoreSettings.defaults(), new AttributeIndexer(schema, indexes)))));
        }

        void change(Modification.Kind kind, String attribute, String... values) {
            List<byte[]> all = new ArrayList<>();
            for (String value : values) {
                all.add(value.getBytes(StandardCharsets.UTF_8));
            }
            updates.modify(List.of(new Modification(kind, attribute, all)), false).join();
        }

        void addEntry(String dn, String... pairs) throws DirectoryException {
            List<Attribute> attributes = new ArrayList<>();
            for (int i = 0; i < pairs.length; i += 2) {
                List<byte[]> values = new ArrayList<>();
                for (String value : pairs[i + 1].split(" ")) {
                    values.add(value.getBytes(StandardCharsets.UTF_8));
                }
                attributes.add(new Attribute(pairs[i], values));
            }
            new Updates(open.get("people")).add(Dn.parse(schema, dn), attributes, new UpdateOrigin("cn=Test", Instant.EPOCH)).join();
        }

        boolean knowsBadge() {
            return schema.attributeType("acmeBadge") != null;
        }

        void close() {
            follower.close();
            open.values().forEach(partition -> {
                try (Snapshot snapshot = partition.snapshot()) {
                    assertEquals(List.of(), new Checker(schema, partition.suffix(), partition.indexer()).check(snapshot, (phase, done, total) -> { })
                            .problems());
                } finally {
                    partition.close();
                }
            });
        }
    }

    @After
    public void close() {
        members.forEach(Member::close);
    }

    private Member member(Replica.Role role) throws IOException, DirectoryException {
        return new Member(folder.newFolder().toPath(), List.of(), role);
    }

    private static ResultCode refusal(org.junit.function.ThrowingRunnable work) {
        CompletionException e = assertThrows(CompletionException.class, work);
        return ((DirectoryException) e.getCause()).resultCode();
    }

    @Test
    public void whatTheLeaderTakesIsTheSchemaOfAllAndOfThoseThatComeLater() throws Exception {
        Member leader = member(Replica.Role.LEADER);
        Member other = member(Replica.Role.REPLICA);
        leader.change(Modification.Kind.ADD, "attributeTypes", BADGE);
        leader.change(Modification.Kind.ADD, "objectClasses", PERSON);
        assertEquals(2, leader.shared.adopted());
        Await.until("the other member's schema", () -> other.shared.adopted() == 2);
        Await.until("its class", () -> other.schema.objectClass("acmePerson") != null);
        assertTrue(other.knowsBadge());
        assertArrayEquals(Files.readAllBytes(leader.online.file()), Files.readAllBytes(other.online.file()));
        Member late = member(Replica.Role.REPLICA);
        assertNotNull("before its partitions are open", late.schema.objectClass("acmePerson"));
        leader.change(Modification.Kind.DELETE, "objectClasses", PERSON);
        Await.until("that it is gone", () -> other.schema.objectClass("acmePerson") == null && late.schema.objectClass("acmePerson") == null);
        assertTrue(late.knowsBadge());
        late.close();
        members.remove(late);
        leader.change(Modification.Kind.DELETE, "attributeTypes", BADGE);
        Member again = new Member(late.data, List.of(), Replica.Role.REPLICA);
        assertFalse("what it missed it takes before it opens anything", again.knowsBadge());
    }

    /** Keys of what was written before are derived by the schema of then. */
    @Test
    public void aVersionWaitsForWhatWasWrittenBeforeIt() throws Exception {
        Member leader = member(Replica.Role.LEADER);
        Member other = member(Replica.Role.REPLICA);
        leader.change(Modification.Kind.ADD, "attributeTypes", BADGE);
        leader.change(Modification.Kind.ADD, "objectClasses", PERSON);
        String[] entry = {"objectClass", "domain acmePerson", "dc", "example", "acmeBadge", "seven"};
        leader.addEntry(SUFFIX, entry);
        assertEquals("an entry has it", ResultCode.UNWILLING_TO_PERFORM,
                refusal(() -> leader.change(Modification.Kind.DELETE, "objectClasses", PERSON)));
        leader.change(Modification.Kind.ADD, "attributeTypes", BADGE.replace(".1.1 ", ".1.2 ").replace("acmeBadge", "acmeOther"));
        assertEquals(1, versions.get(3L).behind().get("people").sequence());
        Await.until("the versions before", () -> other.shared.adopted() == 2);
        Thread.sleep(500);
        assertNull("what was written before it is not here yet", other.schema.attributeType("acmeOther"));
        other.addEntry(SUFFIX, entry);
        Await.until("the version behind", () -> other.schema.attributeType("acmeOther") != null);
    }

    @Test
    public void whoDoesNotLeadAllOrIsNotTheFirstChangesNothing() throws Exception {
        Member leader = member(Replica.Role.LEADER);
        Member other = member(Replica.Role.REPLICA);
        assertEquals(ResultCode.UNWILLING_TO_PERFORM, refusal(() -> other.change(Modification.Kind.ADD, "attributeTypes", BADGE)));
        synchronized (versions) {
            versions.put(1L, new SharedSchema.Version(1, Map.of("people", new SharedSchema.Position(9, 1000)), new byte[0]));
        }
        assertEquals("somebody was faster", ResultCode.BUSY, refusal(() -> leader.change(Modification.Kind.ADD, "attributeTypes", BADGE)));
        assertFalse(leader.knowsBadge());
        assertFalse(Files.exists(leader.online.file()));
    }

    /** It must not write by the schema of before what the others read by the new one. */
    @Test
    public void whereNobodyAnswersUpdatesAreHeldUntilTheAnswerOrTheLossOfTheLog() throws Exception {
        Member leader = member(Replica.Role.LEADER);
        answers = false;
        List<Modification> add = List.of(new Modification(Modification.Kind.ADD, "attributeTypes", List.of(BADGE.getBytes(StandardCharsets.UTF_8))));
        CompletableFuture<Void> change = leader.updates.modify(add, false);
        Await.until("a version", () -> {
            synchronized (versions) {
                return versions.size() == 1;
            }
        });
        assertFalse(change.isDone());
        leader.replica.role = Replica.Role.REPLICA;
        assertEquals(ResultCode.UNAVAILABLE, refusal(change::join));
        Await.until("that it goes by what was made", leader::knowsBadge);
    }

    @Test
    public void aMemberWhoseFilesSaySomethingElseSaysSoAndAppliesNothing() throws Exception {
        Path file = Files.writeString(folder.getRoot().toPath().resolve("own.ldif"), "dn: cn=schema\nattributeTypes: " + OTHER_BADGE + "\n");
        Member leader = member(Replica.Role.LEADER);
        Member other = new Member(folder.newFolder().toPath(), List.of(file), Replica.Role.REPLICA);
        leader.change(Modification.Kind.ADD, "attributeTypes", BADGE);
        String why = Await.value("what is in the way", () -> other.shared.hindrance, found -> found != null);
        assertTrue(why, why.startsWith("this member cannot go by version 1 of the cluster's schema, and applies nothing: 1.3.6.1.4.1.99999.1.1 is "
                + "already defined by " + file));
        assertEquals(0, other.shared.adopted());
        StoreException e = assertThrows(StoreException.class, () -> new Member(folder.newFolder().toPath(), List.of(file), Replica.Role.REPLICA));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
    }

    @Test
    public void theFirstMemberBringsItsDefinitionsAndALaterOneIsRefusedWithOthers() throws Exception {
        Path first = folder.newFolder().toPath();
        Path second = folder.newFolder().toPath();
        Path same = folder.newFolder().toPath();
        for (Path data : List.of(first, second, same)) {
            Schema schema = Schema.load(List.of(), null);
            new SchemaUpdates(schema, List::of, new OnlineSchema(data.resolve("schema.ldif"), AtomicFile.onDisk()))
                    .modify(List.of(new Modification(Modification.Kind.ADD, "attributeTypes",
                            List.of((data == second ? OTHER_BADGE : BADGE).getBytes(StandardCharsets.UTF_8)))), false).join();
        }
        Member leader = new Member(first, List.of(), Replica.Role.LEADER);
        assertEquals(1, leader.shared.adopted());
        StoreException e = assertThrows(StoreException.class, () -> new Member(second, List.of(), Replica.Role.REPLICA));
        assertTrue(e.getMessage(), e.getMessage().startsWith(second.resolve("schema.ldif") + " has definitions that the schema of the cluster does not"
                + " have, or has otherwise: acmeBadge."));
        assertTrue(new Member(same, List.of(), Replica.Role.REPLICA).knowsBadge());
    }
}
