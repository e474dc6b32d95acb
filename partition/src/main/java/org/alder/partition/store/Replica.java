package org.alder.partition.store;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;

/**
 * A {@link Store} as one of several that hold the same data, through one log: at most one of them leads, which alone takes
 * transactions, and the others apply what it wrote, as soon as they can read it. Who leads is decided elsewhere. A store begins as a
 * replica. Thread safe; lives as long as the store.
 */
public interface Replica {
    /** What it does now. */
    enum Role {
        /** Takes transactions. */
        LEADER,
        /** Applies what the leader writes. Transactions are refused with NOT_LEADER. */
        REPLICA,
        /** Applies nothing any more, as {@link #problem} says; what it has can be read on. */
        FAILED,
        /** Has no data of its own: whatever is read is asked of one that has, so a read may wait for another machine. Never leads. */
        ELSEWHERE
    }

    Role role();

    /** What those are told now who want to change anything here; null where it leads. */
    StoreException refusal();

    /** The newest epoch of the log that is known here; each leader has one of its own, greater than those before. */
    long epoch();

    /** How many transactions it is behind the leader, as far as that has told; 0 where it leads, -1 where nothing is known. */
    long behind();

    /**
     * How old what it shows may be, at most: so long ago the leader was known to have no more than this one shows now. 0 where it leads, -1
     * where the leader has told nothing yet. It grows where nothing is heard of a leader.
     */
    long behindMillis();

    /**
     * The last transaction that it shows, where it leads and nobody else can lead yet: all that any leader has acknowledged before the call is up
     * to there. -1 where it does not lead, or that is not certain. It asks nobody.
     */
    long certainSequence();

    /** What is known here of the log and of all members, as of some seconds ago; null where nothing is. */
    ClusterService.Status cluster();

    /**
     * Why nothing is applied: what made it fail, or what it waits for and tries again; null where all is well. Of kind OUTDATED where it
     * needs a copy of another replica.
     */
    StoreException problem();

    /**
     * Has the store lead: fences whoever led, applies the log to its end and takes transactions, with entry IDs beyond all there were.
     * It stays a replica where it fails: then it can be tried again.
     *
     * @param onLost told why it leads no more, once, where that was not asked for: somebody else leads, or may, or the log takes nothing.
     *               Called on the writer's thread: it must be quick
     * @return completes with its epoch; exceptionally with a {@link StoreException}: of kind FENCED where somebody else was faster
     */
    CompletableFuture<Long> promote(Consumer<StoreException> onLost);

    /**
     * Has it apply nothing any more, and lead no more, as what it holds is not what it should be.
     *
     * @param why its {@link #problem} from then on, also where it has failed before
     */
    CompletableFuture<Void> fail(StoreException why);

    /** Has it lead no more, behind all transactions submitted before, and apply what others write. Does nothing where it does not lead. */
    CompletableFuture<Void> demote();

    /**
     * The same where whoever has it lead does not know yet: that one is told, as of a loss, and lets others lead.
     *
     * @param why it should not lead
     */
    CompletableFuture<Void> resign(StoreException why);
}
