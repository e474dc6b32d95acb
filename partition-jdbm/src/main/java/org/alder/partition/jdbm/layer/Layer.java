package org.alder.partition.jdbm.layer;

import org.alder.partition.entry.StoredName;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.KeyRange;

/**
 * One layer of the multi-version state: the newest changes in memory, or a segment. A reader folds the layers from the oldest to
 * the newest ({@link LayerStack}).
 *
 * <p>Each method reads as of a commit sequence number: changes committed later are not seen. A layer all of whose changes are
 * older than any reader (a segment) may ignore the number. Thread safe, lock-free for readers. The methods throw
 * {@link org.alder.partition.error.StoreException} where reading fails.
 */
public interface Layer {
    /** What this layer knows of the entry, or null where it knows nothing and the layers below must be asked. */
    EntryVersion entry(long id, long sequence);

    /** The name of the entry, {@link EntryFinder#DELETED}, or null where this layer knows nothing of it. */
    default StoredName name(long id, long sequence) {
        EntryVersion version = entry(id, sequence);
        return version == null ? null : version.isDeleted() ? EntryFinder.DELETED : version.record();
    }

    /**
     * Answers as {@link #entry} and {@link #name} do, for many entries.
     *
     * @param expected the IDs that will be asked for, so that they may be read ahead
     */
    default EntryFinder finder(long sequence, IdSet expected) {
        return id -> entry(id, sequence);
    }

    /** How this layer changes the set of the key; {@link IdSetDelta#EMPTY} where it does not. */
    IdSetDelta ids(int index, byte[] key, long sequence);

    /** {@link IdSetDelta#netCardinality()} of {@link #ids} without reading the set. */
    long netCardinality(int index, byte[] key, long sequence);

    /** The keys of the index that this layer changes, those of the range; further ones may follow. */
    KeyDeltaCursor keys(int index, KeyRange range, long sequence);

    /** The entries this layer knows, deleted ones too, from the given ID inclusive. */
    EntryVersionCursor entries(long fromId, long sequence);
}
