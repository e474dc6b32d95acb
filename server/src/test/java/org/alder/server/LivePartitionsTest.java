package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultListener;
import com.unboundid.ldap.sdk.SearchResultReference;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldif.LDIFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;

/** Partitions that come and go while the server runs, by adding and deleting their entries below cn=config. */
public class LivePartitionsTest {
    private static final String NEW = "cn=new,cn=config";
    private static final String SUFFIX = "dc=new";
    /** In files. */
    private static final String STORED = ConfiguredServer.PARTITION.replace("engine: memory\n", "");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start(String text) throws Exception {
        return ConfiguredServer.start(folder.getRoot().toPath(), text);
    }

    private Path partition(String name) {
        return folder.getRoot().toPath().resolve("data/partitions").resolve(name);
    }

    private static LDAPResult addPartition(LDAPConnection admin, String dn, String suffix, String... more) throws LDAPException, LDIFException {
        String[] lines = new String[more.length + 3];
        lines[0] = "dn: " + dn;
        lines[1] = "objectClass: alderPartition";
        lines[2] = "suffix: " + suffix;
        System.arraycopy(more, 0, lines, 3, more.length);
        return admin.add(lines);
    }

    private static void addTop(LDAPConnection admin, String suffix) throws LDAPException, LDIFException {
        admin.add("dn: " + suffix, "objectClass: domain", "dc: " + suffix.substring(3).split(",")[0]);
    }

