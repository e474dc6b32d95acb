package org.alder.partition.jdbm.memory;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.Layer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.SystemRecords;

/**
 * The newest changes, not yet in a segment, in all their versions: entries by ID with a chain of versions, newest first, and a
 * {@link PostingLog} per index key.
 *
 * <p>One thread applies transactions, with ascending sequence numbers; any number of threads read, without locks, as of a
 * sequence number that was published to them after its transaction was applied. A reader never sees a transaction in part,
 * because nobody is given its number before it is whole.
 */
public final class MemoryLayer implements Layer {
    /** Heap bytes of an entry version without its record's bytes: map node, chain, record object. */
    private static final int VERSION_BYTES = 176;

    private final long baseSequence;
    private final ConcurrentSkipListMap<Long, Version> entries = new ConcurrentSkipListMap<>();
    private final ChangedIds changed = new ChangedIds();
    private final ConcurrentNavigableMap<byte[], PostingLog>[] indexes;
    private volatile long sizeBytes;
    private volatile int netEntries;
    private volatile long lastSequence;
    private volatile SystemRecords records;

    private record Version(long sequence, EntryVersion version, Version older) {
    }

    /**
     * @param indexCount   how many indexes there are
     * @param baseSequence the last sequence number of the layers below
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public MemoryLayer(int indexCount, long baseSequence) {
        this.baseSequence = baseSequence;
        this.lastSequence = baseSequence;
        this.indexes = new ConcurrentNavigableMap[indexCount];
        for (int i = 0; i < indexCount; i++) {
            indexes[i] = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
        }
    }

    /** The last sequence number of the layers below. */
    public long baseSequence() {
        return baseSequence;
    }

    /** The newest transaction applied; {@link #baseSequence} if there is none. */
    public long lastSequence() {
        return lastSequence;
    }

    public boolean isEmpty() {
        return lastSequence == baseSequence;
    }

    /** The heap this layer takes, about. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** By how much this layer changes the number of live entries. */
    public int netEntries() {
        return netEntries;
    }

    /** No transaction is applied any more. @param kept the system records as of the last one */
    public void freeze(SystemRecords kept) {
        records = kept;
    }

    /** Those as of the last transaction, when it is frozen. */
    public SystemRecords records() {
        return records;
    }

    /** Applies a whole transaction. Writer only; {@code sequence} is above all before. */
    public void apply(long sequence, ChangeSet changes) {
        long bytes = sizeBytes;
        for (EntryChange change : changes.entries()) {
            bytes += put(sequence, change);
        }
        int distance = Math.toIntExact(sequence - baseSequence);
        for (KeyChange change : changes.keys()) {
            bytes += post(distance, change);
        }
        sizeBytes = bytes;
        netEntries = netEntries + changes.netEntries();
        lastSequence = sequence;
    }

    private long put(long sequence, EntryChange change) {
        EntryVersion version = change.after() == null ? EntryVersion.DELETED : new EntryVersion(change.after());
        entries.put(change.id(), new Version(sequence, version, newest(change.id())));
        changed.add(change.id(), entries.keySet());
        return VERSION_BYTES + (change.after() == null ? 0 : change.after().bytes().length);
    }

    private long post(int distance, KeyChange change) {
        PostingLog log = indexes[change.index()].get(change.key());
        if (log != null) {
            log.append(distance, change.id(), change.added());
            return PostingLog.POSTING_BYTES;
        }
        log = new PostingLog();
        log.append(distance, change.id(), change.added());
        indexes[change.index()].put(change.key(), log);
        return PostingLog.KEY_BYTES + change.key().length;
    }

    @Override
    public EntryVersion entry(long id, long sequence) {
        return visible(newest(id), sequence);
    }

    /** Null where the layer does not have the entry. */
    private Version newest(long id) {
        return changed.mayHave(id) ? entries.get(id) : null;
    }

    private static EntryVersion visible(Version newest, long sequence) {
        Version version = newest;
        while (version != null && version.sequence > sequence) {
            version = version.older;
        }
        return version == null ? null : version.version;
    }

    /** Null where the key is not changed, and of an index that came after the layer was frozen. */
    private PostingLog log(int index, byte[] key) {
        return index < indexes.length ? indexes[index].get(key) : null;
    }

    @Override
    public IdSetDelta ids(int index, byte[] key, long sequence) {
        PostingLog log = log(index, key);
        return log == null ? IdSetDelta.EMPTY : log.fold(sequence - baseSequence);
    }

    @Override
    public long netCardinality(int index, byte[] key, long sequence) {
        PostingLog log = log(index, key);
        return log == null ? 0 : log.netCardinality(sequence - baseSequence);
    }

    @Override
    public KeyDeltaCursor keys(int index, KeyRange range, long sequence) {
        return index >= indexes.length ? KeyDeltaCursor.empty() : new KeyCursor(indexes[index].tailMap(range.from(), true).entrySet().iterator(), range, sequence - baseSequence);
    }

    @Override
    public EntryVersionCursor entries(long fromId, long sequence) {
        return new EntryCursor(entries.tailMap(fromId, true).entrySet().iterator(), sequence);
    }

    private static final class KeyCursor implements KeyDeltaCursor {
        private final Iterator<Map.Entry<byte[], PostingLog>> iterator;
        private final KeyRange range;
        private final long distance;
        private Map.Entry<byte[], PostingLog> current;

        private KeyCursor(Iterator<Map.Entry<byte[], PostingLog>> iterator, KeyRange range, long distance) {
            this.iterator = iterator;
            this.range = range;
            this.distance = distance;
        }

        @Override
        public boolean next() {
            while (iterator.hasNext()) {
                current = iterator.next();
                if (!range.endsBehind(current.getKey())) {
                    return false;
                }
                if (current.getValue().visible(distance) > 0) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public byte[] key() {
            return current.getKey();
        }

        @Override
        public IdSetDelta delta() {
            return current.getValue().fold(distance);
        }

        @Override
        public long netCardinality() {
            return current.getValue().netCardinality(distance);
        }
    }

    private static final class EntryCursor implements EntryVersionCursor {
        private final Iterator<Map.Entry<Long, Version>> iterator;
        private final long sequence;
        private long id;
        private EntryVersion version;

        private EntryCursor(Iterator<Map.Entry<Long, Version>> iterator, long sequence) {
            this.iterator = iterator;
            this.sequence = sequence;
        }

        @Override
        public boolean next() {
            while (iterator.hasNext()) {
                Map.Entry<Long, Version> entry = iterator.next();
                EntryVersion found = visible(entry.getValue(), sequence);
                if (found != null) {
                    id = entry.getKey();
                    version = found;
                    return true;
                }
            }
            return false;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public EntryVersion version() {
            return version;
        }
    }
}
