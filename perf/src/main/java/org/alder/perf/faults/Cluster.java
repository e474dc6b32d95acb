package org.alder.perf.faults;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The members under test, their files, and what they share. One thread. */
final class Cluster implements AutoCloseable {
    static final int MEMBERS = 3;
    private static final int PORTS = 7;
    private static final int FIRST_PORT = 10_389;
    private static final int VERB_SECONDS = 60;

    private final List<Member> members = new ArrayList<>();
    private final Path home;

    /**
     * @param lab     null where all members are on this machine's loopback address
     * @param library null for none
     */
    Cluster(Path home, Path work, List<Path> disks, Lab lab, MachineLibrary library) throws IOException {
        this.home = home;
        Path password = work.resolve("password");
        Files.writeString(password, Member.PASSWORD);
        int[][] ports = new int[MEMBERS][];
        for (int i = 0; i < MEMBERS; i++) {
            ports[i] = lab == null ? freePorts() : IntStream.range(FIRST_PORT, FIRST_PORT + PORTS).toArray();
        }
        for (int i = 0; i < MEMBERS; i++) {
            Path file = work.resolve("node" + (i + 1) + ".conf");
            Files.writeString(file, file(i, ports, lab != null));
            members.add(new Member(new Member.Place(i, home, lab == null ? List.of() : Lab.inside(i), disks.get(i), library, file,
                    password, work.resolve("node" + (i + 1) + ".log"), host(i, lab != null), ports[i][0])));
        }
    }

    private static String host(int member, boolean hasLab) {
        return hasLab ? Lab.address(member) : "127.0.0.1";
    }

    private static String file(int own, int[][] ports, boolean hasLab) {
        StringBuilder text = new StringBuilder("name: node" + (own + 1) + "\n" + (hasLab ? "insecure: true\n" : ""));
        for (int i = 0; i < MEMBERS; i++) {
            int[] p = ports[i];
            String host = host(i, hasLab);
            text.append("member: node").append(i + 1).append(" url=ldap://").append(host).append(':').append(p[0]).append(" host=").append(host)
                    .append(" zookeeper=").append(p[1]).append(',').append(p[2]).append(',').append(p[3]).append(" bookie=").append(p[4])
                    .append(" copy=").append(p[5]).append(" updates=").append(p[6]).append('\n');
        }
        return text.toString();
    }

    private static int[] freePorts() throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            int[] ports = new int[PORTS];
            for (int i = 0; i < PORTS; i++) {
                sockets.add(new ServerSocket(0));
                ports[i] = sockets.get(i).getLocalPort();
            }
            return ports;
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    List<Member> members() {
        return members;
    }

    private ProcessBuilder verb(Member file, String... action) {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin").resolve("alder").toString(), "cluster"));
        command.addAll(List.of(action));
        command.addAll(List.of("--cluster", file.place().file().toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ALDER_JAVA_OPTS", "-Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        return builder;
    }

    /** Has the members compared. @return null where they hold the same; else what was told */
    String difference() throws IOException, InterruptedException {
        Process process = verb(members.get(0), "digest").start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? null : told;
    }

    /** Asks for another leader, and waits for it for a while. Whether it leads then. */
    boolean moveLeader(Member to) throws IOException, InterruptedException {
        return run(to, ProcessBuilder.Redirect.DISCARD, "move-leader", to.name()) == 0;
    }

    /** Whether a member whose disk was wiped has all that it had before. */
    boolean hasCopies(Member member) throws IOException, InterruptedException {
        Path said = Files.createTempFile(member.place().file().getParent(), "members", ".json");
        try {
            boolean isSaid = member.isAlive() && run(member, ProcessBuilder.Redirect.to(said.toFile()), "members", "--json") == 0;
            return isSaid && Files.readString(said).matches("(?s).*\"name\":\"" + member.name() + "\",\"bookie\":\"[^\"]*\",\"here\":true,"
                    + "\"partsWithoutCopy\":0}.*") && hasZooKeeper(member);
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
