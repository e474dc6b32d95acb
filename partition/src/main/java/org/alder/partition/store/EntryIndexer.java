package org.alder.partition.store;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;

/**
 * Derives the index keys of an entry: the one place where an engine learns what to index. Pure: the same record gives the same
 * keys for ever (recovery and merges depend on it). Thread safe.
 *
 * <p>Index 0 is always the hierarchy, with the keys of {@link HierarchyKeys}; the engine itself maintains its
 * {@link HierarchyKeys#nonLeaf} key. Index 1 is the value table, with the keys of {@link ValueKeys}, if {@link #hasValueTable()}.
 * The others are attribute indexes.
 *
 * <p>An indexer with a value table decides which attributes are large: their values are moved out of the record into the value
 * table, so that changing one of them does not touch the others.
 */
public interface EntryIndexer {
    /**
     * What distinguishes one index.
     *
     * @param name               also its file's
     * @param duplicateThreshold the size up to which a set stays in the key's own tuple
     * @param primaryKey         whether most of its keys are looked up one by one and have one entry, so that a structure that
     *                           finds single keys faster is worth its memory
     */
    record IndexSpec(String name, int duplicateThreshold, boolean primaryKey) {
        /** Stands for a number that has no index. */
        public static final IndexSpec NONE = new IndexSpec("", 0);

        /** One that is no primary key. */
        public IndexSpec(String name, int duplicateThreshold) {
            this(name, duplicateThreshold, false);
        }

        /** Whether there is an index with the number. */
        public boolean isPresent() {
            return this != NONE;
        }
    }

    /** Position = index number, which stands for the same index, or for none, as long as a store is open. */
    List<IndexSpec> indexes();

    /** The numbers of indexes that are being built: their keys are derived, but as the data lack some, nobody reads them. */
    default BitSet building() {
        return new BitSet();
    }

    /** This indexer when these are built: all may be read, and those in whose place they are have gone. */
    default EntryIndexer built() {
        return this;
    }

    /** This indexer without these indexes, so that their numbers stand for none. */
    default EntryIndexer without(BitSet numbers) {
        throw new UnsupportedOperationException("this indexer cannot do without any of its indexes");
    }

    /** Everything that decides which keys an entry gets, as one line of text, which an engine keeps with the data. */
    default String fingerprint() {
        return String.join(" ", indexes().stream().map(IndexSpec::name).toList());
    }

    /** What decides which keys an entry gets in one index: stores in whose indexers it is the same have the same keys of the same entries. */
    default String fingerprintOf(int index) {
        return indexes().get(index).name();
    }

    /**
     * Why the keys of data that were kept with this fingerprint have to be derived anew before they are used; null if they are
     * those that this indexer derives.
     */
    default String whyDeriveAnew(String storedFingerprint) {
        return storedFingerprint.equals(fingerprint()) ? null
                : "it is indexed by \"" + storedFingerprint + "\", wanted is \"" + fingerprint() + '"';
    }

    /**
     * Where data that were kept with this fingerprint lack nothing but the keys of some indexes: the names of these, which need
     * not have been there before; what is beyond them is not used. Null where all keys have to be derived anew.
     */
    default Set<String> indexesToDerive(String storedFingerprint) {
        return storedFingerprint.equals(fingerprint()) ? Set.of() : null;
    }

    /** Whether what {@link #indexesToDerive(String)} says is not all there is to say before the data have been looked at. */
    default boolean dependsOnData(String storedFingerprint) {
        return false;
    }

    /**
     * What {@link #indexesToDerive(String)} gives, with what the data tell. May look at every entry.
     *
     * @param kept the data that were kept with the fingerprint, as of then; no index of theirs is read but the value table
     */
    default Set<String> indexesToDerive(String storedFingerprint, Snapshot kept) {
        return indexesToDerive(storedFingerprint);
    }

    /** Those of {@link #indexesToDerive(String)} of which nothing but the schema has changed since the fingerprint was kept. */
    default Set<String> indexesOfOtherSchema(String storedFingerprint) {
        return Set.of();
    }

