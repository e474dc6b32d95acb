package org.alder.partition.bookkeeper.distant;

import java.net.ProtocolException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.bookkeeper.distant.StoreQuestion.Kind;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.SystemRecords;

/**
 * A state that another member keeps open. Each look-up waits for that member's answer, but walks ask for what comes next while the caller looks at
 * what came before. Thread safe, as any snapshot.
 */
final class DistantSnapshot implements Snapshot {
    private static final int FIRST_BATCH = 8;
    private static final int MOST_BATCH = 512;
    /** A set of this size or less is sent, so that only what is in it comes back. */
    private static final int MOST_AMONG_BYTES = 1 << 16;
    /** The holder may have to read all of its log. */
    private static final long HISTORY_MILLIS = 60_000;

    private final DistantStore store;
    private final DistantState state;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param state entered, which it leaves when it is closed */
    DistantSnapshot(DistantStore store, DistantState state) {
        this.store = store;
        this.state = state;
    }

    private MessageWriter question(Kind kind) {
        if (closed.get()) {
            throw new StoreException(StoreException.Kind.CLOSED, "the snapshot is closed");
        }
        return store.question(kind).longNumber(state.number());
    }

    /** What an answer is read with. */
    private interface Reading<T> {
        T of(MessageReader in) throws ProtocolException;
    }

    private <T> T read(CompletableFuture<byte[]> answer, Reading<T> reading) {
        return read(answer, DistantStore.ANSWER_MILLIS, reading);
    }

    private <T> T read(CompletableFuture<byte[]> answer, long millis, Reading<T> reading) {
        byte[] bytes = store.await(state.holder(), answer, millis);
        try {
            return reading.of(StoreAnswer.read(bytes));
        } catch (ProtocolException e) {
            throw store.noAnswer(state.holder(), e);
        }
    }

    private CompletableFuture<byte[]> ask(MessageWriter question) {
        return store.ask(state.holder(), question.toByteArray());
    }

    @Override
    public long sequence() {
        return state.sequence();
    }

    @Override
    public EntryIndexer indexer() {
        return state.indexer();
    }

    /** What is about to be written matters to who writes it: nobody does here. */
    @Override
    public SystemRecords systemRecords() {
        return SystemRecords.NONE;
    }

    @Override
    public long timeMillis() {
        return state.timeMillis();
    }

    @Override
    public EntryRecord entry(long id) {
        if (id <= 0 || id > IdSet.MAX_ID) {
            return null;
        }
        return read(ask(question(Kind.ENTRIES).number(1).longNumber(id)), DistantSnapshot::record);
    }

    private static EntryRecord record(MessageReader in) throws ProtocolException {
        byte[] bytes = in.bytesOrNull();
        return bytes == null ? null : EntryRecord.of(bytes);
    }

    @Override
    public EntryLookup lookup(IdSet expected) {
        return new Lookup(expected);
    }

    @Override
    public IdSet ids(int index, byte[] key) {
        IdSet known = state.kept(index, key);
        return known != null ? known
                : state.keep(index, key, read(ask(question(Kind.IDS).number(state.there(index)).bytes(key).ids(null)), MessageReader::ids));
    }

    @Override
    public IdSet ids(int index, byte[] key, IdSet among) {
        IdSet known = state.kept(index, key);
        if (known != null || among.isEmpty() || among.sizeBytes() > MOST_AMONG_BYTES) {
            return among.isEmpty() ? among : ids(index, key).and(among);
        }
        return read(ask(question(Kind.IDS).number(state.there(index)).bytes(key).ids(among)), MessageReader::ids);
    }

    @Override
    public long cardinality(int index, byte[] key) {
        IdSet known = state.kept(index, key);
        return known != null ? known.cardinality()
                : read(ask(question(Kind.CARDINALITY).number(state.there(index)).bytes(key)), MessageReader::longNumber);
    }

    @Override
    public KeyCursor keys(int index, KeyRange range) {
        return new Keys(index, range);
    }

    @Override
    public EntryCursor entries(long fromId) {
        return new Entries(fromId);
    }

