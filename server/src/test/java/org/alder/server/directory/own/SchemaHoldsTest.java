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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerException;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.NotLeaderException;
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
import org.alder.partition.testing.Await;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.server.TestReplica;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Changes of the schema on a member that leads some of the partitions, or none: those that lead the others hold updates, and nothing of them goes
 * by the schema of before when a version was made. The members are in this process, with stores of their own; what one has written a test gives the others.
 */
public class SchemaHoldsTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String BADGE = "( 1.3.6.1.4.1.99999.1.1 NAME 'acmeBadge' SUP name )";
    private static final String OTHER_BADGE = "( 1.3.6.1.4.1.99999.1.1 NAME 'acmeBadge' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )";
    private static final String PERSON = "( 1.3.6.1.4.1.99999.2.1 NAME 'acmePerson' SUP top AUXILIARY MAY acmeBadge )";
    private static final String[] PLAIN = {"objectClass", "domain", "dc", "example"};
    private static final String[] BADGED = {"objectClass", "domain acmePerson", "dc", "example", "acmeBadge", "seven"};
    /** So long is a hold where a test waits for its end; long enough for it to be seen. */
    private static final long SHORT_MILLIS = 3000;
    private static final int HOLD = SchemaQuestion.HOLD_TAG;
    private static final int RELEASE = SchemaQuestion.RELEASE_TAG;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Map<String, Member> members = new TreeMap<>();
    /** What ZooKeeper has; guarded by itself. */
    private final Map<Long, SharedSchema.Version> versions = new TreeMap<>();
    private long turn = 3;
    private volatile boolean answers = true;
    /** Whether it answers those whose limit is over. */
    private volatile boolean answersLate = true;
    /** By partition. */
    private final Map<String, String> leaders = new TreeMap<>();
    /** What becomes of questions; by their first byte. */
    private volatile Way way = (member, kind, question) -> null;
    private final List<String> questions = Collections.synchronizedList(new ArrayList<>());

    /** What happens to a question on its way. */
    private interface Way {
        /** Null for the answer of the one who is asked. */
        CompletableFuture<byte[]> of(String member, int kind, byte[] question);
    }

    /** A member's view of what ZooKeeper has. */
    private final class Shared implements SharedSchema {
        private volatile long adopted;

        private void requireAnswer() throws IOException {
            if (!answers) {
                throw new IOException("no answer");
            }
        }

        @Override
        public Version newest() throws IOException {
            requireAnswer();
            synchronized (versions) {
                return versions.get((long) versions.size());
            }
        }

        @Override
        public Version next(long number) throws IOException {
            requireAnswer();
            synchronized (versions) {
                return versions.get(number + 1);
            }
        }

        @Override
        public boolean publish(Version version, Held held) throws IOException {
            requireAnswer();
            synchronized (versions) {
                boolean may = version.number() == versions.size() + 1 && (held == Held.ALONE || held.turn() == turn);
                if (may) {
                    versions.put(version.number(), version);
                }
                return may;
            }
        }

        @Override
        public long turn() {
            synchronized (versions) {
                return turn;
            }
        }

        @Override
        public void endTurn(long ended) throws IOException {
            requireAnswer();
            if (!answersLate) {
                throw new IOException("no answer yet");
            }
            synchronized (versions) {
                turn += ended == turn ? 1 : 0;
            }
        }

        @Override
        public long adopted() {
            return adopted;
        }

        @Override
        public void adopted(long number) {
            adopted = number;
        }

        @Override
        public void hindered(String why) {
            // Nothing is applied here.
        }
    }

    private final class Member implements ClusterSchema.Others {
        final String name;
        final Shared shared = new Shared();
        final Map<String, TestReplica> replicas = new TreeMap<>();
        final Map<String, Partition> open = new TreeMap<>();
        final Schema schema;
        final ClusterSchema cluster;
        final SchemaFollower follower;
        final SchemaUpdates updates;
        volatile boolean asks = true;

        Member(String name, long limitMillis, List<Path> files) throws IOException, DirectoryException {
            this.name = name;
            Path data = folder.newFolder().toPath();
            schema = Schema.load(files, data.resolve("schema.ldif"));
            cluster = new ClusterSchema(shared, () -> Map.copyOf(open), this, limitMillis);
            OnlineSchema online = new OnlineSchema(data.resolve("schema.ldif"), AtomicFile.onDisk(), cluster);
            follower = SchemaFollower.start(schema, online, data.resolve("mark"));
            for (Map.Entry<String, String> each : leaders.entrySet()) {
                open(data, each.getKey(), each.getValue());
            }
            updates = new SchemaUpdates(schema, () -> List.copyOf(open.values()), online);
            members.put(name, this);
        }

        private void open(Path data, String partition, String leader) throws DirectoryException {
            TestReplica replica = new TestReplica();
            replica.role = leader.equals(name) ? Replica.Role.LEADER : Replica.Role.REPLICA;
            replica.refusal = leader.equals(name) ? null : NotLeaderException.handingOn("this replica takes no updates", leader);
            replicas.put(partition, replica);
            List<IndexDefinition> indexes = List.of(new IndexDefinition(schema.attributeType("objectClass"), Set.of(IndexKind.EQUALITY), 1000));
            open.put(partition, new Partition(schema, Dn.parse(schema, SUFFIX), indexes, replica.in(JdbmStore.open(data.resolve(partition),
                    StoreSettings.defaults(), new AttributeIndexer(schema, indexes)))));
        }

        @Override
        public String own() {
            return name;
        }

        @Override
        public boolean asks() {
            return asks;
        }

        @Override
        public CompletableFuture<byte[]> ask(String member, byte[] question) {
            questions.add(name + " " + (question[0] == HOLD ? "hold " : "release ") + member);
            CompletableFuture<byte[]> other = way.of(member, question[0], question);
            return other != null ? other : members.get(member).cluster.holds().answer(question);
        }

        CompletableFuture<Void> change(Modification.Kind kind, String attribute, String value) {
            return updates.modify(List.of(new Modification(kind, attribute, List.of(value.getBytes(StandardCharsets.UTF_8)))), false);
        }

        void add(String attribute, String value) throws Exception {
            Await.result("a change of the schema", change(Modification.Kind.ADD, attribute, value));
        }

        CompletableFuture<?> addEntry(String partition, String... pairs) throws DirectoryException {
            List<Attribute> attributes = new ArrayList<>();
            for (int i = 0; i < pairs.length; i += 2) {
                List<byte[]> values = new ArrayList<>();
                for (String value : pairs[i + 1].split(" ")) {
                    values.add(value.getBytes(StandardCharsets.UTF_8));
                }
                attributes.add(new Attribute(pairs[i], values));
            }
            return new Updates(open.get(partition)).add(Dn.parse(schema, SUFFIX), attributes, new UpdateOrigin("cn=Test", Instant.EPOCH));
        }

        boolean knowsBadge() {
            return schema.attributeType("acmeBadge") != null;
        }

        void close() {
            follower.close();
            open.values().forEach(Partition::close);
        }
    }

    @After
    public void close() {
        members.values().forEach(Member::close);
    }

    /** Three members; a leads one, b two and four, c three. */
    private void start(long limitMillis) throws Exception {
        leaders.putAll(Map.of("one", "a", "two", "b", "three", "c", "four", "b"));
        for (String each : List.of("a", "b", "c")) {
            new Member(each, limitMillis, List.of());
        }
    }

    private Member member(String name) {
        return members.get(name);
    }

    private static DirectoryException refusal(CompletableFuture<?> work) {
        CompletionException e = assertThrows(CompletionException.class, () -> work.orTimeout(Await.MILLIS, TimeUnit.MILLISECONDS).join());
        return (DirectoryException) e.getCause();
    }

    private static void assertRefused(ResultCode code, String message, CompletableFuture<?> work) {
        DirectoryException e = refusal(work);
        assertTrue(e.getMessage(), e.getMessage().contains(message));
        assertEquals(e.getMessage(), code, e.resultCode());
    }

    /** What a member asks that dies then, or does not. */
    private Map<String, SharedSchema.Position> ask(String member, SchemaQuestion question) throws Exception {
        return SchemaQuestion.positions(Await.result("an answer", member(member).cluster.holds().answer(question.encode())));
    }

    /** The bytes of a version that has the badge, as somebody alone would make them. */
    private byte[] badge() throws Exception {
        Path file = folder.newFolder().toPath().resolve("schema.ldif");
        Schema schema = Schema.load(List.of(), file);
        new SchemaUpdates(schema, List::of, new OnlineSchema(file, AtomicFile.onDisk())).modify(List.of(new Modification(Modification.Kind.ADD, "attributeTypes",
                List.of(BADGE.getBytes(StandardCharsets.UTF_8)))), false).join();
        return Files.readAllBytes(file);
    }

    private SchemaQuestion holdOfBadge(String... partitions) throws Exception {
        return SchemaQuestion.hold(UUID.randomUUID(), "a", member("a").shared.turn(), badge(), List.of(partitions));
    }

    @Test
    public void anyMemberChangesTheSchemaAndAllThatLeadGoByItThen() throws Exception {
        start(Await.MILLIS);
        member("a").add("attributeTypes", BADGE);
        for (Member each : members.values()) {
            assertTrue(each.name + " leads, and was told before the client", each.knowsBadge());
            assertEquals(1, each.shared.adopted());
        }
        assertEquals("in the order of the partitions, and each for all of its own", List.of("a hold b", "a hold c"),
                questions.stream().filter(each -> each.contains("hold")).toList());
        member("c").add("objectClasses", PERSON);
        for (Map.Entry<String, String> each : leaders.entrySet()) {
            Await.result("an update", member(each.getValue()).addEntry(each.getKey(), BADGED));
        }
        SharedSchema.Version version = versions.get(2L);
        assertEquals(leaders.keySet(), version.behind().keySet());
        assertEquals(new SharedSchema.Position(7, 0), version.behind().get("two"));
        CompletableFuture<Void> dry = member("b").updates.modify(List.of(new Modification(Modification.Kind.ADD, "attributeTypes",
                List.of(OTHER_BADGE.replace("1.1 ", "1.2 ").replace("Badge", "Other").getBytes(StandardCharsets.UTF_8)))), true);
        // What others have written is not here yet.
        for (Map.Entry<String, String> each : leaders.entrySet()) {
            giveAll(each.getKey(), each.getValue());
        }
        assertEquals(ResultCode.NO_OPERATION, refusal(dry).resultCode());
        assertEquals(2, versions.size());
    }

    /** All members show what one has written. */
    private void giveAll(String partition, String leader) throws Exception {
        for (Member each : members.values()) {
            if (!each.name.equals(leader)) {
                Await.result("what another one has", each.addEntry(partition, PLAIN));
            }
        }
    }

    @Test
    public void aDeletionIsRefusedByAnEntryThatAnotherMemberHasWritten() throws Exception {
        start(Await.MILLIS);
        member("a").add("attributeTypes", BADGE);
        member("a").add("objectClasses", PERSON);
        Await.result("an update", member("b").addEntry("two", BADGED));
        CompletableFuture<Void> deletion = member("a").change(Modification.Kind.DELETE, "objectClasses", PERSON);
        Thread.sleep(100);
        assertFalse("it waits for what was written", deletion.isDone());
        CompletableFuture<?> shown = member("a").addEntry("two", BADGED);
        assertRefused(ResultCode.UNWILLING_TO_PERFORM, "\"" + SUFFIX + "\"", deletion);
        Await.result("what has come", shown);
        assertEquals(2, versions.size());
        Await.result("updates go on", member("c").addEntry("three", BADGED));
    }

    @Test
    public void ofTwoOneIsBusyAtOnceAndNothingWasDone() throws Exception {
        start(Await.MILLIS);
        SchemaQuestion hold = holdOfBadge("two", "four");
        assertEquals(Set.of("two", "four"), ask("b", hold).keySet());
        assertRefused(ResultCode.BUSY, "a is changing the schema, and has updates held on b", member("c").change(Modification.Kind.ADD, "attributeTypes", BADGE));
        assertRefused(ResultCode.BUSY, "a is changing the schema, and has updates held on b", member("b").change(Modification.Kind.ADD, "attributeTypes", BADGE));
        CompletableFuture<?> waiting = member("b").addEntry("two", PLAIN);
        Await.result("what the others lead goes on", member("c").addEntry("three", PLAIN));
        assertFalse(waiting.isDone());
        ask("b", SchemaQuestion.release(UUID.randomUUID(), 0));
        assertFalse("another one", waiting.isDone());
        ask("b", SchemaQuestion.release(hold.id(), 0));
        Await.result("an update", waiting);
        giveAll("two", "b");
        giveAll("three", "c");
        member("a").add("attributeTypes", BADGE);
    }

    /** All at once, again and again: some are busy, and none stops the others. */
    @Test
    public void manyAtOnceEndAll() throws Exception {
        start(Await.MILLIS);
        int made = 0;
        for (int round = 0; round < 10; round++) {
            List<CompletableFuture<Void>> changes = new ArrayList<>();
            for (Member each : members.values()) {
                String number = "1.3.6.1.4.1.99999.3." + round + "." + (each.name.charAt(0) - 'a');
                changes.add(each.change(Modification.Kind.ADD, "attributeTypes", "( " + number + " NAME 'acme" + round + each.name + "' SUP name )"));
            }
            for (CompletableFuture<Void> each : changes) {
                try {
                    Await.result("a change", each);
                    made++;
                } catch (ExecutionException e) {
                    assertEquals(e.getCause().getMessage(), ResultCode.BUSY, ((DirectoryException) e.getCause()).resultCode());
                }
            }
        }
        int all = made;
        assertEquals(all, versions.size());
        assertTrue("" + all, all > 0);
        for (Member each : members.values()) {
            Await.until("the newest version on " + each.name, () -> each.shared.adopted() == all);
        }
    }

    /** Who asks dies before the version: it cannot be made any more when updates have gone on. */
    @Test
    public void updatesGoOnBehindTheLimitAndNoVersionIsMadeThen() throws Exception {
        start(SHORT_MILLIS);
        SchemaQuestion hold = holdOfBadge("two", "four");
        long began = System.nanoTime();
        ask("b", hold);
        CompletableFuture<?> waiting = member("b").addEntry("two", PLAIN);
        Await.result("an update behind the limit", waiting);
        assertTrue(System.nanoTime() - began >= TimeUnit.MILLISECONDS.toNanos(SHORT_MILLIS));
        SharedSchema.Version late = new SharedSchema.Version(1, Map.of(), hold.definitions());
        assertFalse(member("a").shared.publish(late, new SharedSchema.Held(hold.turn(), Map.of())));
        assertThrows("it holds nothing more", DirectoryException.class, () -> ask("b", hold.renewal()));
        assertFalse(member("b").knowsBadge());
    }

    /** Who asks dies behind the version: updates go on by that one. */
    @Test
    public void updatesGoOnByAVersionThatNobodyHasToldOf() throws Exception {
        start(SHORT_MILLIS);
        answersLate = false;
        SchemaQuestion hold = holdOfBadge("two", "four");
        ask("b", hold);
        CompletableFuture<Boolean> knew = member("b").addEntry("two", PLAIN).thenApply(entry -> member("b").knowsBadge());
        assertTrue(member("a").shared.publish(new SharedSchema.Version(1, Map.of("two", new SharedSchema.Position(7, 0)), hold.definitions()),
                new SharedSchema.Held(hold.turn(), Map.of())));
        answersLate = true;
        assertTrue("before the update", Await.result("an update behind the limit", knew));
    }

    @Test
    public void whereZooKeeperDoesNotAnswerUpdatesWaitUntilItDoesOrAnotherOneLeads() throws Exception {
        start(SHORT_MILLIS);
        answers = false;
        ask("b", holdOfBadge("two", "four"));
        CompletableFuture<?> waiting = member("b").addEntry("two", PLAIN);
        Thread.sleep(2 * SHORT_MILLIS);
        assertFalse("it may be that there is a version", waiting.isDone());
        answers = true;
        Await.result("an update", waiting);
        answers = false;
        ask("c", holdOfBadge("three"));
        waiting = member("c").addEntry("three", PLAIN);
        Thread.sleep(2 * SHORT_MILLIS);
        assertFalse(waiting.isDone());
        member("c").replicas.get("three").role = Replica.Role.REPLICA;
        Await.result("the store has the word", waiting);
        answers = true;
    }

    /** It holds nobody up who waits for it. */
    @Test
    public void whoCannotGoByAVersionSaysSoBeforeAndGivesUpLeadingAfterwards() throws Exception {
        leaders.putAll(Map.of("one", "a", "two", "b"));
        new Member("a", SHORT_MILLIS, List.of());
        new Member("b", SHORT_MILLIS, List.of(Files.writeString(folder.getRoot().toPath().resolve("own.ldif"), "dn: cn=schema\nattributeTypes: " + OTHER_BADGE + "\n")));
        assertRefused(ResultCode.UNWILLING_TO_PERFORM, "b could not go by this schema: 1.3.6.1.4.1.99999.1.1 is already defined",
                member("a").change(Modification.Kind.ADD, "attributeTypes", BADGE));
        assertEquals(0, versions.size());
        SchemaQuestion hold = SchemaQuestion.hold(UUID.randomUUID(), "a", 3, new byte[0], List.of("two"));
        assertThrows(DirectoryException.class, () -> ask("b", hold));
    }

    /** As a leader whose disk is full. */
    @Test
    public void aLeaderThatDoesNotComeToAVersionLetsOthersLead() throws Exception {
        start(SHORT_MILLIS);
        answersLate = false;
        SchemaQuestion hold = holdOfBadge("two");
        ask("b", hold);
        CompletableFuture<?> waiting = member("b").addEntry("two", PLAIN);
        // What is never here.
        assertTrue(member("a").shared.publish(new SharedSchema.Version(1, Map.of("three", new SharedSchema.Position(7, 5)), hold.definitions()),
                new SharedSchema.Held(hold.turn(), Map.of())));
        answersLate = true;
        ask("b", SchemaQuestion.release(hold.id(), 1));
        Await.until("another leader", () -> member("b").replicas.get("two").role == Replica.Role.REPLICA);
        Await.result("the store has the word", waiting);
    }

    /** What looks at many entries takes longer than the limit. */
    @Test
    public void aHoldLastsAsLongAsItIsNeeded() throws Exception {
        start(SHORT_MILLIS);
        AtomicReference<CompletableFuture<?>> waiting = new AtomicReference<>();
        try (SchemaTurn turn = member("a").cluster.turn()) {
            turn.hold(badge());
            waiting.set(member("c").addEntry("three", PLAIN));
            Thread.sleep(2 * SHORT_MILLIS);
            assertFalse(waiting.get().isDone());
            assertEquals("the turn has not ended", 3, member("a").shared.turn());
        }
        Await.result("what has waited", waiting.get());
    }

    @Test
    public void anAnswerThatIsLostLeavesNothingHeld() throws Exception {
        start(SHORT_MILLIS);
        way = (member, kind, question) -> {
            if (member.equals("c") && kind == HOLD) {
                member("c").cluster.holds().answer(question);
                return new CompletableFuture<>();
            }
            return null;
        };
        assertRefused(ResultCode.BUSY, "c, which leads three, has not held updates within " + SHORT_MILLIS + " ms", member("a").change(Modification.Kind.ADD, "attributeTypes", BADGE));
        way = (member, kind, question) -> null;
        assertTrue(questions.contains("a release c"));
        member("a").add("attributeTypes", BADGE);
    }

    /** And nothing of what is told when all is done: each finds out. */
    @Test
    public void aWordThatIsLostIsNotNeeded() throws Exception {
        start(SHORT_MILLIS);
        way = (member, kind, question) -> kind == RELEASE ? new CompletableFuture<>() : null;
        CompletableFuture<Void> change = member("a").change(Modification.Kind.ADD, "attributeTypes", BADGE);
        Await.until("a version", () -> member("a").shared.adopted() == 1);
        Await.result("an update behind the limit", member("c").addEntry("three", PLAIN));
        assertTrue(member("c").knowsBadge());
        Await.result("the change", change);
    }

    /** It takes the question for an update. */
    @Test
    public void aBuildThatDoesNotKnowTheQuestionIsNamed() throws Exception {
        start(Await.MILLIS);
        way = (member, kind, question) -> member.equals("c") ? CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN,
                "what was handed on cannot be read (tag 0x63, expected 0x30), as of a member of another version; nothing was done")) : null;
        DirectoryException e = refusal(member("a").change(Modification.Kind.ADD, "attributeTypes", BADGE));
        assertEquals(ResultCode.UNAVAILABLE, e.resultCode());
        assertTrue(e.getMessage(), e.getMessage().startsWith("c, which leads three, has not held updates (what was handed on cannot be read"));
        assertTrue(e.getMessage(), e.getMessage().contains("upgrade it, or have one member lead all partitions"));
        Await.result("b holds nothing more", member("b").addEntry("two", PLAIN));
        assertEquals(0, versions.size());
    }

    @Test
    public void whoCannotBeAskedIsNamedAndWhatToDo() throws Exception {
        start(SHORT_MILLIS);
        Member a = member("a");
        a.replicas.get("three").refusal = NotLeaderException.handingOn("none is known", null);
        assertRefused(ResultCode.UNAVAILABLE, "nobody leads three now", a.change(Modification.Kind.ADD, "attributeTypes", BADGE));
        a.replicas.get("three").refusal = new NotLeaderException("that is node1", "ldap://node1");
        assertRefused(ResultCode.UNAVAILABLE, "node1 leads three, and cannot be asked to hold updates of it, as its line in the cluster file has no updates=PORT",
                a.change(Modification.Kind.ADD, "attributeTypes", BADGE));
        a.replicas.get("three").refusal = NotLeaderException.handingOn("that is c", "c");
        way = (member, kind, question) -> member.equals("b") ? null
                : CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, member + " cannot be asked: refused"));
        assertRefused(ResultCode.UNAVAILABLE, "c, which leads three, cannot be asked to hold updates: c cannot be asked: refused",
                a.change(Modification.Kind.ADD, "attributeTypes", BADGE));
        a.asks = false;
        assertRefused(ResultCode.UNWILLING_TO_PERFORM, "does not lead four, three, two, nor asks those that do", a.change(Modification.Kind.ADD, "attributeTypes", BADGE));
        a.replicas.get("one").role = Replica.Role.FAILED;
        a.replicas.get("one").refusal = new StoreException(StoreException.Kind.OUTDATED, "it needs a copy");
        a.asks = true;
        assertRefused(ResultCode.UNAVAILABLE, "what a holds of one applies nothing any more", a.change(Modification.Kind.ADD, "attributeTypes", BADGE));
    }

    @Test
    public void aMemberThatDoesNotLeadWhatItIsAskedForHoldsNothing() throws Exception {
        start(Await.MILLIS);
        assertThrows(DirectoryException.class, () -> ask("b", holdOfBadge("four", "nowhere")));
        Await.result("nothing is held", member("b").addEntry("four", PLAIN));
        DirectoryException e = assertThrows(DirectoryException.class, () -> ask("b", holdOfBadge("three", "two")));
        assertEquals("b does not lead three any more: try again", e.getMessage());
        Await.result("nothing is held", member("b").addEntry("two", PLAIN));
        e = assertThrows(DirectoryException.class, () -> ask("b", holdOfBadge("two").renewal()));
        assertEquals(ResultCode.BUSY, e.resultCode());
    }

    @Test
    public void questionsAreThoseOfThePageAndNothingElseIsTakenForOne() throws Exception {
        SchemaQuestion hold = SchemaQuestion.hold(new UUID(1, 2), "a", 3, new byte[] {9}, List.of("p"));
        byte[] bytes = hold.encode();
        assertArrayEquals(new byte[] {0x63, 0x23, 2, 1, 1, 4, 16, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 4, 1, 'a', 2, 1, 3, 4, 1, 9, 0x30, 3, 4, 1, 'p'}, bytes);
        SchemaQuestion again = SchemaQuestion.decode(bytes);
        assertEquals(List.of("p"), again.partitions());
        assertArrayEquals(new byte[] {9}, again.definitions());
        assertEquals(hold.id(), again.id());
        SchemaQuestion release = SchemaQuestion.decode(SchemaQuestion.release(new UUID(1, 2), 7).encode());
        assertTrue(release.isRelease());
        assertEquals(7, release.number());
        assertThrows(BerException.class, () -> SchemaQuestion.decode(new byte[] {0x63}));
        assertThrows(BerException.class, () -> SchemaQuestion.decode(new byte[(2 << 20) + 1]));
        bytes[4] = 2;
        assertThrows("another version", BerException.class, () -> SchemaQuestion.decode(bytes));
        assertThrows(BerException.class, () -> SchemaQuestion.decode(SchemaQuestion.hold(new UUID(1, 2), "a", 3, new byte[0],
                Collections.nCopies(1001, "p")).encode()));
        assertThrows(BerException.class, () -> SchemaQuestion.decode(SchemaQuestion.hold(new UUID(1, 2), "a", 3, new byte[0],
                List.of("p".repeat(256))).encode()));
        assertEquals(Map.of("p", new SharedSchema.Position(3, 4)), SchemaQuestion.positions(SchemaQuestion.answer(Map.of("p", new SharedSchema.Position(3, 4)))));
        start(Await.MILLIS);
        assertNotNull(member("a").cluster.holds().answer(new byte[] {0x63, 0}));
        assertNull(versions.get(1L));
    }
}
