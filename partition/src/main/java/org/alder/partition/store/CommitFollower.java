package org.alder.partition.store;

/** Is told each commit of a store, in their order. */
@FunctionalInterface
public interface CommitFollower {
    /**
     * Called when the commit is durable and new snapshots show it, on the store's writer thread: it must be quick and must not
     * block or throw.
     *
     * @param commit the follower's own, who closes it
     */
    void committed(Commit commit);

    /**
     * Called in place of {@link #committed} where that failed, or the store could not tell a commit: what it changed has to be
     * found out otherwise. Under the same conditions.
     */
    default void missed() {
    }

    /** Called behind these: whatever a snapshot with this sequence shows was told, or missed. Under the same conditions. */
    default void told(long sequence) {
    }

    /** The store was taken away from those who read it: nothing more comes. On any thread; must not block or throw. */
    default void ended() {
    }
}
