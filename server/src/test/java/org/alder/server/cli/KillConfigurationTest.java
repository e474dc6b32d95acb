package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldif.LDIFException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A server is killed with SIGKILL at random moments while its configuration is changed, again and again over the same folder: it always
 * starts anew, with the last change that was acknowledged, or with the one after it, whole.
 */
public class KillConfigurationTest {
    private static final int KILLS = 3;
    private static final int MOST_RUN_MILLIS = 300;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final Random random = new Random(Seed.of(KillConfigurationTest.class));
    /** The value that was acknowledged last. */
    private final AtomicInteger acknowledged = new AtomicInteger();
    /** Whether the suffix entry of the new partition was acknowledged. */
    private volatile boolean hasTop;

    @Test
    public void whatWasAcknowledgedHolds() throws Exception {
        Path data = temporary.getRoot().toPath().resolve("data");
        for (int kill = 1; kill <= KILLS; kill++) {
            try (ServerProcess server = ServerProcess.start(data)) {
                check(server);
                LDAPConnection admin = server.admin();
                int begin = acknowledged.get();
                CompletableFuture<Void> client = CompletableFuture.runAsync(() -> changeUntilKilled(admin), Await.THREADS);
                Await.until("changes", () -> acknowledged.get() > begin + 2 || client.isDone());
                TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_RUN_MILLIS));
                server.kill();
                Await.result("the client", client);
                assertTrue(acknowledged.get() > begin);
            }
        }
        try (ServerProcess server = ServerProcess.start(data)) {
            check(server);
        }
    }

    /** The partition is there as the last change that was acknowledged says, or the one after it, and what was added to it is. */
    @Test
    public void partitionsAreThereOrNot() throws Exception {
        Path data = temporary.getRoot().toPath().resolve("data");
        for (int kill = 1; kill <= KILLS; kill++) {
            try (ServerProcess server = ServerProcess.start(data)) {
                checkPartition(server);
                LDAPConnection admin = server.admin();
                int begin = acknowledged.get();
                CompletableFuture<Void> client = CompletableFuture.runAsync(() -> addAndRemoveUntilKilled(admin));
                Await.until("changes", () -> acknowledged.get() > begin + 2 || client.isDone());
                TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_RUN_MILLIS));
                server.kill();
                Await.result("the client", client);
                assertTrue(acknowledged.get() > begin);
            }
        }
        try (ServerProcess server = ServerProcess.start(data)) {
            checkPartition(server);
        }
    }

    /** After an odd number of changes it is there. */
    private void addAndRemoveUntilKilled(LDAPConnection admin) {
        try (admin) {
            while (true) {
                if (acknowledged.get() % 2 == 0) {
                    admin.add("dn: cn=new,cn=config", "objectClass: alderPartition", "suffix: dc=new");
                    acknowledged.incrementAndGet();
                    if (admin.getEntry("dc=new") == null) {
                        admin.add("dn: dc=new", "objectClass: domain", "dc: new");
                        hasTop = true;
                    }
                } else {
                    admin.delete("cn=new,cn=config");
                    acknowledged.incrementAndGet();
                }
            }
        } catch (LDAPException | LDIFException e) {
            assertTrue(e.toString(), e instanceof LDAPException ldap && !ldap.getResultCode().isConnectionUsable());
        }
    }

    private void checkPartition(ServerProcess server) throws Exception {
        try (LDAPConnection admin = server.admin()) {
            boolean found = admin.getEntry("cn=new,cn=config") != null;
            assertEquals(found, List.of(admin.getEntry("", "namingContexts").getAttributeValues("namingContexts")).contains("dc=new"));
            boolean expected = acknowledged.get() % 2 == 1;
            if (found != expected) {
                // The one after it, which nobody was told of.
                acknowledged.incrementAndGet();
            }
            if (found && hasTop) {
                assertEquals("dc=new", admin.getEntry("dc=new").getDN());
            }
        }
    }

    /** Two keys at a time: both or none. */
    private void changeUntilKilled(LDAPConnection admin) {
        try (admin) {
            while (true) {
                String next = Integer.toString(acknowledged.get() + 1);
                admin.modify("cn=config", new Modification(ModificationType.REPLACE, "sizeLimit", next),
                        new Modification(ModificationType.REPLACE, "workerQueue", next));
                acknowledged.incrementAndGet();
            }
        } catch (LDAPException e) {
            assertTrue(e.getExceptionMessage(), !e.getResultCode().isConnectionUsable());
        }
    }

    private void check(ServerProcess server) throws Exception {
        try (LDAPConnection admin = server.admin()) {
            SearchResultEntry config = admin.getEntry("cn=config", "sizeLimit", "workerQueue", "alderConfigurationChange");
            int expected = acknowledged.get();
            if (expected > 0) {
                int found = config.getAttributeValueAsInteger("sizeLimit");
                assertTrue("acknowledged " + expected + ", found " + found, found == expected || found == expected + 1);
                assertEquals(found, (int) config.getAttributeValueAsInteger("workerQueue"));
                assertTrue("the change is told", config.getAttributeValues("alderConfigurationChange")[0].contains(": cn=config: replace sizeLimit "));
                acknowledged.set(found);
            }
        }
    }
}
