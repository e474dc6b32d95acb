package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.DontUseCopyRequestControl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;

/** A partition that follows another Alder (docs/following.md), which changes, is cut off and is started anew, and so is the copy. */
public class FollowTest {
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final String USERS = "ou=users," + SUFFIX;
    private static final String CONFIGURED = "cn=first,cn=config";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static TestServer provider() {
        TestServer provider = new TestServer();
        return provider;
    }

    private ConfiguredServer follow(int port, String... lines) throws Exception {
        return follow(folder.getRoot().toPath(), port, lines);
    }

    static ConfiguredServer follow(Path root, int port, String... lines) throws Exception {
        Files.writeString(root.resolve("provider.password"), TestServer.ADMIN_PASSWORD + "\n");
        return ConfiguredServer.start(root, ConfiguredServer.SERVER + ConfiguredServer.PARTITION.replace("engine: memory\n", "")
                + "followProvider: ldap://127.0.0.1:" + port + "\nfollowBindDn: " + TestServer.ADMIN
                + "\nfollowPasswordFile: provider.password\nfollowRetrySeconds: 1\n" + String.join("\n", lines) + "\n");
    }

    static String figure(LDAPConnection copy, String name) throws LDAPException {
        SearchResultEntry entry = copy.getEntry("cn=partition-1,cn=Monitor");
        return entry.getAttributeValue(name);
    }

    static void awaitFigure(LDAPConnection copy, String name, String expected) throws Exception {
        Await.value(name + " to be " + expected, () -> figure(copy, name), expected::equals);
    }

    static void add(LDAPConnection server, String dn) throws LDAPException {
        String name = dn.substring(dn.indexOf('=') + 1, dn.indexOf(','));
        server.add(dn.startsWith("ou=") ? new Entry(dn, new Attribute("objectClass", "organizationalUnit"), new Attribute("ou", name))
                : new Entry(dn, new Attribute("objectClass", "device"), new Attribute("cn", name)));
    }

    static void describe(LDAPConnection server, String dn, String description) throws LDAPException {
        server.modify(dn, new Modification(ModificationType.REPLACE, "description", description));
    }

