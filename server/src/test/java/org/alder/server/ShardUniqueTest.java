package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Clients that write the same value into entries of different shards at the same time. */
public class ShardUniqueTest {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 40;
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final String PARTITION = "\ndn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\ndistribution: hash\nshards: 4\n"
            + "index: objectClass eq\nindex: mail eq\nindex: cn eq\nindex: entryUUID eq\nunique: mail\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final List<LDAPConnection> clients = new ArrayList<>();
    private ConfiguredServer server;

    @Before
    public void start() throws Exception {
        server = ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + PARTITION);
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(server.admin());
        }
        clients.get(0).add("dn: " + SUFFIX, "objectClass: domain", "dc: example");
    }

    @After
    public void stop() {
        threads.shutdownNow();
        clients.forEach(LDAPConnection::close);
        server.close();
    }

    private static String dn(int round, int client) {
        return "uid=r" + round + "c" + client + "," + SUFFIX;
    }

    private static Entry person(int round, int client, String mail) {
        Entry entry = new Entry(dn(round, client));
        entry.addAttribute("objectClass", "inetOrgPerson");
        entry.addAttribute("cn", "c" + client);
        entry.addAttribute("sn", "r" + round);
        entry.addAttribute("mail", mail);
        return entry;
    }

    /** What one client does in a round. */
    @FunctionalInterface
    private interface Step {
        void take(LDAPConnection connection, int client) throws LDAPException;
    }

    /** All at once. @return the results, the best first */
    private List<ResultCode> race(Step step) throws Exception {
        CyclicBarrier start = new CyclicBarrier(CLIENTS);
        List<Future<ResultCode>> running = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            running.add(threads.submit(() -> {
                start.await(60, TimeUnit.SECONDS);
                try {
                    step.take(clients.get(client), client);
                    return ResultCode.SUCCESS;
                } catch (LDAPException e) {
                    return e.getResultCode();
                }
            }));
        }
        List<ResultCode> results = new ArrayList<>();
        for (Future<ResultCode> each : running) {
            results.add(each.get(120, TimeUnit.SECONDS));
        }
        results.sort((one, other) -> Integer.compare(one.intValue(), other.intValue()));
        return results;
    }

    @Test
    public void oneOfAllGetsTheValue() throws Exception {
        List<ResultCode> expected = new ArrayList<>(Collections.nCopies(CLIENTS, ResultCode.CONSTRAINT_VIOLATION));
        expected.set(0, ResultCode.SUCCESS);
        for (int i = 0; i < ROUNDS; i++) {
            int round = i;
            String mail = "m" + round + "@example.com";
            assertEquals(expected, race((connection, client) -> connection.add(person(round, client, mail))));
            String holder = clients.get(0).searchForEntry(SUFFIX, SearchScope.SUB, "(mail=" + mail + ")", "1.1").getDN();
            clients.get(1).delete(holder);
            for (int client = 0; client < CLIENTS; client++) {
                clients.get(client).add(person(round, client, mail + client));
            }
            assertEquals(expected, race((connection, client) ->
                    connection.modify(dn(round, client), new Modification(ModificationType.REPLACE, "mail", mail.toUpperCase(Locale.ROOT)))));
            assertEquals(1, clients.get(0).search(SUFFIX, SearchScope.SUB, "(mail=" + mail + ")", "1.1").getEntryCount());
        }
    }

    @Test
    public void aRuleThatIsAddedSeesAllShards() throws Exception {
        for (int client = 0; client < CLIENTS; client++) {
            clients.get(0).add(person(1, client, "a" + client));
        }
        clients.get(0).add(person(2, 0, "b"));
        Modification cn = new Modification(ModificationType.ADD, "unique", "cn");
        LDAPException refused = assertThrows(LDAPException.class, () -> clients.get(0).modify("cn=first,cn=config", cn));
        assertEquals(refused.getMessage(), ResultCode.CONSTRAINT_VIOLATION, refused.getResultCode());
        assertTrue(refused.getMessage(), refused.getMessage().contains(dn(1, 0)) && refused.getMessage().contains(dn(2, 0)));
        clients.get(0).delete(dn(2, 0));
        clients.get(0).modify("cn=first,cn=config", cn);
        refused = assertThrows(LDAPException.class, () -> clients.get(0).add(person(2, 0, "b")));
        assertEquals(refused.getMessage(), ResultCode.CONSTRAINT_VIOLATION, refused.getResultCode());
    }
}
