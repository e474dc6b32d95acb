package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alder.partition.testing.Await;
import org.alder.server.wire.Listener;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a service manager hears, held against a program in place of systemd-notify that writes down what it is given, and against the real one. */
public class ServiceManagerTest {
    private static final String ENTRY = "dc=example,dc=com";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private Path notices;
    private List<String> notify;

    @Before
    public void make() throws IOException {
        notices = folder.newFile("notices").toPath();
        notify = List.of("sh", "-c", "echo \"$*\" >> \"$0\"", notices.toString());
    }

    private String heard() throws IOException {
        return Files.readString(notices);
    }

    private static Map<String, String> environment(long watchdogMicros, long pid) {
        return Map.of("NOTIFY_SOCKET", "/run/systemd/notify", "WATCHDOG_USEC", Long.toString(watchdogMicros), "WATCHDOG_PID",
                Long.toString(pid));
    }

    private static long ownPid() {
        return ProcessHandle.current().pid();
    }

    private static Listener listener(int port) {
        return Listener.of(Listener.Scheme.LDAP, "127.0.0.1", port);
    }

    @Test
    public void aManagerHearsOfReadinessAndOfTheStop() throws Exception {
        try (ServiceManager manager = ServiceManager.of(Map.of("NOTIFY_SOCKET", "@abstract"), notify)) {
            manager.tellReady(() -> Map.of("ldap://127.0.0.1:1", listener(1)), ENTRY);
            assertEquals("READY=1 STATUS=serving on ldap://127.0.0.1:1\n", heard());
            manager.tellStopping();
        }
        assertTrue(heard(), heard().endsWith("\nSTOPPING=1 STATUS=stopping\n"));
    }

    @Test
    public void whereNobodyWantsToHearNothingIsRun() throws Exception {
        try (ServiceManager manager = ServiceManager.of(Map.of("WATCHDOG_USEC", "1000"), notify)) {
            manager.tellReady(() -> Map.of("ldap://127.0.0.1:1", listener(1)), ENTRY);
            manager.tellStopping();
        }
        assertEquals("", heard());
    }

    @Test
    public void theWatchdogOfAnotherProcessIsNotOurs() throws Exception {
        try (ServiceManager manager = ServiceManager.of(environment(1000, ownPid() + 1), notify)) {
            manager.tellReady(() -> Map.of("ldap://127.0.0.1:1", listener(1)), ENTRY);
            assertEquals(0, Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().equals("alder-watchdog")).count());
        }
        assertFalse(heard(), heard().contains("WATCHDOG"));
    }

    @Test
    public void theWatchdogTellsAgainAndAgainThatAServerAnswers() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder.getRoot().toPath().resolve("data"));
                ServiceManager manager = ServiceManager.of(environment(20_000, ownPid()), notify)) {
            manager.tellReady(() -> Map.of("ldap://127.0.0.1:" + server.port(), listener(server.port())), ENTRY);
            Await.until("the third WATCHDOG=1", () -> heard().lines().filter("WATCHDOG=1"::equals).count() >= 3);
        }
    }

    @Test
    public void ofAServerThatTakesConnectionsAndNeverAnswersTheWatchdogTellsNothing() throws Exception {
        try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ServiceManager manager = ServiceManager.of(environment(20_000, ownPid()), notify)) {
            manager.tellReady(() -> Map.of("ldap://127.0.0.1:" + hung.getLocalPort(), listener(hung.getLocalPort())), ENTRY);
            hung.setSoTimeout(Await.MILLIS);
            try (var asked = hung.accept()) {
                asked.setSoTimeout(Await.MILLIS);
                assertTrue("the search", asked.getInputStream().read() > 0);
                assertFalse(heard(), heard().contains("WATCHDOG"));
            }
        }
    }

    @Test
    public void aStartedServerTellsTheRealSystemdNotify() throws Exception {
        Path socket = folder.getRoot().toPath().resolve("notify");
        Process manager = new ProcessBuilder("python3", "-c", """
                import socket, sys
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.bind(sys.argv[1])
                while True:
                    print(s.recv(65536).decode(), file=open(sys.argv[2], 'a'), flush=True)
                """, socket.toString(), notices.toString()).redirectErrorStream(true).start();
        try {
            assumeTrue("systemd-notify is installed", isInstalled("systemd-notify"));
            Await.until("the socket", () -> Files.exists(socket));
            ProcessBuilder builder = ServerProcess.command(List.of("start", "--data",
                    folder.getRoot().toPath().resolve("data").toString(), "--port", "0"));
            builder.environment().put("NOTIFY_SOCKET", socket.toString());
            builder.environment().put("WATCHDOG_USEC", "2000000");
            Path said = folder.newFile("said").toPath();
            Process server = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
            try {
                Await.value("notices", this::heard, text -> text.contains("READY=1") && text.contains("WATCHDOG=1"));
                assertTrue(heard(), heard().contains("STATUS=serving on ldap://127.0.0.1:"));
                server.destroy();
                Await.until("the end", () -> !server.isAlive());
                assertTrue(heard(), heard().contains("STOPPING=1"));
                assertFalse(Files.readString(said), Files.readString(said).contains("watchdog"));
            } finally {
                server.destroyForcibly();
            }
        } finally {
            manager.destroyForcibly();
        }
    }

    private static boolean isInstalled(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program + " && command -v python3").start().waitFor() == 0;
    }
}
