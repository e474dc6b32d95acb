package org.alder.partition.store;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;

/**
 * Reads the values of large attributes of one entry, as of a snapshot. Immutable, thread safe; of no use after the snapshot. All
 * methods may throw what the snapshot throws.
 */
public final class LargeValues {
    private final Snapshot snapshot;
    private final long entryId;

    public LargeValues(Snapshot snapshot, long entryId) {
        this.snapshot = snapshot;
        this.entryId = entryId;
    }

    /** Why indexes cannot be built while a store is open if they may not stay. */
    public static final String IN_THE_WAY = "an entry has more values of an attribute than are kept in its record, which these"
            + " indexes need there: stop the server and configure them then; the next start builds all indexes anew";

    /** Whether all large attributes of the state may stay so under an indexer. Looks at each entry that has any. */
    public static boolean mayStay(Snapshot snapshot, EntryIndexer indexer) {
        long id = indexer.hasValueTable() ? nextWithValues(snapshot, 1) : 0;
        while (id != 0) {
            EntryRecord record = snapshot.entry(id);
            if (record != null && !indexer.mayHaveLarge(record)) {
                return false;
            }
            id = nextWithValues(snapshot, id + 1);
        }
        return true;
    }

    private static long nextWithValues(Snapshot snapshot, long fromId) {
        try (Snapshot.KeyCursor keys = snapshot.keys(ValueKeys.INDEX, KeyRange.from(ValueKeys.ofEntry(fromId)))) {
            return keys.next() ? ValueKeys.entryId(keys.key()) : 0;
        }
    }

    /** The value with this normal form, by one seek; null if there is none. */
    public byte[] find(LargeAttribute attribute, byte[] form) {
        try (Snapshot.KeyCursor keys = snapshot.keys(ValueKeys.INDEX, KeyRange.ofPrefix(ValueKeys.ofForm(entryId, attribute.slot(), form)))) {
            return keys.next() ? ValueKeys.value(keys.key()) : null;
        }
    }

    /** Walks the values in the order of their keys, which says nothing to people. The caller closes it. */
    public Cursor open(LargeAttribute attribute) {
        return new Cursor(snapshot, ValueKeys.ofAttribute(entryId, attribute.slot()));
    }

    /**
     * The entry with all values in its record, whatever that takes.
     *
     * @throws StoreException CORRUPT if there are not as many values as the record says
     */
    public EntryRecord whole(EntryRecord record) {
        return record.hasLarge() ? whole(record, record.largeAttributes()) : record;
    }

    /**
     * The entry with the values of some of its large attributes in its record.
     *
     * @throws StoreException CORRUPT if there are not as many values as the record says
     */
    public EntryRecord whole(EntryRecord record, List<LargeAttribute> wanted) {
        List<Attribute> attributes = new ArrayList<>();
        for (LargeAttribute attribute : wanted) {
            attributes.add(new Attribute(attribute.description(), all(attribute)));
        }
        return record.whole(attributes);
    }

    private List<byte[]> all(LargeAttribute attribute) {
        List<byte[]> values = new ArrayList<>((int) Math.min(attribute.count(), 1 << 20));
        try (Cursor cursor = open(attribute)) {
            while (cursor.next()) {
                values.add(cursor.value());
            }
        }
        LargeAttribute found = LargeAttribute.of(attribute.slot(), attribute.description(), values);
        if (!found.equals(attribute)) {
            throw new StoreException(StoreException.Kind.CORRUPT, "entry " + entryId + ": the value table has " + found.count()
                    + " values of " + attribute.description() + " with " + found.valueBytes() + " bytes, the record says "
                    + attribute.count() + " with " + attribute.valueBytes());
        }
        return values;
    }

    /** The values of one attribute, one after the other; before the first at the start. One thread at a time. */
    public static final class Cursor implements AutoCloseable {
        private final Snapshot.KeyCursor keys;
        private byte[] key;

        private Cursor(Snapshot snapshot, byte[] prefix) {
            this.keys = snapshot.keys(ValueKeys.INDEX, KeyRange.ofPrefix(prefix));
        }

        public boolean next() {
            boolean found = keys.next();
            key = found ? keys.key() : null;
            return found;
        }

        /** An array in which the value lies from {@link #offset()} on; not to be changed. */
        public byte[] bytes() {
            return key;
        }

        public int offset() {
            return ValueKeys.valueOffset(key);
        }

        public int length() {
            return ValueKeys.valueLength(key);
        }

        /** A copy of the value. */
        public byte[] value() {
            return ValueKeys.value(key);
        }

        /** A copy of the value's normal form. */
        public byte[] form() {
            return ValueKeys.form(key);
        }

        @Override
        public void close() {
            keys.close();
        }
    }
}
