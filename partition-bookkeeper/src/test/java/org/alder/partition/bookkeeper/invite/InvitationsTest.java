package org.alder.partition.bookkeeper.invite;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.member.ClusterKeys;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Invitation;
import org.alder.partition.store.ClusterService.Newcomer;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Invitations with a ZooKeeper of the test: who gets what is in them, how often, and what comes of it. */
public class InvitationsTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<String> asked = new ArrayList<>();
    private Path root;
    private EmbeddedZooKeeper zooKeeper;
    private ZooKeeperSession session;
    private InvitationNodes nodes;
    private volatile Instant now = Instant.now();

    @Before
    public void start() throws Exception {
        root = folder.getRoot().toPath();
        int[] port = new int[1];
        zooKeeper = TestCluster.onFreePort(found -> {
            port[0] = found;
            return EmbeddedZooKeeper.start(root.resolve("zookeeper-" + found), 1, List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, found, 0, 0)), 500, true);
        });
        session = new ZooKeeperSession(TestCluster.HOST + ":" + port[0], TestCluster.SESSION_MILLIS);
        nodes = new InvitationNodes(session, () -> now);
    }

    @After
    public void close() throws IOException {
        session.close();
        zooKeeper.close();
    }

    private static Deadline limit() {
        return Deadline.in(Await.MILLIS);
    }

    private JoinToken invite(String member) throws IOException {
        JoinToken token = JoinToken.random();
        nodes.put(token.id(), member, SealedText.seal(token, now.plusSeconds(60), member.getBytes(StandardCharsets.US_ASCII)), limit());
        return token;
    }

    private byte[] ask(boolean isKept, JoinToken token, int asker) throws Exception {
        byte[] who = new byte[InvitationRequest.ASKER_BYTES];
        who[0] = (byte) asker;
        return nodes.answer(new InvitationRequest(isKept, token.id(), who).bytes());
    }

    private void assertNone(boolean isKept, JoinToken token, int asker) {
        DirectoryException e = assertThrows(DirectoryException.class, () -> ask(isKept, token, asker));
        assertEquals(ResultCode.NO_SUCH_OBJECT, e.resultCode());
        assertEquals("all alike", "there is no such invitation: it never was, it was used, or it has ended", e.getMessage());
    }

    private int waiting() throws IOException {
        return session.children(InvitationNodes.FOLDER, limit()).size();
    }

    @Test
    public void whoAsksFirstMayAskAgainUntilHeHasItAndNobodyElseGetsIt() throws Exception {
        JoinToken token = invite("node4");
        assertNone(false, JoinToken.random(), 1);
        assertNone(true, token, 1);
        byte[] first = ask(false, token, 1);
        assertArrayEquals("node4".getBytes(StandardCharsets.US_ASCII), SealedText.open(token, first, now));
        assertArrayEquals("the answer was lost", first, ask(false, token, 1));
        assertNone(false, token, 2);
        assertNone(true, token, 2);
        assertNull(ask(true, token, 1));
        assertNone(false, token, 1);
        assertNone(true, token, 1);
        assertEquals(0, waiting());
    }

    @Test
    public void oneEndsAndOneTakesThePlaceOfAnotherOfTheSameName() throws Exception {
        JoinToken before = invite("node4");
        JoinToken token = invite("node4");
        JoinToken other = invite("node5");
        assertNone(false, before, 1);
        assertEquals(2, waiting());
        ask(false, other, 1);
        now = now.plusSeconds(60);
        assertNone(false, token, 1);
        assertNone(false, other, 1);
        assertEquals(0, waiting());
        invite("node6");
        now = now.plusSeconds(60);
        invite("node7");
        assertEquals("what has ended goes with the next one", 1, waiting());
    }

    @Test
    public void noMoreThanTheLimitWait() throws Exception {
        for (int i = 0; i < InvitationNodes.MOST; i++) {
            invite("more" + i);
        }
        StoreException e = assertThrows(StoreException.class, () -> invite("more"));
        assertTrue(e.getMessage(), e.kind() == StoreException.Kind.REFUSED && e.getMessage().contains("16"));
        invite("more0");
    }

    @Test
    public void whatIsNoRequestIsRefused() {
        for (int length = 0; length < 50; length++) {
            byte[] request = new byte[length];
            assertEquals(length == 33 ? ResultCode.NO_SUCH_OBJECT : ResultCode.PROTOCOL_ERROR, assertThrows(DirectoryException.class, () -> nodes.answer(request)).resultCode());
        }
        byte[] kind = new byte[33];
        kind[0] = 2;
        assertEquals(ResultCode.PROTOCOL_ERROR, assertThrows(DirectoryException.class, () -> nodes.answer(kind)).resultCode());
        assertEquals(ResultCode.PROTOCOL_ERROR, assertThrows(DirectoryException.class, () -> nodes.answer(null)).resultCode());
    }

    private static final String TWO = "member: one url=ldap://one host=127.0.0.1 zookeeper=1,2,3 bookie=4 copy=5 updates=6\n"
            + "member: two url=ldap://two host=127.0.0.2 zookeeper=1,2,3 bookie=4 copy=5 updates=6\n";

    private Path file(String more) throws IOException {
        return Files.writeString(root.resolve("one.conf"), "# ours\nname: one\ncopy-mib-per-second: 7\n" + more + TWO);
    }

    private Invitation invite(Newcomer newcomer, MemberKeys keys) throws IOException {
        return Invitations.invite(root.resolve("one.conf"), keys, newcomer, session, limit());
    }

    private byte[] answer(byte[] request) throws IOException {
        asked.add(request[0] == 0 ? "give" : "kept");
        try {
            return nodes.answer(request);
        } catch (DirectoryException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Test
    public void aMachineThatComesHasAFileAndKeysOfItsOwn() throws Exception {
        Path all = root.resolve("keys");
        ClusterKeys.make(ClusterFile.read(file("")).members(), all);
        ClusterFile one = ClusterFile.read(file("tls: keys/one\n"));
        MemberKeys keys = MemberKeys.read(one.keys());
        Invitation made = invite(new Newcomer("three", "ldap://three:389", "127.0.0.3", List.of(), all, 5), keys);
        assertNull(made.advice());
        Path data = root.resolve("data/cluster");
        Path file = Invitations.accept(data, made.token() + "\n", this::answer);
        assertEquals(List.of("give", "kept"), asked);
        assertEquals(data.resolve("member.conf"), file);
        ClusterFile read = ClusterFile.read(file);
        assertEquals("three", read.name());
        assertEquals(7 << 20, read.copyBytesPerSecond());
        assertEquals(new ClusterFile.Node("three", "ldap://three:389", "127.0.0.3", List.of(), 4, 5, 6), read.own());
        assertEquals(one.members(), read.members().subList(0, 2));
        MemberKeys own = MemberKeys.read(read.keys());
        own.checkHost("127.0.0.3");
        assertEquals(keys.authorities(), own.authorities());
        assertArrayEquals(keys.ledgerPassword(), own.ledgerPassword());
        assertFalse(Files.exists(all.resolve("three")));
        for (String name : List.of("member.conf", "keys/member.pem", "keys/ledger.password")) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(name))));
        }
        assertEquals("nobody is asked again", file, Invitations.accept(data, "no token", this::answer));
        assertEquals(2, asked.size());
        assertThrows("used", IOException.class, () -> Invitations.accept(root.resolve("other"), made.token(), this::answer));
        assertFalse(Files.exists(root.resolve("other")));
    }

    @Test
    public void answersAreLostAndChangedOnTheWay() throws Exception {
        file("");
        Invitation made = invite(new Newcomer("three", "ldap://three:389", "127.0.0.3", List.of(), null, 5), null);
        Path data = root.resolve("data");
        StoreException changed = assertThrows(StoreException.class, () -> Invitations.accept(data, made.token(), request -> new byte[60]));
        assertTrue(changed.getMessage(), changed.getMessage().contains("version"));
        assertFalse(Files.exists(data));
        int[] lost = {2};
        Path file = Invitations.accept(data, made.token(), request -> {
            byte[] given = answer(request);
            if (request[0] == 1 || lost[0]-- > 0) {
                throw new IOException("the connection was lost");
            }
            return given;
        });
        assertEquals(List.of("give", "give", "give", "kept"), asked.subList(0, 4));
        assertNull(ClusterFile.read(file).keys());
        assertEquals(0, waiting());
    }

    @Test
    public void aMemberThatIsGoneKeepsItsLineWithAnotherHost() throws Exception {
        file("");
        Invitation made = invite(new Newcomer("two", "ldap://new:389", "127.0.0.9", List.of(), null, 5), null);
        assertTrue(made.advice(), made.advice().contains("host=127.0.0.9") && made.advice().contains("runs a ZooKeeper"));
        ClusterFile read = ClusterFile.read(Invitations.accept(root.resolve("data"), made.token(), this::answer));
        assertEquals(List.of("one", "two"), read.members().stream().map(ClusterFile.Node::name).toList());
        assertEquals(new ClusterFile.Node("two", "ldap://new:389", "127.0.0.9", List.of(1, 2, 3), 4, 5, 6), read.own());
    }

    @Test
    public void whatCannotBeAMemberIsNotInvited() throws Exception {
        Path all = root.resolve("keys");
        ClusterKeys.make(ClusterFile.read(file("")).members(), all);
        Map<String, Newcomer> wrong = Map.of(
                "ports are those of one", new Newcomer("three", "ldap://three", "127.0.0.1", List.of(), null, 5),
                "2 ports", new Newcomer("three", "ldap://three", "127.0.0.1", List.of(7, 8), null, 5),
                "without spaces", new Newcomer("three", "ldap://three", "127.0.0.3\nname: x", List.of(), null, 5),
                "with a name of at most 32", new Newcomer("th_ree", "ldap://three", "127.0.0.3", List.of(), null, 5),
                "expected NAME url=", new Newcomer("three", "http://three", "127.0.0.3", List.of(), null, 5),
                "have no keys", new Newcomer("three", "ldap://three", "127.0.0.3", List.of(), all, 5),
                "is not an address of this machine alone", new Newcomer("three", "ldap://three", "192.0.2.3", List.of(), null, 5));
        for (Map.Entry<String, Newcomer> each : wrong.entrySet()) {
            StoreException e = assertThrows(StoreException.class, () -> invite(each.getValue(), null));
            assertTrue(e.getMessage(), e.getMessage().contains(each.getKey()));
        }
        MemberKeys keys = MemberKeys.read(all.resolve("one"));
        Path others = root.resolve("others");
        ClusterKeys.make(ClusterFile.read(file("")).members(), others);
        file("tls: keys/one\n");
        assertTrue(assertThrows(StoreException.class, () -> invite(new Newcomer("three", "ldap://three", "192.0.2.3", List.of(), null, 5), keys)).getMessage().contains("authority"));
        assertTrue(assertThrows(StoreException.class, () -> invite(new Newcomer("three", "ldap://three", "192.0.2.3", List.of(), others, 5), keys)).getMessage()
                .contains("another authority"));
        assertEquals(0, waiting());
    }

    @Test
    public void aFolderOfAMemberIsNotUsedForAnotherOne() throws Exception {
        file("");
        Invitation made = invite(new Newcomer("three", "ldap://three:389", "127.0.0.3", List.of(), null, 5), null);
        Files.createDirectories(root.resolve("data/bookie"));
        StoreException e = assertThrows(StoreException.class, () -> Invitations.accept(root.resolve("data"), made.token(), this::answer));
        assertTrue(e.getMessage(), e.getMessage().contains("data/bookie is there already"));
        assertEquals(List.of(), asked);
    }
}
