package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.server.cli.ServerProcess;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The server is killed while its configuration is changed again and again: what was acknowledged is there, at most the change under way beside
 * it, and each change can be taken back. {@code -Dalder.test.configurationKills=N} kills more often.
 */
public class KilledConfigurationTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final Random random = Seed.random(KilledConfigurationTest.class);
    private final AtomicInteger acknowledged = new AtomicInteger(1);

    private static int sizeLimit(LDAPConnection admin) throws LDAPException {
        return admin.getEntry("cn=config").getAttributeValueAsInteger("sizeLimit");
    }

    /** Until the server is no more. */
    private void change(LDAPConnection admin) {
        try {
            while (true) {
                admin.modify("cn=config", new Modification(ModificationType.REPLACE, "sizeLimit", Integer.toString(acknowledged.get() + 1)));
                acknowledged.incrementAndGet();
            }
        } catch (LDAPException e) {
            assertTrue(e.toString(), !e.getResultCode().isConnectionUsable());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatWasAcknowledgedIsThereAndTheFileIsWhole() throws Exception {
        Path data = Files.createDirectory(temporary.getRoot().toPath().resolve("d"));
        int kills = Integer.getInteger("alder.test.configurationKills", 3);
        for (int kill = 0; kill <= kills; kill++) {
            try (ServerProcess server = ServerProcess.start(data, "--set", "warmUpSeconds=0"); LDAPConnection admin = server.admin()) {
                if (kill > 0) {
                    int found = sizeLimit(admin);
                    assertTrue("found " + found + ", acknowledged " + acknowledged, found == acknowledged.get() || found == acknowledged.get() + 1);
                    int undone = 0;
                    for (int left = found; left > Math.max(1, found - 3); left = sizeLimit(admin)) {
                        admin.modify("cn=config", new Modification(ModificationType.DELETE, "alderConfigurationChange"));
                        undone++;
                        assertTrue("one step back each time, but for a change that the kill has left in the history alone",
                                left - sizeLimit(admin) == 1 || undone == 1 && left == sizeLimit(admin));
                    }
                }
                admin.modify("cn=config", new Modification(ModificationType.REPLACE, "sizeLimit", "1"));
                acknowledged.set(1);
                CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> change(admin), Await.THREADS);
                int from = 20 + random.nextInt(40);
                Await.until("so many changes", () -> acknowledged.get() >= from);
                server.kill();
                Await.result("the end of the changes", changes);
            }
        }
        assertEquals("no damaged file was set aside", false, Files.exists(data.resolve("config.ldif.damaged")));
    }
}
