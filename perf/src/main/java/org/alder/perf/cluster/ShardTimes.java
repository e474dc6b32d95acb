package org.alder.perf.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.store.ClusterService;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.SpreadLoad;
import org.alder.perf.process.ServerProcess;

/**
 * A cluster with two partitions that have the same indexes and the same users: one store with one leader, and four shards whose leaders are spread over the
 * members. Connections go to all members, which hand on what another one leads. One thread; whoever makes it closes it.
 */
final class ShardTimes implements AutoCloseable {
    static final int SHARDS = 4;
    private static final String FIRST_DN = "dn: cn=example,cn=config";
    private static final String PARTITION = "shards";
    private static final String SUFFIX = "o=" + PARTITION;
    private static final int FILL_CONNECTIONS = 32;
    private static final long FILL_NANOS = 20_000;

    private final ClusterNodes nodes;
    private final Path configuration;
    private final Path messages;
    private final long entries;
    private final List<UpdateTurns.Users> users;

    /**
     * Starts the cluster, adds the users to both and spreads the leaders.
     *
     * @param entries users of each
     */
    ShardTimes(ClusterService service, Path work, LdifGenerator generator, long entries) throws IOException, InterruptedException {
        this.entries = entries;
        this.configuration = configuration(work);
        this.messages = work.resolve("verb.log");
        nodes = new ClusterNodes(service, work, configuration, true);
        boolean done = false;
        try {
            run("rebalance", "--partition", PARTITION);
            addBases();
            users = List.of(users("one partition", new SampleUpdates(generator)), users(SHARDS + " shards", new SampleUpdates(generator, SUFFIX)));
            done = true;
        } finally {
            if (!done) {
                nodes.close();
            }
        }
    }

    /** The second partition is as the first one, but for its shards, which need the index of entryUUID. */
    private static Path configuration(Path work) throws IOException {
        Path file = PerfOptions.configuration(work, "shards.ldif", List.of("durability: sync", "index: entryUUID eq"));
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        List<String> second = new ArrayList<>(lines.subList(lines.indexOf(FIRST_DN), lines.size()));
        second.replaceAll(line -> line.equals(FIRST_DN) ? "dn: cn=" + PARTITION + ",cn=config"
                : line.startsWith("suffix: ") ? "suffix: " + SUFFIX : line);
        lines.add("");
        lines.addAll(second);
        lines.addAll(List.of("distribution: hash", "shards: " + SHARDS));
        return Files.write(file, lines);
    }

    /** A verb for clusters. */
    private void run(String action, String... more) throws IOException, InterruptedException {
        Path errors = messages.resolveSibling("verb.err");
        List<String> arguments = new ArrayList<>(List.of("cluster", action));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of("--cluster", nodes.file(0).toString(), "--conf", configuration.toString()));
        int status = ServerProcess.run(List.of(), List.of(), arguments, messages, errors);
        if (status != 0) {
            throw new IOException("cluster " + action + " ended with status " + status + ": " + Files.readString(errors).strip());
        }
    }

    /** Has the leader of the one partition and one more hold it alone. @return where the latter answers, and where the third, which holds it no more */
    List<Integer> holdByTwo() throws IOException, InterruptedException {
        System.err.println("having two members hold the one partition");
        int leader = nodes.awaitLeader();
        int replica = (leader + 1) % ClusterNodes.NODES;
        run("place", ClusterNodes.name(leader) + "," + ClusterNodes.name(replica), "--partition", nodes.partition());
        return List.of(nodes.port(replica), nodes.port((leader + 2) % ClusterNodes.NODES));
    }

    private void addBases() throws IOException, InterruptedException {
        try (LdapConnection client = nodes.connect(nodes.awaitLeader())) {
            SampleUpdates.addBase(client);
            client.add(SUFFIX, List.of("objectClass", "o"), List.of(List.of(bytes("organization")), List.of(bytes(PARTITION)))).expect(0);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Adds them, over so many connections that it does not take long. */
    private UpdateTurns.Users users(String label, SampleUpdates samples) throws IOException, InterruptedException {
        System.err.println("adding " + entries + " users to " + label);
        AtomicLong next = new AtomicLong(1);
        while (next.get() <= entries) {
            long nanos = Math.max(1, (entries - next.get()) * FILL_NANOS);
            SpreadLoad.over(nodes.portsFrom(0), FILL_CONNECTIONS, 0, nanos, 0, LoadedData.ADMINISTRATOR).run(samples.adds(next));
        }
        return new UpdateTurns.Users(new Spread(label), samples, entries, next.get());
    }

    /** Those of the one partition and those of the shards, in this order. */
    List<UpdateTurns.Users> users() {
        return users;
    }

    @Override
    public void close() {
        nodes.close();
    }

    /** One of the two partitions; the processes are the same. */
    private final class Spread implements Deployment {
        private final String label;

        Spread(String label) {
            this.label = label;
        }

        @Override
        public String label() {
            return label;
        }

        /** The first one leads the one partition. */
        @Override
        public List<Integer> ports() throws IOException, InterruptedException {
            return nodes.portsFrom(nodes.awaitLeader());
        }

        @Override
        public List<Long> processes() {
            return nodes.processes();
        }

        @Override
        public double cpuSeconds() {
            return nodes.cpuSeconds();
        }
    }
}
