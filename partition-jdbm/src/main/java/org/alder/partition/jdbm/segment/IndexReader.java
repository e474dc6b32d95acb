package org.alder.partition.jdbm.segment;

import java.util.HexFormat;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.table.Table;
import org.alder.partition.jdbm.table.TableCursor;

/** One index table of a segment, read. Thread safe, lock-free. */
final class IndexReader {
    private final Table table;

    IndexReader(Table table) {
        this.table = table;
    }

    boolean hasKeyTable() {
        return table.hasKeyTable();
    }

    /** The encoded set of the key, null where the index does not have the key. */
    byte[] value(byte[] key) {
        return table.get(key);
    }

    IdSetDelta ids(byte[] key) {
        byte[] value = value(key);
        return value == null ? IdSetDelta.EMPTY : decode(key, value);
    }

    long netCardinality(byte[] key) {
        byte[] value = value(key);
        return value == null ? 0 : decodeNet(key, value);
    }

    KeyDeltaCursor keys(byte[] fromKey) {
        return new Cursor(fromKey.length == 0 ? table.scan() : table.cursor(fromKey));
    }

    /** @param value what {@link #value} returned for the key */
    IdSetDelta decode(byte[] key, byte[] value) {
        try {
            return IdSetCodec.decode(value, table);
        } catch (TableCorruptException e) {
            // A nested tree's: it names the file and the offset itself.
            throw e;
        } catch (StoreException e) {
            throw named(key, e);
        }
    }

    private long decodeNet(byte[] key, byte[] value) {
        try {
            return IdSetCodec.head(value).netCardinality();
        } catch (StoreException e) {
            throw named(key, e);
        }
    }

    private StoreException named(byte[] key, StoreException e) {
        return new StoreException(e.kind(), table.file() + ", key " + HexFormat.of().formatHex(key) + ": " + e.getMessage(), e);
    }

    /** Walks the keys of the table. */
    private final class Cursor implements KeyDeltaCursor {
        private final TableCursor pairs;
        private byte[] key;
        /** Null until it is asked for: a merge asks for what it counts, and then for what it stores. */
        private byte[] value;

        Cursor(TableCursor pairs) {
            this.pairs = pairs;
        }

        @Override
        public boolean next() {
            boolean found = pairs.next();
            key = found ? pairs.key() : null;
            value = null;
            return found;
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public IdSetDelta delta() {
            return decode(key, stored());
        }

        @Override
        public byte[] stored() {
            if (value == null) {
                value = pairs.value();
            }
            return value;
        }

        @Override
        public long netCardinality() {
            return decodeNet(key, stored());
        }
    }
}
