package org.alder.partition.jdbm.segment;

import java.util.Arrays;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.table.ComingKeys;
import org.alder.partition.jdbm.table.Table;
import org.alder.partition.jdbm.table.TableCursor;

/** The master table of a segment, read. Thread safe, lock-free. */
final class MasterReader {
    /** Fewer are there before anything read ahead is. */
    private static final int READ_AHEAD_IDS = 8;

    private final Table table;

    MasterReader(Table table) {
        this.table = table;
    }

    /** What the table has of the entry, or null. */
    EntryVersion entry(long id) {
        byte[] value = table.get(MasterKeys.key(id));
        return value == null ? null : decode(id, value, 0, value.length);
    }

    /** Finds the entries of the set; in ascending order of their IDs it decodes each block once. One thread at a time. */
    EntryFinder finder(IdSet expected) {
        return new Finder(expected.cardinality() < READ_AHEAD_IDS ? table.finder() : table.finder(new ComingIds(expected)));
    }

    EntryVersionCursor entries(long fromId) {
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

    /** The keys of a set's entries. */
    private static final class ComingIds implements ComingKeys {
        private final IdSet.IdIterator ids;

        ComingIds(IdSet expected) {
            this.ids = expected.iterator();
        }

        @Override
        public void skipTo(byte[] key) {
            ids.advanceTo(MasterKeys.id(key));
        }

        @Override
        public byte[] next() {
            return ids.hasNext() ? MasterKeys.key(ids.next()) : null;
        }
    }

    /** Keeps the block it stands in; its records are parts of that block, so that one is read without copying it. */
    private final class Finder implements EntryFinder {
        private final TableCursor pairs;
        private final byte[] key = new byte[Long.BYTES];

        Finder(TableCursor pairs) {
            this.pairs = pairs;
        }

        @Override
        public EntryVersion entry(long id) {
            MasterKeys.putKey(id, key);
            return pairs.seekExact(key) ? decode(id, pairs.blockBytes(), pairs.valueOffset(), pairs.valueLength()) : null;
        }
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
