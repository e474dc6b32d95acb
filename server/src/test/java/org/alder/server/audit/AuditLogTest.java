package org.alder.server.audit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.util.json.JSONException;
import com.unboundid.util.json.JSONObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.server.LoggedMessages;
import org.alder.server.resource.Counters;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is told is written, whole and once, or counted as lost. */
public class AuditLogTest {
    private static final int MANY = 40_000;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final Counters counters = new Counters();
    private volatile AuditLevel level = AuditLevel.SECURITY;
    private Path folder;
    private Path file;

    @Before
    public void name() {
        folder = temporary.getRoot().toPath().resolve("audit");
        file = folder.resolve("audit.jsonl");
    }

    private AuditLog open(long fileBytes, int kept, boolean block) throws IOException {
        return AuditLog.open(new AuditSettings(AuditLevel.SECURITY, new LogFiles(file, fileBytes, 0, kept), block), () -> level, description -> true, counters);
    }

    private static AuditEvent event(int number) {
        return AuditEvent.of("test", "event " + number, null, null);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    private List<String> told(Path from) throws IOException, JSONException {
        List<String> events = new ArrayList<>();
        for (String line : Files.readAllLines(from)) {
            events.add(new JSONObject(line).getFieldAsString("event"));
        }
        return events;
    }

    private long lost() {
        return counters.counter("audit", "alderAuditEventsLost").sum();
    }

    @Test
    public void whatIsToldBeforeTheEndIsWritten() throws Exception {
        AuditLog log = open(1 << 20, 0, false);
        for (int i = 0; i < 100; i++) {
            log.tell(event(i));
        }
        log.close();
        log.close();
        assertEquals(100, told(file).size());
        assertEquals("event 99", told(file).get(99));
        assertEquals(100, counters.counter("audit", "alderAuditEvents").sum());
        log.tell(event(100));
        assertEquals("told too late", 1, lost());
    }

    @Test
    public void aNewFileIsBegunAtTheSizeAndOldOnesGo() throws Exception {
        for (int start = 0; start < 10; start++) {
            try (AuditLog log = open(200, 3, false)) {
                log.tell(event(2 * start));
                log.tell(event(2 * start + 1));
            }
        }
        List<String> names = files().stream().map(each -> each.getFileName().toString()).toList();
        assertEquals(4, names.size());
        assertTrue(names.toString(), names.contains("audit.jsonl"));
        List<String> all = new ArrayList<>();
        for (Path each : files()) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(each)));
            all.addAll(told(each));
        }
        assertTrue(all.toString(), all.containsAll(List.of("event 19", "event 18", "event 17", "event 16")));
        assertFalse(all.contains("event 0"));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
    }

    @Test
    public void aLineThatACrashHasCutStaysALineOfItsOwn() throws Exception {
        Files.createDirectory(folder);
        Files.writeString(file, "{\"time\":\"2026");
        try (AuditLog log = open(1 << 20, 0, false)) {
            log.tell(event(1));
        }
        List<String> lines = Files.readAllLines(file);
        assertEquals("{\"time\":\"2026", lines.get(0));
        assertEquals("event 1", new JSONObject(lines.get(1)).getFieldAsString("event"));
    }

    @Test
    public void whatCannotBeWrittenIsCountedAndToldLater() throws Exception {
        try (LoggedMessages messages = new LoggedMessages(LineLog.class.getName()); AuditLog log = open(1, 0, false)) {
            log.tell(event(0));
            Await.until("the first event", () -> Files.size(file) > 0);
            Path aside = folder.resolveSibling("aside");
            Files.move(folder, aside);
            log.tell(event(1));
            Await.until("the loss", () -> lost() == 1);
            Files.move(aside, folder);
            log.tell(event(2));
            Await.until("the line after it", () -> counters.counter("audit", "alderAuditEvents").sum() == 2);
            assertTrue(messages.has("cannot be written, and events are lost"));
        }
        List<String> all = new ArrayList<>();
        for (Path each : files()) {
            all.addAll(told(each));
        }
        assertEquals(List.of("event 0", "event 2", "eventsLost"), all.stream().sorted().toList());
    }

    private Thread telling(AuditLog log) {
        return new Thread(() -> {
            for (int i = 1; i <= MANY; i++) {
                log.tell(event(i));
            }
        });
    }

    @Test
    public void whereNothingMayBeLostWhoeverTellsWaits() throws Exception {
        Path aside = folder.resolveSibling("aside");
        try (LoggedMessages messages = new LoggedMessages(LineLog.class.getName()); AuditLog log = open(1, 0, true)) {
            log.tell(event(0));
            Await.until("the first event", () -> Files.size(file) > 0);
            Files.move(folder, aside);
            Thread telling = telling(log);
            telling.start();
            Await.until("somebody who waits", () -> telling.getState() == Thread.State.WAITING);
            Await.until("a disk that fails", () -> messages.has("and requests wait for it"));
            assertEquals(0, lost());
            Files.move(aside, folder);
            telling.join(Await.MILLIS);
            assertFalse(telling.isAlive());
        }
        long lines = 0;
        for (Path each : files()) {
            lines += Files.readAllLines(each).size();
        }
        assertEquals(MANY + 1, lines);
        assertEquals(0, lost());
    }

    @Test
    public void aStopLetsGoWhoeverWaitsAndCountsWhatIsLost() throws Exception {
        try (LoggedMessages messages = new LoggedMessages(LineLog.class.getName())) {
            AuditLog log = open(1, 0, true);
            Files.move(folder, folder.resolveSibling("aside"));
            Thread telling = telling(log);
            telling.start();
            Await.until("somebody who waits", () -> telling.getState() == Thread.State.WAITING);
            log.close();
            telling.join(Await.MILLIS);
            assertFalse(telling.isAlive());
            assertTrue(lost() > 0);
            assertEquals(MANY, lost() + counters.counter("audit", "alderAuditEvents").sum());
            assertTrue(messages.has("cannot be written"));
        }
    }

    @Test
    public void whatItIsToldChangesWithItsLevel() throws Exception {
        try (AuditLog log = open(1 << 20, 0, false)) {
            assertFalse(log.isTold(AuditLevel.WRITES));
            level = AuditLevel.WRITES;
            assertTrue(log.isTold(AuditLevel.WRITES));
            log.tell(event(1));
            level = AuditLevel.OFF;
            assertFalse(log.isTold(AuditLevel.SECURITY));
            log.tell(AuditTrail.Kind.CONFIGURATION, "serverStopped", null, null);
        }
        assertEquals(1, Files.readAllLines(file).size());
    }

    @Test
    public void oneThatIsOffHasNoFileUntilItIsToBeTold() throws Exception {
        level = AuditLevel.OFF;
        LogFiles files = new LogFiles(file, 1 << 20, 0, 0);
        try (AuditLog log = AuditLog.open(new AuditSettings(AuditLevel.OFF, files, false), () -> level, description -> true, counters)) {
            assertFalse(log.isOn());
            log.tell(event(1));
            assertFalse(Files.exists(file));
            log.prepare(new AuditSettings(AuditLevel.SECURITY, files, false));
            log.tell(AuditTrail.Kind.CONFIGURATION, "serverStopped", null, null);
            level = AuditLevel.SECURITY;
            assertTrue(log.isOn());
            log.tell(event(3));
        }
        assertEquals(1, Files.readAllLines(file).size());
    }

    @Test
    public void thereIsNoServerIfItCannotBeWritten() throws Exception {
        Files.writeString(folder, "no folder");
        String message = assertThrows(IOException.class, () -> open(1, 0, false)).getMessage();
        assertTrue(message, message.contains(file.toString()));
    }
}
