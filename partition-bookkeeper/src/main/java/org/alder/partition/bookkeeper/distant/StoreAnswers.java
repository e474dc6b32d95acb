package org.alder.partition.bookkeeper.distant;

import java.io.Closeable;
import java.net.ProtocolException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;

/**
 * What members that do not hold a store are answered that ask this one (docs/format/store-questions.md). A reader has states of it kept open as long as he
 * names them, which he does about once a second: at most {@value #MOST_STATES}, for {@value #MOST_READERS} readers. Thread safe; its owner
 * closes it.
 */
public final class StoreAnswers implements Closeable {
    static final int MOST_STATES = 64;
    static final int MOST_READERS = 256;
    static final int MOST_ENTRIES = 1024;
    static final int MOST_WAIT_MILLIS = 5_000;
    /** So long are states kept for who says nothing. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int LOOK_SECONDS = 5;
    private static final int THREADS = 4;
    /** An answer of several entries or keys ends behind the one that makes it so long. */
    private static final int ANSWER_BYTES = 1 << 18;
    private static final long MOST_FIRST_NUMBER = 1L << 62;
    private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, Store> stores = new ConcurrentHashMap<>();
    private final Map<UUID, Reader> readers = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(THREADS, task -> {
        Thread thread = new Thread(task, "answers-about-stores");
        thread.setDaemon(true);
        return thread;
    });

    /** Who reads a store from elsewhere. Guarded by itself. */
    private static final class Reader {
        private final Map<Long, HeldState> states = new ConcurrentHashMap<>();
        private long askedNanos = System.nanoTime();
        /** Begins anywhere: who was here before this process was started again must not find another state under a number that it knows. */
        private long last = ThreadLocalRandom.current().nextLong(MOST_FIRST_NUMBER);
        private long entries;
        private long countedNanos;
        private EntryIndexer listedOf;
        private IndexList listed;
        private long listedNanos;

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

        /** The snapshot is this one's from when that returns. */
        synchronized long put(Snapshot snapshot) {
            if (states.size() >= MOST_STATES) {
                throw new StoreException(StoreException.Kind.SNAPSHOT_EXPIRED, "who asks reads " + MOST_STATES + " states of the store at a time, and may read no more");
            }
            states.put(++last, new HeldState(snapshot));
            return last;
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
    }

    /** What the newest state is asked for with. @param knownIndexes the hash of the list that is known */
    private record Wanted(long state, long sequence, long floor, int waitMillis, int knownIndexes, Set<Long> used) {
        static Wanted read(MessageReader in) throws ProtocolException {
            Wanted wanted = new Wanted(in.longNumber(), in.longNumber(), in.longNumber(), in.count(MOST_WAIT_MILLIS), in.number(), new HashSet<>());
            for (int left = in.count(MOST_STATES); left > 0; left--) {
                wanted.used.add(in.longNumber());
            }
            return wanted;
        }

        boolean isNewer(long shown) {
            return state == 0 || shown > sequence;
        }
    }

