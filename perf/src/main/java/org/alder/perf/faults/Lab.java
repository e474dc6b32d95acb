package org.alder.perf.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Machines that are name spaces of this one: each has a network and an address of its own, and a disk in memory; links between them can be cut in one direction,
 * lose packets and be slow, and disks can be filled. It is itself in name spaces of users, networks, mounts and processes, so that nobody has to
 * be root for it, no other program sees any of it, and all is gone when this process is. One thread.
 */
final class Lab {
    private static final String NETWORK = "10.77.0.";
    private static final int WAIT_SECONDS = 60;
    private static final String RATE = "400kbit";
    private static final int FILL_BYTES = 1 << 20;

    private final int machines;
    private final boolean hasFilter;

    private Lab(int machines, boolean hasFilter) {
        this.machines = machines;
        this.hasFilter = hasFilter;
    }

    /** What stands before the command of a program in which {@link #make} works; null where the system does not let this user do that. */
    static List<String> prefix() throws IOException, InterruptedException {
        List<String> prefix = List.of("unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc");
        List<String> trial = new ArrayList<>(prefix);
        trial.addAll(List.of("sh", "-ec", "mount -t tmpfs tmpfs /run; ip link add br0 type bridge; ip netns add trial"));
        try {
            return run(trial) == 0 ? prefix : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Called once, in a process that was started behind {@link #prefix}. @param disks the folders of the machines, where their disks are mounted */
    static Lab make(List<Path> disks, int mebibytes) throws IOException, InterruptedException {
        script("mount -t tmpfs tmpfs /run; ip link set lo up; ip link add br0 type bridge; ip link set br0 up; ip addr add " + NETWORK + "254/24 dev br0");
        for (int i = 0; i < disks.size(); i++) {
            String name = name(i);
            script("ip netns add " + name + "; ip link add v" + i + " type veth peer name eth0 netns " + name + "; ip link set v" + i + " master br0 up;"
                    + "ip -n " + name + " addr add " + address(i) + "/24 dev eth0; ip -n " + name + " link set eth0 up; ip -n " + name + " link set lo up");
            Files.createDirectories(disks.get(i));
            script("mount -t tmpfs -o size=" + mebibytes + "m tmpfs '" + disks.get(i) + "'");
        }
        return new Lab(disks.size(), run(inside(0, "iptables", "-w", "-L", "INPUT")) == 0);
    }

    /** Whether links can be cut. */
    boolean hasFilter() {
        return hasFilter;
    }

    private static String name(int machine) {
        return "m" + machine;
    }

    static String address(int machine) {
        return NETWORK + (machine + 1);
    }

    /** The command on a machine. */
    static List<String> inside(int machine, String... command) {
        List<String> all = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + name(machine)));
        all.addAll(List.of(command));
        return all;
    }

    /** From now on what the one sends does not arrive at the other one. @param share of what it sends, 1 for all */
    void drop(int from, int to, double share) throws IOException, InterruptedException {
        List<String> rule = new ArrayList<>(inside(to, "iptables", "-w", "-A", "INPUT", "-s", address(from)));
        if (share < 1) {
            rule.addAll(List.of("-m", "statistic", "--mode", "random", "--probability", Double.toString(share)));
        }
        rule.addAll(List.of("-j", "DROP"));
        require(rule);
    }

    /** All that the machine sends has to wait, where the system can do that. */
    void slow(int machine) throws IOException, InterruptedException {
        if (run(inside(machine, "tc", "qdisc", "add", "dev", "eth0", "root", "netem", "delay", "150ms", "100ms")) != 0) {
            run(inside(machine, "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", RATE, "burst", "10kb", "latency", "3000ms"));
        }
    }

    /** All links are whole again. */
    void heal() throws IOException, InterruptedException {
        for (int i = 0; i < machines; i++) {
            if (hasFilter) {
                require(inside(i, "iptables", "-w", "-F", "INPUT"));
            }
            run(inside(i, "tc", "qdisc", "del", "dev", "eth0", "root"));
        }
    }

    private static Path filler(Path disk) {
        return disk.resolve("filler");
    }

    /** Takes all the room there is on a machine's disk. */
    static void fill(Path disk) throws IOException {
        try (OutputStream out = Files.newOutputStream(filler(disk))) {
            byte[] some = new byte[FILL_BYTES];
            while (true) {
                out.write(some);
            }
        } catch (IOException e) {
            if (Files.getFileStore(disk).getUsableSpace() >= FILL_BYTES) {
                throw e;
            }
        }
    }

    static void makeRoom(Path disk) throws IOException {
        Files.deleteIfExists(filler(disk));
    }

    private static void script(String script) throws IOException, InterruptedException {
        require(List.of("sh", "-ec", script));
    }

    private static void require(List<String> command) throws IOException, InterruptedException {
        if (run(command) != 0) {
            throw new IOException("failed: " + String.join(" ", command));
        }
    }

    private static int run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " did not end in " + WAIT_SECONDS + " s: " + said);
        }
        return process.exitValue();
    }
}
