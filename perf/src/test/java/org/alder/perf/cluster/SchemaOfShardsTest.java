package org.alder.perf.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.bookkeeper.ask.AskedMember;
import org.alder.partition.bookkeeper.member.MemberSockets;
import org.alder.partition.store.ClusterService;
import org.alder.partition.testing.Await;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.process.ServerProcess;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Three members, each a process, of which two hold each shard, and one of these leads it: the schema is changed on any of them, while clients write on all, and all show
 * the same.
 */
public class SchemaOfShardsTest {
    private static final int SUCCESS = 0;
    private static final int EXISTS = 20;
    /** A leader that loses its session on a slow machine is followed by another one: then nothing was done, or nobody knows. */
    private static final int BUSY = 51;
    private static final int UNAVAILABLE = 52;
    private static final int UNWILLING = 53;
    private static final int SHARDS = 4;
    private static final String SUFFIX = "o=shards";
    private static final String SUBSCHEMA = "cn=schema";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final ClusterService service = ServiceLoader.load(ClusterService.class).findFirst().orElseThrow();
    private final AtomicInteger names = new AtomicInteger();
    private String homeBefore;
    private ClusterNodes nodes;

    @Before
    public void start() throws Exception {
        homeBefore = System.setProperty("alder.home", Path.of("..").toAbsolutePath().normalize().toString());
        Path configuration = PerfOptions.configuration(file(""), "shards.ldif", List.of("", "dn: cn=shards,cn=config", "objectClass: alderPartition",
                "suffix: " + SUFFIX, "index: entryUUID eq", "distribution: hash", "shards: " + SHARDS));
        nodes = new ClusterNodes(service, file(""), configuration, true);
        Await.until("leaders of all shards", () -> !leaders().containsValue("none"));
        int status = ServerProcess.run(List.of(), List.of(), List.of("cluster", "rebalance", "--copies", "2", "--cluster", file("node1.conf").toString(), "--conf",
                configuration.toString(), "--partition", "shards"), file("rebalance.out"), file("rebalance.err"));
        assertEquals(Files.readString(file("rebalance.err")), 0, status);
        try (LdapConnection client = nodes.connect(0)) {
            client.add(SUFFIX, List.of("objectClass", "o"), List.of(List.of(bytes("organization")), List.of(bytes("shards")))).expect(SUCCESS);
        }
    }

    @After
    public void close() {
        if (nodes != null) {
            nodes.close();
        }
        if (homeBefore == null) {
            System.clearProperty("alder.home");
        } else {
            System.setProperty("alder.home", homeBefore);
        }
    }

