package org.alder.partition.bookkeeper.distant;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;

/** Who reads a store from elsewhere: the states that are kept open for him, and what is noted of its changes where he wants them. Thread safe. */
final class StoreReader {
    static final int MOST_STATES = 64;
    /** So long are states kept for who says nothing. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long MOST_FIRST_NUMBER = 1L << 62;
    private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<Long, HeldState> states = new ConcurrentHashMap<>();
    private long askedNanos = System.nanoTime();
    /** Begins anywhere: who was here before this process was started again must not find another state under a number that it knows. */
    private long last = ThreadLocalRandom.current().nextLong(MOST_FIRST_NUMBER);
    private long entries;
    private long countedNanos;
    private EntryIndexer listedOf;
    private IndexList listed;
    private long listedNanos;
    /** Null where he wants none. */
    private ChangeNotes notes;
    /** What he waits for now; or null. */
    private CompletableFuture<Boolean> awaited;

    synchronized boolean isSilent() {
        return System.nanoTime() - askedNanos > SILENCE_NANOS;
    }

    /** Drops all states but these. */
    synchronized void keep(Set<Long> used) {
        askedNanos = System.nanoTime();
        states.forEach((number, state) -> {
            if (!used.contains(number) && states.remove(number, state)) {
                state.drop();
            }
        });
    }

    /** Of use no more. */
    synchronized void close() {
        keep(Set.of());
        forgetChanges();
    }

    /** The snapshot is this one's from when that returns. */
    synchronized long put(Snapshot snapshot) {
        if (states.size() >= MOST_STATES) {
            throw new StoreException(StoreException.Kind.SNAPSHOT_EXPIRED, "who asks reads " + MOST_STATES + " states of the store at a time, and may read no more");
        }
        states.put(++last, new HeldState(snapshot));
        return last;
    }

    /** @return null where it is not kept */
    HeldState state(long number) {
        return states.get(number);
    }

    /** As of a second ago at most. */
    synchronized long entries(Store store) {
        long now = System.nanoTime();
        if (countedNanos == 0 || now - countedNanos > COUNT_NANOS) {
            countedNanos = now;
            entries = store.maintenance().status().entries();
        }
        return entries;
    }

    /** As of a second ago at most: a change of the schema may make others of the same indexes, and to tell takes longer than all else in a new state. */
    synchronized IndexList indexes(EntryIndexer indexer) {
        long now = System.nanoTime();
        if (listedOf != indexer || now - listedNanos > COUNT_NANOS) {
            listedOf = indexer;
            listed = IndexList.of(indexer);
            listedNanos = now;
        }
        return listed;
    }

    /** What is changed from now on is noted, if it was not. To be called before a snapshot is opened. */
    synchronized ChangeNotes notes(Store store) {
        if (notes == null || notes.isOver(store)) {
            ChangeNotes before = notes;
            forgetChanges();
            notes = new ChangeNotes(store, before);
        }
        return notes;
    }

    synchronized void forgetChanges() {
        if (notes != null) {
            notes.close();
            notes = null;
        }
    }

    /** @param shown as {@link Store#awaitSequence} has given it */
    synchronized void awaits(CompletableFuture<Boolean> shown) {
        awaited = shown;
    }

    /** He is answered at once. */
    void wake() {
        CompletableFuture<Boolean> now;
        synchronized (this) {
            now = awaited;
            awaited = null;
        }
        if (now != null) {
            now.complete(false);
        }
    }
}
