package org.alder.partition.check;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.ValueKeys;

/**
 * Sums of what a snapshot shows, to compare stores that are to hold the same as of the same transaction ({@link StateAt}). Equal content has
 * equal sums, however it is stored; of different content hardly any has. The content is in tables: the entries, by ID, with all their
 * values, wherever these are kept; and the keys of each index. A table is summed up slice by slice, so that no state is held for long; where
 * a slice differs, sums of what is in it by buckets of its keys lead to the item. Each call reads what it sums, and nothing else, in memory
 * that does not grow. Stateless.
 *
 * <p>Slices of equal content have equal ends. The value table is no table of its own: who keeps which values outside of records may differ.
 */
public final class StoreDigest {
    /** The name of the table of entries. */
    public static final String ENTRIES = "entries";
    /** How many buckets there are at each level. */
    public static final int BUCKETS = 256;
    /** How many levels. */
    public static final int LEVELS = Long.BYTES;

    private static final int ENTRY_INDEX = -1;
    /** Apart from what the hash of a key is. */
    private static final int BUCKET_HASH = 1;
    private static final int DESCRIPTION_HASH = 2;
    private static final int NAME_HASH = 3;
    private static final int SHOWN_CHARACTERS = 200;
    private static final int MOST_DEPTH = 10_000;

    private StoreDigest() {
    }

    /**
     * Something whose content is compared.
     *
     * @param name the same in all stores that have it alike: for an index with what its keys depend on, behind a tilde
     */
    public record Table(String name, int index) {
    }

    /** What was summed up: how many items, and two independent sums. */
    public record Sum(long count, long first, long second) {
        public static final Sum NOTHING = new Sum(0, 0, 0);

        /** With what is in another one. */
        public Sum plus(Sum other) {
            return new Sum(count + other.count, first + other.first, second + other.second);
        }
    }

    /**
     * A part of a table.
     *
     * @param bytes of content
     * @param next  the key of the first item behind it; null where there is none
     */
    public record Slice(Sum sum, long bytes, byte[] next) {
    }

    /** @param text what people call it: of an entry the DN, of a key its text, shortened */
    public record Item(Sum sum, String text) {
    }

    /** The tables of a snapshot, in the order of their names; without indexes that are not whole. */
    public static List<Table> tables(Snapshot snapshot, EntryIndexer opened) {
        EntryIndexer indexer = snapshot.indexer() == null ? opened : snapshot.indexer();
        BitSet building = indexer.building();
        SortedMap<String, Table> tables = new TreeMap<>();
        tables.put(ENTRIES, new Table(ENTRIES, ENTRY_INDEX));
        for (int i = 0; i < indexer.indexes().size(); i++) {
            boolean isValues = i == ValueKeys.INDEX && indexer.hasValueTable();
            if (indexer.indexes().get(i).isPresent() && !building.get(i) && !isValues) {
                String name = indexer.indexes().get(i).name() + '~' + indexer.fingerprintOf(i);
                tables.put(name, new Table(name, i));
            }
        }
        return List.copyOf(tables.values());
    }

    /**
     * Sums up a table from a key on.
     *
     * @param from      a key; empty for the beginning
     * @param mostBytes so much content has the slice, about
     * @param read      told the bytes of each item read, about; may wait, so that others can work
     */
    public static Slice slice(Snapshot snapshot, Table table, byte[] from, long mostBytes, LongConsumer read) {
        try (Items items = items(snapshot, table, from, read)) {
            Sum sum = Sum.NOTHING;
            long bytes = 0;
            while (items.next()) {
                if (bytes >= mostBytes) {
                    return new Slice(sum, bytes, items.key());
                }
                sum = sum.plus(items.sum());
                bytes += items.bytes();
            }
            return new Slice(sum, bytes, null);
        }
    }

    /**
     * Sums of what is in a slice, by buckets of the hashes of its keys.
     *
     * @param to     the key of the first item behind it; null for the end
     * @param within the bucket of each level above, so that those in there are divided; empty for all
     */
    public static SortedMap<Integer, Sum> buckets(Snapshot snapshot, Table table, byte[] from, byte[] to, byte[] within, LongConsumer read) {
        SortedMap<Integer, Sum> sums = new TreeMap<>();
        try (Items items = items(snapshot, table, from, read)) {
            while (items.next() && new KeyRange(from, to).endsBehind(items.key())) {
                long hash = PostingSums.hash(BUCKET_HASH, items.key());
                if (isWithin(hash, within)) {
                    sums.merge(bucket(hash, within.length), items.sum(), Sum::plus);
                }
            }
        }
        return sums;
    }

    /**
     * The items of a bucket, by the hashes of their keys, at most so many.
     *
     * @param suffix of the partition, which DNs end with
     */
    public static SortedMap<Long, Item> items(Snapshot snapshot, Table table, byte[] from, byte[] to, byte[] within, int most, String suffix,
            LongConsumer read) {
        SortedMap<Long, Item> found = new TreeMap<>();
        try (Items items = items(snapshot, table, from, read)) {
            while (items.next() && new KeyRange(from, to).endsBehind(items.key())) {
                long hash = PostingSums.hash(BUCKET_HASH, items.key());
                if (isWithin(hash, within)) {
                    String text = table.index == ENTRY_INDEX ? name(snapshot, ValueKeys.entryIdOf(items.key()), suffix) : shown(items.key());
                    found.put(hash, new Item(items.sum(), text));
                    if (found.size() > most) {
                        found.remove(found.lastKey());
                    }
                }
            }
        }
        return found;
    }

