package org.alder.perf.stress;

import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.testing.Seed;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Request;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The stress run itself: a short one, and that it sees what is wrong. {@code -Dalder.test.stress=SECONDS} makes it longer. */
public class StressRunTest {
    private static final double SECONDS = Double.parseDouble(System.getProperty("alder.test.stress", "20"));
    private static final int SMALL_DISK = 96;
    /** Tests run in their module's folder. */
    private static final Path HOME = Path.of("..");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private StressRun.Settings settings(double seconds, int diskMebibytes) throws IOException {
        return new StressRun.Settings(seconds, 8, Seed.of(getClass()), 3, diskMebibytes, HOME, temporary.newFolder().toPath(),
                Path.of("target", "stress-failures"));
    }

    @Test
    public void whatTheServerSaysIsWhatThePlainModelSays() throws Exception {
        StressRun run = new StressRun(settings(SECONDS, SMALL_DISK), line -> { });
        assertNull(run.run());
        assertTrue(run.summary(), run.counts().operations.sum() > 0 && run.counts().comparisons.sum() > 0
                && run.counts().kills.sum() + run.counts().stops.sum() > 0);
    }

    /** Somebody else changes one value behind the model's back, whatever worker's subtree it is in. */
    @Test
    public void aValueThatIsNotAsItWasLeftIsFound() throws Exception {
        StressRun.Settings settings = settings(600, 0);
        Path failures = temporary.newFolder().toPath();
        AtomicReference<StressRun> run = new AtomicReference<>();
        run.set(new StressRun(new StressRun.Settings(settings.seconds(), 600, settings.seed(), 2, 0, HOME, settings.work(), failures),
                line -> meddle(run.get().port())));
        String difference = run.get().run();
        assertNotNull(run.get().summary(), difference);
        assertTrue(difference, difference.contains(StressData.root(0)));
        try (var kept = Files.walk(failures)) {
            List<String> names = kept.map(file -> file.getFileName().toString()).toList();
            assertTrue(names.toString(), names.containsAll(List.of("difference.txt", "worker0.txt", "follower0.txt", "config.ldif",
                    "data")));
        }
    }

    private static void meddle(int port) {
        try (LdapClient client = new LdapClient("127.0.0.1", port)) {
            client.send(new Request.Bind(StressServer.ADMINISTRATOR, StressServer.PASSWORD)).expect(0);
            client.send(new Request.Modify(StressData.root(0), List.of(new Request.Change(Request.Kind.REPLACE, "st",
                    List.of("elsewhere"))))).expect(0);
        } catch (IOException e) {
            throw new AssertionError("the change that is to be found", e);
        }
    }
}
