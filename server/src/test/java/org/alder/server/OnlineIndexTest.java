package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Indexes of a running server that are changed by modifications of its configuration. */
public class OnlineIndexTest {
    private static final String PARTITION = "cn=first,cn=config";
    private static final String ON_DISK = "\ndn: " + PARTITION + "\nobjectClass: alderPartition\nsuffix: " + TestServer.SUFFIX + "\n";
    /** A build never gets to its end. */
    private static final String SLOW = "mergeBytesPerSecond: 1\n";
    private static final String REJECT_UNINDEXED = "1.3.6.1.4.1.30221.2.5.54";
    private static final String NO_OPERATION = "1.3.6.1.4.1.4203.1.10.2";
    private static final int ENTRIES = 100;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start(String more) throws Exception {
        return ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + ON_DISK + more);
    }

    private static void add(LDAPConnection admin, int from, int to) throws Exception {
        if (from == 0) {
            admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
        }
        for (int i = from; i < to; i++) {
            admin.add("dn: cn=p" + i + "," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "cn: p" + i, "sn: s", "title: t" + i % 10);
        }
    }

    private static String change(LDAPConnection admin, ModificationType how, String key, String... values) throws LDAPException {
        String note = admin.modify(PARTITION, new Modification(how, key, values)).getDiagnosticMessage();
        return note == null ? "" : note;
    }

    private static int found(LDAPConnection connection, String filter, Control... controls) throws LDAPException {
        SearchRequest request = new SearchRequest(TestServer.SUFFIX, SearchScope.SUB, filter, "1.1");
        request.setControls(controls);
        return connection.search(request).getEntryCount();
    }

    private static boolean isIndexed(LDAPConnection connection, String filter) throws LDAPException {
        try {
            found(connection, filter, new Control(REJECT_UNINDEXED, true));
            return true;
        } catch (LDAPException e) {
            assertEquals(e.getMessage(), ResultCode.UNWILLING_TO_PERFORM, e.getResultCode());
            return false;
        }
    }

    private static SearchResultEntry monitor(LDAPConnection admin) throws LDAPException {
        return admin.getEntry("cn=partition-1,cn=Monitor");
    }

    private static List<String> indexes(LDAPConnection admin) throws LDAPException {
        return Arrays.asList(monitor(admin).getAttributeValues("alderIndex"));
    }

    private static void awaitBuilt(LDAPConnection admin) throws Exception {
        Await.until("indexes are built", () -> !monitor(admin).hasAttribute("alderIndexBuild"));
    }

    private static LDAPException refused(LDAPConnection admin, ModificationType how, String key, String... values) {
        return assertThrows(LDAPException.class, () -> change(admin, how, key, values));
    }

    @Test(timeout = Await.MILLIS)
    public void anIndexIsBuiltAndUsedWithoutARestart() throws Exception {
        try (ConfiguredServer server = start(""); LDAPConnection admin = server.admin()) {
            add(admin, 0, ENTRIES);
            assertFalse(isIndexed(admin, "(title=t3)"));
            String note = change(admin, ModificationType.ADD, "index", "title eq");
            assertFalse(note, note.contains("at the next start"));
            awaitBuilt(admin);
            assertTrue(isIndexed(admin, "(title=t3)"));
            assertEquals(ENTRIES / 10, found(admin, "(title=t3)"));
            assertTrue(indexes(admin).contains("title eq"));
            add(admin, ENTRIES, ENTRIES + 10);
            assertEquals(ENTRIES / 10 + 1, found(admin, "(title=t3)"));
            change(admin, ModificationType.DELETE, "index", "title eq");
            assertFalse("from the next search on", isIndexed(admin, "(title=t3)"));
            assertEquals(ENTRIES / 10 + 1, found(admin, "(title=t3)"));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "alderConfigurationChange"));
            awaitBuilt(admin);
            assertTrue("taken back", isIndexed(admin, "(title=t3)"));
            assertNull(admin.getEntry(PARTITION, "alderWaitsForStart").getAttributeValue("alderWaitsForStart"));
        }
        try (ConfiguredServer server = start(""); LDAPConnection admin = server.admin()) {
            assertTrue("the folder remembers it", isIndexed(admin, "(title=t3)"));
            assertEquals(ENTRIES / 10 + 1, found(admin, "(title=t3)"));
            assertNull("nothing is built at the start", monitor(admin).getAttributeValue("alderIndexBuild"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void untilItIsCompleteItIsKeptUpAndNotUsedAndARestartGoesOnWithIt() throws Exception {
        try (ConfiguredServer server = start(SLOW); LDAPConnection admin = server.admin()) {
            add(admin, 0, ENTRIES);
            String note = change(admin, ModificationType.ADD, "index", "title eq", "employeeNumber eq");
            assertTrue(note, note.startsWith("used as soon as they are built, which cn=Monitor shows: the indexes of "));
            assertTrue(note, note.contains("title") && note.contains("employeenumber"));
            SearchResultEntry monitor = monitor(admin);
            assertEquals(2, monitor.getAttributeValues("alderIndexBuild").length);
            assertTrue(monitor.toString(), indexes(admin).containsAll(List.of("title eq building", "employeeNumber eq building", "cn eq,sub")));
            assertNull(monitor.getAttributeValue("alderIndexBuildFailure"));
            assertFalse(isIndexed(admin, "(title=t3)"));
            add(admin, ENTRIES, ENTRIES + 10);
            assertEquals(ENTRIES / 10 + 1, found(admin, "(title=t3)"));
            // What is not wanted any more does not hold the other one up.
            change(admin, ModificationType.DELETE, "index", "employeeNumber eq");
            assertArrayEquals(new String[] {"title"}, monitor(admin).getAttributeValues("alderIndexBuild"));
        }
        try (ConfiguredServer server = start(SLOW); LDAPConnection admin = server.admin()) {
            assertArrayEquals("it serves meanwhile", new String[] {"title"}, monitor(admin).getAttributeValues("alderIndexBuild"));
            assertFalse(isIndexed(admin, "(title=t3)"));
            assertEquals(ENTRIES / 10 + 1, found(admin, "(title=t3)"));
            admin.delete("cn=p3," + TestServer.SUFFIX);
        }
        try (ConfiguredServer server = start("mergeBytesPerSecond: 100g\nindex: title eq\nindex: objectClass eq\n"); LDAPConnection admin = server.admin()) {
            awaitBuilt(admin);
            assertTrue(isIndexed(admin, "(title=t3)"));
            assertEquals(ENTRIES / 10, found(admin, "(title=t3)"));
        }
    }

    /** Another kind of it is built beside it; so is the same one anew. */
    @Test(timeout = Await.MILLIS)
    public void theIndexThatThereIsServesUntilTheNewOneDoes() throws Exception {
        try (ConfiguredServer server = start("index: objectClass eq\nindex: title eq\nindex: cn eq\n" + SLOW); LDAPConnection admin = server.admin()) {
            add(admin, 0, ENTRIES);
            admin.modify(PARTITION, new Modification(ModificationType.DELETE, "index", "title eq"),
                    new Modification(ModificationType.ADD, "index", "title eq,sub"));
            assertTrue(isIndexed(admin, "(title=t3)"));
            assertFalse(isIndexed(admin, "(title=*3)"));
            String note = change(admin, ModificationType.ADD, "alderIndexRebuild", "cn");
            assertTrue(note, note.contains("the indexes of cn"));
            assertEquals(List.of("cn", "title"), Arrays.stream(monitor(admin).getAttributeValues("alderIndexBuild")).sorted().toList());
            assertTrue(isIndexed(admin, "(cn=p3)"));
            change(admin, ModificationType.ADD, "index", "sn eq");
            assertEquals("what was asked for before is built, too", List.of("cn", "sn", "title"),
                    Arrays.stream(monitor(admin).getAttributeValues("alderIndexBuild")).sorted().toList());
            change(admin, ModificationType.DELETE, "index", "sn eq");
            assertEquals(List.of("cn", "title"), Arrays.stream(monitor(admin).getAttributeValues("alderIndexBuild")).sorted().toList());
            assertTrue(isIndexed(admin, "(cn=p3)"));
            assertNull("it is no part of the configuration", admin.getEntry(PARTITION, "*", "+").getAttributeValue("alderIndexRebuild"));
        }
        try (ConfiguredServer server = start("index: objectClass eq\nindex: title eq,sub\nindex: cn eq\n"); LDAPConnection admin = server.admin()) {
            change(admin, ModificationType.ADD, "alderIndexRebuild", "cn", "commonName", "title");
            awaitBuilt(admin);
            assertEquals(1, found(admin, "(cn=p3)"));
            assertTrue(isIndexed(admin, "(title=*3)"));
            assertEquals(ENTRIES / 10, found(admin, "(title=*3)"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatCannotBeIsRefusedAndNothingIsChanged() throws Exception {
        try (ConfiguredServer server = start(""); LDAPConnection admin = server.admin()) {
            add(admin, 0, 1);
            List<String> before = indexes(admin);
            LDAPException fixed = refused(admin, ModificationType.ADD, "index", "cn sub");
            assertEquals(ResultCode.CONSTRAINT_VIOLATION, fixed.getResultCode());
            fixed = refused(admin, ModificationType.ADD, "index", "commonName sub");
            assertEquals(fixed.getMessage(), ResultCode.CONSTRAINT_VIOLATION, fixed.getResultCode());
            assertTrue(fixed.getMessage(), fixed.getMessage().contains("second line for cn"));
            fixed = refused(admin, ModificationType.DELETE, "index", "member eq,pres");
            assertEquals(fixed.getMessage(), ResultCode.UNWILLING_TO_PERFORM, fixed.getResultCode());
            assertTrue(fixed.getMessage(), fixed.getMessage().contains("the index of member"));
            fixed = refused(admin, ModificationType.ADD, "alderIndexRebuild", "member");
            assertEquals(fixed.getMessage(), ResultCode.UNWILLING_TO_PERFORM, fixed.getResultCode());
            for (String name : List.of("title", "nowhere")) {
                fixed = refused(admin, ModificationType.ADD, "alderIndexRebuild", name);
                assertEquals(fixed.getMessage(), ResultCode.NO_SUCH_ATTRIBUTE, fixed.getResultCode());
            }
            fixed = refused(admin, ModificationType.REPLACE, "alderIndexRebuild", "cn");
            assertEquals(fixed.getMessage(), ResultCode.UNWILLING_TO_PERFORM, fixed.getResultCode());
            ModifyRequest dryRun = new ModifyRequest(PARTITION, new Modification(ModificationType.ADD, "index", "title eq"));
            dryRun.addControl(new Control(NO_OPERATION, true));
            assertEquals(ResultCode.NO_OPERATION, admin.modify(dryRun).getResultCode());
            Path history = folder.getRoot().toPath().resolve("data/config-history");
            Files.writeString(history, "");
            fixed = refused(admin, ModificationType.ADD, "index", "title eq");
            assertEquals(fixed.getMessage(), ResultCode.UNWILLING_TO_PERFORM, fixed.getResultCode());
            Files.delete(history);
            awaitBuilt(admin);
            assertEquals(before, indexes(admin));
            assertFalse(isIndexed(admin, "(title=t3)"));
        }
    }

    /** What holds by default of other keys may depend on the indexes: that waits for the next start. */
    @Test(timeout = Await.MILLIS)
    public void keysThatDependOnIndexesWait() throws Exception {
        try (ConfiguredServer server = start("index: objectClass eq\nindex: member eq\n"); LDAPConnection admin = server.admin()) {
            add(admin, 0, 1);
            change(admin, ModificationType.ADD, "index", "owner eq");
            assertArrayEquals(new String[] {"reference"}, admin.getEntry(PARTITION, "alderWaitsForStart").getAttributeValues("alderWaitsForStart"));
            awaitBuilt(admin);
            assertTrue(isIndexed(admin, "(owner=" + TestServer.SUFFIX + ")"));
        }
    }
}
