package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.partition.text.JsonReader;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code alder index} as somebody runs it: with a server that others read and write meanwhile, and without one. */
public class IndexVerbTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String USERS = "ou=users," + SUFFIX;
    private static final int PEOPLE = 200;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path data;
    /** Where the server is; empty while there is none. */
    private List<Object> url = List.of();

    @Before
    public void nameFolder() {
        data = temporary.getRoot().toPath().resolve("data");
    }

    private ServerProcess start(Object... options) throws Exception {
        ServerProcess server = ServerProcess.start(data, options);
        url = List.of("--url", "ldap://127.0.0.1:" + server.port());
        return server;
    }

    private CommandRun index(Object... arguments) {
        return run("index", arguments);
    }

    private CommandRun status(Object... arguments) {
        return run("status", arguments);
    }

    private CommandRun run(String verb, Object... arguments) {
        List<Object> all = new ArrayList<>(List.of(verb, "--data", data));
        all.addAll(url);
        all.addAll(List.of(arguments));
        return CommandRun.of(all.toArray());
    }

    private static Map<?, ?> facts(CommandRun run) {
        return (Map<?, ?>) JsonReader.parse(run.succeeds().out());
    }

    private static void assertSays(String text, CommandRun run) {
        assertTrue("expected " + text + " in " + run, run.succeeds().out().contains(text));
    }

    private static Entry monitor(LDAPConnection admin) throws LDAPException {
        return admin.getEntry("cn=partition-1,cn=Monitor");
    }

    private static int found(LDAPConnection connection, String filter) throws LDAPException {
        return connection.search(SUFFIX, SearchScope.SUB, filter, "1.1").getEntryCount();
    }

    private static void describe(LDAPConnection connection, String person, int value) throws LDAPException {
        connection.modify(person, new Modification(ModificationType.REPLACE, "description", "value " + value));
    }

    @Test
    public void indexesAreBuiltBesideReadersAndWriters() throws Exception {
        try (ServerProcess server = start("--sample", PEOPLE); LDAPConnection admin = server.admin()) {
            List<String> people = admin.search(SUFFIX, SearchScope.SUB, "(uid=user.*)", "1.1").getSearchEntries().stream().map(Entry::getDN).toList();
            assertEquals(PEOPLE, people.size());
            for (int person = 0; person < PEOPLE; person++) {
                describe(admin, people.get(person), person % 10);
            }
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger rounds = new AtomicInteger();
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                Future<?> writer = threads.submit((Callable<Void>) () -> {
                    try (LDAPConnection connection = server.admin()) {
                        for (int i = 0; !stop.get(); i++) {
                            String person = people.get(i % PEOPLE);
                            describe(connection, person, 10 + i % PEOPLE % 10);
                            describe(connection, person, i % PEOPLE % 10);
                            rounds.incrementAndGet();
                        }
                        return null;
                    }
                });
                Future<?> reader = threads.submit((Callable<Void>) () -> {
                    try (LDAPConnection connection = server.admin()) {
                        while (!stop.get()) {
                            // One is away for a moment at most, between its two values.
                            int count = found(connection, "(description=value 3)");
                            assertTrue("found " + count, count == PEOPLE / 10 || count == PEOPLE / 10 - 1);
                            assertEquals(PEOPLE, found(connection, "(&(uid=user.*)(description=*))"));
                        }
                        return null;
                    }
                });
                for (int i = 0; i < 3; i++) {
                    assertSays(SUFFIX + ": index description eq,pres; complete", index("add", "description", "pres,eq", "--wait"));
                    awaitRound(rounds);
                    assertSays("index       description eq,pres, keys: ", index());
                    assertSays(SUFFIX + ": index description eq,sub,pres; complete", index("add", "description", "sub", "--wait"));
                    assertSays(SUFFIX + ": index of description is built anew; complete", index("rebuild", "description", "--wait"));
                    assertSays(SUFFIX + ": index description eq,pres", index("remove", "description", "sub", "--wait"));
                    awaitRound(rounds);
                    assertSays(SUFFIX + ": no index of description", index("remove", "description"));
                    assertFalse(index("list").succeeds().out().contains("description"));
                }
                stop.set(true);
                Await.result("the writer ends", writer);
                Await.result("the reader ends", reader);
            } finally {
                stop.set(true);
                threads.shutdownNow();
            }
            index("add", "description", "--wait").succeeds();
            assertEquals(PEOPLE / 10, found(admin, "(description=value 3)"));
        }
        CommandRun.of("verify", "--data", data).succeeds();
    }

    private static void awaitRound(AtomicInteger rounds) throws Exception {
        int before = rounds.get();
        Await.until("updates go on", () -> rounds.get() > before + 1);
    }

    @Test
    public void aBuildUnderWayIsShownAndGoesOnAfterACrash() throws Exception {
        try (ServerProcess server = start("--sample", PEOPLE, "--set", "mergeBytesPerSecond=1");
                LDAPConnection admin = server.admin()) {
            assertSays(SUFFIX + ": index description eq; used as soon as they are built", index("add", "description"));
            describe(admin, "uid=user.7," + USERS, 7);
            CommandRun list = index().succeeds();
            assertTrue(list.toString(), list.out().contains("index       description eq, being built\n") && list.out().contains("build       description: "));
            Map<?, ?> facts = facts(index("--json"));
            assertEquals(SUFFIX, facts.get("partition"));
            assertEquals(List.of("description"), ((Map<?, ?>) facts.get("build")).get("indexes"));
            assertTrue(facts.toString(), ((List<?>) facts.get("indexes")).contains(Map.of("attribute", "description", "kinds", "eq", "complete", false)));
            assertSays("build       description: ", status());
            assertTrue(status("--json").succeeds().out().contains("\"indexBuild\":{\"indexes\":[\"description\"]"));
            server.kill();
        }
        try (ServerProcess server = start("--set", "mergeBytesPerSecond=1")) {
            assertSays("build       description: ", index());
            assertTrue("it listens", server.port() > 0);
        }
        try (ServerProcess server = start(); LDAPConnection admin = server.admin()) {
            assertSays("index       description eq, keys: ", index("--wait"));
            assertEquals(1, found(admin, "(description=value 7)"));
        }
        CommandRun.of("verify", "--data", data).succeeds();
    }

    /** What is refused for want of room ends no build; a start in which nothing can be built serves all the same. */
    @Test
    public void whatIsBeingBuiltOutlastsADiskThatIsShortOfRoom() throws Exception {
        try (ServerProcess server = start("--sample", PEOPLE, "--set", "mergeBytesPerSecond=1"); LDAPConnection admin = server.admin()) {
            assertSays(SUFFIX + ": index description eq; used as soon as they are built", index("add", "description"));
            admin.modify("cn=example,cn=config", new Modification(ModificationType.REPLACE, "diskLowBytes", "8000000g"));
            Await.until("the store knows", () -> !monitor(admin).getAttributeValueAsBoolean("alderWritable"));
            index("add", "title", "--wait").fails(1, "bytes free");
            CommandRun list = index().succeeds();
            assertTrue(list.toString(), list.out().contains("index       description eq, being built\n") && !list.out().contains("title"));
            server.kill();
        }
        try (ServerProcess server = start("--set", "diskLowBytes=8000000g"); LDAPConnection admin = server.admin()) {
            assertEquals(1, found(admin, "(uid=user.7)"));
        }
        try (ServerProcess server = start("--set", "diskLowBytes=0", "--set", "mergeBytesPerSecond=0"); LDAPConnection admin = server.admin()) {
            assertSays("index       description eq, keys: ", index("--wait"));
            for (String name : List.of("alderIndexBytes", "alderIndexKeys")) {
                String[] figures = monitor(admin).getAttributeValues(name);
                assertTrue(String.join(", ", figures), Stream.of(figures).anyMatch(each -> each.matches("description [1-9][0-9]*")));
            }
            Map<?, ?> facts = facts(index("--json"));
            Map<?, ?> description = ((List<?>) facts.get("indexes")).stream().map(each -> (Map<?, ?>) each)
                    .filter(each -> each.get("attribute").equals("description")).findFirst().orElseThrow();
            assertTrue(facts.toString(), (Double) description.get("keys") > 0 && (Double) description.get("bytes") > 0);
        }
    }

    @Test
    public void whatSearchesLackedIsSuggested() throws Exception {
        try (ServerProcess server = start("--sample", PEOPLE); LDAPConnection admin = server.admin()) {
            assertSays("no search lacked an index", index("suggest"));
            assertEquals(0, found(admin, "(description=value 3)"));
            assertEquals(0, found(admin, "(description=value 4)"));
            CommandRun suggested = index("suggest").succeeds();
            assertTrue(suggested.toString(), suggested.out().startsWith("bin/alder index add description eq    # searches: 2, slow: "));
            Map<?, ?> facts = facts(index("suggest", "--json", "--suffix", SUFFIX));
            assertEquals("description", facts.get("attribute"));
            assertEquals("eq", facts.get("kinds"));
            assertEquals(2.0, facts.get("searches"));
            index("add", "description", "eq", "--wait").succeeds();
            assertSays("no search lacked an index", index("suggest"));
            assertTrue(found(admin, "(sn=*)") > PEOPLE / 2);
            CommandRun ofMost = index("suggest").succeeds();
            assertTrue(ofMost.toString(), ofMost.out().startsWith("# not sn pres: most entries have sn (of "));
            assertTrue(ofMost.toString(), ofMost.out().contains("no search lacked an index"));
            assertEquals("", index("suggest", "--json").succeeds().out());
            assertEquals(0, found(admin, "(carLicense=*)"));
            assertSays("bin/alder index add carLicense pres    # searches: 1", index("suggest"));
            found(admin, "(&(street=*)(roomNumber=none))");
            CommandRun beside = index("suggest").succeeds();
            assertTrue(beside.toString(), beside.out().contains("index add roomNumber eq") && !beside.out().contains("street"));
            assertEquals(SUFFIX, facts(index("rebuild", "description", "--json")).get("partition"));
            index("add", "description").fails(1, "has the index description eq already");
            index("add", "nowhere").fails(1, "the schema has no attribute nowhere");
            index("remove", "member").fails(1, "memberOf");
            index("remove", "title").fails(1, "has no index of title");
            index("rebuild", "title").fails(1, "there is no index of title");
            index("list", "--suffix", "o=other").fails(1, "no such partition");
            index("add", "title", "--suffix", "o=other").fails(1, "no such partition");
        }
    }

    @Test
    public void withoutAServerTheNextStartBuilds() throws Exception {
        CommandRun.importing(data, "dn: " + SUFFIX + "\nobjectClass: domain\ndc: example\ndescription: first\n\n").succeeds();
        assertSays("index       uid eq\n", index());
        assertSays(SUFFIX + ": index description eq inline=title; no server answers on " + data.resolve("ldapi") + ": the next start builds what is missing",
                index("add", "description", "eq", "inline=title"));
        index("add", "description", "eq,colour").fails(2, "expected eq, sub and pres");
        index("add").fails(2, "expected an attribute");
        index("list", "uid").fails(2, "expected no attribute");
        index("remove", "description", "sub").fails(1, "has no sub");
        index("suggest").fails(1, "no server answers on ");
        index("rebuild", "uid").fails(1, "verify --repair");
        try (ServerProcess server = start(); LDAPConnection admin = server.admin()) {
            assertEquals(1, found(admin, "(description=first)"));
            assertSays("index       description eq, keys: ", index());
        }
        url = List.of();
        index("remove", "description").succeeds();
        assertFalse(index().succeeds().out().contains("description"));
    }
}
