package org.alder.partition.jdbm.segment;

import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.table.Table;
import org.alder.partition.jdbm.table.TableCursor;

/** The master table of a segment, read. Thread safe, lock-free. */
final class MasterReader {
    private final Table table;

    MasterReader(Table table) {
        this.table = table;
    }

    /** What the table has of the entry, or null. */
    EntryVersion entry(long id) {
        byte[] value = table.get(MasterKeys.key(id));
        return value == null ? null : decode(id, value);
    }

    EntryVersionCursor entries(long fromId) {
        return new Cursor(fromId <= 1 ? table.scan() : table.cursor(MasterKeys.key(fromId)));
    }

    private EntryVersion decode(long id, byte[] value) {
        try {
            return MasterKeys.version(MasterKeys.isParted(value) ? MasterKeys.assemble(id, value, table::get) : value);
        } catch (StoreException e) {
            throw new StoreException(e.kind(), table.file() + ", entry " + id + ": " + e.getMessage(), e);
        }
    }

    private long decodeId(byte[] key) {
        try {
            return MasterKeys.id(key);
        } catch (StoreException e) {
            throw new StoreException(e.kind(), table.file() + ": " + e.getMessage(), e);
        }
    }

    /** Walks the entries of the table. */
    private final class Cursor implements EntryVersionCursor {
        private final TableCursor pairs;
        private long id;

        Cursor(TableCursor pairs) {
            this.pairs = pairs;
        }

        @Override
        public boolean next() {
            while (pairs.next()) {
                if (!MasterKeys.isPart(pairs.key())) {
                    id = decodeId(pairs.key());
                    return true;
                }
            }
            id = 0;
            return false;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public EntryVersion version() {
            return decode(id, pairs.value());
        }
    }
}
