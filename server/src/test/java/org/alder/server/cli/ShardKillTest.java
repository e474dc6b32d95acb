package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import com.unboundid.ldif.LDIFReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A server with shards is killed with SIGKILL again and again, while clients transfer between entries of different shards, and rename entries from shard to
 * shard. After each start nothing is transferred in part, nothing that was acknowledged is missing, and each entry is there once. System property {@code
 * alder.test.kills}: how many kills, divided by ten; four without it.
 */
public class ShardKillTest {
    private static final int KILLS = Integer.getInteger("alder.test.kills", 40) / 10;
    private static final int ACCOUNTS = 12;
    private static final int CLIENTS = 3;
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String CONFIGURATION = "dn: cn=config\nobjectClass: alderServer\n\ndn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX
            + "\ndistribution: hash\nshards: 3\nindex: objectClass eq\nindex: uid eq\nindex: entryUUID eq\nindex: mail eq\nunique: mail\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final long seed = Seed.of(ShardKillTest.class);
    private final Random random = new Random(seed);
    /** By account, how many transfers that were acknowledged have named it. */
    private final Map<String, List<String>> acknowledged = new ConcurrentHashMap<>();
    private final AtomicInteger transfers = new AtomicInteger();
    private final AtomicInteger renames = new AtomicInteger();
    /** What clients did not expect. */
    private final List<Exception> refused = new CopyOnWriteArrayList<>();
    private int exports;
    private volatile boolean isOver;