    private static int bucket(long hash, int level) {
        return (int) (hash >>> Long.SIZE - Byte.SIZE * (level + 1)) & 0xFF;
    }

    private static boolean isWithin(long hash, byte[] within) {
        for (int level = 0; level < within.length; level++) {
            if (bucket(hash, level) != (within[level] & 0xFF)) {
                return false;
            }
        }
        return true;
    }

    /** As far up as it can be told: what is looked for may be what is missing. */
    private static String name(Snapshot snapshot, long id, String suffix) {
        StringBuilder name = new StringBuilder();
        EntryRecord record = snapshot.entry(id);
        for (int depth = 0; record != null && record.parentId() != 0 && depth < MOST_DEPTH; depth++) {
            name.append(record.rdn()).append(',');
            record = snapshot.entry(record.parentId());
        }
        return name.append(record == null ? "(an entry that is not there)" : suffix).toString();
    }

    private static String shown(byte[] key) {
        StringBuilder text = new StringBuilder();
        for (byte each : key) {
            if (each >= ' ' && each < 0x7F && each != '\\') {
                text.append((char) each);
            } else {
                text.append('\\').append(Character.forDigit(each >> 4 & 0xF, 16)).append(Character.forDigit(each & 0xF, 16));
            }
            if (text.length() > SHOWN_CHARACTERS) {
                return text.append("...").toString();
            }
        }
        return text.toString();
    }

    /** What a table consists of, by key. */
    private interface Items extends AutoCloseable {
        boolean next();

        byte[] key();

        /** Of the item alone. */
        Sum sum();

        /** The same wherever the content is the same. */
        long bytes();

        @Override
        void close();
    }

    private static Items items(Snapshot snapshot, Table table, byte[] from, LongConsumer read) {
        return table.index == ENTRY_INDEX ? new EntryItems(snapshot, from, read) : new KeyItems(snapshot.keys(table.index, KeyRange.from(from)), read);
    }

    private static final class KeyItems implements Items {
        private final Snapshot.KeyCursor cursor;
        private final LongConsumer read;
        private Sum sum;
        private long bytes;

        KeyItems(Snapshot.KeyCursor cursor, LongConsumer read) {
            this.cursor = cursor;
            this.read = read;
        }

        @Override
        public boolean next() {
            if (!cursor.next()) {
                return false;
            }
            long hash = PostingSums.hash(0, cursor.key());
            long first = 0;
            long second = 0;
            bytes = cursor.key().length;
            for (IdSet.IdIterator ids = cursor.ids().iterator(); ids.hasNext();) {
                long id = ids.next();
                first += PostingSums.first(hash, id);
                second += PostingSums.second(hash, id);
                bytes += Integer.BYTES;
            }
            sum = new Sum(1, first, second);
            read.accept(bytes);
            return true;
        }

        @Override
        public byte[] key() {
            return cursor.key();
        }

        @Override
        public Sum sum() {
            return sum;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    /** Each entry is summed up from its values one by one, so that it does not matter which of them are in its record. */
    private static final class EntryItems implements Items {
        private final Snapshot snapshot;
        private final Snapshot.EntryCursor cursor;
        private final LongConsumer read;
        private long first;
        private long second;
        private long bytes;

        EntryItems(Snapshot snapshot, byte[] from, LongConsumer read) {
            this.snapshot = snapshot;
            this.cursor = snapshot.entries(from.length == 0 ? 0 : ValueKeys.entryIdOf(from));
            this.read = read;
        }

        @Override
        public boolean next() {
            if (!cursor.next()) {
                return false;
            }
            EntryRecord record = cursor.entry();
            first = 0;
            second = 0;
            bytes = 0;
            add(PostingSums.hash(NAME_HASH, record.rdnBytes()), record.rdnLength(), record.parentId());
            AttributeCursor attributes = record.cursor(true);
            while (attributes.next()) {
                addAll(attributes);
            }
            for (LargeAttribute large : record.largeAttributes()) {
                addAll(large);
            }
            return true;
        }

        private void add(long hash, int length, long seed) {
            first += PostingSums.first(hash, seed);
            second += PostingSums.second(hash, seed);
            bytes += length;
            read.accept(length);
        }

        private void addAll(AttributeCursor attribute) {
            long description = PostingSums.hash(DESCRIPTION_HASH, attribute.description().getBytes(StandardCharsets.UTF_8));
            try {
                BerReader values = attribute.valueReader();
                while (values.hasMore()) {
                    byte[] value = values.readBytes(BerWriter.OCTET_STRING);
                    add(PostingSums.hash(0, value), value.length, description);
                }
            } catch (BerException e) {
                throw new StoreException(StoreException.Kind.CORRUPT, "the record of entry " + cursor.id() + " is not BER: " + e.getMessage(), e);
            }
        }

        private void addAll(LargeAttribute attribute) {
            long description = PostingSums.hash(DESCRIPTION_HASH, attribute.description().getBytes(StandardCharsets.UTF_8));
            KeyRange range = KeyRange.ofPrefix(ValueKeys.ofAttribute(cursor.id(), attribute.slot()));
            try (Snapshot.KeyCursor values = snapshot.keys(ValueKeys.INDEX, range)) {
                while (values.next()) {
                    byte[] value = ValueKeys.value(values.key());
                    add(PostingSums.hash(0, value), value.length, description);
                }
            }
        }

        @Override
        public byte[] key() {
            return ValueKeys.ofEntry(cursor.id());
        }

        @Override
        public Sum sum() {
            long hash = first ^ Long.rotateLeft(second, Integer.SIZE);
            return new Sum(1, PostingSums.first(hash, cursor.id()), PostingSums.second(hash, cursor.id()));
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
