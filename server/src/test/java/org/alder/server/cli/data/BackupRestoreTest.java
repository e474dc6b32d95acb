package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldif.LDIFException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.partition.testing.Await;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Whole data folders go into backups and come back, on the command line. */
public class BackupRestoreTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final int WRITERS = 3;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path data;
    private Path backups;

    @Before
    public void name() {
        data = path("data");
        backups = path("backups");
    }

    private Path path(String name) {
        return temporary.getRoot().toPath().resolve(name);
    }

    private static byte[] export(Path folder) throws IOException {
        Path output = folder.resolveSibling(folder.getFileName() + ".ldif");
        CommandRun.of("export", "--data", folder, "--output", output).succeeds();
        return Files.readAllBytes(output);
    }

    /** The description of each entry below the suffix. */
    private static Map<String, String> descriptions(Path folder) throws IOException, LdifException {
        Map<String, String> descriptions = new TreeMap<>();
        try (LdifReader reader = new LdifReader(new ByteArrayInputStream(export(folder)))) {
            for (LdifRecord record = reader.next(); record != null; record = reader.next()) {
                for (LdifAttribute attribute : ((LdifEntry) record).attributes()) {
                    if (attribute.description().equals("description")) {
                        descriptions.put(record.dn(), attribute.text());
                    }
                }
            }
        }
        return descriptions;
    }

    /** Adds, changes and deletes entries of its own, one operation after the other, and notes what was acknowledged. */
    private static final class Writer {
        private final String name;
        private final LDAPConnection connection;
        private final Map<String, String> acknowledged;
        private int operations;

        Writer(String name, LDAPConnection connection, Map<String, String> acknowledged) {
            this.name = name;
            this.connection = connection;
            this.acknowledged = acknowledged;
        }

        private String dn(int number) {
            return "ou=" + name + "-" + number + "," + SUFFIX;
        }

        void next() throws LDAPException, LDIFException {
            int number = operations / 3;
            switch (operations % 3) {
                case 0 -> {
                    connection.add("dn: " + dn(number), "objectClass: organizationalUnit", "description: added");
                    acknowledged.put(dn(number), "added");
                }
                case 1 -> {
                    connection.modify("dn: " + dn(number), "changetype: modify", "replace: description", "description: changed " + number);
                    acknowledged.put(dn(number), "changed " + number);
                }
                default -> {
                    if (number % 2 == 1) {
                        connection.delete(dn(number - 1));
                        acknowledged.remove(dn(number - 1));
                    }
                }
            }
            operations++;
        }
    }

    /** Everything that was acknowledged by a moment before the end is there, and nothing that came after it. */
    @Test
    public void aFolderDestroyedUnderLoadComesBackAsItWasAMomentBefore() throws Exception {
        CommandRun.importing(data, "dn: " + SUFFIX + "\nobjectClass: domain\nobjectClass: top\ndc: example\n").succeeds();
        Map<String, String> acknowledged = new ConcurrentSkipListMap<>();
        AtomicBoolean stop = new AtomicBoolean();
        ReentrantReadWriteLock gate = new ReentrantReadWriteLock(true);
        Map<String, String> expected;
        Instant moment;
        Process follower = null;
        try (ServerProcess server = ServerProcess.start(data)) {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Writer writer = new Writer("w" + i, server.admin(), acknowledged);
                writers.add(CompletableFuture.runAsync(() -> write(writer, gate, stop), Await.THREADS));
            }
            follower = ServerProcess.command(List.of("backup", "--data", data.toString(), "--to", backups.toString(), "--follow"))
                    .redirectOutput(path("follower.out").toFile()).redirectError(path("follower.err").toFile()).start();
            Await.until("a point", () -> Files.exists(backups.resolve("points"))
                    && !CommandRun.of("backup", "list", "--from", backups).out().isEmpty());
            Await.until("more changes", () -> acknowledged.size() > 300);
            gate.writeLock().lock();
            try {
                moment = afterNow();
                expected = Map.copyOf(acknowledged);
                afterNow();
            } finally {
                gate.writeLock().unlock();
            }
            int[] probes = {0};
            Await.until("the backup to follow", () -> CommandRun.of("restore", "--from", backups, "--at", moment, "--data",
                    path("probe" + ++probes[0])).status() == 0);
            stop.set(true);
            server.kill();
            for (CompletableFuture<Void> writer : writers) {
                Await.result("a writer", writer);
            }
            delete(data);
        } finally {
            stop.set(true);
            if (follower != null) {
                follower.destroy();
                Await.end("the backup", follower);
            }
        }
        CommandRun.of("backup", "verify", "--from", backups).succeeds();
        CommandRun.of("restore", "--from", backups, "--at", moment, "--data", data).succeeds();
        assertEquals(new TreeMap<>(expected), descriptions(data));
        CommandRun.of("verify", "--data", data).succeeds();
        Instant late = Instant.now().plusSeconds(3600);
        CommandRun.of("restore", "--progress", "none", "--from", backups, "--at", late, "--data", path("late")).fails(1, "it ends with change");
        assertFalse(Files.exists(path("late")));
    }

    private static void write(Writer writer, ReentrantReadWriteLock gate, AtomicBoolean stop) {
        try {
            while (!stop.get()) {
                gate.readLock().lock();
                try {
                    writer.next();
                } finally {
                    gate.readLock().unlock();
                }
            }
        } catch (LDAPException | LDIFException e) {
            assertTrue(e.toString(), stop.get());
        } finally {
            writer.connection.close();
        }
    }

    /** A moment after all that was, and before all that will be. */
    private static Instant afterNow() throws InterruptedException {
        Thread.sleep(20);
        Instant moment = Instant.now();
        Thread.sleep(20);
        return moment;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    public void theSchemaTheConfigurationAndTheKeysComeBack() throws Exception {
        Path conf = Files.createDirectory(path("conf"));
        Files.writeString(conf.resolve("words.txt"), "secret\n");
        Path elsewhere = Files.writeString(path("absolute.txt"), "revoked\n");
        Path configuration = Files.writeString(conf.resolve("mine.ldif"), Files.readString(Path.of("../conf/config.ldif"))
                .replaceFirst("(?m)^#?passwordPolicyDictionaryFile: .*$", "passwordPolicyDictionaryFile: words.txt"));
        assertTrue(Files.readString(configuration).contains("\npasswordPolicyDictionaryFile: words.txt"));
        String password;
        try (ServerProcess server = ServerProcess.start(data, "--conf", configuration, "--sample", 20);
                LDAPConnection connection = server.admin()) {
            connection.modify("dn: cn=schema", "changetype: modify", "add: attributeTypes",
                    "attributeTypes: ( 1.3.6.1.4.1.99999.1.1 NAME 'acmeBadge' SUP name )", "-", "add: objectClasses",
                    "objectClasses: ( 1.3.6.1.4.1.99999.2.1 NAME 'acmePerson' SUP top AUXILIARY MAY acmeBadge )");
            connection.modify("dn: uid=user.1,ou=users," + SUFFIX, "changetype: modify", "add: objectClass", "objectClass: acmePerson",
                    "-", "add: acmeBadge", "acmeBadge: 4711");
            password = Files.readString(data.resolve("admin.password"));
            CommandRun.of("backup", "--data", data, "--conf", configuration, "--to", backups).succeeds();
        }
        assertOwnersAlone(backups);
        Path restored = path("restored");
        CommandRun run = CommandRun.of("restore", "--from", backups, "--data", restored).succeeds();
        assertTrue(run.out(), run.out().contains("restored partition ") && run.out().contains("--conf"));
        assertOwnersAlone(restored);
        assertEquals("secret\n", Files.readString(restored.resolve("conf/words.txt")));
        for (String same : List.of("tls.key", "tls.crt", "admin.password", "schema.ldif")) {
            assertEquals(same, -1, Files.mismatch(data.resolve(same), restored.resolve(same)));
        }
        assertEquals(-1, Files.mismatch(configuration, restored.resolve("conf/config.ldif")));
        assertTrue(Files.exists(restored.resolve("conf/schema")) && Files.exists(elsewhere));
        assertEquals(new String(export(data), StandardCharsets.UTF_8),
                new String(export(restored), StandardCharsets.UTF_8));
        try (ServerProcess server = ServerProcess.start(restored, "--conf", restored.resolve("conf/config.ldif"));
                LDAPConnection connection = server.connect(password)) {
            assertEquals("4711", connection.getEntry("uid=user.1,ou=users," + SUFFIX).getAttributeValue("acmeBadge"));
        }
    }

    /** As on the machine of a service, which is started with the same file again. */
    @Test
    public void whatTheFolderRemembersOfItsConfigurationComesBack() throws Exception {
        Path mine = Files.writeString(path("mine.ldif"), "dn: cn=config\nobjectClass: alderServer\nsizeLimit: 5\n");
        try (ServerProcess server = ServerProcess.start(data, "--conf", mine); LDAPConnection connection = server.admin()) {
            connection.modify("dn: cn=config", "changetype: modify", "replace: workerQueue", "workerQueue: 77");
            connection.modify("dn: cn=config", "changetype: modify", "replace: timeLimitSeconds", "timeLimitSeconds: 7");
            CommandRun.of("backup", "--data", data, "--to", backups).succeeds();
        }
        Path restored = path("restored");
        CommandRun run = CommandRun.of("restore", "--from", backups, "--data", restored).succeeds();
        assertTrue(run.out(), run.out().contains("try: ") && !run.out().contains("--conf"));
        try (ServerProcess server = ServerProcess.start(restored, "--conf", mine); LDAPConnection connection = server.admin()) {
            SearchResultEntry config = connection.getEntry("cn=config", "*", "alderConfigurationChange");
            assertEquals("5", config.getAttributeValue("sizeLimit"));
            assertEquals("77", config.getAttributeValue("workerQueue"));
            assertEquals("7", config.getAttributeValue("timeLimitSeconds"));
            assertEquals(2, config.getAttributeValues("alderConfigurationChange").length);
            connection.modify("dn: cn=config", "changetype: modify", "delete: alderConfigurationChange");
        }
        CommandRun shown = CommandRun.of("config", "show", "--data", restored).succeeds();
        assertTrue(shown.out(), shown.out().contains("workerQueue: 77") && !shown.out().contains("timeLimitSeconds"));
    }

    private static void assertOwnersAlone(Path folder) throws IOException {
        Assume.assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                assertEquals(file.toString(), Files.isDirectory(file) ? "rwx------" : "rw-------",
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
        }
    }

    @Test
    public void whatCannotBeDoneIsRefused() throws IOException {
        CommandRun.of("backup", "--progress", "none", "--data", data, "--to", backups).fails(1, "no such folder: " + data);
        CommandRun.importing(data, "dn: " + SUFFIX + "\nobjectClass: domain\nobjectClass: top\ndc: example\n").succeeds();
        CommandRun.of("backup", "--progress", "none", "--data", data).fails(2, "--to DIR");
        CommandRun.of("backup", "--progress", "none", "--data", data, "--to", data.resolve("backups")).fails(2, "is in the data folder");
        CommandRun.of("backup", "--progress", "none", "--data", data, "--to", backups, "--keep", 0).fails(2, "at least 1");
        Path file = Files.writeString(path("file"), "text");
        CommandRun.of("backup", "--progress", "none", "--data", data, "--to", file).fails(1, "not a folder");
        CommandRun.of("restore", "--progress", "none", "--from", backups, "--data", path("new")).fails(1, "no such folder");
        CommandRun.of("backup", "--progress", "none", "--data", data, "--to", backups).succeeds();
        CommandRun.of("restore", "--progress", "none", "--from", backups, "--data", data).fails(1, "is not empty");
        CommandRun.of("restore", "--progress", "none", "--from", data, "--data", path("new")).fails(1, "is no folder of backups");
        CommandRun.of("restore", "--progress", "none", "--from", backups, "--point", "20010101T000000000Z", "--data", path("new")).fails(1, "no point");
        CommandRun.of("restore", "--progress", "none", "--from", backups, "--at", "2001-01-01T00:00:00Z", "--data", path("new")).fails(1,
                "before the oldest point");
        CommandRun.of("restore", "--progress", "none", "--from", backups, "--at", "yesterday", "--data", path("new")).fails(2, "with its time zone");
        CommandRun.of("restore", "--progress", "none", "--from", backups, "--to-change", 99, "--data", path("new")).fails(1, "it ends with change");
        assertFalse(Files.exists(path("new")));
    }
}
