package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.alder.partition.file.FileReplacement;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.testing.Await;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;

/** The configuration of a running server as entries below cn=config. */
public class ConfigOverLdapTest {
    private static final String SECOND = "\ndn: cn=second,cn=config\nobjectClass: alderPartition\nsuffix: dc=other\nengine: memory\n"
            + "index: uid eq\nprimaryKey: uid\nunique: uid\n";
    private static final String RULES = "accessRule: grant view, read, compare, write, add, delete, authenticate to anyone\nsizeLimit: 7\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start(String text) throws Exception {
        return ConfiguredServer.start(folder.getRoot().toPath(), text);
    }

    private static SearchResultEntry read(LDAPConnection connection, String dn, String... attributes) throws LDAPException {
        return connection.getEntry(dn, attributes);
    }

    private static Set<String> names(SearchResultEntry entry) {
        return entry.getAttributes().stream().map(attribute -> attribute.getName()).collect(Collectors.toSet());
    }

    @Test(timeout = Await.MILLIS)
    public void whatIsSaidIsShownAndWhatHoldsByDefaultWhenAskedFor() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + RULES + ConfiguredServer.PARTITION + SECOND);
                LDAPConnection admin = server.admin()) {
            SearchResultEntry config = read(admin, "cn=config");
            assertEquals(Set.of("objectClass", "cn", "tls", "listener", "accessRule", "sizeLimit"), names(config));
            assertEquals("7", config.getAttributeValue("sizeLimit"));
            SearchResultEntry defaults = read(admin, "cn=config", "+");
            assertEquals("600", defaults.getAttributeValue("timeLimitSeconds"));
            assertNull("said, not a default", defaults.getAttributeValue("sizeLimit"));
            SearchResultEntry some = read(admin, "CN=Config", "SIZELIMIT", "timeLimitSeconds", "administrators");
            assertEquals("each by its name, whoever said it", Set.of("sizeLimit", "timeLimitSeconds"), names(some));
            SearchResultEntry second = read(admin, "cn=second,cn=config", "*", "+");
            assertArrayEquals(new String[] {"uid eq"}, second.getAttributeValues("index"));
            assertArrayEquals("a default that depends on what is indexed", null, second.getAttributeValues("memberOf"));
            assertEquals("sync", second.getAttributeValue("durability"));
            SearchResultEntry first = read(admin, "cn=first,cn=config", "*", "+");
            assertArrayEquals(new String[] {"member", "uniqueMember"}, first.getAttributeValues("memberOf"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void scopesAndFilters() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION + SECOND);
                LDAPConnection admin = server.admin()) {
            assertEquals(List.of("cn=config", "cn=first,cn=config", "cn=second,cn=config"), dns(admin, "cn=config", SearchScope.SUB, "(objectClass=*)"));
            assertEquals(List.of("cn=first,cn=config", "cn=second,cn=config"), dns(admin, "cn=config", SearchScope.ONE, "(objectClass=*)"));
            assertEquals(List.of("cn=config"), dns(admin, "cn=config", SearchScope.SUB, "(objectClass=alderServer)"));
            assertEquals(List.of("cn=second,cn=config"), dns(admin, "cn=config", SearchScope.SUB, "(&(objectClass=alderPartition)(cn=second))"));
            assertEquals("keys are not in the schema", List.of(), dns(admin, "cn=config", SearchScope.SUB, "(sizeLimit=*)"));
            for (SearchScope scope : SearchScope.values()) {
                LDAPException missing = assertThrows(LDAPException.class, () -> dns(admin, "cn=third,cn=config", scope, "(objectClass=*)"));
                assertEquals(ResultCode.NO_SUCH_OBJECT, missing.getResultCode());
                assertEquals("cn=config", missing.getMatchedDN());
            }
            assertEquals("not below the root, as the monitor is not", List.of(), dns(admin, "", SearchScope.SUB, "(objectClass=alderServer)"));
            assertEquals("cn=config", read(admin, "", "configContext").getAttributeValue("configContext"));
            assertTrue(admin.compare(new CompareRequest("cn=second,cn=config", "cn", "SECOND")).compareMatched());
        }
    }

    private static List<String> dns(LDAPConnection connection, String base, SearchScope scope, String filter) throws LDAPException {
        return connection.search(base, scope, filter).getSearchEntries().stream().map(SearchResultEntry::getDN).toList();
    }

    /** Whatever the rules say, and by whatever request. */
    @Test(timeout = Await.MILLIS)
    public void nobodyButAdministratorsSeesAnyOfIt() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + RULES + ConfiguredServer.PARTITION);
                LDAPConnection admin = server.admin(); LDAPConnection anonymous = server.anonymous(); LDAPConnection user = server.anonymous()) {
            admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
            admin.add("dn: uid=u," + TestServer.SUFFIX, "objectClass: account", "objectClass: simpleSecurityObject", "uid: u",
                    "userPassword: " + TestServer.USER_PASSWORD);
            user.bind("uid=u," + TestServer.SUFFIX, TestServer.USER_PASSWORD);
            for (LDAPConnection each : List.of(anonymous, user)) {
                for (String dn : List.of("cn=config", "cn=first,cn=config", "cn=third,cn=config")) {
                    for (SearchScope scope : SearchScope.values()) {
                        LDAPSearchException refused = assertThrows(LDAPSearchException.class, () -> each.search(dn, scope, "(objectClass=*)"));
                        assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, refused.getResultCode());
                        assertEquals(0, refused.getEntryCount());
                    }
                    assertThrows(LDAPException.class, () -> each.compare(new CompareRequest(dn, "sizeLimit", "7")));
                    assertThrows(LDAPException.class, () -> each.compare(new CompareRequest(dn, "cn", "config")));
                    assertThrows(LDAPException.class, () -> each.delete(new DeleteRequest(dn)));
                }
                SearchRequest followed = new SearchRequest("cn=config", SearchScope.SUB, "(objectClass=*)");
                followed.addControl(new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), false, false));
                assertThrows(LDAPException.class, () -> each.search(followed));
                assertEquals("that there is one is said to all", "cn=config", read(each, "", "configContext").getAttributeValue("configContext"));
            }
        }
    }

    private static void replace(LDAPConnection admin, String dn, String key, String... values) throws LDAPException {
        admin.modify(dn, new Modification(ModificationType.REPLACE, key, values));
    }

    private static final String USER = "uid=u," + TestServer.SUFFIX;

    private static void addUser(LDAPConnection admin) throws Exception {
        admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
        admin.add("dn: " + USER, "objectClass: account", "objectClass: simpleSecurityObject", "uid: u", "userPassword: " + TestServer.USER_PASSWORD);
    }

    @Test(timeout = Await.MILLIS)
    public void whatCanTakesEffectAtOnce() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION);
                LDAPConnection admin = server.admin(); LDAPConnection user = server.anonymous(); LDAPConnection anonymous = server.anonymous()) {
            addUser(admin);
            user.bind(USER, TestServer.USER_PASSWORD);
            assertEquals(2, dns(user, TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)").size());
            replace(admin, "cn=config", "sizeLimit", "1");
            refused(ResultCode.SIZE_LIMIT_EXCEEDED, "(sizeLimit)", () -> dns(user, TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)"));
            assertEquals("1", read(admin, "cn=config").getAttributeValue("sizeLimit"));
            admin.modify("cn=config", new Modification(ModificationType.ADD, "limitRule", "size=none to users"));
            assertEquals(2, dns(user, TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)").size());

            refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "bind first", () -> dns(anonymous, TestServer.SUFFIX, SearchScope.BASE, "(objectClass=*)"));
            replace(admin, "cn=config", "accessRule", "grant view to anyone", "default");
            assertEquals(1, dns(anonymous, TestServer.SUFFIX, SearchScope.BASE, "(objectClass=*)").size());

            replace(admin, "cn=config", "maxFilterDepth", "1");
            refused(ResultCode.ADMIN_LIMIT_EXCEEDED, "maxFilterDepth", () -> dns(user, TestServer.SUFFIX, SearchScope.SUB, "(&(|(uid=u)(uid=v)))"));

            replace(admin, "cn=config", "passwordPolicyMinLength", "20");
            refused(ResultCode.CONSTRAINT_VIOLATION, "20", () -> replace(user, USER, "userPassword", "ninechars"));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "passwordPolicyMinLength"));
            replace(user, USER, "userPassword", "ninechars");

            admin.add("dn: cn=admins," + TestServer.SUFFIX, "objectClass: groupOfNames", "cn: admins", "member: " + USER);
            replace(admin, "cn=config", "administrators", "cn=admins," + TestServer.SUFFIX);
            assertEquals("an administrator from his next request on", "cn=config", read(user, "cn=config").getDN());
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "administrators"));
            refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "only administrators", () -> dns(user, "cn=config", SearchScope.BASE, "(objectClass=*)"));

            replace(admin, "cn=config", "maxConnections", "3");
            try (LDAPConnection fourth = new LDAPConnection(TestServer.patience())) {
                assertThrows(LDAPException.class, () -> {
                    fourth.connect("127.0.0.1", server.port());
                    fourth.getRootDSE().getAttributes();
                });
            }
        }
    }

    private static void refused(ResultCode code, String text, ThrowingRunnable request) {
        LDAPException refusal = assertThrows(LDAPException.class, request);
        assertEquals(refusal.getMessage(), code, refusal.getResultCode());
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(text));
    }

    @Test(timeout = Await.MILLIS)
    public void theOthersWaitForTheNextStartAndTheAnswerSaysSo() throws Exception {
        String text = ConfiguredServer.SERVER + "tlsAuthorityFile: certs/ca.pem\n" + ConfiguredServer.PARTITION;
        try (ConfiguredServer server = start(text); LDAPConnection admin = server.admin()) {
            LDAPResult result = admin.modify("cn=config", new Modification(ModificationType.REPLACE, "workerQueue", "77"),
                    new Modification(ModificationType.REPLACE, "timeLimitSeconds", "88"));
            assertEquals("takes effect at the next start: workerQueue (threads, queues and the heap are divided once)", result.getDiagnosticMessage());
            assertArrayEquals(new String[] {"workerQueue"}, read(admin, "cn=config", "alderWaitsForStart").getAttributeValues("alderWaitsForStart"));
            result = admin.modify("cn=first,cn=config", new Modification(ModificationType.REPLACE, "keyTables", "false"));
            assertEquals("takes effect at the next start: keyTables (it is for measurements, of a server that has gone by it from its start)", result.getDiagnosticMessage());
            assertNull(admin.modify("cn=config", new Modification(ModificationType.REPLACE, "timeLimitSeconds", "89")).getDiagnosticMessage());
        }
        // The same file as before: the folder remembers what was changed since.
        try (ConfiguredServer server = start(text); LDAPConnection admin = server.admin()) {
            SearchResultEntry config = read(admin, "cn=config", "*", "alderWaitsForStart");
            assertEquals("77", config.getAttributeValue("workerQueue"));
            assertEquals("found from another folder too", folder.getRoot().toPath().resolve("certs/ca.pem").toString(),
                    config.getAttributeValue("tlsAuthorityFile"));
            assertEquals("89", config.getAttributeValue("timeLimitSeconds"));
            assertNull(config.getAttributeValue("alderWaitsForStart"));
            assertEquals("false", read(admin, "cn=first,cn=config").getAttributeValue("keyTables"));
        }
        // Another one: that was said last.
        try (ConfiguredServer server = start(text.replace("tls: none\n", "tls: none\nsizeLimit: 3\n")); LDAPConnection admin = server.admin()) {
            SearchResultEntry config = read(admin, "cn=config", "*", "alderConfigurationChange");
            assertEquals("3", config.getAttributeValue("sizeLimit"));
            assertNull(config.getAttributeValue("workerQueue"));
        }
        try (ConfiguredServer server = start(text.replace("tls: none\n", "tls: none\nsizeLimit: 3\n")); LDAPConnection admin = server.admin()) {
            String newest = read(admin, "cn=config", "alderConfigurationChange").getAttributeValues("alderConfigurationChange")[0];
            assertTrue(newest, newest.contains("a start with") && newest.contains("workerQueue") && newest.contains("sizeLimit"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatCannotBeIsRefusedWithKeyAndValueAndChangesNothing() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + "accessRule: default\n" + ConfiguredServer.PARTITION);
                LDAPConnection admin = server.admin()) {
            SearchResultEntry before = read(admin, "cn=config", "*", "+");
            refused(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, "unknown key colour", () -> replace(admin, "cn=config", "colour", "red"));
            refused(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, "unknown key sizeLimit;x-a", () -> replace(admin, "cn=config", "sizeLimit;x-a", "1"));
            refused(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, "unknown key suffix", () -> replace(admin, "cn=config", "suffix", "dc=b"));
            refused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "sizeLimit: \"many\" is not a whole number", () -> replace(admin, "cn=config", "sizeLimit", "many"));
            refused(ResultCode.CONSTRAINT_VIOLATION, "sizeLimit is given 2 times", () -> replace(admin, "cn=config", "sizeLimit", "1", "2"));
            refused(ResultCode.CONSTRAINT_VIOLATION, "passwordPolicyMinLength is 9 and passwordPolicyMaxLength is 8", () -> admin.modify("cn=config",
                    new Modification(ModificationType.REPLACE, "passwordPolicyMinLength", "9"),
                    new Modification(ModificationType.REPLACE, "passwordPolicyMaxLength", "8")));
            refused(ResultCode.CONSTRAINT_VIOLATION, "accessRule", () -> replace(admin, "cn=config", "accessRule", "grant everything to everybody"));
            refused(ResultCode.CONSTRAINT_VIOLATION, "nobody could administer", () -> replace(admin, "cn=config", "administratorPassword", "none"));
            refused(ResultCode.CONSTRAINT_VIOLATION, "under no suffix", () -> replace(admin, "cn=config", "administrators", "cn=g,dc=elsewhere"));
            LDAPException secret = assertThrows(LDAPException.class, () -> replace(admin, "cn=config", "administratorPassword", "xyzzy"));
            assertFalse(secret.getMessage(), secret.getMessage().contains("xyzzy"));
            refused(ResultCode.CONSTRAINT_VIOLATION, "the schema has no attribute nowhere",
                    () -> admin.modify("cn=first,cn=config", new Modification(ModificationType.ADD, "index", "nowhere eq")));
            refused(ResultCode.CONSTRAINT_VIOLATION, "tlsKeyFile", () -> replace(admin, "cn=config", "tlsKeyFile", "/nowhere"));
            refused(ResultCode.NO_SUCH_ATTRIBUTE, "limitRule has no value", () -> admin.modify("cn=config",
                    new Modification(ModificationType.DELETE, "limitRule", "size=1 to users")));
            refused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "accessRule has the value", () -> admin.modify("cn=config",
                    new Modification(ModificationType.ADD, "accessRule", "default")));
            refused(ResultCode.CONSTRAINT_VIOLATION, "cannot be incremented", () -> admin.modify("cn=config",
                    new Modification(ModificationType.INCREMENT, "sizeLimit", "1")));
            refused(ResultCode.UNWILLING_TO_PERFORM, "objectClass", () -> replace(admin, "cn=config", "objectClass", "top"));
            refused(ResultCode.NO_SUCH_OBJECT, "cn=third", () -> replace(admin, "cn=third,cn=config", "durability", "none"));
            refused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "not UTF-8", () -> admin.modify("cn=config",
                    new Modification(ModificationType.REPLACE, "sizeLimit", new byte[] {(byte) 0xFF})));
            refused(ResultCode.CONSTRAINT_VIOLATION, "expected at most 4194304", () -> replace(admin, "cn=config", "superiorReferral",
                    "ldap://" + "x".repeat(5 << 20)));
            assertEquals(before, read(admin, "cn=config", "*", "+"));
            assertTrue("the connection lives", admin.compare(new CompareRequest("cn=config", "cn", "config")).compareMatched());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void nobodyButAdministratorsChangesAnyOfIt() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + "accessRule: grant view, read, write, authenticate to anyone\n"
                + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin(); LDAPConnection user = server.anonymous()) {
            addUser(admin);
            user.bind(USER, TestServer.USER_PASSWORD);
            for (String key : List.of("sizeLimit", "accessRule", "cn", "alderConfigurationChange")) {
                refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "", () -> replace(user, "cn=config", key, "1"));
            }
            assertNull(read(admin, "cn=config").getAttributeValue("sizeLimit"));
        }
    }

    /** Of a key that may be given several times, values are added to those that hold by default, and taken from them. */
    @Test(timeout = Await.MILLIS)
    public void valuesComeToTheDefaultsAndGoFromThem() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            int defaults = read(admin, "cn=first,cn=config", "index").getAttributeValues("index").length;
            admin.modify("cn=first,cn=config", new Modification(ModificationType.ADD, "index", "title eq"));
            assertEquals(defaults + 1, read(admin, "cn=first,cn=config", "index").getAttributeValues("index").length);
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "tlsProtocol", "TLSv1.2"));
            assertArrayEquals(new String[] {"TLSv1.3"}, read(admin, "cn=config", "tlsProtocol").getAttributeValues("tlsProtocol"));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "tlsProtocol"));
            assertEquals(2, read(admin, "cn=config", "tlsProtocol").getAttributeValues("tlsProtocol").length);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void theNewestChangeIsUndoneByDeletingIt() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            refused(ResultCode.NO_SUCH_ATTRIBUTE, "no change", () -> admin.modify("cn=config",
                    new Modification(ModificationType.DELETE, "alderConfigurationChange")));
            replace(admin, "cn=config", "sizeLimit", "5");
            replace(admin, "cn=first,cn=config", "durability", "none");
            String[] changes = read(admin, "cn=config", "alderConfigurationChange").getAttributeValues("alderConfigurationChange");
            assertEquals(2, changes.length);
            assertTrue(changes[0], changes[0].matches("2 \\S+ " + TestServer.ADMIN + " from \\S+: cn=first,cn=config: replace durability none"));
            refused(ResultCode.UNWILLING_TO_PERFORM, "newest", () -> admin.modify("cn=config",
                    new Modification(ModificationType.DELETE, "alderConfigurationChange", changes[1])));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "alderConfigurationChange", changes[0]));
            assertNull(read(admin, "cn=first,cn=config").getAttributeValue("durability"));
            assertEquals("5", read(admin, "cn=config").getAttributeValue("sizeLimit"));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "alderConfigurationChange"));
            assertNull(read(admin, "cn=config").getAttributeValue("sizeLimit"));
            assertNull(read(admin, "cn=config", "+").getAttributeValue("alderConfigurationChange"));
        }
    }

    /** A file stands where the history is to be: nothing can be written. */
    @Test(timeout = Await.MILLIS)
    public void whatCannotBeWrittenIsNotInEffect() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            Path history = folder.getRoot().toPath().resolve("data/config-history");
            byte[] before = Files.readAllBytes(history.resolveSibling("config.ldif"));
            Files.writeString(history, "");
            refused(ResultCode.UNWILLING_TO_PERFORM, "is not in effect", () -> replace(admin, "cn=config", "sizeLimit", "5"));
            assertNull(read(admin, "cn=config").getAttributeValue("sizeLimit"));
            assertArrayEquals(before, Files.readAllBytes(history.resolveSibling("config.ldif")));
            Files.delete(history);
            replace(admin, "cn=config", "sizeLimit", "5");
            assertEquals("5", read(admin, "cn=config").getAttributeValue("sizeLimit"));
        }
    }

    /** Fails one of the next files: before anything of it is there, or when all of it is and only the folder cannot be synced. */
    private static final class FailingFiles implements FileReplacement {
        private final FileReplacement inner = AtomicFile.onDisk();
        private final AtomicInteger untilFault = new AtomicInteger();
        private volatile boolean written;

        void failAfter(int files, boolean whenWritten) {
            written = whenWritten;
            untilFault.set(files);
        }

        @Override
        public void replace(Path file, byte[] content) throws IOException {
            boolean fails = untilFault.getAndDecrement() == 1;
            if (!fails || written) {
                inner.replace(file, content);
            }
            if (fails) {
                throw new IOException("No space left on device");
            }
        }
    }

    /** The history is written first, then the configuration. */
    @Test(timeout = Await.MILLIS)
    public void afterAFaultOfTheDiskFileAndMemoryAreAsTheyWere() throws Exception {
        FailingFiles files = new FailingFiles();
        String text = ConfiguredServer.SERVER + "sizeLimit: 1\n" + ConfiguredServer.PARTITION;
        Path stored = folder.getRoot().toPath().resolve("data/config.ldif");
        try (ConfiguredServer server = ConfiguredServer.start(folder.getRoot().toPath(), text, files); LDAPConnection admin = server.admin();
                LDAPConnection user = server.anonymous()) {
            addUser(admin);
            user.bind(USER, TestServer.USER_PASSWORD);
            replace(admin, "cn=config", "timeLimitSeconds", "50");
            byte[] before = Files.readAllBytes(stored);
            SearchResultEntry shown = read(admin, "cn=config", "*", "+");
            for (int file = 1; file <= 2; file++) {
                for (boolean whenWritten : new boolean[] {false, true}) {
                    files.failAfter(file, whenWritten);
                    refused(ResultCode.UNWILLING_TO_PERFORM, "No space left on device", () -> replace(admin, "cn=config", "sizeLimit", "0"));
                    assertArrayEquals(before, Files.readAllBytes(stored));
                    assertEquals(shown, read(admin, "cn=config", "*", "+"));
                    refused(ResultCode.SIZE_LIMIT_EXCEEDED, "(sizeLimit)", () -> dns(user, TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)"));
                }
            }
            files.failAfter(1, false);
            refused(ResultCode.UNWILLING_TO_PERFORM, "No space left on device", () -> admin.modify("cn=config",
                    new Modification(ModificationType.DELETE, "alderConfigurationChange")));
            assertArrayEquals(before, Files.readAllBytes(stored));
            assertEquals("50", read(admin, "cn=config").getAttributeValue("timeLimitSeconds"));
            replace(admin, "cn=config", "sizeLimit", "0");
            assertEquals(2, dns(user, TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)").size());
            assertEquals(2, read(admin, "cn=config", "alderConfigurationChange").getAttributeValues("alderConfigurationChange").length);
        }
        assertEquals("0", ConfigurationReader.read(stored).settings().said().get("sizeLimit").get(0));
    }

    /** As by an editor, or by the command line while the server was starting. */
    @Test(timeout = Await.MILLIS)
    public void whatSomebodyHasWrittenIntoTheFileIsNotLost() throws Exception {
        Path stored = folder.getRoot().toPath().resolve("data/config.ldif");
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            String before = Files.readString(stored);
            Files.writeString(stored, before.replace("tls: none\n", "tls: none\nsizeLimit: 5\n"));
            refused(ResultCode.CONSTRAINT_VIOLATION, "somebody has changed the file", () -> replace(admin, "cn=config", "timeLimitSeconds", "7"));
            assertTrue(Files.readString(stored).contains("sizeLimit: 5"));
            Files.writeString(stored, "# a comment is no change\n" + before);
            replace(admin, "cn=config", "timeLimitSeconds", "7");
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aTransactionCannotChangeIt() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            ASN1OctetString id = ((StartTransactionExtendedResult) admin.processExtendedOperation(new StartTransactionExtendedRequest())).getTransactionID();
            ModifyRequest request = new ModifyRequest("cn=config", new Modification(ModificationType.REPLACE, "sizeLimit", "5"));
            request.addControl(new TransactionSpecificationRequestControl(id));
            admin.modify(request);
            ExtendedResult end = admin.processExtendedOperation(new EndTransactionExtendedRequest(id, true));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, end.getResultCode());
            assertNull(read(admin, "cn=config").getAttributeValue("sizeLimit"));
        }
    }

    /** Nothing is lost of what several administrators change, and nobody who searches meanwhile is refused. */
    @Test(timeout = Await.MILLIS)
    public void administratorsChangeItTogetherUnderLoad() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection first = server.admin()) {
            addUser(first);
            AtomicBoolean stop = new AtomicBoolean();
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                LDAPConnection reader = server.anonymous();
                reader.bind(USER, TestServer.USER_PASSWORD);
                readers.add(running(reader, () -> {
                    while (!stop.get()) {
                        assertEquals(2, dns(reader, TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)").size());
                    }
                }));
            }
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            Set<String> expected = ConcurrentHashMap.newKeySet();
            for (int i = 1; i <= 4; i++) {
                LDAPConnection admin = server.admin();
                int number = i;
                writers.add(running(admin, () -> {
                    for (int j = 1; j <= 10; j++) {
                        String rule = "size=" + (1000 * number + j) + " to users";
                        admin.modify("cn=config", new Modification(ModificationType.ADD, "limitRule", rule));
                        expected.add(rule);
                        if (j % 3 == 0) {
                            admin.modify("cn=config", new Modification(ModificationType.DELETE, "limitRule", rule));
                            expected.remove(rule);
                        }
                    }
                }));
            }
            for (CompletableFuture<Void> writer : writers) {
                Await.result("an administrator", writer);
            }
            stop.set(true);
            for (CompletableFuture<Void> reader : readers) {
                Await.result("a reader", reader);
            }
            assertEquals(expected, Set.of(read(first, "cn=config").getAttributeValues("limitRule")));
        }
    }

    private static CompletableFuture<Void> running(LDAPConnection connection, ThrowingRunnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new Thread(() -> {
            try (connection) {
                work.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        }, "client").start();
        return done;
    }

    /** Its controls hold: nothing is changed in a trial, and what an update shows is the entry. */
    @Test(timeout = Await.MILLIS)
    public void controlsOfUpdates() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            ModifyRequest request = new ModifyRequest("cn=config", new Modification(ModificationType.REPLACE, "sizeLimit", "5"));
            request.addControl(new Control("1.3.6.1.4.1.4203.1.10.2", true));
            assertEquals(ResultCode.NO_OPERATION, admin.modify(request).getResultCode());
            assertNull(read(admin, "cn=config").getAttributeValue("sizeLimit"));
            request.setControls(new AssertionRequestControl("(cn=other)"));
            refused(ResultCode.ASSERTION_FAILED, "", () -> admin.modify(request));
            request.setControls(new PostReadRequestControl("sizeLimit"));
            LDAPResult done = admin.modify(request);
            assertEquals("5", ((PostReadResponseControl) done.getResponseControl(PostReadResponseControl.POST_READ_RESPONSE_OID)).getEntry()
                    .getAttributeValue("sizeLimit"));
        }
    }

    /** As ldapsearch -LLL prints it. */
    @Test(timeout = Await.MILLIS)
    public void whatIsShownIsAConfigurationFileThatSaysTheSame() throws Exception {
        List<String> lines = new ArrayList<>();
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + RULES + "limitRule: size=5 to users\nlimitRule: size=none to anonymous\n"
                + ConfiguredServer.PARTITION + SECOND + "index: cn eq,sub\n");
                LDAPConnection admin = server.admin()) {
            for (SearchResultEntry entry : admin.search("cn=config", SearchScope.SUB, "(objectClass=*)").getSearchEntries()) {
                lines.add(entry.toLDIFString());
            }
        }
        Path again = Files.writeString(folder.getRoot().toPath().resolve("again.ldif"), String.join("\n", lines));
        ServerConfiguration expected = ConfigurationReader.read(folder.getRoot().toPath().resolve("my.ldif"));
        ServerConfiguration found = ConfigurationReader.read(again);
        assertEquals(expected.settings().said(), found.settings().said());
        assertEquals(2, found.partitions().size());
        for (int i = 0; i < found.partitions().size(); i++) {
            assertEquals(expected.partitions().get(i).name(), found.partitions().get(i).name());
            assertEquals(expected.partitions().get(i).settings().said(), found.partitions().get(i).settings().said());
        }
        assertFalse(found.settings().said().isEmpty());
    }
}
