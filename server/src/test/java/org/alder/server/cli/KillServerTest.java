package org.alder.server.cli;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A server is killed with SIGKILL at random moments while 8 connections add entries, again and again over the same folder. After
 * each kill every acknowledged entry is there with all its values, an unacknowledged one is there whole or not at all, and
 * {@code verify} is clean. System property {@code alder.test.serverKills}: how many kills, default 6; after every {@link
 * #KILLS_OF_ONE_FOLDER} a new folder is begun, so that the time of a kill does not grow with their number.
 */
public class KillServerTest {
    private static final int CLIENTS = 8;
    private static final int SAMPLE = 200;
    private static final int MAX_RUN_MILLIS = 1500;
    private static final int KILLS_OF_ONE_FOLDER = 50;
    private static final String USERS = "ou=users,dc=example,dc=com";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final long seed = Seed.of(KillServerTest.class);
    private final Random random = new Random(seed);
    private final Map<String, Integer> acknowledged = new HashMap<>();
    private Path data;
    private Path configuration;

    /** One connection's adds: the names acknowledged, then at most one that is not. */
    private static final class Client {
        private final String prefix;
        private final List<String> acknowledged = new ArrayList<>();

        Client(int round, int number) {
            prefix = "r" + round + "c" + number + "n";
        }

        /** Adds until the connection breaks. */
        Client addUntilKilled(LDAPConnection connection, CountDownLatch firstAdd) {
            try (connection) {
                while (true) {
                    String name = prefix + acknowledged.size();
                    connection.add("uid=" + name + "," + USERS, attributes(name));
                    acknowledged.add(name);
                    firstAdd.countDown();
                }
            } catch (LDAPException e) {
                assertTrue(e.getExceptionMessage(), !e.getResultCode().isConnectionUsable());
                return this;
            }
        }
    }

    private static List<Attribute> attributes(String name) {
        return List.of(new Attribute("objectClass", "top", "person", "organizationalPerson", "inetOrgPerson"),
                new Attribute("uid", name), new Attribute("cn", name, "Number " + name), new Attribute("sn", "Kill"),
                new Attribute("initials", "zz"), new Attribute("description", name.repeat(40), "second of " + name),
                new Attribute("userCertificate;binary", value(name)));
    }

    /** Of a length that differs from entry to entry; a DER SEQUENCE's header leads it. */
    private static byte[] value(String name) {
        byte[] value = new byte[200 + new Random(name.hashCode()).nextInt(50)];
        new Random(name.hashCode()).nextBytes(value);
        value[0] = 0x30;
        value[1] = (byte) 0x81;
        value[2] = (byte) (value.length - 3);
        return value;
    }

    @Test
    public void nothingAcknowledgedIsLostByKilling()
            throws IOException, LDAPException, InterruptedException, ExecutionException {
        configuration = temporary.getRoot().toPath().resolve("small.ldif");
        Files.writeString(configuration, Files.readString(Path.of("../conf/config.ldif"))
                .replace("memoryLayerBytes: 64m", "memoryLayerBytes: 256k"));
        int kills = Integer.getInteger("alder.test.serverKills", 6);
        for (int killed = 0; killed < kills; killed += KILLS_OF_ONE_FOLDER) {
            data = temporary.getRoot().toPath().resolve("data" + killed);
            acknowledged.clear();
            killInOneFolder(Math.min(KILLS_OF_ONE_FOLDER, kills - killed));
        }
    }

    private void killInOneFolder(int kills) throws IOException, LDAPException, InterruptedException, ExecutionException {
        for (int round = 1; round <= kills; round++) {
            addAndKill(round);
            CommandRun verified = CommandRun.of("verify", "--data", data, "--conf", configuration);
            assertEquals("after kill " + round + ", before recovery: " + verified, 0, verified.status());
        }
        try (ServerProcess server = start()) {
            check(server, kills + 1);
        }
        CommandRun.of("verify", "--data", data, "--conf", configuration).succeeds();
        System.out.println("KillServerTest: " + kills + " kills, " + acknowledged.size() + " acknowledged adds, segments made: "
                + segments());
    }

    private ServerProcess start() throws IOException {
        return ServerProcess.start(data, "--sample", SAMPLE, "--conf", configuration);
    }

    private long segments() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("partitions/example"))) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("segment-"))
                    .mapToLong(name -> Long.parseLong(name.substring("segment-".length()))).max().orElse(0);
        }
    }

    private void addAndKill(int round) throws IOException, LDAPException, InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (ServerProcess server = start()) {
            check(server, round);
            CountDownLatch firstAdd = new CountDownLatch(1);
            List<Future<Client>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                LDAPConnection connection = server.admin();
                Client client = new Client(round, i);
                clients.add(threads.submit(() -> client.addUntilKilled(connection, firstAdd)));
            }
            Await.latch("the first acknowledged add", firstAdd);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_RUN_MILLIS));
            server.kill();
            for (Future<Client> client : clients) {
                Await.result("a client of the killed server", client).acknowledged.forEach(name -> acknowledged.put(name, round));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Everything acknowledged is there, and whatever is there is whole. */
    private void check(ServerProcess server, int round) throws LDAPException, IOException {
        String when = "round " + round + " with seed " + seed + ": ";
        try (LDAPConnection connection = server.admin()) {
            SearchResult found = connection.search(USERS, SearchScope.ONE, "(sn=Kill)");
            Map<String, SearchResultEntry> entries = new HashMap<>();
            found.getSearchEntries().forEach(entry -> entries.put(entry.getAttributeValue("uid"), entry));
            for (Map.Entry<String, Integer> each : acknowledged.entrySet()) {
                assertNotNull(when + each.getKey() + ", added in round " + each.getValue() + ", is lost",
                        entries.get(each.getKey()));
            }
            assertTrue(when + "more than one unacknowledged add of each connection is there",
                    entries.size() <= acknowledged.size() + CLIENTS * (round - 1));
            for (SearchResultEntry entry : entries.values()) {
                String name = entry.getAttributeValue("uid");
                for (Attribute attribute : attributes(name)) {
                    assertArrayEquals(when + name + " " + attribute.getName(), attribute.getValueByteArrays(),
                            entry.getAttributeValueByteArrays(attribute.getName()));
                }
            }
            assertEquals(when, SAMPLE + entries.size(),
                    connection.search(USERS, SearchScope.ONE, "(objectClass=person)", "1.1").getEntryCount());
        }
    }
}
