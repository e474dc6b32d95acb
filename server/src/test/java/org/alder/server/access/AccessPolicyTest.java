package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.schema.AttributeType;
import org.alder.server.TestServer;
import org.alder.server.auth.Identity;
import org.junit.Test;

/** What rules come to for one identity, before entries are looked at. */
public class AccessPolicyTest {
    private static final Dn SUFFIX = TestServer.dn(TestServer.SUFFIX);
    private static final Dn OWN = TestServer.dn(TestServer.userDn(1));
    private static final Dn OTHER = TestServer.dn(TestServer.userDn(2));
    private static final Identity USER = new Identity(OWN, false);

    private static AccessPolicy policy(AccessPolicy.Memberships memberships, String... lines) {
        return new AccessPolicy(TestServer.SCHEMA, List.of(SUFFIX), HiddenEntriesTest.rules(lines), memberships);
    }

    private static IdentityAccess access(String... lines) {
        return policy(AccessPolicy.Memberships.NONE, lines).of(new Requester(USER, null));
    }

    private static AttributeType type(String name) {
        return TestServer.SCHEMA.attributeType(name);
    }

    private record Connection(InetAddress address, int strength, boolean isTls, String mechanism) implements Requester.Connection {
    }

    @Test
    public void theFirstRuleDecides() {
        EntryRights rights = access("deny read of sn to users", "grant view of sn, cn to users", "deny all to anyone").byName(OTHER);
        assertFalse(rights.may(Right.READ, type("sn")));
        assertTrue(rights.may(Right.SEARCH, type("sn")));
        assertTrue(rights.may(Right.READ, type("cn")));
        assertFalse("nothing said", rights.may(Right.READ, type("mail")));
        assertEquals("deny read of sn to users", rights.deciding(Right.READ, type("sn")).text());
        assertEquals("deny all to anyone", rights.deciding(Right.DELETE, null).text());
        assertNull(rights.deciding(Right.PROXY, null));
    }

    @Test
    public void someValuesAreDecidedApart() {
        EntryRights rights = access("deny write of title values (title=Dr*) to users", "grant write of title to users").byName(OTHER);
        assertFalse(rights.may(Right.WRITE, type("title"), "Dr No".getBytes(StandardCharsets.UTF_8)));
        assertTrue(rights.may(Right.WRITE, type("title"), "Boss".getBytes(StandardCharsets.UTF_8)));
        assertFalse("not for every value", rights.may(Right.WRITE, type("title")));
        assertTrue("but for some", rights.mayAny(Right.WRITE, type("title")));
    }

    @Test
    public void whoMayReadEverythingAlikeIsToldSoWithoutALookAtEntries() {
        for (String[] lines : new String[][] {
                {"grant view to users"},
                {"default"},
                {"grant write of sn to self", "grant view in \"ou=users," + TestServer.SUFFIX + "\" to users", "grant view to users"},
                {"grant view where (sn=x) to users", "grant view to self", "deny write to self", "grant view to anyone"},
                {"deny all in \"dc=elsewhere\" to anyone", "deny read in base \"\" to anyone", "grant view in \"" + TestServer.SUFFIX + "\" to users"},
                {"deny read to anonymous", "deny read to group \"cn=x\"", "deny read to not users", "grant view to users"},
        }) {
            assertSame(String.join("; ", lines), AttributeAccess.ALL_BUT_SECRETS, access(lines).everywhere());
        }
        assertSame(AttributeAccess.NONE, access("grant search, compare to users").everywhere());
        assertSame(AttributeAccess.NONE, access("grant view in base \"\" to users").everywhere());
        AttributeAccess some = access("deny read of sn to users", "grant view to users").everywhere();
        assertFalse(some.mayRead(type("sn")));
        assertTrue(some.maySearch(type("sn")));
        for (String[] lines : new String[][] {
                {"grant view in \"ou=users," + TestServer.SUFFIX + "\" to users"},
                {"deny read of sn where (sn=x) to users", "grant view to users"},
                {"deny search of sn to self", "grant view to users"},
                {"grant read of userPassword to self", "grant view to users"},
                {"deny read to namedBy manager", "grant view to users"},
        }) {
            assertNull(String.join("; ", lines), access(lines).everywhere());
        }
    }

    @Test
    public void namesDecideWhatTheyCan() {
        IdentityAccess access = access("grant view in \"ou=users," + TestServer.SUFFIX + "\" to self",
                "grant view in children \"ou=x," + TestServer.SUFFIX + "\" where (sn=x) to users");
        assertTrue(access.byName(OWN).mayFind());
        assertFalse(access.byName(OTHER).mayFind());
        assertNull(access.byName(TestServer.dn("cn=a,ou=x," + TestServer.SUFFIX)));
        assertFalse(access.byName(TestServer.dn("ou=x," + TestServer.SUFFIX)).mayFind());
        assertSame(access.byName(SUFFIX), access.byName(OTHER));
    }

