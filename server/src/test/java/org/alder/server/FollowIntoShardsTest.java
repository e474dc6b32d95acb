package org.alder.server;

import static org.alder.server.FollowTest.add;
import static org.alder.server.FollowTest.awaitFigure;
import static org.alder.server.FollowTest.describe;
import static org.alder.server.FollowTest.figure;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.partition.tree.Shard;
import org.alder.server.cli.CommandRun;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A partition with shards that follows one without, or one with another number of them (docs/sharding.md), which is how a naming context gets shards. */
public class FollowIntoShardsTest {
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final int SHARDS = 3;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer follow(int port, String... lines) throws Exception {
        List<String> all = new ArrayList<>(List.of("distribution: hash", "shards: " + SHARDS, "index: entryUUID eq", "followDeletedPercent: 100"));
        all.addAll(List.of(lines));
        return FollowTest.follow(folder.getRoot().toPath(), port, all.toArray(new String[0]));
    }

    private static int shard(String dn) {
        return Shard.numberOf(TestServer.dn(SUFFIX), TestServer.dn(dn), SHARDS);
    }

    /** Directly below the suffix, in another shard than a name. */
    private static String unitElsewhere(String than, String prefix) {
        for (int i = 0;; i++) {
            String dn = "ou=" + prefix + i + "," + SUFFIX;
            if (shard(dn) != shard(than)) {
                return dn;
            }
        }
    }

    private static String rdn(String dn) {
        return dn.substring(0, dn.indexOf(','));
    }

    /** Each entry is where its name says, and indexes are those of the entries. */
    private void verify() throws Exception {
        Path root = folder.getRoot().toPath();
        CommandRun.of("verify", "--data", root.resolve("data"), "--conf", root.resolve("my.ldif")).succeeds();
    }

