package org.alder.perf.faults;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What goes wrong, chosen by a seed, and mended again. One thread. */
final class Faults {

    /** What may go wrong. Where a name says nothing of the leader, any member is meant. */
    enum Kind {
        KILL, KILL_LEADER, KILL_TWO, KILL_ALL, STOP, STOP_LEADER, STOP_TWO, RESTART, RESTART_LEADER, OTHER_BUILD, OTHER_BUILD_LEADER, MOVE_LEADER, REBALANCE, PLACE,
        ISOLATE, ISOLATE_LEADER, DEAF, DEAF_LEADER, MUTE, MUTE_LEADER, CUT_PAIR, LOSS, SLOW, FULL_DISK, FULL_DISK_LEADER,
        WIPE, WIPE_LEADER, WIPE_PARTITIONS, CLOCK, CLOCK_LEADER, FAILING_READS, FAILING_WRITES, FAILING_WRITES_LEADER, FAILING_SYNCS, FAILING_SYNCS_LEADER;

        boolean isNetwork() {
            return compareTo(ISOLATE) >= 0 && compareTo(SLOW) <= 0;
        }

        boolean isDisk() {
            return this == FULL_DISK || this == FULL_DISK_LEADER;
        }

        /** What {@link MachineLibrary} is needed for. */
        boolean isMachine() {
            return compareTo(CLOCK) >= 0;
        }

        boolean isOfBuilds() {
            return this == OTHER_BUILD || this == OTHER_BUILD_LEADER;
        }

        /** What is only on the one disk is gone then. @param isPlaced whether not all members have all stores */
        boolean isWipe(boolean isPlaced) {
            return this == WIPE || this == WIPE_LEADER || this == WIPE_PARTITIONS && isPlaced;
        }
    }

    private static final int MOST_SECONDS_APART = 5 * 86_400;

    private final Cluster cluster;
    private final Lab lab;
    private final Random random;
    private final List<Kind> kinds;
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    /** The member that was wiped last; -1 for none. */
    private int wiped = -1;
    /** Members whose disks were full, or failed, since they were mended the last time. */
    private final TreeSet<Integer> broken = new TreeSet<>();

    /**
     * @param lab   null where there are no networks and disks that can fail
     * @param kinds what may be chosen of
     */
    Faults(Cluster cluster, Lab lab, List<Kind> kinds, Random random) {
        this.cluster = cluster;
        this.lab = lab;
        this.random = random;
        this.kinds = kinds;
    }

    /** What can be done here. */
    static List<Kind> possible(Cluster cluster, Lab lab, MachineLibrary library) {
        return Stream.of(Kind.values()).filter(kind -> lab != null && lab.hasFilter() || !kind.isNetwork()).filter(kind -> lab != null || !kind.isDisk())
                .filter(kind -> library != null || !kind.isMachine()).filter(kind -> cluster.builds().other() != null || !kind.isOfBuilds())
                .filter(kind -> cluster.shards() > 1 || kind != Kind.REBALANCE).filter(kind -> cluster.isPlaced() || kind != Kind.PLACE).toList();
    }

    /** How often each was there. */
    Map<Kind, Integer> counts() {
        return counts;
    }

    boolean isBroken(Member member) {
        return broken.contains(member.place().number());
    }

    /** Has something go wrong, until {@link #mend}. @return what */
    String begin() throws IOException, InterruptedException {
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        int one = kind.name().endsWith("LEADER") ? cluster.leader(random) : random.nextInt(cluster.members().size());
        if (kind.isWipe(cluster.isPlaced()) && !mayWipe(one)) {
            kind = Kind.KILL;
        }
        counts.merge(kind, 1, Integer::sum);
        int other = (one + 1 + random.nextInt(cluster.members().size() - 1)) % cluster.members().size();
        begin(kind, one, other);
        Member member = cluster.members().get(one);
        return kind + " " + member.name() + (kind.name().matches(".*(TWO|PAIR|MOVE).*") ? " " + cluster.members().get(other).name() : "")
                + (kind == Kind.CLOCK || kind == Kind.CLOCK_LEADER ? " " + member.clock() : "") + (kind.isOfBuilds() ? " to " + member.home().getFileName() : "");
    }

