package org.alder.server.directory.feed;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.PatientSnapshot;
import org.alder.partition.request.Patience;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/** What was changed of a search's content in one store, between a state and a snapshot. One thread. */
final class StoreChanges {
    /** An entryUUID and its place in a list. */
    private static final long IDENTITY_BYTES = 40;

    private final SearchContent content;
    private final Snapshot snapshot;
    private final Patience patience;
    private final List<byte[]> gone;
    private IdSet found;

    /** @param patience grants the memory for it  @param history of the store up to the snapshot, which is known */
    StoreChanges(SearchContent content, Snapshot snapshot, ChangeHistory history, Patience patience) throws DirectoryException {
        this.content = content;
        this.snapshot = snapshot;
        this.patience = patience;
        patience.hold(history.deleted().size() * IDENTITY_BYTES + history.changed().sizeBytes());
        IdSet changed = history.changed().or(content.subtrees(snapshot, history.renamed()));
        found = content.of(snapshot, changed);
        gone = new ArrayList<>(history.deleted());
        IdSet lost = changed.andNot(found).andNot(copyOfSuffix());
        patience.hold(lost.cardinality() * IDENTITY_BYTES + found.sizeBytes());
        for (IdSet.IdIterator iterator = lost.iterator(); iterator.hasNext();) {
            EntryRecord record = snapshot.entry(iterator.next());
            if (record != null) {
                gone.add(identity(record));
            }
        }
        gone.removeIf(identity -> identity.length == 0);
    }

    /** That is the entry of another shard, and was never told here. */
    private IdSet copyOfSuffix() {
        Partition partition = content.partition();
        long copy = partition.shard().hasCopyOfSuffix() ? partition.resolve(snapshot, partition.suffix()) : HierarchyKeys.NO_PARENT;
        return copy == HierarchyKeys.NO_PARENT ? IdSet.EMPTY : IdSet.of(copy);
    }

    private byte[] identity(EntryRecord record) {
        return content.partition().indexer().identity(record);
    }

    /** Identities of entries that are not found any more in this store. */
    List<byte[]> gone() {
        return gone;
    }

    /**
     * Counts those as changed that are found here, though an entry of the same identity is gone: it was moved here from another shard, or added anew.
     *
     * @param identities of entries that are gone in any store
     * @return of those that are not
     */
    Set<ByteBuffer> here(List<byte[]> identities) throws DirectoryException {
        Snapshot looked = PatientSnapshot.of(snapshot, patience);
        RoaringBitmap ids = new RoaringBitmap();
        for (byte[] identity : identities) {
            ids.or(content.having(looked, identity).bitmap());
        }
        IdSet again = content.of(snapshot, IdSet.wrap(ids));
        patience.hold(again.cardinality() * IDENTITY_BYTES);
        Set<ByteBuffer> here = new HashSet<>();
        for (IdSet.IdIterator iterator = again.iterator(); iterator.hasNext();) {
            here.add(ByteBuffer.wrap(identity(snapshot.entry(iterator.next()))));
        }
        found = found.or(again);
        return here;
    }

    /** What a cursor is made of that finds the entries that are in the content and may have changed. */
    ContentCursor.Part part() {
        return new ContentCursor.Part(content, snapshot, found);
    }
}
