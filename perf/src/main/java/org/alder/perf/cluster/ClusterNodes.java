package org.alder.perf.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.process.FreePorts;
import org.alder.perf.process.ServerProcess;

/** Three members of a cluster, each a process on this machine, as docs/cluster.md has them. One thread; whoever starts them closes them. */
final class ClusterNodes implements Deployment, AutoCloseable {
    static final int NODES = 3;
    private static final String PARTITION = "example";
    private static final String HOST = "127.0.0.1";
    /** For LDAP; for the clients, followers and elections of ZooKeeper; for the bookie, copies and updates that are handed on. */
    private static final int PORTS_OF_A_NODE = 7;
    private static final int LAST_LINES = 5;

    private final ClusterService service;
    private final Path work;
    private final Path configuration;
    private final boolean handsOn;
    private final int[] ldapPorts = new int[NODES];
    private final ServerProcess[] nodes = new ServerProcess[NODES];

    /** Of which replicas refer clients to the leader. */
    ClusterNodes(ClusterService service, Path work, Path configuration) throws IOException, InterruptedException {
        this(service, work, configuration, false);
    }

    /**
     * Starts all, and waits until one leads.
     *
     * @param work          where each has its folder, under its name: what is in one of these, the cluster begins with
     * @param configuration what {@code --conf} takes
     * @param handsOn       whether replicas hand updates on to the leader
     */
    ClusterNodes(ClusterService service, Path work, Path configuration, boolean handsOn) throws IOException, InterruptedException {
        this.service = service;
        this.work = work;
        this.configuration = configuration;
        this.handsOn = handsOn;
        writeFiles();
        boolean done = false;
        try {
            startAll();
            awaitLeader();
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private void writeFiles() throws IOException {
        List<Integer> ports = FreePorts.find(NODES * PORTS_OF_A_NODE);
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < NODES; i++) {
            List<Integer> own = ports.subList(i * PORTS_OF_A_NODE, (i + 1) * PORTS_OF_A_NODE);
            ldapPorts[i] = own.get(0);
            members.append("member: ").append(name(i)).append(" url=ldap://").append(HOST).append(':').append(own.get(0)).append(" host=")
                    .append(HOST).append(" zookeeper=").append(own.get(1)).append(',').append(own.get(2)).append(',').append(own.get(3))
                    .append(" bookie=").append(own.get(4)).append(" copy=").append(own.get(5)).append(" updates=").append(own.get(6)).append('\n');
        }
        for (int i = 0; i < NODES; i++) {
            Files.writeString(file(i), "name: " + name(i) + "\n" + (handsOn ? "" : "updates: refer\n") + members);
            if (!Files.exists(data(i))) {
                LoadedData.writePassword(data(i));
            }
        }
    }

    static String name(int node) {
        return "node" + (node + 1);
    }

    /** Says which cluster, and which member. */
    Path file(int node) {
        return work.resolve(name(node) + ".conf");
    }

    private Path data(int node) {
        return work.resolve(name(node));
    }

    /** What it holds of the entries. */
    Path partitions(int node) {
        return data(node).resolve("partitions");
    }

    /** Each waits for most of the others. */
    private void startAll() throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(NODES);
        try {
            List<Future<ServerProcess>> starting = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                int node = i;
                starting.add(pool.submit(() -> launch(node)));
            }
            IOException failure = null;
            for (int i = 0; i < NODES; i++) {
                try {
                    nodes[i] = starting.get(i).get();
                } catch (ExecutionException e) {
                    failure = new IOException(name(i) + " does not start: " + e.getCause().getMessage() + "; it said: " + lastWords(i), e.getCause());
                }
            }
            if (failure != null) {
                throw failure;
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private String lastWords(int node) throws IOException {
        List<String> all = Files.exists(log(node)) ? Files.readAllLines(log(node)) : List.of();
        return String.join("\n", all.subList(Math.max(0, all.size() - LAST_LINES), all.size()));
    }

    private Path log(int node) {
        return work.resolve(name(node) + ".log");
    }

    private ServerProcess launch(int node) throws IOException {
        return ServerProcess.start(List.of(), List.of(), List.of("start", "--data", data(node).toString(), "--conf", configuration.toString(), "--port",
                Integer.toString(ldapPorts[node]), "--cluster", file(node).toString()), log(node));
    }

    /** As an administrator does; it is gone when this returns. */
    void stop(int node) {
        nodes[node].close();
    }

    /** One that was killed or stopped. Returns when it answers. */
    void restart(int node) throws IOException {
        nodes[node] = launch(node);
    }

    /** With SIGKILL; it is gone when this returns. */
    void kill(int node) throws InterruptedException {
        nodes[node].kill();
    }

    /** Asks the leader to hand over, which it does soon. */
    void moveLeader(int to) throws IOException {
        service.moveLeader(file(0), PARTITION, name(to));
    }

    /** How far one is with a copy of another one's entries; null where it takes none. */
    ClusterService.Copying copying(int node) throws IOException {
        return service.status(file(0), PARTITION).members().stream().filter(each -> each.name().equals(name(node))).map(ClusterService.Member::copying)
                .filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** Which one leads, when one does, and the others are there. */
    int awaitLeader() throws IOException, InterruptedException {
        TimeLimit limit = new TimeLimit("a leader of three members that are there");
        while (true) {
            ClusterService.Status status = service.status(file(0), PARTITION);
            for (int i = 0; i < NODES; i++) {
                if (name(i).equals(status.leader()) && leads(status, name(i))) {
                    return i;
                }
            }
            limit.pause();
        }
    }

    private static boolean leads(ClusterService.Status status, String name) {
        return status.members().stream().filter(each -> each.url() != null).count() == NODES && status.members().stream()
                .allMatch(each -> (each.role() == Replica.Role.LEADER) == each.name().equals(name));
    }

    /** The name of the one that all of this is about. */
    String partition() {
        return PARTITION;
    }

    int port(int node) {
        return ldapPorts[node];
    }

    /** All three, that one first. */
    List<Integer> portsFrom(int node) {
        return IntStream.range(node, node + NODES).mapToObj(each -> ldapPorts[each % NODES]).toList();
    }

    @Override
    public String label() {
        return "three members";
    }

    /** The leader's alone. */
    @Override
    public List<Integer> ports() throws IOException, InterruptedException {
        return List.of(port(awaitLeader()));
    }

    @Override
    public List<Integer> copies() {
        return portsFrom(0);
    }

    /** Which one that is. */
    int at(int port) {
        return IntStream.range(0, NODES).filter(node -> ldapPorts[node] == port).findFirst().orElseThrow();
    }

    /** As the administrator. The caller closes it. */
    LdapConnection connect(int node) throws IOException {
        return LoadedData.ADMINISTRATOR.connect(ldapPorts[node]);
    }

    /** Adds a small entry. */
    static LdapConnection.Result add(LdapConnection client, String name) throws IOException {
        return client.add("cn=" + name + "," + LdifGenerator.SUFFIX, List.of("objectClass", "cn"), List.of(
                List.of("device".getBytes(StandardCharsets.UTF_8)), List.of(name.getBytes(StandardCharsets.UTF_8))));
    }

    /** Whether there is exactly one entry that was added under this name. */
    static boolean has(LdapConnection client, String name) throws IOException {
        return client.search(LdifGenerator.SUFFIX, SearchFilter.equal("cn", name), 0, "1.1").expect(0).entries() == 1;
    }

    @Override
    public List<Long> processes() {
        return Arrays.stream(nodes).map(ServerProcess::process).toList();
    }

    @Override
    public double cpuSeconds() {
        double sum = 0;
        for (ServerProcess node : nodes) {
            sum += node.cpuSeconds();
        }
        return sum;
    }

    double cpuSeconds(int node) {
        return nodes[node].cpuSeconds();
    }

    /** All are told before one is waited for: the last ones would wait for those that are gone. */
    @Override
    public void close() {
        for (ServerProcess node : nodes) {
            if (node != null) {
                node.tellToStop();
            }
        }
        for (ServerProcess node : nodes) {
            if (node != null) {
                node.close();
            }
        }
    }
}