    /**
     * The fingerprint to keep with data that were kept with this one before. While a store is open it may change without that
     * any stored key is another: whoever changes what keys depend on sees to that.
     *
     * @param derivedAnew whether all keys of the data were derived anew
     */
    default String fingerprintFollowing(String storedFingerprint, boolean derivedAnew) {
        return fingerprint();
    }

    /**
     * Calls the consumer once for each distinct (index, key) of what is in the entry's record; the keys of values outside of it
     * come from {@link #forEachValueKey}, and are never the same.
     */
    void forEachKey(EntryRecord record, KeyConsumer consumer);

    /** As {@link #forEachKey}, but only the keys of these indexes. */
    default void forEachKey(EntryRecord record, BitSet indexes, KeyConsumer consumer) {
        forEachKey(record, (index, key) -> {
            if (indexes.get(index)) {
                consumer.accept(index, key);
            }
        });
    }

    /** Does as {@link #forEachKey} for two records of one entry; both consumers may be spared what both records have. */
    default void forEachKeyOfEither(EntryRecord before, EntryRecord after, KeyConsumer ofBefore, KeyConsumer ofAfter) {
        forEachKey(before, ofBefore);
        forEachKey(after, ofAfter);
    }

    /**
     * By what those who hold copies know the entry: an engine keeps it beyond the entry's deletion. Empty if there is nothing.
     */
    default byte[] identity(EntryRecord record) {
        return new byte[0];
    }

    /** Whether the index with the number {@link ValueKeys#INDEX} is the value table. Without one no attribute is large. */
    default boolean hasValueTable() {
        return false;
    }

    /**
     * Moves attributes that are too large for the record out of it. What is large already stays so.
     *
     * @param slots which slots an attribute may not get, beside those of the record
     * @param moved told each value that is no longer in the record
     */
    default EntryRecord split(EntryRecord record, SlotUse slots, ValueConsumer moved) {
        return record;
    }

    /** Whether the record's large attributes may stay outside, beside what is in it. If not, the entry has to be made whole. */
    default boolean mayStayLarge(EntryRecord record) {
        return true;
    }

    /**
     * Whether the keys of the record's large attributes are those of their values one by one, as they have to be. Under another
     * indexer they may have become large that did not index them as this one does.
     */
    default boolean mayHaveLarge(EntryRecord record) {
        return true;
    }

    /** The normal form of a value of a large attribute; null if the value cannot be in the value table. */
    default byte[] valueForm(String description, byte[] value) {
        return null;
    }

    /**
     * Calls the consumer for each distinct key of a value of a large attribute, the one of the value table not among them.
     *
     * @param form as {@link #valueForm} gave it
     */
    default void forEachValueKey(String description, byte[] form, KeyConsumer consumer) {
        throw new IllegalStateException("an indexer without a value table was given a value of " + description);
    }

    /**
     * Within one commit a slot stands for one attribute of an entry, so that equal keys of the value table are of the same
     * attribute.
     */
    @FunctionalInterface
    interface SlotUse {
        /** Of an entry that was not there before. */
        SlotUse NONE = (slot, description) -> false;

        /** Whether the slot stands for another attribute than the one that is spelt so. */
        boolean isTaken(int slot, String description);
    }

    /** Receives a key; it may keep the array. */
    @FunctionalInterface
    interface KeyConsumer {
        void accept(int index, byte[] key);

        /**
         * Told, before any key of a record is given, how much heap the keys gathered for it take by now, about, and again
         * whenever that has grown much. It may throw, to end it.
         *
         * @param index the one that keys are gathered for
         */
        default void gathering(int index, long heapBytes) {
        }
    }

    /** Receives a value of a large attribute with its normal form. */
    @FunctionalInterface
    interface ValueConsumer {
        void accept(LargeAttribute attribute, byte[] form, byte[] value);
    }
}
