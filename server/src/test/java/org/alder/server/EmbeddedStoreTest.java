package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The server on the embedded store: what concurrent clients were told is done is there, also after a restart. */
public class EmbeddedStoreTest {
    private static final int CLIENTS = 8;
    private static final int ADDS = 100;
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();
    private int opened;

    private TestServer server(boolean fill) {
        opened = 0;
        return new TestServer(settings -> settings, this::open, fill);
    }

    private Store open(EntryIndexer indexer) {
        Path path = folder.getRoot().toPath().resolve("store" + opened++);
        return JdbmStore.open(path, StoreSettings.defaults(), indexer);
    }

    private static void add(TestServer server, int client) throws LDAPException, InterruptedException, TimeoutException {
        try (LDAPConnection connection = server.admin()) {
            List<AsyncRequestID> pending = new ArrayList<>();
            for (int i = 0; i < ADDS; i++) {
                String name = "device." + client + "." + i;
                AddRequest request = new AddRequest("cn=" + name + "," + USERS, new Attribute("objectClass", "device"),
                        new Attribute("cn", name));
                pending.add(connection.asyncAdd(request, (id, result) -> { }));
            }
            for (AsyncRequestID each : pending) {
                assertEquals(ResultCode.SUCCESS, each.get(Await.SECONDS, TimeUnit.SECONDS).getResultCode());
            }
        }
    }

    private static int devices(TestServer server) throws LDAPException {
        try (LDAPConnection connection = server.admin()) {
            return connection.search(USERS, SearchScope.ONE, "(objectClass=device)", "cn").getEntryCount();
        }
    }

    @Test
    public void concurrentAddsAreThereAlsoAfterARestart() throws LDAPException, InterruptedException, ExecutionException {
        try (TestServer server = server(true)) {
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                running.add(clients.submit(() -> {
                    add(server, client);
                    return null;
                }));
            }
            for (Future<Void> each : running) {
                Await.result("the adds of a client", each);
            }
            clients.shutdown();
            assertEquals(CLIENTS * ADDS, devices(server));
        }
        try (TestServer server = server(false); LDAPConnection user = server.user(1)) {
            assertEquals(CLIENTS * ADDS, devices(server));
            assertTrue(user.compare(TestServer.userDn(2), "sn", "number2").compareMatched());
        }
    }
}
