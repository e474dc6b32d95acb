package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.store.SharedConfiguration;
import org.alder.partition.testing.Await;
import org.alder.server.config.ConfigurationException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Members that are configured alike, each with data of its own: the log between them is no part of this. */
public class ClusterConfigurationTest {
    private static final String TEXT = ConfiguredServer.SERVER + ConfiguredServer.PARTITION.replace("engine: memory\n", "");
    private static final String RULE = "grant read in \"" + TestServer.SUFFIX + "\" to anonymous";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** What ZooKeeper has. */
    private final Map<Long, SharedConfiguration.Version> versions = new TreeMap<>();
    private volatile boolean answers = true;

    /** A member's view of it. */
    private final class Shared implements SharedConfiguration {
        private volatile String hindrance;

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
        public boolean publish(Version version) throws IOException {
            requireAnswer();
            synchronized (versions) {
                return version.number() == versions.size() + 1 && versions.put(version.number(), version) == null;
            }
        }

        private void requireAnswer() throws IOException {
            if (!answers) {
                throw new IOException("no answer");
            }
        }

        @Override
        public void hindered(String why) {
            hindrance = why;
        }
    }

    private ConfiguredServer member(String name, String text, Shared shared) throws IOException, ConfigurationException {
        return ConfiguredServer.startMember(folder.getRoot().toPath().resolve(name), text, shared, name);
    }

    private static void replace(LDAPConnection admin, String dn, String key, String... values) throws LDAPException {
        admin.modify(dn, new Modification(ModificationType.REPLACE, key, values));
    }

    /** What it says, without what holds by default. */
    private static String[] said(LDAPConnection admin, String dn, String key) throws LDAPException {
        String[] values = admin.getEntry(dn, key).getAttributeValues(key);
        return values == null ? new String[0] : values;
    }

    private static void await(LDAPConnection admin, String dn, String key, String... values) throws Exception {
        Await.until(key + " of the other member", () -> Arrays.equals(values, said(admin, dn, key)));
    }

