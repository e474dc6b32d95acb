package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.server.follow.FollowOrders;
import org.alder.server.follow.FollowSettings;
import org.alder.server.follow.Follows;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A partition of a cluster that follows another server: the member that leads it does, and no other one. */
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
}