    public StoreAnswers() {
        threads.scheduleWithFixedDelay(this::forgetSilent, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /** Whether a question is one about a store. */
    public static boolean concerns(byte[] question) {
        return StoreQuestion.isOne(question);
    }

    /** From now on others read this store, which another one may follow. @param log the path of its log's znode */
    public void offer(String log, Store store) {
        stores.put(log, store);
    }

    /** Others read it no more. */
    public void withdraw(String log) {
        stores.remove(log);
    }

    private void forgetSilent() {
        readers.forEach((id, reader) -> {
            if (reader.isSilent() && readers.remove(id, reader)) {
                reader.keep(Set.of());
            }
        });
    }

    /** Begins to answer, and returns. */
    public CompletableFuture<byte[]> answer(byte[] question) {
        try {
            MessageReader in = new MessageReader(question);
            StoreQuestion head = StoreQuestion.read(in);
            CompletableFuture<byte[]> answer = head.kind() == StoreQuestion.Kind.STATE ? state(head, Wanted.read(in))
                    : CompletableFuture.supplyAsync(() -> read(head, in), threads);
            return answer.exceptionally(StoreAnswers::failed);
        } catch (ProtocolException | StoreException e) {
            return CompletableFuture.completedFuture(failed(e));
        }
    }

    private static byte[] failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return StoreAnswer.failed(cause instanceof StoreException store ? store
                : new StoreException(StoreException.Kind.IO, cause instanceof ProtocolException ? cause.getMessage() : cause.toString()));
    }

    private Store store(StoreQuestion head) {
        Store store = stores.get(head.log());
        if (store == null) {
            throw new StoreException(StoreException.Kind.CLOSED, "this member does not hold " + head.log());
        }
        return store;
    }

    private Reader reader(StoreQuestion head) {
        Reader known = readers.get(head.reader());
        if (known == null && readers.size() >= MOST_READERS) {
            throw new StoreException(StoreException.Kind.CLOSED, MOST_READERS + " others read stores of this member, which are as many as may");
        }
        return readers.computeIfAbsent(head.reader(), none -> new Reader());
    }

    /** Waits without a thread for a state that is newer than the known one. */
    private CompletableFuture<byte[]> state(StoreQuestion head, Wanted wanted) {
        Store store = store(head);
        reader(head).keep(wanted.used);
        long least = Math.max(wanted.floor, wanted.state == 0 ? 0 : wanted.sequence + 1);
        return store.awaitSequence(least, wanted.waitMillis).thenApplyAsync(shown -> newest(head, store, wanted), threads);
    }

    private byte[] newest(StoreQuestion head, Store store, Wanted wanted) {
        Reader reader = reader(head);
        Snapshot snapshot = store.snapshot();
        boolean isGiven = false;
        try {
            IndexList indexes = reader.indexes(snapshot.indexer() == null ? store.indexer() : snapshot.indexer());
            boolean isSame = indexes.hashCode() == wanted.knownIndexes;
            long sequence = snapshot.sequence();
            if (sequence < wanted.floor) {
                throw new StoreException(StoreException.Kind.OUTDATED, "it shows transaction " + sequence + ", and " + wanted.floor + " was seen elsewhere");
            } else if (isSame && !wanted.isNewer(sequence)) {
                return StoreAnswer.done().longNumber(wanted.state).toByteArray();
            }
            long time = snapshot.timeMillis();
            List<IdSet> withIt = DistantState.WITH_EACH_STATE.stream().map(key -> snapshot.ids(HierarchyKeys.INDEX, key)).toList();
            long number = reader.put(snapshot);
            isGiven = true;
            MessageWriter out = StoreAnswer.done().longNumber(number).longNumber(sequence).longNumber(time).longNumber(reader.entries(store));
            withIt.forEach(ids -> out.ids(ids.cardinality() <= MOST_ENTRIES ? ids : null));
            out.octet(isSame ? 0 : 1);
            if (!isSame) {
                indexes.write(out);
            }
            return out.toByteArray();
        } finally {
            if (!isGiven) {
                snapshot.close();
            }
        }
    }

    private byte[] read(StoreQuestion head, MessageReader in) {
        Reader reader = readers.get(head.reader());
        try {
            HeldState state = reader == null ? null : reader.states.get(in.longNumber());
            Snapshot snapshot = state == null ? null : state.acquire();
            if (snapshot == null) {
                throw new StoreException(StoreException.Kind.CLOSED, "the state that is read is not kept open any more: try again");
            }
            try {
                return switch (head.kind()) {
                    case ENTRIES -> entries(snapshot, in);
                    case IDS -> ids(snapshot, in);
                    case CARDINALITY -> StoreAnswer.done().longNumber(snapshot.cardinality(index(in), in.bytes())).toByteArray();
                    case KEYS -> keys(snapshot, in);
                    case WALK -> walk(snapshot, in);
                    case STATE -> throw new IllegalStateException("a state is not read in a state");
                };
            } finally {
                state.release();
            }
        } catch (ProtocolException e) {
            throw new CompletionException(e);
        }
    }

    private static int index(MessageReader in) throws ProtocolException {
        return in.count(Short.MAX_VALUE);
    }

    private static void write(MessageWriter out, EntryRecord record) {
        if (record == null) {
            out.bytes(null);
        } else {
            out.bytes(record.buffer(), record.offset(), record.length());
        }
    }

    /** As many as there is room for, in the order in which they were asked for. */
    private static byte[] entries(Snapshot snapshot, MessageReader in) throws ProtocolException {
        long[] ids = new long[in.count(MOST_ENTRIES)];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = in.longNumber();
            if (ids[i] <= 0 || ids[i] > IdSet.MAX_ID) {
                throw new ProtocolException("the entry ID " + ids[i]);
            }
        }
        Snapshot.EntryLookup lookup = snapshot.lookup(IdSet.of(ids));
        MessageWriter out = StoreAnswer.done();
        for (int i = 0; i < ids.length && out.size() < ANSWER_BYTES; i++) {
            write(out, lookup.entry(ids[i]));
        }
        return out.toByteArray();
    }

    private static byte[] ids(Snapshot snapshot, MessageReader in) throws ProtocolException {
        int index = index(in);
        byte[] key = in.bytes();
        IdSet among = in.idsOrNull();
        return StoreAnswer.done().ids(among == null ? snapshot.ids(index, key) : snapshot.ids(index, key, among)).toByteArray();
    }

    /** Each with its set, where that is not large. */
    private static byte[] keys(Snapshot snapshot, MessageReader in) throws ProtocolException {
        int index = index(in);
        byte[] from = in.bytes();
        byte[] to = in.bytesOrNull();
        boolean isBehind = in.octet() != 0;
        MessageWriter out = StoreAnswer.done();
        try (Snapshot.KeyCursor keys = snapshot.keys(index, new KeyRange(from, to))) {
            boolean more = keys.next();
            if (more && isBehind && Arrays.equals(keys.key(), from)) {
                more = keys.next();
            }
            while (more && out.size() < ANSWER_BYTES) {
                out.octet(1).bytes(keys.key()).longNumber(keys.cardinality()).ids(keys.cardinality() <= MOST_ENTRIES ? keys.ids() : null);
                more = keys.next();
            }
            return out.octet(0).octet(more ? 1 : 0).toByteArray();
        }
    }

    private static byte[] walk(Snapshot snapshot, MessageReader in) throws ProtocolException {
        MessageWriter out = StoreAnswer.done();
        try (Snapshot.EntryCursor entries = snapshot.entries(in.longNumber())) {
            boolean more = entries.next();
            while (more && out.size() < ANSWER_BYTES) {
                out.octet(1).longNumber(entries.id());
                write(out, entries.entry());
                more = entries.next();
            }
            return out.octet(0).octet(more ? 1 : 0).toByteArray();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        readers.values().forEach(reader -> reader.keep(Set.of()));
        readers.clear();
    }
}