    @Override
    public DnMemo dnMemo() {
        return state.names();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            store.leave(state);
        }
    }

    /** As {@link org.alder.partition.store.CommitFeed#changes}, up to this one. */
    ChangeHistory changes(Csn since) {
        return read(ask(question(Kind.CHANGES).longNumber(since.timeMillis()).longNumber(since.sequence())), HISTORY_MILLIS, in -> {
            int answer = in.octet();
            if (answer >= ChangeHistory.Answer.values().length) {
                throw new ProtocolException("an answer about changes of kind " + answer);
            }
            IdSet changed = in.ids();
            IdSet renamed = in.ids();
            List<byte[]> deleted = new ArrayList<>();
            for (int left = in.count(ChangeHistory.MOST_DELETED); left > 0; left--) {
                deleted.add(in.bytes());
            }
            return new ChangeHistory(ChangeHistory.Answer.values()[answer], changed, renamed, deleted);
        });
    }

    /** Has the entries of a set come in batches, which grow as long as the caller goes on. */
    private final class Lookup implements EntryLookup {
        private final IdSet expected;
        private final Map<Long, EntryRecord> batch = new HashMap<>();
        private int size = FIRST_BATCH;

        Lookup(IdSet expected) {
            this.expected = expected;
        }

        @Override
        public EntryRecord entry(long id) {
            if (batch.containsKey(id)) {
                return batch.get(id);
            } else if (!expected.contains(id)) {
                return DistantSnapshot.this.entry(id);
            }
            fetch(id);
            return batch.get(id);
        }

        private void fetch(long from) {
            batch.clear();
            long[] ids = new long[size];
            IdSet.IdIterator next = expected.iterator();
            next.advanceTo(from);
            int count = 0;
            while (count < size && next.hasNext()) {
                ids[count++] = next.next();
            }
            size = Math.min(MOST_BATCH, size * 2);
            MessageWriter question = question(Kind.ENTRIES).number(count);
            for (int i = 0; i < count; i++) {
                question.longNumber(ids[i]);
            }
            read(ask(question), in -> {
                for (int i = 0; in.hasMore(); i++) {
                    batch.put(ids[i], record(in));
                }
                return null;
            });
        }
    }

    /** A walk, of whose parts the next one is asked for while the one before is looked at. */
    private abstract class Walk<T> {
        private final Deque<T> part = new ArrayDeque<>();
        private CompletableFuture<byte[]> next;
        private T current;

        /** @param behind the last one that is known; null for none */
        abstract MessageWriter question(T behind);

        abstract T element(MessageReader in) throws ProtocolException;

        final void begin() {
            next = ask(question(null));
        }

        public final boolean next() {
            if (part.isEmpty() && next != null) {
                boolean more = read(next, in -> {
                    while (in.octet() != 0) {
                        part.add(element(in));
                    }
                    return in.octet() != 0;
                });
                next = more && !part.isEmpty() ? ask(question(part.peekLast())) : null;
            }
            current = part.poll();
            return current != null;
        }

        final T current() {
            return current;
        }

        public final void close() {
            part.clear();
            next = null;
        }
    }

    /** @param ids null where there are many: they are asked for when they are wanted */
    private record Key(byte[] bytes, long cardinality, IdSet ids) {
    }

    private final class Keys extends Walk<Key> implements KeyCursor {
        private final int index;
        private final KeyRange range;

        Keys(int index, KeyRange range) {
            this.index = index;
            this.range = range;
            begin();
        }

        @Override
        MessageWriter question(Key behind) {
            return DistantSnapshot.this.question(Kind.KEYS).number(state.there(index)).bytes(behind == null ? range.from() : behind.bytes).bytes(range.to())
                    .octet(behind == null ? 0 : 1);
        }

        @Override
        Key element(MessageReader in) throws ProtocolException {
            return new Key(in.bytes(), in.longNumber(), in.idsOrNull());
        }

        @Override
        public byte[] key() {
            return current().bytes;
        }

        @Override
        public long cardinality() {
            return current().cardinality;
        }

        @Override
        public IdSet ids() {
            return current().ids != null ? current().ids : DistantSnapshot.this.ids(index, current().bytes);
        }
    }

    private record Found(long id, EntryRecord record) {
    }

    private final class Entries extends Walk<Found> implements EntryCursor {
        private final long from;

        Entries(long from) {
            this.from = from;
            begin();
        }

        @Override
        MessageWriter question(Found behind) {
            return DistantSnapshot.this.question(Kind.WALK).longNumber(behind == null ? from : behind.id + 1);
        }

        @Override
        Found element(MessageReader in) throws ProtocolException {
            return new Found(in.longNumber(), record(in));
        }

        @Override
        public long id() {
            return current().id;
        }

        @Override
        public EntryRecord entry() {
            return current().record;
        }
    }
}