    private Path file(String name) {
        return temporary.getRoot().toPath().resolve(name);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String log(int shard) {
        return "shards.shard-" + shard + "-of-" + SHARDS;
    }

    private Map<String, String> leaders() throws IOException {
        Map<String, String> leaders = new TreeMap<>();
        for (int i = 0; i < SHARDS; i++) {
            String leader = service.status(file("node1.conf"), log(i)).leader();
            leaders.put(log(i), leader == null ? "none" : leader);
        }
        return leaders;
    }

    private static LdapConnection.Result change(LdapConnection client, Request.Kind kind, String attribute, String value) throws IOException {
        return client.send(new Request.Modify(SUBSCHEMA, List.of(new Request.Change(kind, attribute, List.of(value)))));
    }

    /** Tries until it is made. */
    private static void make(LdapConnection client, String attribute, String value) throws Exception {
        Set<Integer> codes = new TreeSet<>();
        Await.until("a change of the schema", () -> {
            int code = change(client, Request.Kind.ADD, attribute, value).expect(SUCCESS, BUSY, UNAVAILABLE, EXISTS).code();
            codes.add(code);
            return code == SUCCESS || code == EXISTS && codes.contains(UNAVAILABLE);
        });
    }

    /** Tries until one is added, with what the schema has by now. */
    private void addOne(LdapConnection client, boolean hasBadge) throws Exception {
        Await.until("an entry", () -> add(client, hasBadge).expect(SUCCESS, BUSY, UNAVAILABLE).code() == SUCCESS);
    }

    private LdapConnection.Result add(LdapConnection client, boolean hasBadge) throws IOException {
        String name = "n" + names.incrementAndGet();
        return hasBadge ? client.add("cn=" + name + "," + SUFFIX, List.of("objectClass", "cn", "acmeBadge"), List.of(List.of(bytes("device"), bytes("acmePerson")),
                List.of(bytes(name)), List.of(bytes("seven")))) : client.add("cn=" + name + "," + SUFFIX,
                List.of("objectClass", "cn"), List.of(List.of(bytes("device")), List.of(bytes(name))));
    }

    /** Clients that write on a member until they are told to end. */
    private final class Writer extends Thread {
        private final int node;
        private final List<String> failures;
        private volatile boolean isOver;
        private volatile int written;

        Writer(int node, List<String> failures) {
            this.node = node;
            this.failures = failures;
        }

        @Override
        public void run() {
            try (LdapConnection client = nodes.connect(node)) {
                while (!isOver) {
                    addOne(client, false);
                    written++;
                }
            } catch (Exception e) {
                failures.add(ClusterNodes.name(node) + ": " + e);
            }
        }
    }

    @Test
    public void anyMemberChangesTheSchemaWhileClientsWriteOnAll() throws Exception {
        assertTrue(leaders().toString(), new TreeSet<>(leaders().values()).size() > 1);
        List<String> failures = new CopyOnWriteArrayList<>();
        List<Writer> writers = new ArrayList<>();
        for (int i = 0; i < ClusterNodes.NODES; i++) {
            Writer writer = new Writer(i, failures);
            writer.start();
            writers.add(writer);
        }
        for (Writer each : writers) {
            Await.until("writes", () -> each.written > 0 || !failures.isEmpty());
        }
        try (LdapConnection client = nodes.connect(1)) {
            make(client, "attributeTypes", "( 1.3.6.1.4.1.99999.1.1 NAME 'acmeBadge' SUP name )");
            make(client, "objectClasses", "( 1.3.6.1.4.1.99999.2.1 NAME 'acmePerson' SUP top AUXILIARY MAY acmeBadge )");
        }
        for (int i = 0; i < ClusterNodes.NODES; i++) {
            try (LdapConnection client = nodes.connect(i)) {
                for (int j = 0; j < 2 * SHARDS; j++) {
                    addOne(client, true);
                }
            }
        }
        for (Writer each : writers) {
            int before = each.written;
            Await.until("more writes", () -> each.written > before || !failures.isEmpty());
            each.isOver = true;
        }
        Await.end(writers.toArray(Thread[]::new));
        assertEquals(List.of(), failures);
        assertEachHoldsAPartAndShowsAll();
        try (LdapConnection client = nodes.connect(2)) {
            LdapConnection.Result deletion = Await.value("an answer", () -> change(client, Request.Kind.DELETE, "objectClasses",
                    "( 1.3.6.1.4.1.99999.2.1 NAME 'acmePerson' SUP top AUXILIARY MAY acmeBadge )"), found -> found.code() != BUSY && found.code() != UNAVAILABLE);
            assertEquals(deletion.diagnostic(), UNWILLING, deletion.code());
            assertTrue(deletion.diagnostic(), deletion.diagnostic().contains("," + SUFFIX + "\""));
            addOne(client, true);
        }
        whoSaysNothingMoreHoldsNobodyUp();
        whoDiesHoldsNobodyUp();
    }

    private void assertEachHoldsAPartAndShowsAll() throws Exception {
        for (int i = 0; i < SHARDS; i++) {
            assertEquals(2, service.status(file("node1.conf"), log(i)).holders().size());
        }
        long entries = entries(0);
        for (int i = 0; i < ClusterNodes.NODES; i++) {
            int node = i;
            assertTrue(Files.list(file(ClusterNodes.name(node)).resolve("partitions")).count() < SHARDS + 1);
            Await.until("all entries of all shards", () -> entries(node) == entries && entries(0) == entries);
        }
    }

    private long entries(int node) throws IOException {
        try (LdapConnection client = nodes.connect(node)) {
            return client.search(SUFFIX, new SearchFilter.Equality("objectClass", "device"), 0, "1.1").expect(SUCCESS).entries();
        }
    }

    /** As one that dies between the hold and the version: a member that is none asks all that lead. */
    private void whoSaysNothingMoreHoldsNobodyUp() throws Exception {
        Map<String, List<String>> byLeader = leaders().entrySet().stream().collect(Collectors.groupingBy(Map.Entry::getValue, TreeMap::new,
                Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        for (Map.Entry<String, List<String>> each : byLeader.entrySet()) {
            hold(each.getKey(), each.getValue());
        }
        List<CompletableFuture<Void>> adds = new ArrayList<>();
        for (int i = 0; i < ClusterNodes.NODES; i++) {
            int node = i;
            adds.add(CompletableFuture.runAsync(() -> {
                try (LdapConnection client = nodes.connect(node)) {
                    addOne(client, false);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }, Await.THREADS));
        }
        try (LdapConnection client = nodes.connect(0)) {
            LdapConnection.Result busy = change(client, Request.Kind.ADD, "attributeTypes", "( 1.3.6.1.4.1.99999.1.2 NAME 'acmeOther' SUP name )");
            assertEquals(busy.diagnostic(), BUSY, busy.code());
            assertTrue(busy.diagnostic(), busy.diagnostic().startsWith("nobody is changing the schema, and has updates held on "));
            for (CompletableFuture<Void> each : adds) {
                Await.result("an update behind the limit", each);
            }
            make(client, "attributeTypes", "( 1.3.6.1.4.1.99999.1.2 NAME 'acmeOther' SUP name )");
        }
    }

    private void hold(String leader, List<String> partitions) throws Exception {
        Matcher port = Pattern.compile("member: " + leader + " .* updates=([0-9]+)").matcher(Files.readString(file("node1.conf")));
        assertTrue(port.find());
        BerWriter out = new BerWriter(256);
        int outer = out.begin(0x63);
        out.integer(BerWriter.INTEGER, 1);
        out.octets(BerWriter.OCTET_STRING, new byte[16]);
        out.string(BerWriter.OCTET_STRING, "nobody");
        out.integer(BerWriter.INTEGER, 0);
        // What is there: nobody minds whether another version has it.
        out.octets(BerWriter.OCTET_STRING, Files.readAllBytes(definitions(leader)));
        int all = out.begin(BerWriter.SEQUENCE);
        partitions.forEach(each -> out.string(BerWriter.OCTET_STRING, each));
        out.end(all);
        out.end(outer);
        try (AskedMember asked = new AskedMember(MemberSockets.of(null), "nobody", leader, new InetSocketAddress("127.0.0.1", Integer.parseInt(port.group(1))))) {
            BerReader answer = new BerReader(Await.result("an answer", asked.ask(out.toByteArray())));
            answer.enter(BerWriter.SEQUENCE);
            int code = answer.readInt(BerWriter.INTEGER);
            assertEquals(answer.readString(BerWriter.OCTET_STRING), SUCCESS, code);
        }
    }

    private Path definitions(String node) {
        return file(node).resolve("schema.ldif");
    }

    /** In whichever step. */
    private void whoDiesHoldsNobodyUp() throws Exception {
        AtomicInteger changed = new AtomicInteger();
        CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
            try (LdapConnection client = nodes.connect(2)) {
                for (int i = 0; true; i++) {
                    make(client, "attributeTypes", "( 1.3.6.1.4.1.99999.4." + i + " NAME 'acmeMany" + i + "' SUP name )");
                    changed.incrementAndGet();
                }
            } catch (Exception e) {
                // It is gone.
                return;
            }
        }, Await.THREADS);
        Await.until("some changes", () -> changed.get() > 1 || changes.isDone());
        nodes.kill(2);
        Await.result("the end of the changes", changes);
        assertTrue(changed.get() > 1);
        try (LdapConnection one = nodes.connect(0); LdapConnection two = nodes.connect(1)) {
            for (int i = 0; i < 4 * SHARDS; i++) {
                LdapConnection client = i % 2 == 0 ? one : two;
                addOne(client, true);
            }
            make(two, "attributeTypes", "( 1.3.6.1.4.1.99999.5.1 NAME 'acmeLast' SUP name )");
            Await.until("the same schema", () -> Files.mismatch(definitions("node1"), definitions("node2")) < 0);
            String all = Files.readString(definitions("node1"));
            for (int i = 0; i < changed.get(); i++) {
                assertTrue("what was acknowledged", all.contains("'acmeMany" + i + "'"));
            }
        }
    }
}
