package org.alder.perf.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.process.FreePorts;

/** The members under test, their files, and what they share. One thread. */
final class Cluster implements AutoCloseable {
    private static final int PORTS = 7;
    private static final int FIRST_PORT = 10_389;
    private static final int VERB_SECONDS = 60;
    private static final String ROLE = "alderReplicaRole";
    private static final String LAG = "alderReplicaLagTransactions";
    private static final String APPLIES = "alderReplicaApplies";
    private static final Pattern SHARD = Pattern.compile("shard ([0-9]+) of [0-9]+");

    private static final int LOOK_MILLIS = 3_000;
    private static final String PARTITION = "example";

    private final List<Member> members = new ArrayList<>();
    private final Builds builds;
    private final Layout.Numbers layout;
    private final Path configuration;

    /**
     * The builds that members run.
     *
     * @param home  where this one is
     * @param other where another one is, of an older commit, with which all of them begin; null for none
     */
    record Builds(Path home, Path other) {
        /** That a member with the given one is restarted with. */
        Path swapped(Path now) {
            return other == null || now.equals(other) ? home : other;
        }
    }

    /**
     * @param disks   a folder of each member
     * @param lab     null where all members are on this machine's loopback address
     * @param library null for none
     */
    Cluster(Builds builds, Layout.Numbers layout, Path work, List<Path> disks, Lab lab, MachineLibrary library) throws IOException {
        this.builds = builds;
        this.layout = layout;
        this.configuration = layout.shards() == 1 ? null : Files.writeString(work.resolve("config.ldif"), "dn: cn=config\nobjectClass: alderServer\n\ndn: cn=" + PARTITION
                + ",cn=config\nobjectClass: alderPartition\nsuffix: " + Registers.SUFFIX + "\ndistribution: hash\nshards: " + layout.shards() + "\n" + (asksWriters() ? "unique: " + Registers.UNIQUE + "\n" : ""));
        Path password = work.resolve("password");
        Files.writeString(password, Member.PASSWORD);
        int[][] ports = new int[layout.members()][];
        List<Integer> free = lab == null ? FreePorts.find(layout.members() * PORTS) : List.of();
        for (int i = 0; i < layout.members(); i++) {
            ports[i] = lab == null ? free.subList(i * PORTS, (i + 1) * PORTS).stream().mapToInt(Integer::intValue).toArray()
                    : IntStream.range(FIRST_PORT, FIRST_PORT + PORTS).toArray();
        }
        for (int i = 0; i < layout.members(); i++) {
            Path file = work.resolve("node" + (i + 1) + ".conf");
            Files.writeString(file, file(i, ports, lab != null));
            members.add(new Member(new Member.Place(i, lab == null ? List.of() : Lab.inside(i), disks.get(i), library, file, configuration,
                    password, work.resolve("node" + (i + 1) + ".log"), host(i, lab != null), ports[i][0]), builds.other == null ? builds.home : builds.other));
        }
    }

    private static String host(int member, boolean hasLab) {
        return hasLab ? Lab.address(member) : "127.0.0.1";
    }

    private static String file(int own, int[][] ports, boolean hasLab) {
        StringBuilder text = new StringBuilder("name: node" + (own + 1) + "\n" + (hasLab ? "insecure: true\n" : ""));
        for (int i = 0; i < ports.length; i++) {
            int[] p = ports[i];
            String host = host(i, hasLab);
            text.append("member: node").append(i + 1).append(" url=ldap://").append(host).append(':').append(p[0]).append(" host=").append(host)
                    .append(" zookeeper=").append(p[1]).append(',').append(p[2]).append(',').append(p[3]).append(" bookie=").append(p[4])
                    .append(" copy=").append(p[5]).append(" updates=").append(p[6]).append('\n');
        }
        return text.toString();
    }

    List<Member> members() {
        return members;
    }

    Builds builds() {
        return builds;
    }