    @Test
    public void copiesWhatIsThereAndWhatChanges() throws Exception {
        try (TestServer provider = new TestServer(); LDAPConnection theirs = provider.admin()) {
            for (int i = 0; i < 10; i++) {
                add(theirs, "ou=unit" + i + "," + SUFFIX);
                add(theirs, "cn=below,ou=unit" + i + "," + SUFFIX);
            }
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
                assertNull("said once, of shard 0", ours.getEntry("cn=partition-2,cn=Monitor").getAttributeValue("alderFollowState"));
                describe(theirs, SUFFIX, "changed");
                describe(theirs, "cn=below,ou=unit1," + SUFFIX, "changed");
                theirs.delete("cn=below,ou=unit2," + SUFFIX);
                theirs.modifyDN("cn=below,ou=unit3," + SUFFIX, "cn=other", true);
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                LDAPException refused = assertThrows(LDAPException.class, () -> describe(ours, "ou=unit1," + SUFFIX, "here"));
                assertEquals(ResultCode.REFERRAL, refused.getResultCode());
                assertEquals("1", figure(ours, "alderFollowRefreshes"));
            }
            describe(theirs, "ou=unit4," + SUFFIX, "while it was away");
            theirs.delete("cn=below,ou=unit5," + SUFFIX);
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
                assertEquals("only what changed is told", "2", figure(ours, "alderFollowTold"));
            }
        }
        verify();
    }

    @Test
    public void movesSubtreesFromShardToShard() throws Exception {
        String from = "ou=from," + SUFFIX;
        String to = unitElsewhere(from, "to");
        String above = unitElsewhere(to, "above");
        try (TestServer provider = new TestServer(); LDAPConnection theirs = provider.admin();
                ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
            add(theirs, from);
            add(theirs, above);
            add(theirs, "ou=deep," + from);
            // More than go in one transaction.
            for (int i = 0; i < 700; i++) {
                add(theirs, "cn=" + i + (i % 2 == 0 ? "," : ",ou=deep,") + from);
            }
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            awaitFigure(ours, "alderFollowState", "following");
            assertNotEquals(shard(from), shard(to));
            theirs.modifyDN(from, rdn(to), true);
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            assertEquals(352, ours.search(to, SearchScope.ONE, "(objectClass=*)").getEntryCount() + 1);
            theirs.modifyDN("ou=deep," + to, "ou=deep", true, above);
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            // Two that change names, in two shards.
            theirs.modifyDN(to, "ou=between", true);
            theirs.modifyDN(above, rdn(to), true);
            theirs.modifyDN("ou=between," + SUFFIX, rdn(above), true);
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            assertEquals("nothing is new", "0", figure(ours, "alderFollowDeleted"));
            assertNull(figure(ours, "alderFollowReason"));
        }
        verify();
    }

    @Test
    public void aSubtreeThatWouldBeTooDeepInAnotherShardStaysWhereItWas() throws Exception {
        String from = "ou=from," + SUFFIX;
        String above = unitElsewhere(from, "above");
        try (TestServer provider = new TestServer(); LDAPConnection theirs = provider.admin();
                ConfiguredServer copy = follow(provider.port(), "maxEntryDepth: 5"); LDAPConnection ours = copy.admin()) {
            for (String dn : new String[] {from, above, "ou=deep," + from, "cn=leaf,ou=deep," + from}) {
                add(theirs, dn);
            }
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            Map<String, String> before = FollowedContent.of(ours, SUFFIX);
            theirs.modifyDN(from, "ou=from", true, above);
            Await.value("the reason", () -> String.valueOf(figure(ours, "alderFollowReason")), reason -> reason.contains("maxEntryDepth"));
            assertEquals(before, FollowedContent.of(ours, SUFFIX));
            theirs.delete("cn=leaf,ou=deep,ou=from," + above);
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
        }
        verify();
    }

    @Test
    public void isNotLostOverCutConnectionsAndRestarts() throws Exception {
        Random random = Seed.random(FollowIntoShardsTest.class);
        try (TestServer provider = new TestServer(); LDAPConnection theirs = provider.admin(); CutProxy proxy = new CutProxy(provider.port())) {
            for (int start = 0; start < 4; start++) {
                try (ConfiguredServer copy = follow(proxy.port()); LDAPConnection ours = copy.admin()) {
                    for (int i = 0; i < 80; i++) {
                        FollowTest.change(theirs, random, start * 100 + i);
                        if (random.nextInt(10) == 0) {
                            proxy.cut();
                        }
                        if (random.nextInt(40) == 0) {
                            provider.forgetChanges();
                        }
                    }
                    if (random.nextBoolean()) {
                        FollowedContent.awaitSame(theirs, ours, SUFFIX);
                    }
                }
            }
            try (ConfiguredServer copy = follow(proxy.port()); LDAPConnection ours = copy.admin()) {
                awaitFigure(ours, "alderFollowState", "following");
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
        }
        verify();
    }

    /** When following stops, the shards take what clients change, also a name that is another shard's. */
    @Test
    public void takesUpdatesWhenFollowingStops() throws Exception {
        try (TestServer provider = new TestServer(); LDAPConnection theirs = provider.admin();
                ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
            for (int i = 0; i < 50; i++) {
                theirs.add(new Entry("uid=s" + i + "," + SUFFIX, new Attribute("objectClass", "account"), new Attribute("uid", "s" + i)));
            }
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            ours.modify("cn=first,cn=config", new Modification(ModificationType.DELETE, "followProvider"),
                    new Modification(ModificationType.DELETE, "followBindDn"), new Modification(ModificationType.DELETE, "followPasswordFile"));
            Await.value("it goes on from nowhere", () -> String.valueOf(ours.getEntry(SUFFIX, "alderFollowCookie").getAttributeValue("alderFollowCookie")), "null"::equals);
            describe(ours, "uid=s1," + SUFFIX, "here");
            ours.modifyDN("uid=s2," + SUFFIX, "uid=elsewhere", true);
            ours.delete("uid=s3," + SUFFIX);
            assertEquals(49, ours.search(SUFFIX, SearchScope.SUB, "(objectClass=account)").getEntryCount());
        }
        verify();
    }
}
