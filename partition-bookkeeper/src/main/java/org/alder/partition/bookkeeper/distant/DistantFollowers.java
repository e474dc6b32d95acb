package org.alder.partition.bookkeeper.distant;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.bookkeeper.distant.ChangeNotes.Outcome;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those here who are told what is changed in a store that another member holds. Who does not take what he is told is told more of it at once later, so
 * that no more than some states are kept open for him. Any thread comes and goes; the store's own thread tells.
 */
final class DistantFollowers {
    private static final Logger LOG = LoggerFactory.getLogger(DistantFollowers.class);
    /** Commits that one may have and not have closed. */
    static final int MOST_OPEN = 8;

    private final DistantStore store;
    private final List<Followed> followers = new CopyOnWriteArrayList<>();
    /** The number of the state up to which they were told; 0 for none. */
    private long toldState;

    DistantFollowers(DistantStore store) {
        this.store = store;
    }

    /** Is told from the next state on that comes from a holder who notes what is changed behind it: {@link Followed#begun}. */
    Followed add(CommitFollower follower) {
        Followed own = new Followed(follower);
        followers.add(own);
        return own;
    }

    /** Writes what they want. @return whether that is anything */
    boolean write(MessageWriter question) {
        boolean follows = !followers.isEmpty();
        if (!follows) {
            toldState = 0;
        }
        question.octet(follows ? 1 : 0).longNumber(toldState);
        return follows;
    }

    /**
     * When a state is shown.
     *
     * @param before the one before it, the same where there is no newer one; null for none
     * @param told   what has come with it
     */
    void tell(DistantState before, DistantState state, ChangeNotes.Told told) {
        toldState = state.number();
        for (Followed each : followers) {
            if (!each.begun.isDone()) {
                each.begun.complete(null);
            } else if (told.outcome() == Outcome.BEGUN || before == null) {
                each.end();
            } else if (told.outcome() == Outcome.TOO_MANY) {
                each.miss();
            } else if (!told.changes().isEmpty()) {
                each.change(before, state, told);
            }
        }
    }

    /** Those who have closed some are told what has come meanwhile. */
    void goOn() {
        followers.forEach(Followed::give);
    }

    /** Nobody knows what is changed from now on. */
    void end() {
        toldState = 0;
        followers.stream().filter(each -> each.begun.isDone()).forEach(Followed::end);
    }

    /** Its own object, so that the same follower may come twice. */
    final class Followed implements CommitFeed.Following {
        private final CommitFollower follower;
        private final CompletableFuture<Void> begun = new CompletableFuture<>();
        private final AtomicInteger open = new AtomicInteger();
        /** What he was not told yet; or null. */
        private DistantCommit waiting;
        private boolean isClosed;

        Followed(CommitFollower follower) {
            this.follower = follower;
        }

        /** Completes when he is told. */
        CompletableFuture<Void> begun() {
            return begun;
        }

        private void change(DistantState before, DistantState after, ChangeNotes.Told told) {
            try {
                if (!isTooMuch(before, after, told)) {
                    give();
                    return;
                }
            } catch (IllegalStateException e) {
                LOG.warn("What is changed cannot be told as one: {}", e.getMessage());
            }
            miss();
        }

        private synchronized boolean isTooMuch(DistantState before, DistantState after, ChangeNotes.Told told) {
            if (isClosed) {
                return false;
            }
            if (waiting == null) {
                waiting = new DistantCommit(store, before, open::decrementAndGet);
                open.incrementAndGet();
            }
            waiting.goOn(after, told.changes());
            return waiting.size() > ChangeNotes.MOST;
        }

        /** Without the lock: he may have one of his own, with which he comes here. */
        private void give() {
            DistantCommit next;
            synchronized (this) {
                if (waiting == null || open.get() > MOST_OPEN) {
                    return;
                }
                next = waiting;
                waiting = null;
            }
            boolean isTold = false;
            try {
                follower.committed(next);
                isTold = true;
            } catch (RuntimeException | Error e) {
                LOG.error("A follower of commits failed at sequence {}", next.sequence(), e);
                follower.missed();
            } finally {
                if (!isTold) {
                    next.close();
                }
            }
        }

        private void miss() {
            forgetWaiting();
            follower.missed();
        }

        private void end() {
            close();
            follower.ended();
        }

        private void forgetWaiting() {
            DistantCommit left;
            synchronized (this) {
                left = waiting;
                waiting = null;
            }
            if (left != null) {
                left.close();
            }
        }

        @Override
        public void close() {
            followers.remove(this);
            synchronized (this) {
                isClosed = true;
            }
            forgetWaiting();
        }
    }
}