    @Test
    @Requirement(rfc = 4533, section = "3", text = "A client that keeps a copy: what is there, and what changes")
    public void copiesWhatIsThereAndWhatChanges() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin(); ConfiguredServer copy = follow(provider.port());
                LDAPConnection ours = copy.admin()) {
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            awaitFigure(ours, "alderFollowState", "following");
            add(theirs, "cn=a," + USERS);
            describe(theirs, TestServer.userDn(1), "changed");
            theirs.delete(TestServer.userDn(2));
            theirs.modifyDN(TestServer.userDn(3), "uid=moved", true, SUFFIX);
            add(theirs, "ou=deep," + SUFFIX);
            theirs.modifyDN(USERS, "ou=people", true, "ou=deep," + SUFFIX);
            add(theirs, USERS);
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            theirs.modifyDN("cn=a,ou=people,ou=deep," + SUFFIX, "cn=t", true);
            add(theirs, "cn=a,ou=people,ou=deep," + SUFFIX);
            theirs.modifyDN("cn=a,ou=people,ou=deep," + SUFFIX, "cn=b", true);
            theirs.modifyDN("cn=t,ou=people,ou=deep," + SUFFIX, "cn=a", true);
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            assertEquals("1", figure(ours, "alderFollowRefreshes"));
        }
    }

    @Test
    @Requirement(rfc = 4533, section = "3.3", text = "A client goes on with its cookie after a restart")
    public void goesOnAfterARestartWhereItWas() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin()) {
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
            }
            describe(theirs, TestServer.userDn(1), "changed");
            theirs.delete(TestServer.userDn(10));
            theirs.modifyDN(TestServer.userDn(11), "uid=other", true);
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
                assertEquals("only what changed is told", "3", figure(ours, "alderFollowTold"));
            }
            // Names change hands while nobody looks.
            theirs.modifyDN(TestServer.userDn(1), "uid=t", true);
            theirs.modifyDN(TestServer.userDn(2), "uid=user.1", true);
            theirs.modifyDN("uid=t," + USERS, "uid=user.2", true);
            theirs.modifyDN(USERS, "ou=below", true);
            add(theirs, USERS);
            theirs.modifyDN("ou=below," + SUFFIX, "ou=below", true, USERS);
            theirs.delete("uid=user.9,ou=below," + USERS);
            add(theirs, "cn=new," + SUFFIX);
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
                assertNull(figure(ours, "alderFollowReason"));
            }
        }
    }

    /** The entry that was renamed is older than what is below it, so that it need not be told first. */
    @Test
    public void anEntryIsPutBelowTheOneThatHasTheNameNow() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin()) {
            add(theirs, "ou=name," + SUFFIX);
            add(theirs, "cn=below," + SUFFIX);
            add(theirs, "ou=other," + SUFFIX);
            theirs.modifyDN("cn=below," + SUFFIX, "cn=below", true, "ou=other," + SUFFIX);
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
            }
            describe(theirs, "cn=below,ou=other," + SUFFIX, "changed");
            theirs.delete("ou=name," + SUFFIX);
            theirs.modifyDN("ou=other," + SUFFIX, "ou=name", true);
            provider.forgetChanges();
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
        }
    }

    /** Between the two more is told than a transaction takes, so that the entry is put below the one that had the name. */
    @Test
    public void whatWasToldTooEarlyIsAskedForOnceMore() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin()) {
            add(theirs, "cn=below," + SUFFIX);
            for (int i = 0; i < 600; i++) {
                add(theirs, "cn=between." + i + "," + SUFFIX);
            }
            add(theirs, "ou=name," + SUFFIX);
            add(theirs, "cn=old,ou=name," + SUFFIX);
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
            }
            theirs.modifyDN("ou=name," + SUFFIX, "ou=other", true);
            add(theirs, "ou=name," + SUFFIX);
            theirs.modifyDN("cn=below," + SUFFIX, "cn=below", true, "ou=name," + SUFFIX);
            for (int i = 0; i < 600; i++) {
                describe(theirs, "cn=between." + i + "," + SUFFIX, "changed");
            }
            provider.forgetChanges();
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
            }
        }
    }

    @Test
    public void copiesAllShardsOfAServerAndGoesOnWhereItWasInEach() throws Exception {
        String shards = ConfiguredServer.PARTITION + "distribution: hash\nshards: 3\nindex: entryUUID eq\n";
        try (ConfiguredServer provider = ConfiguredServer.start(folder.newFolder("provider").toPath(), ConfiguredServer.SERVER + shards);
                LDAPConnection theirs = provider.admin()) {
            theirs.add("dn: " + SUFFIX, "objectClass: domain", "dc: example");
            for (int i = 0; i < 20; i++) {
                add(theirs, "cn=" + i + "," + SUFFIX);
                add(theirs, "cn=below,cn=" + i + "," + SUFFIX);
            }
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
                for (int i = 0; i < 5; i++) {
                    describe(theirs, "cn=" + i + "," + SUFFIX, "changed");
                    theirs.delete("cn=below,cn=" + i + "," + SUFFIX);
                }
                describe(theirs, SUFFIX, "changed");
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
            for (int i = 0; i < 9; i++) {
                describe(theirs, "cn=" + i + "," + SUFFIX, "again");
            }
            theirs.delete("cn=below,cn=9," + SUFFIX);
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
                assertEquals("only what changed is told", "10", figure(ours, "alderFollowTold"));
            }
        }
    }

    @Test
    public void deletesWhatIsGoneOnlyUpToAShare() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin()) {
            Map<String, String> before;
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
                before = FollowedContent.of(ours, SUFFIX);
            }
            for (int i = 1; i <= 20; i++) {
                theirs.delete(TestServer.userDn(i));
            }
            provider.forgetChanges();
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                awaitFigure(ours, "alderFollowState", "halted");
                assertTrue(figure(ours, "alderFollowReason"), figure(ours, "alderFollowReason").contains("would delete 20 of 52 entries"));
                assertEquals(before, FollowedContent.of(ours, SUFFIX));
                ours.modify(CONFIGURED, new Modification(ModificationType.ADD, "alderFollowOrder", "allowDeletions"));
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                awaitFigure(ours, "alderFollowState", "following");
            }
            for (int i = 21; i <= 30; i++) {
                theirs.delete(TestServer.userDn(i));
            }
            provider.forgetChanges();
            try (ConfiguredServer copy = follow(provider.port()); LDAPConnection ours = copy.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
        }
    }

    @Test
    public void refersClientsToTheServerThatItFollows() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin(); ConfiguredServer copy = follow(provider.port());
                LDAPConnection ours = copy.admin()) {
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            LDAPException referred = assertThrows(LDAPException.class, () -> describe(ours, TestServer.userDn(1), "x"));
            assertEquals(ResultCode.REFERRAL, referred.getResultCode());
            assertArrayEquals(new String[] {"ldap://127.0.0.1:" + provider.port() + "/" + TestServer.userDn(1)}, referred.getReferralURLs());
            ours.modify(CONFIGURED, new Modification(ModificationType.REPLACE, "followUpdates", "refuse"));
            LDAPException refused = assertThrows(LDAPException.class, () -> ours.delete(TestServer.userDn(1)));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, refused.getResultCode());
            describe(theirs, TestServer.userDn(1), "theirs");
            FollowedContent.awaitSame(theirs, ours, SUFFIX);

            ours.modify(CONFIGURED, new Modification(ModificationType.DELETE, "followProvider"),
                    new Modification(ModificationType.DELETE, "followBindDn"), new Modification(ModificationType.DELETE, "followPasswordFile"));
            assertNull(figure(ours, "alderFollowState"));
            describe(ours, TestServer.userDn(1), "ours");
            LDAPException alone = assertThrows(LDAPException.class,
                    () -> ours.modify(CONFIGURED, new Modification(ModificationType.ADD, "alderFollowOrder", "refresh")));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, alone.getResultCode());
        }
    }

    @Test
    @Requirement(rfc = 6171, section = "3", text = "A copy does not answer requests with the control")
    public void whoWantsNoCopyIsReferredToTheServerThatItFollows() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin(); ConfiguredServer copy = follow(provider.port());
                LDAPConnection ours = copy.admin()) {
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            Control noCopy = new DontUseCopyRequestControl();
            SearchRequest search = new SearchRequest(TestServer.userDn(1), SearchScope.BASE, "(objectClass=*)");
            assertEquals(1, ours.search(search).getEntryCount());
            search.addControl(noCopy);
            LDAPException referred = assertThrows(LDAPException.class, () -> ours.search(search));
            assertEquals(ResultCode.REFERRAL, referred.getResultCode());
            assertArrayEquals(new String[] {"ldap://127.0.0.1:" + provider.port() + "/" + TestServer.userDn(1)}, referred.getReferralURLs());
            CompareRequest compare = new CompareRequest(TestServer.userDn(1), "uid", "user.1");
            assertTrue(ours.compare(compare).compareMatched());
            compare.addControl(noCopy);
            assertEquals(ResultCode.REFERRAL, code(() -> ours.compare(compare)));
            search.setBaseDN("");
            assertEquals("what is the server's own is no copy", 1, ours.search(search).getEntryCount());
            search.setScope(SearchScope.SUB);
            assertEquals("a copy below the base", ResultCode.UNWILLING_TO_PERFORM, code(() -> ours.search(search)));
            ours.modify(CONFIGURED, new Modification(ModificationType.REPLACE, "followUpdates", "refuse"));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, code(() -> ours.compare(compare)));

            ours.add("dn: cn=own,cn=config", "objectClass: alderPartition", "suffix: dc=own");
            ours.add("dn: dc=own", "objectClass: domain", "dc: own");
            search.setBaseDN("dc=own");
            search.setDerefPolicy(DereferencePolicy.ALWAYS);
            assertEquals(1, ours.search(search).getEntryCount());
            ours.add("dn: cn=link,dc=own", "objectClass: alias", "objectClass: extensibleObject", "cn: link", "aliasedObjectName: " + SUFFIX);
            assertEquals("an alias leads to a copy", ResultCode.UNWILLING_TO_PERFORM, code(() -> ours.search(search)));
            search.setDerefPolicy(DereferencePolicy.NEVER);
            assertEquals(2, ours.search(search).getEntryCount());
        }
    }

    private static ResultCode code(ThrowingRunnable request) {
        return assertThrows(LDAPException.class, request).getResultCode();
    }

    @Test
    public void fetchesEverythingAnewWhenItIsTold() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin(); ConfiguredServer copy = follow(provider.port());
                LDAPConnection ours = copy.admin()) {
            awaitFigure(ours, "alderFollowState", "following");
            ours.modify(CONFIGURED, new Modification(ModificationType.ADD, "alderFollowOrder", "refresh"));
            awaitFigure(ours, "alderFollowRefreshes", "2");
            assertEquals("52", figure(ours, "alderFollowTold"));
            assertEquals("an entry that is as it was is not written", "0", figure(ours, "alderFollowModified"));
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
        }
    }

    /** What clients changed here while nothing was followed is not what the other server knows, wherever its cookie stands. */
    @Test
    public void isACopyAgainAfterItWasChangedHere() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin(); ConfiguredServer copy = follow(provider.port());
                LDAPConnection ours = copy.admin()) {
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            awaitFigure(ours, "alderFollowState", "following");
            String password = ours.getEntry(CONFIGURED).getAttributeValue("followPasswordFile");
            ours.modify(CONFIGURED, new Modification(ModificationType.DELETE, "followProvider"), new Modification(ModificationType.DELETE, "followBindDn"),
                    new Modification(ModificationType.DELETE, "followPasswordFile"));
            Await.value("it goes on from nowhere", () -> ours.getEntry(SUFFIX, "alderFollowCookie").getAttributeValue("alderFollowCookie"), Objects::isNull);
            describe(ours, TestServer.userDn(1), "changed here");
            ours.delete(TestServer.userDn(2));
            ours.modifyDN(TestServer.userDn(3), "uid=other", true);
            add(ours, "cn=here," + SUFFIX);
            ours.modify(CONFIGURED, new Modification(ModificationType.ADD, "followProvider", "ldap://127.0.0.1:" + provider.port()),
                    new Modification(ModificationType.ADD, "followBindDn", TestServer.ADMIN), new Modification(ModificationType.ADD, "followPasswordFile", password));
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
        }
    }

    @Test
    public void makesUpWhatStandsAboveWhatItFollows() throws Exception {
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin();
                ConfiguredServer copy = follow(provider.port(), "followFilter: (uid=user.1*)"); LDAPConnection ours = copy.admin()) {
            awaitFigure(ours, "alderFollowState", "following");
            assertEquals(11, ours.search(SUFFIX, SearchScope.SUB, "(uid=*)").getEntryCount());
            assertEquals(2, ours.search(SUFFIX, SearchScope.SUB, "(objectClass=alderGlue)").getEntryCount());
            ours.modify(CONFIGURED, new Modification(ModificationType.DELETE, "followFilter"));
            Map<String, String> expected = FollowedContent.of(theirs, SUFFIX);
            Await.value("all of it", () -> FollowedContent.of(ours, SUFFIX), expected::equals);
        }
    }

    @Test
    public void isNotLostOverCutConnectionsAndRestarts() throws Exception {
        Random random = Seed.random(FollowTest.class);
        try (TestServer provider = provider(); LDAPConnection theirs = provider.admin(); CutProxy proxy = new CutProxy(provider.port())) {
            for (int start = 0; start < 4; start++) {
                try (ConfiguredServer copy = follow(proxy.port(), "followDeletedPercent: 100"); LDAPConnection ours = copy.admin()) {
                    for (int i = 0; i < 60; i++) {
                        change(theirs, random, start * 100 + i);
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
            try (ConfiguredServer copy = follow(proxy.port(), "followDeletedPercent: 100"); LDAPConnection ours = copy.admin()) {
                awaitFigure(ours, "alderFollowState", "following");
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
        }
    }

    /** One that may be refused: names change hands among few entries. */
    static void change(LDAPConnection server, Random random, int number) throws LDAPException {
        String unit = "ou=" + random.nextInt(3) + "," + (random.nextBoolean() ? SUFFIX : "ou=" + random.nextInt(3) + "," + SUFFIX);
        String dn = random.nextBoolean() ? "cn=" + random.nextInt(5) + "," + unit : unit;
        try {
            switch (random.nextInt(6)) {
                case 0, 1 -> add(server, dn);
                case 2 -> server.delete(dn);
                case 3 -> server.modifyDN(dn, dn.substring(0, 3) + random.nextInt(5), true);
                case 4 -> server.modifyDN(dn, dn.substring(0, dn.indexOf(',')), true, random.nextBoolean() ? SUFFIX : "ou=" + random.nextInt(3) + "," + SUFFIX);
                default -> describe(server, dn, "number " + number);
            }
        } catch (LDAPException e) {
            if (!server.isConnected()) {
                throw e;
            }
        }
    }
}