    @Test
    public void rulesSpeakToGroupsAsTheyAreNow() throws Exception {
        Set<Dn> groups = new HashSet<>();
        boolean[] fails = new boolean[1];
        AtomicReference<List<AccessRule>> rules = new AtomicReference<>(
                HiddenEntriesTest.rules("deny all to group \"cn=banned\"", "grant view to group \"cn=Readers\""));
        List<Dn> suffixes = List.of(SUFFIX);
        AccessPolicy policy = new AccessPolicy(TestServer.SCHEMA, () -> suffixes, rules::get, member -> {
            if (fails[0]) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "too many");
            }
            return member.equals(OWN) ? Set.copyOf(groups) : Set.of();
        });
        Requester user = new Requester(USER, null);
        IdentityAccess before = policy.of(user);
        assertSame(AttributeAccess.NONE, before.everywhere());
        groups.add(TestServer.dn("CN=readers"));
        IdentityAccess after = policy.of(user);
        assertSame(AttributeAccess.ALL_BUT_SECRETS, after.everywhere());
        assertFalse(after.isSame(before));
        groups.add(TestServer.dn("cn=others"));
        assertSame("a group that no rule is about", after, policy.of(user));
        assertSame(AttributeAccess.NONE, policy.of(new Requester(new Identity(OTHER, false), null)).everywhere());
        fails[0] = true;
        assertSame("nothing is allowed while it cannot be told", AttributeAccess.NONE, policy.of(user).everywhere());
        fails[0] = false;
        groups.add(TestServer.dn("cn=banned"));
        assertSame(AttributeAccess.NONE, policy.of(user).everywhere());
        rules.set(HiddenEntriesTest.rules("default"));
        assertSame(AttributeAccess.ALL_BUT_SECRETS, policy.of(user).everywhere());
    }

    @Test
    public void rulesAskForConnections() throws UnknownHostException {
        AccessPolicy policy = policy(AccessPolicy.Memberships.NONE, "deny read to not address 10.0.0.0/8, 2001:db8::/32, unix",
                "deny search to not (ssf 128 or mechanism EXTERNAL)", "deny compare to not tls", "grant view to users");
        InetAddress inside = InetAddress.getByName("10.1.2.3");
        InetAddress outside = InetAddress.getByName("11.1.2.3");
        record Case(Connection connection, boolean read, boolean search, boolean compare) {
        }
        for (Case one : List.of(new Case(new Connection(inside, 256, true, "SIMPLE"), true, true, true),
                new Case(new Connection(outside, 128, true, "SIMPLE"), false, true, true),
                new Case(new Connection(InetAddress.getByName("2001:db8::1"), 0, false, "SIMPLE"), true, false, false),
                new Case(new Connection(inside, 112, true, "EXTERNAL"), true, true, true),
                new Case(new Connection(null, 256, false, "EXTERNAL"), true, true, false))) {
            EntryRights rights = policy.of(new Requester(USER, one.connection)).byName(OTHER);
            assertEquals(one.toString(), one.read, rights.may(Right.READ, type("sn")));
            assertEquals(one.toString(), one.search, rights.may(Right.SEARCH, type("sn")));
            assertEquals(one.toString(), one.compare, rights.may(Right.COMPARE, type("sn")));
        }
        assertNotSame(policy.of(new Requester(USER, new Connection(inside, 0, false, ""))),
                policy.of(new Requester(USER, new Connection(outside, 0, false, ""))));
        assertSame("what no rule asks for makes no difference", policy.of(new Requester(USER, new Connection(inside, 200, true, "PLAIN"))),
                policy.of(new Requester(USER, new Connection(inside, 256, true, "SIMPLE"))));
    }

    @Test
    public void manyKindsOfEntriesAreDecidedRightly() {
        String[] lines = new String[40];
        for (int i = 0; i < 39; i++) {
            lines[i] = (i % 2 == 0 ? "deny" : "grant") + " read of sn in base \"uid=user." + (i + 10) + ",ou=users," + TestServer.SUFFIX + "\" to users";
        }
        lines[39] = "grant view to users";
        IdentityAccess access = access(lines);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 60; i++) {
                boolean denied = i >= 10 && i < 49 && i % 2 == 0;
                EntryRights rights = access.byName(TestServer.dn(TestServer.userDn(i)));
                assertEquals("user " + i, !denied, rights.may(Right.READ, type("sn")));
                assertEquals("user " + i, !denied, rights.reading().mayRead(type("sn")));
            }
        }
    }
}
