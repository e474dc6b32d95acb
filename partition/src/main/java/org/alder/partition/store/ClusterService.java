package org.alder.partition.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.alder.partition.error.DirectoryException;

/**
 * The way into a cluster of servers that hold the same partitions. Found by {@link java.util.ServiceLoader}; it is on the class path only
 * where a cluster is asked for. Stateless.
 */
public interface ClusterService {
    /**
     * Becomes a member.
     *
     * @param file   says which cluster, and which member (docs/cluster.md)
     * @param folder what the member keeps beside its partitions
     * @return closed by the caller, after the stores
     * @throws IOException where the others cannot be reached
     * @throws org.alder.partition.error.StoreException of kind REFUSED, naming file and line, where the file is not as it has to be
     */
    Cluster join(Path file, Path folder) throws IOException;

    /** What is known of the members that hold a partition, without being one. @param partition its name in the configuration */
    Status status(Path file, String partition) throws IOException;

    /**
     * Raises the {@link FeatureLevel} of the cluster to the newest one that this build knows, where all members know it: from then on no build goes with them that does not.
     *
     * @return the level of now
     * @throws org.alder.partition.error.StoreException of kind REFUSED, naming each member that does not know it, or of which nobody knows whether it does
     */
    int raiseLevel(Path file) throws IOException;

    /** What members keep of the logs of all partitions, by their names; without those that never had a bookie. */
    List<Machine> machines(Path file) throws IOException;

    /**
     * Asks the ZooKeeper of each member that runs one by itself, which takes some seconds where one is away.
     *
     * @return by the names of the members whether it answers: then it has what the others have
     */
    Map<String, Boolean> zooKeepers(Path file) throws IOException;

    /**
     * Says which members are to hold a partition from now on. Those that are to hold it newly take copies; those that are not to any more go on until all the
     * others show as much, and then delete what they have. The status shows both.
     *
     * @param members their names; null for all, also those that come later
     * @throws org.alder.partition.error.StoreException of kind REFUSED where one of them is none, or the {@link FeatureLevel} is below {@link FeatureLevel#PLACED_STORES}
     */
    void place(Path file, String partition, List<String> members) throws IOException;

    /** Asks the leader of a partition to hand over to a member, which it does soon; the status shows it. */
    void moveLeader(Path file, String partition, String member) throws IOException;

    /**
     * Asks the leader of a partition to have the members compared now.
     *
     * @return the number of the comparison: the status shows it, or a later one, when that is done
     */
    long compare(Path file, String partition) throws IOException;

    /** The log does not wait for a member any more that is gone for good. */
    void forget(Path file, String partition, String member) throws IOException;

    /**
     * Takes a member that is gone for good out of what is known of all partitions, and has bookies of others take copies of what its own had. Returns when that is
     * done as far as it can be now; may be called again.
     *
     * @throws org.alder.partition.error.StoreException of kind REFUSED where it is here, or less than two others are
     */
    Removal remove(Path file, String member) throws IOException;

    /**
     * Makes keys and certificates by which the members know each other, for those of a file that have none yet.
     *
     * @param folder what is made; a folder below it is what a member gets
     * @return those folders that were made now
     * @throws org.alder.partition.error.StoreException of kind REFUSED, where what is there does not fit
     */
    List<Path> makeKeys(Path file, Path folder) throws IOException;

    /**
     * Keeps for another machine what it needs to become a member, sealed so that nobody can read it who has not the token.
     *
     * @param file of any member
     * @throws org.alder.partition.error.StoreException of kind REFUSED, saying why that one cannot be a member
     */
    Invitation invite(Path file, Newcomer newcomer) throws IOException;

    /**
     * Takes what was kept for this machine, once: where it is here already nobody is asked.
     *
     * @param folder what the member keeps beside its partitions, as for {@link #join}
     * @param asked  a member of the cluster
     * @return the file to join with
     * @throws IOException where the member does not answer, or has no such invitation
     * @throws org.alder.partition.error.StoreException of kind REFUSED where the token is none, or what came is not what was sealed for it
     */
    Path accept(Path folder, String token, Asking asked) throws IOException;

    /** Where {@link #accept} keeps the file to join with: it is there once the invitation was taken. */
    Path accepted(Path folder);

    /**
     * Connects without being a member.
     *
     * @param file of the member in whose folder something is to be loaded
     * @throws IOException where the others cannot be reached
     */
    ClusterLoading loading(Path file) throws IOException;

    /** A member, for its partitions. Thread safe. */
    interface Cluster extends AutoCloseable {
        /** Of this member. */
        String name();

        /** Of the {@link FeatureLevel}s, as of some seconds ago: what this member writes for others none of them has a newer build for. It only grows. */
        int level();

        /**
         * Opens stores that share a log with those of the other members.
         *
         * @param suffix of the partition, by which its entries are named
         * @param engine what they are without that
         */
        StoreEngine sharing(String partition, String suffix, StoreEngine engine);

        /** The definitions that clients added. The logs wait for who follows them. */
        SharedSchema schema();

        /** What members are configured with in common. */
        SharedConfiguration configuration();

        /**
         * Asks another member, and waits for its answer without holding a thread.
         *
         * @return what it answers, perhaps on a thread that others wait for: continuations must be short and must not block. Completes
         *         exceptionally with a {@link org.alder.partition.error.StoreException} of kind NOT_LEADER where it was not asked, so that
         *         nothing was done, or OUTCOME_UNKNOWN where it was and has not answered; with a {@link
         *         org.alder.partition.error.DirectoryException} that names the limit where too much is asked
         */
        CompletableFuture<byte[]> ask(String member, byte[] question);

