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
import java.util.concurrent.TimeUnit;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;

/**
 * What members that do not hold a store are answered that ask this one (docs/format/store-questions.md). A reader has states of it kept open as long as he
 * names them, which he does about once a second: at most {@value StoreReader#MOST_STATES}, for {@value #MOST_READERS} readers. Thread safe; its owner
 * closes it.
 */
public final class StoreAnswers implements Closeable {
    static final int MOST_READERS = 256;
    static final int MOST_ENTRIES = 1024;
    static final int MOST_WAIT_MILLIS = 5_000;
    private static final int LOOK_SECONDS = 5;
    private static final int THREADS = 4;
    /** Of those who read what was changed long ago, for which others do not wait. */
    private static final int HISTORY_THREADS = 2;
    /** An answer of several entries or keys ends behind the one that makes it so long. */
    private static final int ANSWER_BYTES = 1 << 18;

    private final Map<String, Store> stores = new ConcurrentHashMap<>();
    private final Map<UUID, StoreReader> readers = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor threads = threads(THREADS, "answers-about-stores");
    private final ScheduledThreadPoolExecutor historyThreads = threads(HISTORY_THREADS, "answers-about-changes");

    /**
     * What the newest state is asked for with.
     *
     * @param knownIndexes the hash of the list that is known
     * @param follows      whether what is changed is told with it
     * @param toldState    the number of the state up to which it was told; 0 for none
     */
    private record Wanted(long state, long sequence, long floor, int waitMillis, int knownIndexes, Set<Long> used, boolean follows, long toldState) {
        static Wanted read(MessageReader in) throws ProtocolException {
            long state = in.longNumber();
            long sequence = in.longNumber();
            long floor = in.longNumber();
            int waitMillis = in.count(MOST_WAIT_MILLIS);
            int knownIndexes = in.number();
            Set<Long> used = new HashSet<>();
            for (int left = in.count(StoreReader.MOST_STATES); left > 0; left--) {
                used.add(in.longNumber());
            }
            return new Wanted(state, sequence, floor, waitMillis, knownIndexes, used, in.octet() != 0, in.longNumber());
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

    private static ScheduledThreadPoolExecutor threads(int count, String name) {
        return new ScheduledThreadPoolExecutor(count, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    private void forgetSilent() {
        readers.forEach((id, reader) -> {
            if (reader.isSilent() && readers.remove(id, reader)) {
                reader.close();
            }
        });
    }

    /** Begins to answer, and returns. */
    public CompletableFuture<byte[]> answer(byte[] question) {
        try {
            MessageReader in = new MessageReader(question);
            StoreQuestion head = StoreQuestion.read(in);
            CompletableFuture<byte[]> answer = switch (head.kind()) {
                case STATE -> state(head, Wanted.read(in));
                case WAKE -> CompletableFuture.completedFuture(wake(head));
                case CHANGES -> CompletableFuture.supplyAsync(() -> read(head, in), historyThreads);
                default -> CompletableFuture.supplyAsync(() -> read(head, in), threads);
            };
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

    private StoreReader reader(StoreQuestion head) {
        StoreReader known = readers.get(head.reader());
        if (known == null && readers.size() >= MOST_READERS) {
            throw new StoreException(StoreException.Kind.CLOSED, MOST_READERS + " others read stores of this member, which are as many as may");
        }
        return readers.computeIfAbsent(head.reader(), none -> new StoreReader());
    }

    /** Waits without a thread for a state that is newer than the known one. */
    private CompletableFuture<byte[]> state(StoreQuestion head, Wanted wanted) {
        Store store = store(head);
        StoreReader reader = reader(head);
        reader.keep(wanted.used);
        if (!wanted.follows) {
            reader.forgetChanges();
        }
        // Who was not told yet from where on he is told is told that at once.
        boolean isNew = wanted.state == 0 || wanted.follows && wanted.toldState == 0;
        CompletableFuture<Boolean> shown = store.awaitSequence(Math.max(wanted.floor, isNew ? 0 : wanted.sequence + 1), wanted.waitMillis);
        reader.awaits(shown);
        return shown.thenApplyAsync(isShown -> newest(head, store, wanted), threads);
    }

    private byte[] wake(StoreQuestion head) {
        StoreReader reader = readers.get(head.reader());
        if (reader != null) {
            reader.wake();
        }
        return StoreAnswer.done().toByteArray();
    }

    private byte[] newest(StoreQuestion head, Store store, Wanted wanted) {
        StoreReader reader = reader(head);
        ChangeNotes notes = wanted.follows ? reader.notes(store) : null;
        Snapshot snapshot = store.snapshot();
        boolean isGiven = false;
        try {
            IndexList indexes = reader.indexes(snapshot.indexer() == null ? store.indexer() : snapshot.indexer());
            boolean isSame = indexes.hashCode() == wanted.knownIndexes;
            long sequence = snapshot.sequence();
            if (sequence < wanted.floor) {
                throw new StoreException(StoreException.Kind.OUTDATED, "it shows transaction " + sequence + ", and " + wanted.floor + " was seen elsewhere");
            } else if (isSame && !wanted.isNewer(sequence)) {
                return written(notes, wanted, wanted.state, sequence).toByteArray();
            }
            long time = snapshot.timeMillis();
            List<IdSet> withIt = DistantState.WITH_EACH_STATE.stream().map(key -> snapshot.ids(HierarchyKeys.INDEX, key)).toList();
            long number = reader.put(snapshot);
            isGiven = true;
            MessageWriter out = written(notes, wanted, number, sequence).longNumber(sequence).longNumber(time).longNumber(reader.entries(store));
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

    private static MessageWriter written(ChangeNotes notes, Wanted wanted, long number, long sequence) {
        MessageWriter out = StoreAnswer.done().longNumber(number);
        if (notes != null) {
            notes.write(out, wanted.toldState, number, sequence);
        }
        return out;
    }

    private byte[] read(StoreQuestion head, MessageReader in) {
        StoreReader reader = readers.get(head.reader());
        try {
            HeldState state = reader == null ? null : reader.state(in.longNumber());
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
                    case CHANGES -> changes(store(head), snapshot, in);
                    case STATE, WAKE -> throw new IllegalStateException(head.kind() + " reads nothing in a state");
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

    private static byte[] changes(Store store, Snapshot upTo, MessageReader in) throws ProtocolException {
        ChangeHistory history = store.feed().changes(new Csn(in.longNumber(), in.longNumber()), upTo);
        MessageWriter out = StoreAnswer.done().octet(history.answer().ordinal()).ids(history.changed()).ids(history.renamed()).number(history.deleted().size());
        history.deleted().forEach(out::bytes);
        return out.toByteArray();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        historyThreads.shutdownNow();
        readers.values().forEach(StoreReader::close);
        readers.clear();
    }
}
