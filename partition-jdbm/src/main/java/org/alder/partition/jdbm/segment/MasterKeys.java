package org.alder.partition.jdbm.segment;

import java.nio.ByteBuffer;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryVersion;

/**
 * The pairs of a master table (docs/format/segment.md; do not change): key = entry ID, 8 bytes, big endian, so that the order of
 * the keys is that of the IDs; value = the entry record, or no bytes at all for a deleted entry.
 */
final class MasterKeys {
    private static final byte[] TOMBSTONE = {};

    private MasterKeys() {
    }

    static byte[] key(long id) {
        return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }

    /** @throws StoreException of kind CORRUPT where the key is no entry ID */
    static long id(byte[] key) {
        long id = key.length == Long.BYTES ? ByteBuffer.wrap(key).getLong() : -1;
        if (id <= 0 || id > IdSet.MAX_ID) {
            throw new StoreException(StoreException.Kind.CORRUPT, "a key of " + key.length + " bytes that is no entry ID");
        }
        return id;
    }

    static byte[] value(EntryVersion version) {
        return version.isDeleted() ? TOMBSTONE : version.record().bytes();
    }

    /** @throws StoreException of kind CORRUPT where the value is no entry record */
    static EntryVersion version(byte[] value) {
        return value.length == 0 ? EntryVersion.DELETED : new EntryVersion(EntryRecord.of(value));
    }
}
