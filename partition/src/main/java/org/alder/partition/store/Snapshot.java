package org.alder.partition.store;

import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.id.IdSet;

/**
 * The whole partition at one point in time. Reads are exact and repeatable until {@link #close()}. Thread safe, lock-free.
 *
 * <p>Every method may throw {@link org.alder.partition.error.StoreException}: damaged data, I/O, closed, expired.
 */
public interface Snapshot extends AutoCloseable {
    /** The commit sequence number this snapshot reads at; grows by one with each transaction. */
    long sequence();

    /**
     * Names the state: two snapshots with equal identities show the same. It is the {@link #sequence} of a committed state;
     * what a transaction sees, with its own writes or without, has an identity that no other state has, as its sequence may be
     * given to another transaction.
     */
    default Object identity() {
        return sequence();
    }

    /**
     * Derives the keys of the state. Which indexes it shows may change while the store is open, but not for a snapshot. Null if it
     * is the one that the store was opened with.
     */
    default EntryIndexer indexer() {
        return null;
    }

    /** What is kept beside the entries: see {@link SystemRecords}. They may be read when the snapshot is closed, too. */
    SystemRecords systemRecords();

    /** When the transaction of {@link #sequence} was committed, in milliseconds since 1970; never before an earlier one's. */
    long timeMillis();

    /** The newest commit this snapshot shows: contextCSN. */
    default Csn csn() {
        return new Csn(timeMillis(), sequence());
    }

    /** The entry with this ID, or null. */
    EntryRecord entry(long id);

    /** The name of the entry with this ID, or null: for whoever needs no more of it, at less cost than {@link #entry}. */
    default StoredName name(long id) {
        return entry(id);
    }

    /**
     * Finds the entries of a set, at the least cost if they are asked for in ascending order of their IDs: then those that are
     * on the disk are read ahead. Some may be left out; others are found too.
     */
    default EntryLookup lookup(IdSet expected) {
        return this::entry;
    }

    /** The IDs of the entries that have this key in the index; empty if none. Exact at any size. */
    IdSet ids(int index, byte[] key);

    /** Those of {@link #ids} that are in the other set as well: for less, where that is the smaller one. */
    default IdSet ids(int index, byte[] key, IdSet among) {
        return ids(index, key).and(among);
    }

    /** The size of {@link #ids} without reading the set. */
    long cardinality(int index, byte[] key);

    /**
     * Walks the distinct keys of an index that have at least one ID, those of a range, ascending by unsigned bytes. What is behind the
     * range costs nothing, whatever became of it. One thread; close it.
     */
    KeyCursor keys(int index, KeyRange range);

    /** Walks all entries in ascending ID order, from the given ID inclusive. One thread; close it. */
    EntryCursor entries(long fromId);

    /**
     * A per-state memo that ends with the state it belongs to: DNs by entry ID, and back. It is shared by the snapshots between
     * which no entry was renamed, so a value put in is right for all who can see the entry.
     */
    DnMemo dnMemo();

    @Override
    void close();

    /** See {@link #lookup}. One thread at a time; reads the snapshot and is of no use after it; needs no closing. */
    @FunctionalInterface
    interface EntryLookup {
        /** The entry with this ID, or null. It may keep more memory alive than its own bytes: not to be kept for long. */
        EntryRecord entry(long id);

        /** The name of the entry with this ID, or null, as {@link Snapshot#name}. */
        default StoredName name(long id) {
            return entry(id);
        }

        /** False only where the probe does not hold of the entry with this ID, which is found for less than {@link #entry} costs. */
        default boolean mayMatch(long id, EntryProbe probe) {
            return true;
        }
    }

    /** See {@link #keys}. Positioned before the first key. */
    interface KeyCursor extends AutoCloseable {
        boolean next();

        /** The current key; the caller must not change it. */
        byte[] key();

        long cardinality();

        IdSet ids();

        @Override
        void close();
    }

    /** See {@link #entries}. Positioned before the first entry. */
    interface EntryCursor extends AutoCloseable {
        boolean next();

        long id();

        EntryRecord entry();

        /** False only where the probe does not hold of the current entry, which is found for less than {@link #entry} costs. */
        default boolean mayMatch(EntryProbe probe) {
            return true;
        }

        @Override
        void close();
    }

    /** See {@link #dnMemo}. Thread safe, bounded. */
    interface DnMemo {
        /** The DN put in for this ID, or null. */
        String get(long id);

        void put(long id, String dn);

        /**
         * The ID that an entry of this name has or had, or 0. Who finds something below it is right; who does not must look
         * again from the top, because the entry may have been deleted and added anew.
         */
        long id(byte[] normalizedDn);

        /** @param normalizedDn kept, not to be changed */
        void putId(byte[] normalizedDn, long id);
    }
}
