package org.alder.partition.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.Commit;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.WriteContext;

/** What one transaction makes of a state: the next one. One thread. */
final class MemoryWrites implements WriteContext {
    private final EntryIndexer indexer;
    private final MemoryState before;
    private MemoryState next;
    private final long timeMillis;
    private final Map<Long, Commit.Kind> kinds = new LinkedHashMap<>();
    private final List<byte[]> deleted = new ArrayList<>();
    private Snapshot shown;
    private boolean keepsRecords;

    MemoryWrites(MemoryState before) {
        this.indexer = before.indexer();
        this.before = before;
        this.next = before.copy();
        this.timeMillis = Math.max(System.currentTimeMillis(), before.timeMillis());
        this.shown = new MemorySnapshot(before, new Object());
    }

    /** The state with the writes, which is the next one; null if there are none. */
    MemoryCommit commit() {
        shown.close();
        if (kinds.isEmpty() && deleted.isEmpty() && !keepsRecords) {
            return null;
        }
        next.commit(before.sequence() + 1, timeMillis);
        List<Commit.Change> changes = new ArrayList<>(kinds.size());
        kinds.forEach((id, kind) -> changes.add(new Commit.Change(id, kind)));
        return new MemoryCommit(changes, deleted, before, next);
    }

    /** The greatest entry ID given out, also if the transaction fails. */
    long lastId() {
        return next.lastId();
    }

    @Override
    public Snapshot state() {
        return shown;
    }

    @Override
    public long sequence() {
        return before.sequence() + 1;
    }

    @Override
    public long timeMillis() {
        return timeMillis;
    }

    @Override
    public long heapLimitBytes() {
        return Runtime.getRuntime().maxMemory() / 4;
    }

    @Override
    public void advance() {
        shown.close();
        shown = new MemorySnapshot(next.copy(), new Object());
    }

    @Override
    public long allocateId() {
        if (next.lastId() >= IdSet.MAX_ID) {
            throw new StoreException(StoreException.Kind.REFUSED, "all " + IdSet.MAX_ID + " entry IDs of the store are used up");
        }
        next.setLastId(next.lastId() + 1);
        return next.lastId();
    }

    @Override
    public void add(long id, EntryRecord record) {
        require(id > 0 && id <= next.lastId() && next.entries().get(id) == null, id, "is there already, or has an ID of its own");
        next.add(indexer, id, record);
        kinds.merge(id, Commit.Kind.ADDED, MemoryWrites::both);
    }

    @Override
    public void modify(long id, List<AttributeDelta> deltas) {
        replace(id, whole(id).apply(deltas), Commit.Kind.MODIFIED);
    }

    @Override
    public void rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
        replace(id, whole(id).moved(newParentId, rdn, deltas), Commit.Kind.RENAMED);
        next.forgetDns();
    }

    private void replace(long id, EntryRecord changed, Commit.Kind kind) {
        next.remove(indexer, id);
        next.add(indexer, id, changed);
        kinds.merge(id, kind, MemoryWrites::both);
    }

    @Override
    public void delete(long id) {
        EntryRecord record = existing(id);
        require(!next.hasChildren(id), id, "has children");
        next.remove(indexer, id);
        if (kinds.get(id) == Commit.Kind.ADDED) {
            kinds.remove(id);
        } else {
            kinds.put(id, Commit.Kind.DELETED);
            deleted.add(indexer.identity(record));
        }
    }

    @Override
    public void putSystemRecord(String key, byte[] record) {
        next.setSystemRecords(next.systemRecords().with(key, record));
        keepsRecords = true;
        if (next.systemRecords().bytes() > SystemRecords.MOST_BYTES) {
            throw new StoreException(StoreException.Kind.TOO_LARGE, "the system records take " + next.systemRecords().bytes() + " bytes; allowed are up to "
                    + SystemRecords.MOST_BYTES);
        }
    }

    @Override
    public void takeBack() {
        long lastId = next.lastId();
        next = before.copy();
        next.setLastId(lastId);
        kinds.clear();
        deleted.clear();
        keepsRecords = false;
        shown.close();
        shown = new MemorySnapshot(before, new Object());
    }

    private static Commit.Kind both(Commit.Kind first, Commit.Kind second) {
        return first == Commit.Kind.MODIFIED ? second : first;
    }

    private EntryRecord whole(long id) {
        return new LargeValues(new MemorySnapshot(next), id).whole(existing(id));
    }

    private EntryRecord existing(long id) {
        EntryRecord record = next.entries().get(id);
        require(record != null, id, "does not exist");
        return record;
    }

    private static void require(boolean condition, long id, String found) {
        if (!condition) {
            throw new IllegalStateException("entry " + id + ' ' + found);
        }
    }
}