    private static int number(Map<Long, SharedConfiguration.Version> all) {
        synchronized (all) {
            return all.size();
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatOneMemberIsToldAllGoByAndThoseThatWereAway() throws Exception {
        Shared second = new Shared();
        try (ConfiguredServer one = member("one", TEXT, new Shared()); LDAPConnection admin = one.admin()) {
            assertEquals("all as by default", 0, number(versions));
            try (ConfiguredServer two = member("two", TEXT, second); LDAPConnection other = two.admin()) {
                replace(admin, "cn=config", "accessRule", RULE, "default");
                await(other, "cn=config", "accessRule", RULE, "default");
                other.modify("cn=first,cn=config", new Modification(ModificationType.ADD, "index", "title eq"));
                Await.until("the index of the other member", () -> Arrays.asList(said(admin, "cn=first,cn=config", "index")).contains("title eq"));
                replace(other, "cn=first,cn=config", "unique", "uid");
                await(admin, "cn=first,cn=config", "unique", "uid");
                assertEquals(3, number(versions));
                replace(admin, "cn=config", "logLevel", "warn org.alder.nothing");
                replace(admin, "cn=first,cn=config", "diskLowBytes", "1m");
                assertEquals("each has its own", 3, number(versions));
                assertFalse(Arrays.asList(said(other, "cn=config", "logLevel")).contains("warn org.alder.nothing"));
                admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
                try (LDAPConnection anonymous = one.anonymous()) {
                    assertEquals("example", anonymous.getEntry(TestServer.SUFFIX).getAttributeValue("dc"));
                }
                assertNull(second.hindrance);
            }
            replace(admin, "cn=config", "sizeLimit", "17");
            replace(admin, "cn=config", "accessRule", "default");
        }
        try (ConfiguredServer two = member("two", TEXT, second); LDAPConnection other = two.admin()) {
            assertArrayEquals("what it missed holds from the start on", new String[] {"17"}, said(other, "cn=config", "sizeLimit"));
            assertArrayEquals(new String[] {"default"}, said(other, "cn=config", "accessRule"));
            other.modify("cn=config", new Modification(ModificationType.REPLACE, "sizeLimit", "18"));
            other.modify("cn=config", new Modification(ModificationType.DELETE, "alderConfigurationChange"));
            assertArrayEquals(new String[] {"17"}, said(other, "cn=config", "sizeLimit"));
            assertEquals("the change and its undoing are versions, too", 7, number(versions));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whoSaysSomethingBringsItAndOthersTakeItInThePlaceOfTheirs() throws Exception {
        try (ConfiguredServer plain = member("plain", TEXT, new Shared()); LDAPConnection other = plain.admin();
                ConfiguredServer first = member("first", TEXT.replace("tls: none\n", "tls: none\nsizeLimit: 5\n") + "constraint: mail count 3\n", new Shared())) {
            await(other, "cn=config", "sizeLimit", "5");
            await(other, "cn=first,cn=config", "constraint", "mail count 3");
        }
        Path data = folder.getRoot().toPath().resolve("late/data");
        try (ConfiguredServer late = member("late", TEXT.replace("tls: none\n", "tls: none\nsizeLimit: 9\nlogLevel: warn org.alder.nothing\n"), new Shared());
                LDAPConnection admin = late.admin()) {
            assertArrayEquals(new String[] {"5"}, said(admin, "cn=config", "sizeLimit"));
            assertTrue(Arrays.asList(said(admin, "cn=config", "logLevel")).contains("warn org.alder.nothing"));
            String change = admin.getEntry("cn=config", "alderConfigurationChange").getAttributeValue("alderConfigurationChange");
            assertTrue(change, change.contains("the start: version 1 of the cluster's configuration"));
            assertTrue(Files.readString(data.resolve("config-history/1.ldif")).contains("sizeLimit: 9"));
            assertTrue(Files.readString(data.resolve("config.ldif")).contains("sizeLimit: 5"));
        }
        assertEquals(1, number(versions));
    }

    @Test(timeout = Await.MILLIS)
    public void aMemberThatCannotGoByAVersionSaysSoAndALaterOneMendsIt() throws Exception {
        Shared shared = new Shared();
        try (ConfiguredServer one = member("one", TEXT, shared); LDAPConnection admin = one.admin()) {
            replace(admin, "cn=config", "sizeLimit", "4");
            put("dn: cn=config\nobjectClass: alderServer\nsizeLimit: 5\nsomethingNew: on\n\ndn: cn=first,cn=config\nobjectClass: alderPartition\n");
            String why = Await.value("what is in the way", () -> shared.hindrance, found -> found != null);
            assertTrue(why, why.startsWith("this member cannot go by version 2 of the cluster's configuration, and goes on by version 1: "));
            assertTrue(why, why.contains("unknown key somethingNew"));
            LDAPException refusal = assertThrows(LDAPException.class, () -> replace(admin, "cn=config", "timeLimitSeconds", "7"));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("unknown key somethingNew"));
            replace(admin, "cn=first,cn=config", "diskLowBytes", "1m");
            ConfigurationException e = assertThrows(ConfigurationException.class, () -> member("two", TEXT, new Shared()));
            assertTrue(e.getMessage(), e.getMessage().contains("version 2 of the cluster's configuration") && e.getMessage().contains("somethingNew"));
            put("dn: cn=config\nobjectClass: alderServer\nsizeLimit: 6\n\ndn: cn=first,cn=config\nobjectClass: alderPartition\n");
            await(admin, "cn=config", "sizeLimit", "6");
            assertNull(shared.hindrance);
        }
    }

    /** As with a key that a newer build has brought: members with an older one could not be started any more. */
    @Test(timeout = Await.MILLIS)
    public void whatOlderBuildsDoNotKnowIsNotHadInCommonBeforeTheLevelIsRaised() throws Exception {
        AtomicInteger level = new AtomicInteger(0);
        Path data = folder.getRoot().toPath();
        try (ConfiguredServer one = ConfiguredServer.startMember(data.resolve("one"), TEXT, new Shared(), "one", level::get); LDAPConnection admin = one.admin()) {
            LDAPException refusal = assertThrows(LDAPException.class, () -> replace(admin, "cn=config", "sizeLimit", "4"));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, refusal.getResultCode());
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("nothing was changed: the cluster has feature level 0, at which its members cannot have in common: sizeLimit (level 1)"));
            replace(admin, "cn=first,cn=config", "diskLowBytes", "1m");
            ConfigurationException e = assertThrows(ConfigurationException.class, () -> ConfiguredServer.startMember(data.resolve("two"),
                    TEXT.replace("tls: none\n", "tls: none\nsizeLimit: 5\n"), new Shared(), "two", level::get));
            assertTrue(e.getMessage(), e.getMessage().contains("sizeLimit (level 1)"));
            assertEquals(0, number(versions));
            level.set(1);
            replace(admin, "cn=config", "sizeLimit", "4");
            assertEquals(1, number(versions));
        }
    }

    private void put(String settings) {
        synchronized (versions) {
            long number = versions.size() + 1;
            versions.put(number, new SharedConfiguration.Version(number, "newer", settings.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void withoutAnAnswerNothingIsChangedButWhatIsTheMembersOwn() throws Exception {
        try (ConfiguredServer one = member("one", TEXT, new Shared()); LDAPConnection admin = one.admin()) {
            answers = false;
            LDAPException refusal = assertThrows(LDAPException.class, () -> replace(admin, "cn=config", "sizeLimit", "4"));
            assertEquals(ResultCode.UNAVAILABLE, refusal.getResultCode());
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("nothing was changed"));
            replace(admin, "cn=first,cn=config", "diskLowBytes", "1m");
            answers = true;
            replace(admin, "cn=config", "sizeLimit", "4");
            assertEquals(1, number(versions));
        }
    }
}
