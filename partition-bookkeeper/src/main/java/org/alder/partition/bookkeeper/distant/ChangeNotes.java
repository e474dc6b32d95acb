package org.alder.partition.bookkeeper.distant;

import java.io.Closeable;
import java.net.ProtocolException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.MergedChanges;
import org.alder.partition.store.Store;

/**
 * What is changed in a store between two states that somebody elsewhere asks for: the store's writer notes it here, and it goes with the later one of them
 * (docs/format/store-questions.md). Thread safe; its owner closes it.
 */
final class ChangeNotes implements CommitFollower, Closeable {
    /** Changed entries between two states; of more the reader is told that there are too many. */
    static final int MOST = 1 << 16;
    /** The writer tells at once what it shows. */
    private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Store store;
    private final CommitFeed.Following following;
    private final Deque<Noted> noted = new ArrayDeque<>();
    private final Outcome first;
    private int size;
    private long told;
    private long fromState;
    private long fromSequence;
    /** Null as long as all is noted. */
    private Outcome over;

    private record Noted(long sequence, List<Commit.Change> changes) {
    }

    /** What is known of the changes between the state that the reader was told of before and this one. By their places: new ones come last. */
    enum Outcome {
        /** Nothing: what comes behind this state will be noted. */
        BEGUN,
        TOLD,
        /** Nothing, as there were too many; what comes behind this state will be noted. */
        TOO_MANY
    }

    /** What came with a state. @param changes empty but for {@link Outcome#TOLD} */
    record Told(Outcome outcome, List<Commit.Change> changes) {
        static Told read(MessageReader in) throws ProtocolException {
            int outcome = in.octet();
            if (outcome >= Outcome.values().length) {
                throw new ProtocolException("changes of kind " + outcome);
            } else if (outcome != Outcome.TOLD.ordinal()) {
                return new Told(Outcome.values()[outcome], List.of());
            }
            MergedChanges changes = new MergedChanges();
            for (int left = in.count(MOST); left > 0; left--) {
                long id = in.longNumber();
                int kind = in.octet();
                if (id <= 0 || id > IdSet.MAX_ID || kind >= Commit.Kind.values().length) {
                    throw new ProtocolException("a change of kind " + kind + " of the entry ID " + id);
                }
                changes.add(id, Commit.Kind.values()[kind]);
            }
            return new Told(Outcome.TOLD, changes.list());
        }
    }

    /**
     * Begins to note.
     *
     * @param before what was here before and is {@link #isOver}; or null
     */
    ChangeNotes(Store store, ChangeNotes before) {
        this.store = store;
        this.first = before == null ? Outcome.BEGUN : before.over;
        this.following = store.feed().follow(this);
    }

    @Override
    public synchronized void committed(Commit commit) {
        try (commit) {
            if (over != null) {
                return;
            }
            size += commit.changes().size();
            if (size > MOST) {
                end(Outcome.TOO_MANY);
            } else {
                noted.add(new Noted(commit.sequence(), commit.changes()));
            }
        }
    }

    @Override
    public synchronized void told(long sequence) {
        told = sequence;
        notifyAll();
    }

    @Override
    public void missed() {
        end(Outcome.BEGUN);
    }

    @Override
    public void ended() {
        end(Outcome.BEGUN);
    }

    private synchronized void end(Outcome why) {
        over = over == null ? why : over;
        noted.clear();
        notifyAll();
    }

    /** Whether others have to begin, as it is not all noted, or of another store. */
    synchronized boolean isOver(Store now) {
        if (now != store) {
            end(Outcome.BEGUN);
        }
        return over != null;
    }

    /** Until all is noted that a state shows. */
    private void awaitTold(long sequence) {
        long endNanos = System.nanoTime() + TOLD_NANOS;
        while (fromState != 0 && sequence > fromSequence && sequence > told && over == null) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (leftMillis <= 0) {
                end(Outcome.BEGUN);
                return;
            }
            try {
                wait(leftMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                end(Outcome.BEGUN);
            }
        }
    }

    /**
     * What goes with a state, and what is behind that one from now on is for the next.
     *
     * @param known the number of the state that the reader was told of last; 0 for none
     * @param state the number of the one that he gets
     */
    synchronized void write(MessageWriter out, long known, long state, long sequence) {
        awaitTold(sequence);
        boolean isTold = known != 0 && known == fromState && over == null;
        MergedChanges changes = new MergedChanges();
        while (!noted.isEmpty() && noted.peek().sequence <= sequence) {
            List<Commit.Change> next = noted.poll().changes;
            size -= next.size();
            next.forEach(changes::add);
        }
        fromState = over == null ? state : 0;
        fromSequence = sequence;
        out.octet((isTold ? Outcome.TOLD : over != null ? over : first).ordinal());
        if (isTold) {
            out.number(changes.size());
            changes.list().forEach(each -> out.longNumber(each.id()).octet(each.kind().ordinal()));
        }
    }

    @Override
    public void close() {
        following.close();
    }
}