    private ProcessBuilder verb(Member file, String... action) {
        List<String> command = new ArrayList<>(List.of(builds.home.resolve("bin").resolve("alder").toString(), "cluster"));
        command.addAll(List.of(action));
        command.addAll(List.of("--cluster", file.place().file().toString()));
        if (configuration != null) {
            command.addAll(List.of("--conf", configuration.toString()));
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ALDER_JAVA_OPTS", "-Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        return builder;
    }

    /** Has the members compared, of all shards. @return null where they hold the same; else what was told */
    String difference() throws IOException, InterruptedException {
        Told told = tell(members.get(0), "digest");
        return told.status == 0 ? null : told.text;
    }

    /**
     * What a command has told.
     *
     * @param status with which it ended
     */
    record Told(int status, String text) {
    }

    /** Runs a verb for clusters, as long as it takes. */
    Told tell(Member file, String... arguments) throws IOException, InterruptedException {
        Process process = verb(file, arguments).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Told(process.waitFor(), text);
    }

    /** Which of the shards a member leads, as it says itself; none where it says nothing. */
    Set<Integer> led(Member member) {
        Set<Integer> led = new TreeSet<>();
        for (Message shard : monitored(member)) {
            if (value(shard, ROLE).equals("leader")) {
                Matcher number = SHARD.matcher(value(shard, "alderShard"));
                led.add(number.matches() ? Integer.parseInt(number.group(1)) : 0);
            }
        }
        return led;
    }

    /** How many transactions a member is behind, as it says itself, at most of a shard; -1 where it does not know, or says nothing. */
    long lag(Member member) {
        List<Message> partitions = monitored(member);
        return partitions.isEmpty() ? -1 : partitions.stream().mapToLong(Cluster::lag).reduce(0, (one, other) -> one < 0 || other < 0 ? -1 : Math.max(one, other));
    }

    private static long lag(Message partition) {
        String behind = value(partition, LAG);
        boolean lagsBehindNobody = value(partition, ROLE).equals("leader") || value(partition, ROLE).equals("elsewhere") && value(partition, APPLIES).equals("TRUE");
        return lagsBehindNobody ? 0 : behind.isEmpty() || !value(partition, APPLIES).equals("TRUE") ? -1 : Long.parseLong(behind);
    }

    /** Empty for none. */
    private static String value(Message entry, String name) {
        return entry.attributes().entrySet().stream().filter(each -> each.getKey().equalsIgnoreCase(name)).findFirst().map(each -> each.getValue().first()).orElse("");
    }

    /** What a member says of its partitions; nothing where it says nothing. */
    private static List<Message> monitored(Member member) {
        if (!member.isAlive()) {
            return List.of();
        }
        try (LdapClient client = member.connect(LOOK_MILLIS)) {
            return client.send(new Request.Search("cn=Monitor", Request.Scope.ONE_LEVEL, new SearchFilter.Present(ROLE), List.of(ROLE, LAG, APPLIES, "alderShard"))).entries();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** One that leads, the more likely the more it leads; any where none says that it does. */
    int leader(Random random) {
        List<Integer> leading = new ArrayList<>();
        for (Member member : members) {
            leading.addAll(Collections.nCopies(led(member).size(), member.place().number()));
        }
        int drawn = random.nextInt(layout.members() * layout.shards());
        return leading.isEmpty() ? drawn % layout.members() : leading.get(drawn % leading.size());
    }

    /** Asks for another leader, and waits for it for a while. Whether it leads then. @param shard that it is to lead */
    boolean moveLeader(Member to, int shard) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("move-leader", to.name()));
        if (layout.shards() > 1) {
            arguments.addAll(List.of("--partition", PARTITION + ".shard-" + shard + "-of-" + layout.shards()));
        }
        return run(to, ProcessBuilder.Redirect.DISCARD, arguments.toArray(String[]::new)) == 0;
    }

    /** Whether values of {@link Registers#UNIQUE} are unique, and entries can go from shard to shard: builds before did neither. */
    boolean asksWriters() {
        return layout.shards() > 1 && builds.other == null;
    }

    int shards() {
        return layout.shards();
    }

    /** Each leads about as many of the shards as others, where these are there. */
    void rebalance() throws IOException, InterruptedException {
        run(members.get(0), ProcessBuilder.Redirect.DISCARD, "rebalance");
    }

    /** So many members hold each shard as are to, and each leads about as many as others. @throws IOException where that does not come */
    void spread() throws IOException, InterruptedException {
        if (!layout.isPlaced()) {
            rebalance();
            return;
        }
        Told told = tell(members.get(0), "rebalance", "--copies", Integer.toString(layout.copies()));
        if (told.status != 0) {
            throw new IOException("the shards do not get to those that are to hold them: " + told.text);
        }
    }

    boolean isPlaced() {
        return layout.isPlaced();
    }

    /** Has others hold a shard, as far as that comes in time: else more hold it than are to. */
    void place(Random random) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>(members.stream().map(Member::name).toList());
        Collections.shuffle(names, random);
        run(members.get(0), ProcessBuilder.Redirect.DISCARD, "place", String.join(",", names.subList(0, layout.copies())), "--partition",
                PARTITION + ".shard-" + random.nextInt(layout.shards()) + "-of-" + layout.shards());
    }

    /** Whether a member whose disk was wiped has all that it had before, its stores, too: with two copies of each the next one that is wiped may have the only one. */
    boolean hasCopies(Member member) throws IOException, InterruptedException {
        Path said = Files.createTempFile(member.place().file().getParent(), "members", ".json");
        try {
            boolean isSaid = member.isAlive() && run(member, ProcessBuilder.Redirect.to(said.toFile()), "members", "--json") == 0;
            return isSaid && Files.readString(said).matches("(?s).*\"name\":\"" + member.name() + "\",\"bookie\":\"[^\"]*\",\"here\":true,"
                    + "\"partsWithoutCopy\":0[,}].*") && hasZooKeeper(member) && lag(member) >= 0;
        } finally {
            Files.delete(said);
        }
    }

    /** It has stored something of its own, or what the others had. */
    private static boolean hasZooKeeper(Member member) throws IOException {
        Path files = member.place().folder().resolve("data/cluster/zookeeper/data/version-2");
        try (Stream<Path> all = Files.list(files)) {
            return all.anyMatch(each -> each.getFileName().toString().startsWith("log."));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The status with which a verb for clusters ends; -1 where it does not. */
    private int run(Member member, ProcessBuilder.Redirect output, String... arguments) throws IOException, InterruptedException {
        Process process = verb(member, arguments).redirectOutput(output).start();
        if (!process.waitFor(VERB_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return -1;
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        try {
            for (Member member : members) {
                if (member.isAlive()) {
                    member.kill();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
