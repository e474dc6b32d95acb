package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.server.assembly.DataFolder;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.PartitionConfiguration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * An import that replaces a partition is killed at random moments, by SIGKILL and SIGTERM in turn. Each time the old entries are
 * all there (or, if it had just published, the new ones), {@code verify} is clean, and the next start leaves nothing of the load.
 * System property {@code alder.test.importKills}: how many kills, default 6.
 */
public class KillImportTest {
    private static final int OLD_USERS = 300;
    private static final int NEW_USERS = 6000;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final long seed = Seed.of(KillImportTest.class);
    private final Random random = new Random(seed);
    private Path data;
    private Path oldLdif;
    private Path newLdif;
    private int published;

    @Test
    public void theOldGenerationServesUntilTheNewOneIsComplete() throws Exception {
        data = temporary.getRoot().toPath().resolve("data");
        newLdif = generate("new.ldif", NEW_USERS);
        CommandRun.of("import", "--data", data, generate("users.ldif", OLD_USERS)).succeeds();
        Set<String> oldFiles = start();
        String oldEntries = export();
        // With the operational attributes, so that it is the same each time it is loaded.
        oldLdif = Files.writeString(temporary.getRoot().toPath().resolve("old.ldif"), oldEntries);
        long loadMillis = loadMillis();
        int kills = Integer.getInteger("alder.test.importKills", 6);
        for (int round = 1; round <= kills; round++) {
            int afterMillis = random.nextInt((int) loadMillis);
            boolean done = loadAndKill(afterMillis, round % 2 == 0);
            check(round, done, oldEntries, oldFiles);
            // A kill that comes too late shows that the machine has become faster since the time was taken.
            loadMillis = done ? Math.max(afterMillis, 1) : loadMillis;
        }
        System.out.println("KillImportTest: " + kills + " kills within " + loadMillis + " ms, " + published + " came too late");
        assertTrue("no kill came in time", published < kills);
    }

    private Path generate(String name, int users) {
        Path file = temporary.getRoot().toPath().resolve(name);
        CommandRun.of("generate", "--entries", users, "--output", file).succeeds();
        return file;
    }

    /** How long a load takes from the moment its folder is there. */
    private long loadMillis() throws Exception {
        Process process = load();
        awaitLoad(process);
        long start = System.nanoTime();
        assertEquals(0, Await.end("the import", process));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        CommandRun.of("import", "--data", data, "--replace", oldLdif).succeeds();
        return Math.max(millis, 10);
    }

    private Process load() throws IOException {
        return ServerProcess.command(List.of("import", "--data", data.toString(), "--replace", newLdif.toString()))
                .redirectErrorStream(true).redirectOutput(temporary.getRoot().toPath().resolve("import.log").toFile()).start();
    }

    private void awaitLoad(Process process) throws Exception {
        Await.until("the import to begin", () -> !process.isAlive() || segments() >= 2);
    }

    private long segments() throws IOException {
        return files().stream().filter(name -> name.startsWith("segment-")).count();
    }

    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("partitions/example"))) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Whether the load had come to its end before. */
    private boolean loadAndKill(int afterMillis, boolean forcibly) throws Exception {
        Process process = load();
        awaitLoad(process);
        process.waitFor(afterMillis, TimeUnit.MILLISECONDS);
        if (forcibly) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        Await.end("the killed import", process);
        return !oldIsThere();
    }

    private boolean oldIsThere() {
        return CommandRun.of("verify", "--data", data).succeeds().out().contains(OLD_USERS + 2 + " entries");
    }

    private void check(int round, boolean done, String oldEntries, Set<String> oldFiles)
            throws IOException, DirectoryException, ConfigurationException {
        String when = "round " + round + " with seed " + seed;
        if (done) {
            published++;
            assertTrue(when, CommandRun.of("verify", "--data", data).succeeds().out().contains(NEW_USERS + 2 + " entries"));
            start();
            assertEquals(when, 1, segments());
            CommandRun.of("import", "--data", data, "--replace", oldLdif).succeeds();
            return;
        }
        assertEquals(when, withoutNumbers(oldFiles), withoutNumbers(start()));
        assertEquals(when, 1, segments());
        assertTrue(when + ": other entries than before", oldEntries.equals(export()));
        CommandRun.of("verify", "--data", data).succeeds();
    }

    /** Opens the store as a server does, closes it, and tells what files it leaves. */
    private Set<String> start() throws IOException, DirectoryException, ConfigurationException {
        PartitionConfiguration configuration = ConfigurationReader.read(Path.of("../conf/config.ldif")).partitions().get(0);
        new PartitionFolder(DataFolder.installedSchema(), configuration, new DataFolder(data)).open().close();
        return files();
    }

    private static Set<String> withoutNumbers(Set<String> names) {
        return names.stream().map(name -> name.replaceAll("-[0-9a-f]+", "-#")).collect(Collectors.toCollection(TreeSet::new));
    }

    private String export() throws IOException {
        Path file = temporary.getRoot().toPath().resolve("export.ldif");
        Files.deleteIfExists(file);
        CommandRun.of("export", "--data", data, "--output", file).succeeds();
        return Files.readString(file);
    }
}