        /** Whether it asks others at all, as its file says. */
        boolean asks();

        /** So long after members have come to lead shards unevenly leaders hand over, as its file says; 0 for never. */
        long spreadMinutes();

        /** As {@link ClusterService#moveLeader}. */
        void moveLeader(String partition, String member) throws IOException;

        /** What answers the questions of other members, from now on. @param answering null for nothing any more; must not block */
        void answerWith(Function<byte[], CompletableFuture<byte[]>> answering);

        /**
         * Answers a machine that has been invited, as docs/format/invitation.md says. Blocks for some seconds at most.
         *
         * @throws DirectoryException with the result: for one that nobody may take, whatever the reason, always the same one
         * @throws IOException        where it cannot be looked up now
         */
        byte[] invitation(byte[] request) throws IOException, DirectoryException;

        @Override
        void close();
    }

    /** Asks a member, whoever that is: what it answers is not trusted before it is opened. */
    @FunctionalInterface
    interface Asking {
        /** @throws IOException where it does not answer, or refuses */
        byte[] ask(byte[] request) throws IOException;
    }

    /**
     * A machine that is to be a member.
     *
     * @param url     where it will answer clients
     * @param host    what its bookie and its other ports will listen on
     * @param ports   for the bookie, copies and updates; empty for those of the member whose line it takes, or of the first one that has them
     * @param keys    the folder of the cluster's authority; null where members speak without TLS
     * @param minutes how long it may wait
     */
    record Newcomer(String name, String url, String host, List<Integer> ports, Path keys, int minutes) {
    }

    /**
     * What was kept for it.
     *
     * @param token  opens it: nobody else has it, and it is kept nowhere
     * @param advice what is left to do on the other machines; null for nothing
     */
    record Invitation(String token, Instant ends, String advice) {
    }

    /**
     * The members that hold a partition.
     *
     * @param leader        null where nobody leads now
     * @param epoch         counts the leaders
     * @param firstSequence the first transaction in the log
     * @param logParts      in how many parts the log is
     * @param logBytes      what the log takes on each of the disks that have a copy, without the part that is being written where only its
     *                      writer knows; -1 where that is not known
     * @param comparison    what was found when the members were compared last; null where they were not yet
     * @param level         of the {@link FeatureLevel}s
     * @param holders       the names of those that are to hold it; null where all are
     */
    record Status(String leader, long epoch, long firstSequence, int logParts, long logBytes, List<Member> members, Comparison comparison, int level,
            List<String> holders) {
        /** The names of those that are to hold it: of all members that are listed where nothing else was said. */
        public List<String> toHold() {
            return holders != null ? holders : members.stream().map(Member::name).toList();
        }

        /** The newest level that all members know which are listed, as far as they have told. */
        public int knownLevel() {
            return members.stream().mapToInt(member -> member.build == null ? FeatureLevel.FIRST : member.build.newestLevel).min().orElse(level);
        }
    }

    /**
     * One of them.
     *
     * @param url      where it answers clients; null where it is not there, and then all that follows is 0 or null but flushed
     * @param role     what it does
     * @param sequence the last transaction that it shows
     * @param lag      how many transactions it is behind the leader, as both have told within a second
     * @param flushed  the last transaction that it has on its own disk; -1 where that is not known
     * @param dropped  whether it was away for so long that the log does not wait for it any more
     * @param problem  why it applies nothing; null where nothing keeps it
     * @param copying  how far it is with a copy of another one's store; null where it takes none
     * @param build    that it runs, or has run when it was here; null where it has not told, as builds do not that know of no levels
     */
    record Member(String name, String url, Replica.Role role, long epoch, long sequence, long lag, long flushed, boolean dropped,
            String problem, Copying copying, Build build) {
        /** Whether it is here, applies the log, and takes no copy; it may be behind. */
        public boolean isInStep() {
            return url != null && role != Replica.Role.FAILED && problem == null && copying == null;
        }
    }

    /**
     * A build of Alder.
     *
     * @param name        as people call it, in one line
     * @param oldestLevel of the {@link FeatureLevel}s that it writes
     * @param newestLevel of those that it knows; it reads what older ones have, too
     */
    record Build(String name, int oldestLevel, int newestLevel) {
    }

    /**
     * A copy of a store that a member takes of another one.
     *
     * @param from           the other one's name
     * @param doneBytes      what is here, perhaps from an earlier copy that was not finished
     * @param bytesPerSecond how fast it comes
     */
    record Copying(String from, long doneBytes, long totalBytes, long bytesPerSecond) {
        /** Until all is here; -1 where that cannot be told yet. */
        public long secondsLeft() {
            return bytesPerSecond <= 0 ? -1 : (totalBytes - doneBytes + bytesPerSecond - 1) / bytesPerSecond;
        }
    }

    /**
     * What became of the parts of logs that a member had a copy of which was removed.
     *
     * @param copied those that other bookies have in its place
     * @param left   those with a copy less
     * @param why    these are left, as of the first one; null where none is
     */
    record Removal(int copied, int left, String why) {
    }

    /**
     * A member's bookie.
     *
     * @param name    of the member
     * @param bookie  under which it is known; another one when it has lost its disk
     * @param isHere  whether it takes requests
     * @param missing how many parts of logs miss a copy on this bookie, as those that it had are gone or as it was away when they were written; -1 where they are not counted yet
     */
    record Machine(String name, String bookie, boolean isHere, int missing) {
    }
}
