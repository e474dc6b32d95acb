package org.alder.server.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.server.control.ReadPoint;
import org.alder.server.directory.UpdateTransaction;
import org.alder.server.wire.HandedClient;

/** The other members of the cluster, which may lead what this one does not. Thread safe. */
public interface OtherMembers {
    /** Of a server that stands alone. */
    OtherMembers NONE = new OtherMembers() {
        @Override
        public String own() {
            return "";
        }

        @Override
        public boolean lead(Dn dn) {
            return false;
        }

        @Override
        public CompletableFuture<Handed> hand(Dn dn, HandedClient from, List<byte[]> messages) {
            throw new IllegalStateException("there are no others");
        }

        @Override
        public String shard(Dn dn) {
            return null;
        }

        @Override
        public UpdateTransaction.Part part(String shard, HandedClient from, List<byte[]> messages) {
            throw new IllegalStateException("there are no others");
        }

        @Override
        public ReadPoint written() {
            return ReadPoint.ANY;
        }

        @Override
        public boolean isShown(ReadPoint point) {
            return true;
        }

        @Override
        public CompletableFuture<Boolean> await(ReadPoint point, long millis) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public boolean isShownSince(long nanos) {
            return true;
        }

        @Override
        public CompletableFuture<Boolean> awaitSince(long nanos, long millis) {
            return CompletableFuture.completedFuture(true);
        }
    };

    /** The name of this member. */
    String own();

    /** Whether an update of this name is handed on now. */
    boolean lead(Dn dn);

    /**
     * Has the leader answer requests, in the name of whoever has sent them here.
     *
     * @param messages an update; or those of a transaction, and behind them what asks for its end
     * @return completes exceptionally with a {@link org.alder.partition.error.StoreException}, of kind OUTCOME_UNKNOWN where it is not known
     *         what was done; or with a {@link org.alder.partition.error.DirectoryException}. On any thread: continuations must be short
     */
    CompletableFuture<Handed> hand(Dn dn, HandedClient from, List<byte[]> messages);

    /**
     * What the leader has answered.
     *
     * @param answer  to the last message; null where this member has begun to lead, and nothing was done
     * @param written the state in which it is done
     */
    record Handed(byte[] answer, ReadPoint written) {
    }

    /** The label of the shard that a name is in, of several of which members lead each its own; null where there are none. */
    String shard(Dn dn);

    /**
     * The part of a transaction that a shard has, and whoever leads it does, in the name of whoever has sent it here. Nothing is asked before it is prepared.
     *
     * @param messages the updates, in their order
     */
    UpdateTransaction.Part part(String shard, HandedClient from, List<byte[]> messages);

    /** The state in which all is done that this member has done by now as a leader. */
    ReadPoint written();

    /** Whether reads here show a state now. */
    boolean isShown(ReadPoint point);

    /** Waits until they do, without a thread. @return completes with false when the time is over */
    CompletableFuture<Boolean> await(ReadPoint point, long millis);

    /**
     * Whether reads here are known to show all that any member has acknowledged before a moment.
     *
     * @param nanos of {@link System#nanoTime}
     */
    boolean isShownSince(long nanos);

    /**
     * Asks the leaders how far they are, and waits until reads here show that, without a thread.
     *
     * @return completes with false when the time is over, or exceptionally with a {@link org.alder.partition.error.DirectoryException} that says
     *         why it is not known how far they are; perhaps somewhat later
     */
    CompletableFuture<Boolean> awaitSince(long nanos, long millis);
}