    private static LDAPException refused(ResultCode code, String text, ThrowingRunnable request) {
        LDAPException refusal = assertThrows(LDAPException.class, request);
        assertEquals(refusal.getMessage(), code, refusal.getResultCode());
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(text));
        return refusal;
    }

    private static Set<String> contexts(LDAPConnection connection) throws LDAPException {
        return Set.of(connection.getEntry("", "namingContexts").getAttributeValues("namingContexts"));
    }

    private static long partitionsOfMonitor(LDAPConnection admin) throws LDAPException {
        return admin.search("cn=Monitor", SearchScope.SUB, "(alderSuffix=*)", "alderSuffix").getSearchEntries().stream()
                .filter(entry -> entry.getDN().startsWith("cn=partition-")).count();
    }

    @Test(timeout = Await.MILLIS)
    public void aPartitionIsServedWhenTheAnswerComesAndAfterARestart() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            refused(ResultCode.NO_SUCH_OBJECT, "under no suffix", () -> addTop(admin, SUFFIX));
            assertNull(addPartition(admin, NEW, SUFFIX, "index: objectClass eq", "index: uid eq").getDiagnosticMessage());
            addTop(admin, SUFFIX);
            admin.add("dn: uid=u," + SUFFIX, "objectClass: account", "objectClass: simpleSecurityObject", "uid: u",
                    "userPassword: " + TestServer.USER_PASSWORD);
            assertEquals(Set.of(TestServer.SUFFIX, SUFFIX), contexts(admin));
            assertEquals(2, partitionsOfMonitor(admin));
            assertTrue(Files.isDirectory(partition("new")));
            assertEquals(SUFFIX, admin.getEntry(NEW).getAttributeValue("suffix"));
            try (LDAPConnection user = server.anonymous()) {
                user.bind("uid=u," + SUFFIX, TestServer.USER_PASSWORD);
                assertEquals("rules hold there too", "uid=u," + SUFFIX, user.getEntry("uid=u," + SUFFIX).getDN());
                assertFalse(user.getEntry("uid=u," + SUFFIX).hasAttribute("userPassword"));
                refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "", () -> addPartition(user, "cn=mine,cn=config", "dc=mine"));
                refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "", () -> user.delete(NEW));
            }
            addTop(admin, TestServer.SUFFIX);
            assertEquals("a search goes on into it", 3, admin.search("", SearchScope.SUB, "(objectClass=*)").getEntryCount());
        }
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            assertEquals("uid=u," + SUFFIX, admin.getEntry("uid=u," + SUFFIX).getDN());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatIsDeletedIsServedNoMoreAndKeepsItsData() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            addPartition(admin, NEW, SUFFIX);
            addTop(admin, SUFFIX);
            LDAPResult deleted = admin.delete(NEW);
            assertTrue(deleted.getDiagnosticMessage(), deleted.getDiagnosticMessage().contains("stay in " + partition("new").toRealPath()));
            refused(ResultCode.NO_SUCH_OBJECT, "under no suffix", () -> admin.search(SUFFIX, SearchScope.BASE, "(objectClass=*)"));
            assertEquals(Set.of(TestServer.SUFFIX), contexts(admin));
            assertEquals(1, partitionsOfMonitor(admin));
            assertNull(admin.getEntry(NEW));
            assertTrue(Files.isDirectory(partition("new")));
            refused(ResultCode.NO_SUCH_OBJECT, "", () -> admin.delete(NEW));
            refused(ResultCode.CONSTRAINT_VIOLATION, "the configuration names another suffix", () -> addPartition(admin, NEW, "dc=wrong"));
            LDAPResult again = addPartition(admin, NEW, SUFFIX);
            assertTrue(again.getDiagnosticMessage(), again.getDiagnosticMessage().contains("served with 1 entry that"));
            assertEquals(SUFFIX, admin.getEntry(SUFFIX).getDN());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void itsChangesAreTakenBack() throws Exception {
        Modification undo = new Modification(ModificationType.DELETE, "alderConfigurationChange");
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            addPartition(admin, NEW, SUFFIX);
            addTop(admin, SUFFIX);
            admin.delete(NEW);
            assertTrue(admin.getEntry("cn=config", "alderConfigurationChange").getAttributeValues("alderConfigurationChange")[0]
                    .endsWith(": cn=new,cn=config: deleted"));
            admin.modify("cn=config", undo);
            assertEquals("as it was", SUFFIX, admin.getEntry(SUFFIX).getDN());
            admin.modify("cn=config", undo);
            assertNull(admin.getEntry(SUFFIX));
            assertFalse(admin.getEntry("cn=config", "alderConfigurationChange") != null
                    && admin.getEntry("cn=config", "alderConfigurationChange").hasAttribute("alderConfigurationChange"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatCannotBeIsRefusedAndChangesNothing() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            byte[] before = Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif"));
            addTop(admin, TestServer.SUFFIX);
            admin.add("dn: ou=here," + TestServer.SUFFIX, "objectClass: organizationalUnit", "ou: here");
            refused(ResultCode.CONSTRAINT_VIOLATION, "another partition has the suffix", () -> addPartition(admin, NEW, TestServer.SUFFIX));
            refused(ResultCode.CONSTRAINT_VIOLATION, "nobody would find any more", () -> addPartition(admin, NEW, "ou=here," + TestServer.SUFFIX));
            refused(ResultCode.CONSTRAINT_VIOLATION, "server's own", () -> addPartition(admin, NEW, "cn=config"));
            refused(ResultCode.ENTRY_ALREADY_EXISTS, "already", () -> addPartition(admin, "cn=FIRST,cn=config", SUFFIX));
            refused(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, "unknown key", () -> addPartition(admin, NEW, SUFFIX, "colour: red"));
            refused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "durability", () -> addPartition(admin, NEW, SUFFIX, "durability: perhaps"));
            refused(ResultCode.CONSTRAINT_VIOLATION, "the schema has no attribute nowhere", () -> addPartition(admin, NEW, SUFFIX, "index: nowhere eq"));
            refused(ResultCode.NAMING_VIOLATION, "expected cn=NAME", () -> addPartition(admin, "cn=below," + NEW, SUFFIX));
            refused(ResultCode.CONSTRAINT_VIOLATION, "may have letters", () -> addPartition(admin, "cn=../../etc,cn=config", SUFFIX));
            refused(ResultCode.OBJECT_CLASS_VIOLATION, "alderPartition", () -> admin.add("dn: " + NEW, "objectClass: alderServer", "suffix: " + SUFFIX));
            refused(ResultCode.CONSTRAINT_VIOLATION, "expected a suffix", () -> admin.add("dn: " + NEW, "objectClass: alderPartition"));
            refused(ResultCode.UNWILLING_TO_PERFORM, "the only partition", () -> admin.delete("cn=first,cn=config"));
            refused(ResultCode.UNWILLING_TO_PERFORM, "cannot be deleted", () -> admin.delete("cn=config"));
            AddRequest dry = new AddRequest("dn: " + NEW, "objectClass: alderPartition", "suffix: " + SUFFIX);
            dry.addControl(new Control("1.3.6.1.4.1.4203.1.10.2", true));
            assertEquals("noOperation", 16654, admin.add(dry).getResultCode().intValue());
            assertFalse(Files.exists(partition("new")));
            assertArrayEquals(before, Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif")));
            assertEquals(Set.of(TestServer.SUFFIX), contexts(admin));
        }
    }

    /** What administrators are named by cannot go. */
    @Test(timeout = Await.MILLIS)
    public void thePartitionOfTheAdministratorsStays() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            addPartition(admin, NEW, SUFFIX);
            admin.modify("cn=config", new Modification(ModificationType.REPLACE, "administrators", "cn=admins," + SUFFIX));
            refused(ResultCode.CONSTRAINT_VIOLATION, "under no suffix of this configuration", () -> admin.delete(NEW));
            assertEquals(2, partitionsOfMonitor(admin));
        }
    }

    /** A part below another one: what was found above is found in its own. */
    @Test(timeout = Await.MILLIS)
    public void apartOfATreeHasAPartitionOfItsOwn() throws Exception {
        String below = "ou=people," + TestServer.SUFFIX;
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION
                + "\ndn: cn=second,cn=config\nobjectClass: alderPartition\nsuffix: dc=second\nengine: memory\n"); LDAPConnection admin = server.admin()) {
            addTop(admin, TestServer.SUFFIX);
            addPartition(admin, NEW, below, "engine: memory");
            admin.add("dn: " + below, "objectClass: organizationalUnit", "ou: people");
            assertEquals(2, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)").getEntryCount());
            admin.delete(NEW);
            assertEquals(1, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)").getEntryCount());
        }
    }

    /** What somebody may know of all partitions alike is asked anew: a rule about the new one alone holds from its first entry on. */
    @Test(timeout = Await.MILLIS)
    public void rulesAboutTheNewPartitionHoldFromTheBeginning() throws Exception {
        String rules = "accessRule: deny all in \"dc=new\" to anyone\naccessRule: grant view to anyone\n";
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + rules + ConfiguredServer.PARTITION);
                LDAPConnection admin = server.admin(); LDAPConnection anonymous = server.anonymous()) {
            addTop(admin, TestServer.SUFFIX);
            assertEquals(1, anonymous.search("", SearchScope.SUB, "(objectClass=domain)").getEntryCount());
            addPartition(admin, NEW, SUFFIX, "engine: memory");
            addTop(admin, SUFFIX);
            assertEquals(1, anonymous.search("", SearchScope.SUB, "(objectClass=domain)").getEntryCount());
            assertEquals(2, admin.search("", SearchScope.SUB, "(objectClass=domain)").getEntryCount());
        }
    }

    /** All partitions share the heap: what one gets, the others give. */
    @Test(timeout = Await.MILLIS)
    public void theHeapIsDividedAnew() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            long alone = cacheBytes(admin, 1);
            addPartition(admin, NEW, SUFFIX);
            assertNull(admin.modify(NEW, new Modification(ModificationType.REPLACE, "indexCacheBytes", "39%")).getDiagnosticMessage());
            long first = cacheBytes(admin, 1);
            long second = cacheBytes(admin, 2);
            assertTrue(first + " of " + alone, first < alone && first > 0);
            assertTrue(first + " and " + second, second > first);
            assertNull("said of one", admin.modify(NEW, new Modification(ModificationType.REPLACE, "indexCacheBytes", "1m"))
                    .getDiagnosticMessage());
            assertTrue(cacheBytes(admin, 1) > first);
            admin.delete(NEW);
            assertEquals(alone, cacheBytes(admin, 1));
        }
    }

    private static long cacheBytes(LDAPConnection admin, int number) throws LDAPException {
        return admin.search("cn=Monitor", SearchScope.SUB, "(alderCacheLimitBytes=*)", "alderCacheLimitBytes").getSearchEntries().stream()
                .filter(entry -> entry.getDN().contains("cn=partition-" + number + ","))
                .mapToLong(entry -> Arrays.stream(entry.getAttributeValues("alderCacheLimitBytes"))
                        .mapToLong(value -> Long.parseLong(value.substring(value.lastIndexOf(' ') + 1))).sum()).sum();
    }

    @Test(timeout = Await.MILLIS)
    public void whoFollowsItIsToldTheEnd() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin();
                LDAPConnection follower = server.admin()) {
            addPartition(admin, NEW, SUFFIX);
            addTop(admin, SUFFIX);
            CountDownLatch told = new CountDownLatch(1);
            SearchRequest search = new SearchRequest(new SearchResultListener() {
                private static final long serialVersionUID = 1L;

                @Override
                public void searchEntryReturned(SearchResultEntry entry) {
                    told.countDown();
                }

                @Override
                public void searchReferenceReturned(SearchResultReference reference) {
                    throw new AssertionError("a referral");
                }
            }, SUFFIX, SearchScope.SUB, "(objectClass=*)");
            search.addControl(new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), true, false));
            CompletableFuture<ResultCode> ended = CompletableFuture.supplyAsync(() -> {
                try {
                    return follower.search(search).getResultCode();
                } catch (LDAPSearchException e) {
                    return e.getResultCode();
                }
            });
            AtomicInteger changes = new AtomicInteger();
            Await.until("it is followed", () -> {
                admin.modify(SUFFIX, new Modification(ModificationType.REPLACE, "description", "change " + changes.incrementAndGet()));
                return told.getCount() == 0;
            });
            admin.delete(NEW);
            assertEquals(ResultCode.UNAVAILABLE, Await.result("the end", ended));
        }
    }

    /** A configuration that cannot be written leaves neither a partition nor a lock; the folder is no obstacle to a second try. */
    @Test(timeout = Await.MILLIS)
    public void whatCannotBeWrittenIsNotServed() throws Exception {
        AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
        try (ConfiguredServer server = ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + STORED, (file, content) -> {
            if (left.getAndDecrement() <= 0) {
                throw new IOException("No space left on device");
            }
            Files.write(file, content);
        }); LDAPConnection admin = server.admin()) {
            byte[] before = Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif"));
            for (int writes = 0; writes < 2; writes++) {
                left.set(writes);
                refused(ResultCode.UNWILLING_TO_PERFORM, "No space left", () -> addPartition(admin, NEW, SUFFIX));
                left.set(Integer.MAX_VALUE);
                assertEquals(Set.of(TestServer.SUFFIX), contexts(admin));
                assertArrayEquals(before, Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif")));
            }
            addPartition(admin, NEW, "dc=another");
            addTop(admin, "dc=another");
            byte[] with = Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif"));
            for (int writes = 0; writes < 2; writes++) {
                left.set(writes);
                refused(ResultCode.UNWILLING_TO_PERFORM, "No space left", () -> admin.delete(NEW));
                left.set(Integer.MAX_VALUE);
                assertEquals("dc=another", admin.getEntry("dc=another").getDN());
                assertArrayEquals(with, Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif")));
            }
            admin.delete(NEW);
        }
    }

    /** Nor one whose folder cannot be made, which a dry run finds too. */
    @Test(timeout = Await.MILLIS)
    public void whereThereCanBeNoFolderNothingChanges() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            byte[] before = Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif"));
            AddRequest dryRun = new AddRequest("dn: " + NEW, "objectClass: alderPartition", "suffix: " + SUFFIX);
            dryRun.addControl(new Control("1.3.6.1.4.1.4203.1.10.2", true));
            Files.writeString(partition("new"), "no folder");
            refused(ResultCode.UNWILLING_TO_PERFORM, partition("new").toString(), () -> admin.add(dryRun));
            refused(ResultCode.UNWILLING_TO_PERFORM, partition("new").toString(), () -> addPartition(admin, NEW, SUFFIX));
            assertEquals(Set.of(TestServer.SUFFIX), contexts(admin));
            assertArrayEquals(before, Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif")));
            assertEquals("no folder", Files.readString(partition("new")));
            Files.delete(partition("new"));
            assertEquals(ResultCode.NO_OPERATION, admin.add(dryRun).getResultCode());
            assertFalse("a dry run leaves nothing", Files.exists(partition("new")));
            addPartition(admin, NEW, SUFFIX);
            addTop(admin, SUFFIX);
            admin.delete(NEW);
            AddRequest other = new AddRequest("dn: " + NEW, "objectClass: alderPartition", "suffix: dc=another");
            other.addControl(new Control("1.3.6.1.4.1.4203.1.10.2", true));
            refused(ResultCode.CONSTRAINT_VIOLATION, "another suffix", () -> admin.add(other));
        }
    }

    /** The log of the new store is there already when its manifest cannot be written. */
    @Test(timeout = Await.MILLIS)
    public void whatIsHalfMadeWhenTheDiskFailsDoesNotStay() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin()) {
            byte[] before = Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif"));
            Path obstacle = Files.createDirectories(partition("new").resolve("MANIFEST.new")).resolve("file");
            Files.writeString(obstacle, "in the way");
            for (int tries = 0; tries < 2; tries++) {
                refused(ResultCode.UNWILLING_TO_PERFORM, partition("new").toString(), () -> addPartition(admin, NEW, SUFFIX));
                assertArrayEquals(new String[] {"MANIFEST.new"}, partition("new").toFile().list());
                assertEquals(Set.of(TestServer.SUFFIX), contexts(admin));
                assertArrayEquals(before, Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif")));
            }
            Files.delete(obstacle);
            Files.delete(obstacle.getParent());
            assertNull(addPartition(admin, NEW, SUFFIX).getDiagnosticMessage());
            addTop(admin, SUFFIX);
        }
    }

    /** The one that goes is seen, or is not, by who looks at all of them. */
    @Test(timeout = Await.MILLIS)
    public void whoLooksAtAllSeesThoseThatThereAre() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + "httpListener: http://127.0.0.1:0\n" + STORED); LDAPConnection admin = server.admin();
                LDAPConnection reader = server.admin(); LDAPConnection monitor = server.admin()) {
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<Integer> roots = CompletableFuture.supplyAsync(() -> repeat(stop, () -> contexts(reader)), Await.THREADS);
            CompletableFuture<Integer> monitors = CompletableFuture.supplyAsync(() -> repeat(stop, () -> partitionsOfMonitor(monitor)), Await.THREADS);
            HttpClient http = HttpClient.newHttpClient();
            CompletableFuture<Integer> metrics = CompletableFuture.supplyAsync(() -> repeat(stop, () -> {
                for (String page : new String[] {"/metrics", "/readyz"}) {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(server.httpUrl() + page)).build();
                    assertEquals(200, http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
                }
            }), Await.THREADS);
            for (int i = 0; i < 15; i++) {
                addPartition(admin, NEW, SUFFIX);
                admin.delete(NEW);
            }
            stop.set(true);
            assertTrue(Await.result("root DSEs", roots) > 0);
            assertTrue(Await.result("monitors", monitors) > 0);
            assertTrue(Await.result("metrics", metrics) > 0);
        }
    }

    /** Those of other partitions notice nothing; those of the one that goes are answered, or told that it is gone. */
    @Test(timeout = Await.MILLIS)
    public void searchesAndUpdatesGoOnBeside() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + STORED); LDAPConnection admin = server.admin();
                LDAPConnection reader = server.admin(); LDAPConnection writer = server.admin(); LDAPConnection there = server.admin()) {
            addTop(admin, TestServer.SUFFIX);
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<Integer> reads = CompletableFuture.supplyAsync(() -> repeat(stop, () -> {
                SearchResultEntry top = reader.getEntry(TestServer.SUFFIX);
                assertEquals(TestServer.SUFFIX, top.getDN());
            }));
            CompletableFuture<Integer> writes = CompletableFuture.supplyAsync(() -> repeat(stop, () ->
                    writer.modify(TestServer.SUFFIX, new Modification(ModificationType.REPLACE, "description", Double.toString(Math.random())))));
            CompletableFuture<Integer> updatesThere = CompletableFuture.supplyAsync(() -> repeat(stop, () -> {
                try {
                    there.search(SUFFIX, SearchScope.SUB, "(objectClass=*)");
                    there.modify(SUFFIX, new Modification(ModificationType.REPLACE, "description", Double.toString(Math.random())));
                } catch (LDAPException e) {
                    assertTrue(e.toString(), List.of(ResultCode.NO_SUCH_OBJECT, ResultCode.UNAVAILABLE, ResultCode.ADMIN_LIMIT_EXCEEDED)
                            .contains(e.getResultCode()));
                }
            }));
            for (int i = 0; i < 20; i++) {
                addPartition(admin, NEW, SUFFIX);
                if (i == 0) {
                    addTop(admin, SUFFIX);
                }
                assertEquals(SUFFIX, admin.getEntry(SUFFIX).getDN());
                admin.delete(NEW);
            }
            stop.set(true);
            assertTrue(Await.result("reads", reads) > 0);
            assertTrue(Await.result("writes", writes) > 0);
            assertTrue(Await.result("updates there", updatesThere) > 0);
        }
    }

    private static int repeat(AtomicBoolean stop, ThrowingRunnable each) {
        int times = 0;
        while (!stop.get()) {
            try {
                each.run();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            times++;
        }
        return times;
    }
}