    @Test
    public void nothingIsMadeInPart() throws Exception {
        Path data = folder.getRoot().toPath().resolve("data");
        Path conf = Files.writeString(folder.getRoot().toPath().resolve("my.ldif"), CONFIGURATION);
        try (ServerProcess server = ServerProcess.start(data, "--conf", conf); LDAPConnection admin = server.admin()) {
            admin.add("dn: " + SUFFIX, "objectClass: domain", "dc: example");
            for (int i = 0; i < ACCOUNTS; i++) {
                admin.add("dn: uid=a" + i + "," + SUFFIX, "objectClass: inetOrgPerson", "cn: a" + i, "sn: 0", "mail: a" + i);
                acknowledged.put("a" + i, new ArrayList<>());
            }
        }
        for (int kill = 0; kill < KILLS; kill++) {
            try (ServerProcess server = ServerProcess.start(data, "--conf", conf)) {
                check(server, "before kill " + kill);
                isOver = false;
                List<Thread> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    Random own = new Random(random.nextLong());
                    Thread client = new Thread(() -> work(server, own));
                    client.start();
                    clients.add(client);
                }
                Thread.sleep(300 + random.nextInt(1200));
                export(data, conf, "beside the server, before kill " + kill);
                server.kill();
                isOver = true;
                Await.end(clients.toArray(Thread[]::new));
                assertEquals("before kill " + kill, List.of(), refused);
            }
            CommandRun.of("verify", "--data", data, "--conf", conf).succeeds();
            export(data, conf, "behind kill " + kill);
        }
        try (ServerProcess server = ServerProcess.start(data, "--conf", conf)) {
            check(server, "at the end");
        }
        System.out.println("ShardKillTest: " + KILLS + " kills, " + transfers + " transfers and " + renames + " renames acknowledged, " + exports + " exports");
        assertTrue("transfers: " + transfers, transfers.get() > 0);
    }

    private void work(ServerProcess server, Random own) {
        try (LDAPConnection connection = server.admin()) {
            while (!isOver) {
                if (own.nextInt(3) == 0) {
                    rename(connection, "a" + own.nextInt(ACCOUNTS), own.nextInt(1000));
                } else {
                    transfer(connection, "a" + own.nextInt(ACCOUNTS), "a" + own.nextInt(ACCOUNTS));
                }
            }
        } catch (LDAPException e) {
            // The server is gone: what it has not answered may be made or not.
            if (e.getResultCode().isConnectionUsable()) {
                refused.add(e);
            }
        } catch (IOException e) {
            refused.add(e);
        }
    }

    /** It has all of a transaction or nothing, or says that a start of the server makes that so. */
    private void export(Path data, Path conf, String when) throws Exception {
        Map<String, List<String>> before = new HashMap<>();
        synchronized (acknowledged) {
            acknowledged.forEach((mail, marks) -> before.put(mail, List.copyOf(marks)));
        }
        Path ldif = folder.getRoot().toPath().resolve("export" + exports++ + ".ldif");
        CommandRun run = CommandRun.of("export", "--data", data, "--conf", conf, "--output", ldif);
        if (run.status() != 0) {
            assertTrue(run.toString(), run.err().contains("which finishes such transactions"));
            return;
        }
        List<Entry> people = new ArrayList<>();
        try (LDIFReader reader = new LDIFReader(ldif.toFile())) {
            for (Entry each = reader.readEntry(); each != null; each = reader.readEntry()) {
                if (each.hasAttribute("mail")) {
                    people.add(each);
                }
            }
        }
        check(when, people, before);
    }

    /** Null where it is not found: an entry that another client moves to another shard may be found not at all, or twice (docs/sharding.md). */
    private static SearchResultEntry find(LDAPConnection connection, String mail) throws LDAPException {
        List<SearchResultEntry> found = connection.search(SUFFIX, SearchScope.SUB, "(mail=" + mail + ")").getSearchEntries();
        return found.isEmpty() ? null : found.get(0);
    }

    /** To whichever shard the new name says. */
    private void rename(LDAPConnection connection, String mail, int number) throws LDAPException {
        Entry entry = find(connection, mail);
        if (entry != null && code(() -> connection.modifyDN(new ModifyDNRequest(entry.getDN(), "uid=" + mail + "r" + number, true))).equals(ResultCode.SUCCESS)) {
            renames.incrementAndGet();
        }
    }

    private void transfer(LDAPConnection connection, String from, String to) throws LDAPException {
        Entry source = find(connection, from);
        Entry target = find(connection, to);
        if (from.equals(to) || source == null || target == null) {
            return;
        }
        String mark = "t" + transfers.get() + "x" + System.nanoTime();
        ASN1OctetString id = ((StartTransactionExtendedResult) connection.processExtendedOperation(new StartTransactionExtendedRequest())).getTransactionID();
        Control in = new TransactionSpecificationRequestControl(id);
        connection.modify(change(source, -1, mark, in));
        connection.modify(change(target, 1, mark, in));
        if (connection.processExtendedOperation(new EndTransactionExtendedRequest(id, true)).getResultCode().equals(ResultCode.SUCCESS)) {
            transfers.incrementAndGet();
            synchronized (acknowledged) {
                acknowledged.get(from).add(mark);
                acknowledged.get(to).add(mark);
            }
        }
    }

    private static ModifyRequest change(Entry account, int by, String mark, Control in) {
        int now = Integer.parseInt(account.getAttributeValue("sn"));
        return new ModifyRequest(account.getDN(), new Modification[] {new Modification(ModificationType.DELETE, "sn", "" + now),
            new Modification(ModificationType.ADD, "sn", "" + (now + by)), new Modification(ModificationType.ADD, "description", mark)}, new Control[] {in});
    }

    /** What refuses. */
    @FunctionalInterface
    private interface Request {
        void send() throws LDAPException;
    }

    /** Of a server that answers. */
    private static ResultCode code(Request request) throws LDAPException {
        try {
            request.send();
            return ResultCode.SUCCESS;
        } catch (LDAPException e) {
            if (!e.getResultCode().isConnectionUsable()) {
                throw e;
            }
            return e.getResultCode();
        }
    }

    private void check(ServerProcess server, String when) throws Exception {
        try (LDAPConnection admin = server.admin()) {
            // What was under way is finished before anybody is let in.
            check(when, admin.search(SUFFIX, SearchScope.ONE, "(objectClass=*)").getSearchEntries(), acknowledged);
            for (int i = 0; i < ACCOUNTS; i++) {
                String mail = "a" + i;
                Entry entry = find(admin, mail);
                admin.modify(entry.getDN(), new Modification(ModificationType.REPLACE, "title", when));
            }
        }
    }

    /** @param promised by account, the marks that must be there */
    private static void check(String when, List<? extends Entry> people, Map<String, List<String>> promised) {
        int sum = 0;
        Map<String, Integer> marks = new HashMap<>();
        assertEquals(when, ACCOUNTS, people.size());
        for (Entry each : people) {
            sum += Integer.parseInt(each.getAttributeValue("sn"));
            String[] values = each.hasAttribute("description") ? each.getAttributeValues("description") : new String[0];
            for (String mark : values) {
                marks.merge(mark, 1, Integer::sum);
            }
            for (String mark : promised.get(each.getAttributeValue("mail"))) {
                assertTrue(when + ": " + mark + " is lost", List.of(values).contains(mark));
            }
        }
        assertEquals(when, 0, sum);
        marks.forEach((mark, times) -> assertEquals(when + ": " + mark, 2, (int) times));
    }
}
