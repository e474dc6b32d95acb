package org.alder.partition.store;

import java.util.Arrays;
import org.alder.partition.entry.EntryRecord;

/**
 * An entry record with the index keys derived from it, in a few arrays and without an object for each key. A bulk load has it
 * made by any of its threads, before the entry's parent is known, and adds it in order. One thread at a time.
 */
public final class KeyedRecord {
    private static final int FIRST_KEYS = 96;
    private static final int FIRST_KEY_BYTES = 1024;

    private EntryRecord record;
    private int count;
    private int[] ends = new int[FIRST_KEYS];
    private char[] indexes = new char[FIRST_KEYS];
    private byte[] keys = new byte[FIRST_KEY_BYTES];
    private boolean valueTable;

    private KeyedRecord(EntryRecord record) {
        this.record = record;
    }

    /** Moves large attributes out of the record and derives all keys. */
    public static KeyedRecord of(EntryIndexer indexer, EntryRecord record) {
        KeyedRecord keyed = new KeyedRecord(record);
        keyed.record = indexer.split(record, EntryIndexer.SlotUse.NONE, (attribute, form, value) -> {
            keyed.addKey(ValueKeys.INDEX, ValueKeys.key(0, attribute.slot(), form, value));
            indexer.forEachValueKey(attribute.description(), form, keyed::addKey);
        });
        keyed.valueTable = keyed.record.hasLarge();
        indexer.forEachKey(keyed.record, keyed::addKey);
        return keyed;
    }

    private void addKey(int index, byte[] key) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
            indexes = Arrays.copyOf(indexes, count * 2);
        }
        int start = keyOffset(count);
        int end = start + key.length;
        if (end > keys.length) {
            keys = Arrays.copyOf(keys, Math.max(end, keys.length * 2));
        }
        System.arraycopy(key, 0, keys, start, key.length);
        ends[count] = end;
        indexes[count] = (char) index;
        count++;
    }

    /** Moves the record and its hierarchy keys under this parent. */
    public void setParent(long parentId) {
        if (record.parentId() == parentId) {
            return;
        }
        record = record.withParent(parentId);
        for (int key = 0; key < count; key++) {
            if (indexes[key] == HierarchyKeys.INDEX) {
                HierarchyKeys.setParent(keys, keyOffset(key), parentId);
            }
        }
    }

    /** Puts the entry's ID into its keys of the value table. */
    public void setId(long id) {
        for (int key = 0; valueTable && key < count; key++) {
            if (indexes[key] == ValueKeys.INDEX) {
                ValueKeys.setEntryId(keys, keyOffset(key), id);
            }
        }
    }

    public EntryRecord record() {
        return record;
    }

    public int keyCount() {
        return count;
    }

    /** The index a key belongs to. */
    public int index(int key) {
        return indexes[key];
    }

    /** All keys; one lies from {@link #keyOffset} to {@link #keyEnd}. Shared, not to be changed. */
    public byte[] keys() {
        return keys;
    }

    public int keyOffset(int key) {
        return key == 0 ? 0 : ends[key - 1];
    }

    public int keyEnd(int key) {
        return ends[key];
    }
}
