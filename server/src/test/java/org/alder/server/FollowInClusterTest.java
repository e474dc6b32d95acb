package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.alder.partition.Partition;
import org.alder.partition.error.StoreException;
import org.alder.partition.testing.Await;
import org.alder.partition.update.copy.CopiedBatch;
import org.alder.server.follow.FollowOrders;
import org.alder.server.follow.FollowSettings;
import org.alder.server.follow.Follows;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A partition of a cluster that follows another server: the member that leads it does, or the first one of its shards, and no other one. */
public class FollowInClusterTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Follows follows(TestServer provider) throws Exception {
        Path password = folder.getRoot().toPath().resolve("password");
        Files.writeString(password, TestServer.ADMIN_PASSWORD + "\n");
        return new Follows(List.of(new FollowSettings(TestServer.dn(TestServer.SUFFIX), "ldap://127.0.0.1:" + provider.port(),
                new FollowSettings.Login(TestServer.ADMIN, password, null), "(objectClass=*)", null, false, null, 100, 1, false)), new FollowOrders());
    }

    private static String figure(LDAPConnection member, String name) throws LDAPException {
        return member.getEntry("cn=partition-1,cn=Monitor").getAttributeValue(name);
    }

    @Test
    public void whoLeadsFollowsAndWhoDoesNotWaits() throws Exception {
        try (TestServer provider = new TestServer(); LDAPConnection theirs = provider.admin()) {
            FollowTest.add(theirs, "cn=a," + USERS);
            Follows follows = follows(provider);
            try (TestMembers members = new TestMembers(settings -> settings, settings -> settings.with(draft -> draft.follows = follows));
                    LDAPConnection replica = members.replica.admin()) {
                Await.value("the state", () -> figure(replica, "alderFollowState"), "waiting"::equals);
                assertEquals("this replica takes no updates; nothing was done", figure(replica, "alderFollowReason"));
                assertEquals("it has asked nobody", "0", figure(replica, "alderFollowTold"));
                assertNull(replica.getEntry("cn=a," + USERS));
                members.refusal(null);
                Await.value("the state", () -> figure(replica, "alderFollowState"), "following"::equals);
                FollowedContent.awaitSame(theirs, replica, TestServer.SUFFIX);
                members.leads("node1");
                FollowTest.add(theirs, "cn=b," + USERS);
                Await.value("the state", () -> figure(replica, "alderFollowState"), "waiting"::equals);
                assertNull(replica.getEntry("cn=b," + USERS));
                members.refusal(null);
                FollowedContent.awaitSame(theirs, replica, TestServer.SUFFIX);
                assertEquals("by the cookie, without all entries", "TRUE", figure(replica, "alderFollowRefreshed"));
            }
        }
    }

    private static String top(int number) {
        return "cn=top" + number + "," + TestServer.SUFFIX;
    }

    @Test
    public void shardsOfSeveralMembersAreACopyTogether() throws Exception {
        try (TestServer provider = new TestServer(); LDAPConnection theirs = provider.admin()) {
            for (int i = 0; i < 30; i++) {
                FollowTest.add(theirs, top(i));
                FollowTest.add(theirs, "cn=below," + top(i));
            }
            Follows follows = follows(provider);
            try (ShardedMembers members = new ShardedMembers(settings -> settings.with(draft -> draft.follows = follows));
                    LDAPConnection first = members.admin(0); LDAPConnection second = members.admin(1); LDAPConnection third = members.admin(2)) {
                List<LDAPConnection> all = List.of(first, second, third);
                awaitSame(theirs, all);
                Await.value("the state", () -> figure(first, "alderFollowState"), "following"::equals);
                Await.value("the state", () -> figure(second, "alderFollowState"), "waiting"::equals);
                assertEquals("0", figure(third, "alderFollowTold"));
                for (int i = 0; i < 30; i += 3) {
                    FollowTest.describe(theirs, "cn=below," + top(i), "changed " + i);
                    theirs.delete("cn=below," + top(i + 1));
                    theirs.modifyDN(top(i + 2), "cn=renamed" + i, true);
                }
                FollowTest.describe(theirs, TestServer.SUFFIX, "all of it");
                theirs.modifyDN("cn=below," + top(0), "cn=below", true, top(1));
                FollowTest.add(theirs, "cn=last," + USERS);
                awaitSame(theirs, all);
                assertRefusedBehindAnothersTurn(members.shard(1));
            }
        }
    }

    private static void awaitSame(LDAPConnection theirs, List<LDAPConnection> members) throws Exception {
        for (LDAPConnection each : members) {
            FollowedContent.awaitSame(theirs, each, TestServer.SUFFIX);
        }
    }

    /** What somebody sends who has followed before. */
    private static void assertRefusedBehindAnothersTurn(Partition shard) throws Exception {
        long turn = ByteBuffer.wrap(shard.store().systemRecords().get("followed")).getLong();
        Await.result("changes of the one who follows", new CopiedBatch(turn, false, false, List.of()).make(shard));
        ExecutionException refused = assertThrows(ExecutionException.class,
                () -> new CopiedBatch(turn - 1, false, false, List.of()).make(shard).get(Await.SECONDS, TimeUnit.SECONDS));
        assertEquals(refused.toString(), StoreException.Kind.NOT_LEADER, ((StoreException) refused.getCause()).kind());
        Await.result("changes of the one who follows", new CopiedBatch(turn, true, false, List.of()).make(shard));
    }
}
