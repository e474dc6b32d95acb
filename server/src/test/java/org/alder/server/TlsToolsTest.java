package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** OpenLDAP's client over TLS, with the certificate that the server makes for itself. */
public class TlsToolsTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestTls tls;

    @Before
    public void start() throws Exception {
        boolean there = List.of(System.getenv("PATH").split(":")).stream().anyMatch(path -> Files.isExecutable(Path.of(path, "ldapsearch")));
        assertTrue("no ldapsearch", there || !"true".equals(System.getenv("CI")));
        assumeTrue(there);
        tls = new TestTls(folder.getRoot().toPath(), settings -> settings);
    }

    @After
    public void stop() {
        if (tls != null) {
            tls.close();
        }
    }

    private String search(int status, Path authority, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ldapsearch", "-x", "-LLL"));
        command.addAll(List.of(options));
        command.addAll(List.of("-D", TestServer.userDn(7), "-w", TestServer.USER_PASSWORD, "-b", TestServer.SUFFIX, "(uid=user.7)", "uid"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LDAPTLS_CACERT", authority.toString());
        return ended(status, command, builder.start());
    }

    private static String ended(int status, List<String> command, Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(command + " said " + out, status, Await.end("ldapsearch", process));
        return out;
    }

    @Test
    public void ldapsearchStartsTlsAndBeginsWithIt() throws Exception {
        Path authority = folder.getRoot().toPath().resolve("tls.crt");
        assertTrue(search(0, authority, "-ZZ", "-H", "ldap://127.0.0.1:" + tls.port()).contains("uid: user.7"));
        assertTrue(search(0, authority, "-H", "ldaps://127.0.0.1:" + tls.tlsPort()).contains("uid: user.7"));
    }

    @Test
    public void ldapsearchRefusesAServerThatItDoesNotKnow() throws Exception {
        Path other = Files.createDirectory(folder.getRoot().toPath().resolve("other"));
        TestTls.writePair(other, Instant.now().minus(1, ChronoUnit.HOURS), 3);
        assertFalse(search(255, other.resolve("tls.crt"), "-H", "ldaps://127.0.0.1:" + tls.tlsPort()).contains("uid: user.7"));
    }

    /** Cyrus SASL loads what speaks SCRAM from a folder of its own. */
    private static boolean speaksScram() throws IOException {
        for (String lib : List.of("/usr/lib", "/usr/lib64", "/usr/local/lib")) {
            if (Files.isDirectory(Path.of(lib))) {
                try (Stream<Path> found = Files.find(Path.of(lib), 3, (path, attributes) -> path.endsWith("sasl2/libscram.so"))) {
                    if (found.findAny().isPresent()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private String whoAmI(int status, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("ldapwhoami", "-Q", "-U", "user.7"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LDAPTLS_CACERT", folder.getRoot().toPath().resolve("tls.crt").toString());
        return ended(status, command, builder.start());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2", text = "SASL authentication in several binds, by a client that was not written for Alder")
    @Requirement(rfc = 7677, section = "3", text = "SCRAM-SHA-256, by a client that was not written for Alder")
    public void ldapwhoamiProvesItsPasswordByScram() throws Exception {
        boolean there = speaksScram();
        assertTrue("Cyrus SASL has no SCRAM (Debian: apt-get install libsasl2-modules)", there || !"true".equals(System.getenv("CI")));
        assumeTrue(there);
        String clear = "ldap://127.0.0.1:" + tls.port();
        String who = "dn:" + TestServer.userDn(7);
        for (String mechanism : List.of("SCRAM-SHA-256", "SCRAM-SHA-512")) {
            assertEquals(who, whoAmI(0, "-Y", mechanism, "-w", TestServer.USER_PASSWORD, "-H", clear).strip());
            assertEquals(who, whoAmI(0, "-Y", mechanism, "-w", TestServer.USER_PASSWORD, "-ZZ", "-H", clear).strip());
            assertTrue(whoAmI(49, "-Y", mechanism, "-w", "wrong", "-H", clear).contains("Invalid credentials"));
        }
        assertEquals("by what it chooses", who, whoAmI(0, "-w", TestServer.USER_PASSWORD, "-ZZ", "-H", clear).strip());
    }
}
