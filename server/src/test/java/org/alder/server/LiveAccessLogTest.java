package org.alder.server;

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
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The access log, which begins, moves and ends while the server runs. */
public class LiveAccessLogTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start(String text) throws Exception {
        return ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + text + ConfiguredServer.PARTITION);
    }

    private Path file(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private Path standard() {
        return file("data/access/access.jsonl");
    }

    private static void replace(LDAPConnection admin, String key, String... values) throws LDAPException {
        assertNull(admin.modify("cn=config", new Modification(ModificationType.REPLACE, key, values)).getDiagnosticMessage());
    }

    private static void search(LDAPConnection connection, String mark) throws LDAPException {
        connection.search("", SearchScope.BASE, "(description=" + mark + ")", "1.1");
    }

    private static boolean has(Path file, String mark) throws IOException {
        return Files.exists(file) && Files.readString(file).contains(mark);
    }

    @Test(timeout = Await.MILLIS)
    public void itBeginsMovesShowsMoreAndEnds() throws Exception {
        try (ConfiguredServer server = start(""); LDAPConnection admin = server.admin()) {
            search(admin, "before");
            assertFalse(Files.exists(standard()));
            replace(admin, "accessLog", "all");
            search(admin, "first");
            Await.until("it to be told", () -> has(standard(), "first"));
            replace(admin, "accessLogFile", file("other.jsonl").toString());
            assertTrue("what was told before is there", has(standard(), "accessLog"));
            search(admin, "second");
            Await.until("it to be told elsewhere", () -> has(file("other.jsonl"), "second"));
            replace(admin, "accessLogValues", "none");
            search(admin, "third");
            replace(admin, "accessLogValues", "all");
            search(admin, "fourth");
            Await.until("it to be told", () -> has(file("other.jsonl"), "fourth"));
            assertFalse(has(file("other.jsonl"), "third"));
            replace(admin, "accessLog", "off");
            search(admin, "fifth");
        }
        assertFalse(has(file("other.jsonl"), "fifth"));
        assertFalse(has(standard(), "second"));
    }

    @Test(timeout = Await.MILLIS)
    public void aFileThatCannotBeWrittenIsRefused() throws Exception {
        try (ConfiguredServer server = start("accessLog: all\n"); LDAPConnection admin = server.admin()) {
            Files.writeString(file("plain"), "no folder");
            LDAPException refusal = assertThrows(LDAPException.class, () -> replace(admin, "accessLogFile", file("plain/access.jsonl").toString()));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, refusal.getResultCode());
            assertTrue(refusal.getMessage(), refusal.getMessage().contains(file("plain/access.jsonl").toString()));
            search(admin, "still");
            Await.until("the first file to go on", () -> has(standard(), "still"));
            assertNull(admin.getEntry("cn=config").getAttributeValue("accessLogFile"));
        }
    }

    /** Two that wrote to it would write over each other's lines. */
    @Test(timeout = Await.MILLIS)
    public void theSameFileByAnotherNameGoesOn() throws Exception {
        try (ConfiguredServer server = start("accessLog: all\n"); LDAPConnection admin = server.admin()) {
            search(admin, "first");
            Await.until("it to be told", () -> has(standard(), "first"));
            Path link = Files.createSymbolicLink(file("link"), standard().getParent());
            replace(admin, "accessLogFile", link.resolve("access.jsonl").toString());
            search(admin, "second");
            Await.until("it to be told", () -> has(standard(), "second"));
            assertTrue(has(standard(), "first"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void itTakesNoMoreOfTheDiskThanIsSaidNow() throws Exception {
        try (ConfiguredServer server = start("accessLog: all\n"); LDAPConnection admin = server.admin()) {
            search(admin, "x".repeat(100));
            replace(admin, "accessLogBytes", "512k");
            Path older = standard().resolveSibling("access-1.jsonl");
            Await.until("a file to be full", () -> {
                for (int i = 0; i < 50; i++) {
                    search(admin, "x".repeat(100));
                }
                return Files.exists(older);
            });
            assertTrue(Files.size(older) + " bytes", Files.size(older) <= 64 << 10);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void noLineIsLostWhileItMoves() throws Exception {
        int clients = 3;
        try (ConfiguredServer server = start("accessLog: all\n"); LDAPConnection admin = server.admin()) {
            AtomicBoolean done = new AtomicBoolean();
            List<CompletableFuture<Integer>> searches = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int number = i;
                searches.add(CompletableFuture.supplyAsync(() -> searches(server, number, done), Await.THREADS));
            }
            for (int move = 0; move < 20; move++) {
                replace(admin, "accessLogFile", file("moved" + move % 3 + ".jsonl").toString());
            }
            done.set(true);
            int[] counts = searches.stream().mapToInt(CompletableFuture::join).toArray();
            replace(admin, "accessLog", "off");
            String all = all();
            for (int i = 0; i < clients; i++) {
                int number = i;
                assertEquals(List.of(), IntStream.range(0, counts[i]).filter(n -> !all.contains("(description=m" + number + "-" + n + ")")).boxed().toList());
            }
            assertNull(admin.getEntry("cn=config", "alderWaitsForStart").getAttributeValue("alderWaitsForStart"));
        }
    }

    private static int searches(ConfiguredServer server, int number, AtomicBoolean done) {
        int count = 0;
        try (LDAPConnection client = server.anonymous()) {
            for (; !done.get(); count++) {
                search(client, "m" + number + "-" + count);
            }
        } catch (LDAPException e) {
            throw new IllegalStateException(e);
        }
        return count;
    }

    private String all() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path each : Stream.concat(Stream.of(standard()), IntStream.range(0, 3).mapToObj(i -> file("moved" + i + ".jsonl"))).toList()) {
            all.append(Files.exists(each) ? Files.readString(each) : "");
        }
        return all.toString();
    }
}
