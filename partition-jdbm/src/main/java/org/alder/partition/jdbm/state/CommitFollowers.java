package org.alder.partition.jdbm.state;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.MergedChanges;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who are told each commit. Any thread may come and go; the writer tells. */
public final class CommitFollowers {
    private static final Logger LOG = LoggerFactory.getLogger(CommitFollowers.class);

    private final OpenSnapshots snapshots;
    private final List<Followed> followers = new CopyOnWriteArrayList<>();

    /** Each its own object, so that the same follower may come twice. */
    private static final class Followed {
        private final CommitFollower follower;

        Followed(CommitFollower follower) {
            this.follower = follower;
        }
    }

    /** @param snapshots keep the states of commits that somebody has */
    public CommitFollowers(OpenSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    public CommitFeed.Following add(CommitFollower follower) {
        Followed own = new Followed(follower);
        followers.add(own);
        return () -> followers.remove(own);
    }

    /**
     * Tells what a group did, and that whatever a state with this sequence shows was told. Never fails.
     *
     * @param group tells what each of its transactions did
     */
    public void tell(Consumer<CommitFollowers> group, long lastSequence) {
        if (followers.isEmpty()) {
            return;
        }
        try {
            group.accept(this);
        } catch (RuntimeException | Error e) {
            LOG.error("What was committed up to sequence {} could not be told", lastSequence, e);
            missed();
        }
        told(lastSequence);
    }

    /**
     * Tells what a group's transaction did, after it was published: whatever goes wrong here, it was made.
     *
     * @param before the state before the transaction, of the same layers
     * @param after the state after it, to whose layers the caller holds a reference
     * @param heapBytes what its changes take in the memory layer
     */
    public void tell(StoreState before, StoreState after, List<Operation> operations, long heapBytes) {
        List<Commit.Change> changes = changes(operations);
        for (Followed each : changes.isEmpty() ? List.<Followed>of() : followers) {
            try {
                tell(each.follower, snapshots.commit(before, after, changes, heapBytes));
            } catch (RuntimeException | Error e) {
                LOG.error("A follower of commits failed at sequence {}", after.sequence(), e);
                miss(each.follower);
            }
        }
    }

    private static void tell(CommitFollower follower, Commit commit) {
        boolean told = false;
        try {
            follower.committed(commit);
            told = true;
        } finally {
            if (!told) {
                commit.close();
            }
        }
    }

    /** Tells all that they were not told everything. */
    private void missed() {
        followers.forEach(each -> miss(each.follower));
    }

    /** Tells all that whatever a state with this sequence shows was told. */
    private void told(long sequence) {
        for (Followed each : followers) {
            try {
                each.follower.told(sequence);
            } catch (RuntimeException | Error e) {
                LOG.error("A follower of commits failed behind sequence {}", sequence, e);
            }
        }
    }

    /** Tells all that nothing more comes. */
    public void ended() {
        followers.forEach(each -> each.follower.ended());
    }

    private static void miss(CommitFollower follower) {
        try {
            follower.missed();
        } catch (RuntimeException | Error e) {
            LOG.error("A follower of commits cannot be told that it missed some", e);
        }
    }

    static List<Commit.Change> changes(List<Operation> operations) {
        MergedChanges merged = new MergedChanges();
        for (Operation operation : operations) {
            if (!(operation instanceof Operation.Keep)) {
                merged.add(operation.id(), kind(operation));
            }
        }
        return merged.list();
    }

    private static Commit.Kind kind(Operation operation) {
        return operation instanceof Operation.Add ? Commit.Kind.ADDED
                : operation instanceof Operation.Delete ? Commit.Kind.DELETED
                : operation instanceof Operation.Rename ? Commit.Kind.RENAMED : Commit.Kind.MODIFIED;
    }
}