    /** No more than one disk is lost at a time: the next one when what was on the one before, or on one that failed, has its copies again. */
    private boolean mayWipe(int one) throws IOException, InterruptedException {
        for (Member each : cluster.members()) {
            int number = each.place().number();
            if (number != one && (number == wiped || broken.contains(number)) && !cluster.hasCopies(each)) {
                return false;
            }
        }
        return true;
    }

    private void begin(Kind kind, int one, int other) throws IOException, InterruptedException {
        Member member = cluster.members().get(one);
        switch (kind) {
            case KILL, KILL_LEADER -> member.kill();
            case KILL_TWO -> {
                member.kill();
                cluster.members().get(other).kill();
            }
            case KILL_ALL -> {
                for (Member each : cluster.members()) {
                    each.kill();
                }
            }
            case WIPE, WIPE_LEADER, WIPE_PARTITIONS -> {
                member.kill();
                member.wipe(kind == Kind.WIPE_PARTITIONS ? "data/partitions" : "data");
                wiped = kind.isWipe(cluster.isPlaced()) ? one : wiped;
            }
            case STOP, STOP_LEADER -> pause(member);
            case STOP_TWO -> {
                pause(member);
                pause(cluster.members().get(other));
            }
            case RESTART, RESTART_LEADER -> end(member);
            case OTHER_BUILD, OTHER_BUILD_LEADER -> {
                end(member);
                member.setHome(cluster.builds().swapped(member.home()));
            }
            case MOVE_LEADER -> {
                if (member.isAlive()) {
                    cluster.moveLeader(cluster.members().get(other), random.nextInt(cluster.shards()));
                }
            }
            case REBALANCE -> cluster.rebalance();
            case PLACE -> cluster.place(random);
            case FULL_DISK, FULL_DISK_LEADER -> {
                broken.add(one);
                Lab.fill(member.place().folder());
            }
            case CLOCK, CLOCK_LEADER -> {
                end(member);
                member.setClock(random.nextInt(2 * MOST_SECONDS_APART) - MOST_SECONDS_APART);
            }
            case FAILING_READS -> fail(one, MachineLibrary.DiskFault.READS);
            case FAILING_WRITES, FAILING_WRITES_LEADER -> fail(one, MachineLibrary.DiskFault.WRITES);
            case FAILING_SYNCS, FAILING_SYNCS_LEADER -> fail(one, MachineLibrary.DiskFault.SYNCS);
            default -> beginNetwork(kind, one, other);
        }
    }

    /** As an administrator does. */
    private static void end(Member member) throws IOException, InterruptedException {
        if (member.isAlive()) {
            member.stop();
        }
    }

    private void fail(int one, MachineLibrary.DiskFault fault) throws IOException {
        broken.add(one);
        cluster.members().get(one).failDisk(fault);
    }

    private static void pause(Member member) throws IOException, InterruptedException {
        if (member.isAlive()) {
            member.pause();
        }
    }

    private void beginNetwork(Kind kind, int one, int other) throws IOException, InterruptedException {
        List<Integer> others = cluster.members().stream().map(each -> each.place().number()).filter(each -> each != one).toList();
        boolean out = kind != Kind.DEAF && kind != Kind.DEAF_LEADER;
        boolean in = kind != Kind.MUTE && kind != Kind.MUTE_LEADER;
        double share = kind == Kind.LOSS ? 0.05 + 0.3 * random.nextDouble() : 1;
        if (kind == Kind.SLOW) {
            lab.slow(one);
            return;
        }
        for (int each : kind == Kind.CUT_PAIR ? List.of(other) : others) {
            if (out) {
                lab.drop(one, each, share);
            }
            if (in) {
                lab.drop(each, one, share);
            }
        }
    }

    /** All is well again, as far as that is in somebody's hands: members that are not there are started. */
    void mend() throws IOException, InterruptedException {
        if (lab != null) {
            lab.heal();
        }
        for (Member member : cluster.members()) {
            if (lab != null) {
                Lab.makeRoom(member.place().folder());
            }
            if (member.place().library() != null) {
                member.failDisk(MachineLibrary.DiskFault.NONE);
            }
            if (member.isAlive() && broken.contains(member.place().number()) && member.isReadOnly()) {
                // As its page says: what a disk that failed has, it tries to find out at a start alone.
                member.stop();
            }
            if (member.isAlive()) {
                member.resume();
            } else {
                member.start();
            }
        }
    }

    /** The members' disks have been well for as long as anybody might look back. */
    void forgetBroken() {
        broken.clear();
    }
}
