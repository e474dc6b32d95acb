package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.ChildJava;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A child process with 8 concurrent writers is killed with SIGKILL at random moments, again and again over the same folder.
 * After each kill every acknowledged transaction is there, each writer's state is that after its last acknowledged or its one
 * unacknowledged transaction, never between, the indexes agree with the entries and every segment is sound. System property
 * {@code alder.test.kills}: how many kills, default 40.
 */
public class JdbmStoreCrashTest {
    private static final int MAX_RUN_MILLIS = 700;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final long seed = Seed.of(JdbmStoreCrashTest.class);
    private final Random random = new Random(seed);
    private final CrashScript[] scripts = IntStream.range(0, CrashScript.WRITERS).mapToObj(i -> new CrashScript(seed, i))
            .toArray(CrashScript[]::new);
    private final int[] acknowledged = new int[CrashScript.WRITERS];
    private long largeEntries;
    private Path folder;
    private Path errors;

    @Test
    public void nothingAcknowledgedIsLostByKilling() throws IOException, InterruptedException {
        folder = temporary.getRoot().toPath().resolve("store");
        errors = temporary.getRoot().toPath().resolve("errors");
        try (JdbmStore store = JdbmStore.open(folder, CrashChild.settings(), CrashScript.INDEXER)) {
            CrashScript.prepare(store).join();
        }
        int kills = Integer.getInteger("alder.test.kills", 40);
        int idle = 0;
        for (int kill = 1; kill <= kills; kill++) {
            long before = total();
            runAndKill();
            verify("after kill " + kill + " with seed " + seed);
            idle += total() == before ? 1 : 0;
        }
        System.out.println("JdbmStoreCrashTest: " + kills + " kills, " + total() + " acknowledged transactions, " + idle
                + " kills before the first one");
        assertTrue("hardly any kill met a writer at work", idle <= kills / 2);
        assertTrue("entries with values outside of their records: " + largeEntries, largeEntries > 0);
    }

    private long total() {
        return IntStream.of(acknowledged).asLongStream().sum();
    }

    private void runAndKill() throws IOException, InterruptedException {
        // Without the configuration of logging the child would log to standard output, among its acknowledgements.
        List<String> command = ChildJava.command("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"));
        command.addAll(List.of(CrashChild.class.getName(), folder.toString(), "" + seed));
        Process child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile())).start();
        Thread killer = new Thread(() -> killSoon(child));
        try (BufferedReader lines = new BufferedReader(child.inputReader(StandardCharsets.US_ASCII))) {
            if (random.nextInt(5) > 0) {
                take(Objects.requireNonNull(lines.readLine(), () -> "no acknowledgement, see " + errors));
            }
            killer.start();
            String line = lines.readLine();
            while (line != null) {
                take(line);
                line = lines.readLine();
            }
        }
        Await.end(killer);
        assertEquals("the child ended by itself: " + Files.readString(errors), 128 + 9, Await.end("the killed child", child));
    }

    private void killSoon(Process child) {
        try {
            child.waitFor(random.nextInt(MAX_RUN_MILLIS), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Not Process.destroyForcibly: that would close the pipe before the last acknowledgements are read.
        child.toHandle().destroyForcibly();
    }

    /** A line is one write to a pipe, so it comes whole or not at all. */
    private void take(String line) {
        int space = line.indexOf(' ');
        acknowledged[Integer.parseInt(line.substring(0, space))] = Integer.parseInt(line.substring(space + 1));
    }

    private void verify(String when) throws IOException {
        try (JdbmStore store = JdbmStore.open(folder, CrashChild.settings().withBackgroundCompaction(false), CrashScript.INDEXER);
                Snapshot snapshot = store.snapshot()) {
            for (int i = 0; i < scripts.length; i++) {
                verifyWriter(when + ", writer " + i, i, snapshot);
            }
            StoreTests.assertIndexed(snapshot, CrashScript.INDEXER);
            assertEquals(when, store.status().entries(), 1 + scripts.length + IntStream.range(0, scripts.length)
                    .map(i -> scripts[i].entries().size()).sum());
        }
        StoreTests.assertFilesSound(folder);
    }

    private void verifyWriter(String when, int writer, Snapshot snapshot) {
        CrashScript found = new CrashScript(seed, writer);
        found.load(snapshot);
        int steps = found.steps();
        assertTrue(when + ": acknowledged " + acknowledged[writer] + ", found " + steps,
                steps == acknowledged[writer] || steps == acknowledged[writer] + 1);
        while (scripts[writer].steps() < steps) {
            scripts[writer].advance();
        }
        assertEquals(when, scripts[writer].entries(), found.entries());
        largeEntries += found.largeEntries();
        acknowledged[writer] = steps;
    }
}
