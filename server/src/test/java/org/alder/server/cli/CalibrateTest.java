package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.server.assembly.ServerAssembly;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.auth.scheme.Argon2Cost;
import org.alder.server.config.ConfigurationReader;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class CalibrateTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** What the verb prints, as a server would read it in its configuration. */
    private Argon2Cost calibrated(int millis) throws Exception {
        CommandRun.of("calibrate", "--millis", 0).fails(2, "--millis 0: expected at least 1");
        CommandRun run = CommandRun.of("calibrate", "--millis", millis).succeeds();
        List<String> lines = run.out().lines().toList();
        assertTrue(run.out(), lines.get(0).matches("# one password takes about [0-9]+ ms"));
        assertEquals(run.out(), 3, lines.size());
        Path file = temporary.getRoot().toPath().resolve("config.ldif");
        Files.writeString(file, "dn: cn=config\nobjectClass: alderServer\n" + lines.get(1) + "\n" + lines.get(2) + "\n");
        PasswordSettings settings = ServerAssembly.importedPasswords(ConfigurationReader.read(file));
        return settings.argon2();
    }

    @Test
    public void aTimeThatIsTooShortGetsTheLeastThatIsSafe() throws Exception {
        assertEquals(Argon2Cost.STANDARD, calibrated(1));
    }

    /** However fast the machine is, it is at least the standard, and what a server takes. */
    @Test
    public void whatIsPrintedIsAConfiguration() throws Exception {
        Argon2Cost cost = calibrated(150);
        assertTrue(cost.toString(), cost.kibibytes() >= Argon2Cost.STANDARD.kibibytes() && cost.passes() >= Argon2Cost.STANDARD.passes());
        assertTrue(cost.toString(), cost.kibibytes() <= Argon2Cost.mostKibibytes());
    }

    @Test
    public void aTimeThatIsNoneIsRefused() {
        CommandRun run = CommandRun.of("calibrate", "--millis", "soon");
        assertEquals(run.toString(), 2, run.status());
        assertTrue(run.err(), run.err().contains("--millis"));
    }
}
