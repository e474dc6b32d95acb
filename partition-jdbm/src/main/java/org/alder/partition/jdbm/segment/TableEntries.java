package org.alder.partition.jdbm.segment;

import java.util.Arrays;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.StoredEntries;
import org.alder.partition.jdbm.table.Table;
import org.alder.partition.jdbm.table.TableCursor;

/**
 * The entries of a segment of version 3, in a table. They are read without a cache, until a merge has written them again. Thread
 * safe, lock-free.
 */
final class TableEntries implements StoredEntries {
    private final Table table;

    TableEntries(Table table) {
        this.table = table;
    }

    @Override
    public EntryVersion entry(long id) {
        byte[] value = table.get(MasterKeys.key(id));
        return value == null ? null : decode(id, value, 0, value.length);
    }

    @Override
    public EntryFinder finder(IdSet expected) {
        return this::entry;
    }

    @Override
    public EntryVersionCursor entries(long fromId) {
        return new Cursor(fromId <= 1 ? table.scan() : table.cursor(MasterKeys.key(fromId)));
    }

    private EntryVersion decode(long id, byte[] buffer, int offset, int length) {
        try {
            if (MasterKeys.isParted(buffer, offset, length)) {
                byte[] record = MasterKeys.assemble(id, Arrays.copyOfRange(buffer, offset, offset + length), table::get);
                return MasterKeys.version(record, 0, record.length);
            }
            return MasterKeys.version(buffer, offset, length);
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

    @Override
    public void close() {
        table.close();
    }

    /** Walks the entries of the table. */
    private final class Cursor implements EntryVersionCursor {
        private final TableCursor pairs;
        private long id;
        private EntryVersion version;

        Cursor(TableCursor pairs) {
            this.pairs = pairs;
        }

        @Override
        public boolean next() {
            version = null;
            while (pairs.next()) {
                byte[] key = pairs.key();
                if (!MasterKeys.isPart(key)) {
                    id = decodeId(key);
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
            if (version == null) {
                version = decode(id, pairs.blockBytes(), pairs.valueOffset(), pairs.valueLength());
            }
            return version;
        }
    }
}
