package org.alder.partition.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

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

    /** What members keep of the logs of all partitions, by their names; without those that never had a bookie. */
    List<Machine> machines(Path file) throws IOException;

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
     * Makes keys and certificates by which the members know each other, for those of a file that have none yet.
     *
     * @param folder what is made; a folder below it is what a member gets
     * @return those folders that were made now
     * @throws org.alder.partition.error.StoreException of kind REFUSED, where what is there does not fit
     */
    List<Path> makeKeys(Path file, Path folder) throws IOException;

    /** A member, for its partitions. Thread safe. */
    interface Cluster extends AutoCloseable {
        /** Of this member. */
        String name();

        /**
         * Opens stores that share a log with those of the other members.
         *
         * @param suffix of the partition, by which its entries are named
         * @param engine what they are without that
         */
        StoreEngine sharing(String partition, String suffix, StoreEngine engine);

        /** The definitions that clients added. The logs wait for who follows them. */
        SharedSchema schema();

        /**
         * Asks another member, and waits for its answer without holding a thread.
         *
         * @return what it answers, perhaps on a thread that others wait for: continuations must be short and must not block. Completes
         *         exceptionally with a {@link org.alder.partition.error.StoreException} of kind NOT_LEADER where it was not asked, so that
         *         nothing was done, or OUTCOME_UNKNOWN where it was and has not answered; with a {@link
         *         org.alder.partition.error.DirectoryException} that names the limit where too much is asked
         */
        CompletableFuture<byte[]> ask(String member, byte[] question);

        /** What answers the questions of other members, from now on. @param answering null for nothing any more; must not block */
        void answerWith(Function<byte[], CompletableFuture<byte[]>> answering);

        @Override
        void close();
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
     */
    record Status(String leader, long epoch, long firstSequence, int logParts, long logBytes, List<Member> members, Comparison comparison) {
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
     */
    record Member(String name, String url, Replica.Role role, long epoch, long sequence, long lag, long flushed, boolean dropped,
            String problem, Copying copying) {
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
     * A member's bookie.
     *
     * @param name    of the member
     * @param bookie  under which it is known; another one when it has lost its disk
     * @param isHere  whether it takes requests
     * @param missing how many parts of logs miss a copy, as those that this member had before are gone; -1 where they are not counted yet
     */
    record Machine(String name, String bookie, boolean isHere, int missing) {
    }
}
