package org.alder.partition.entry;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.util.List;
import org.alder.partition.error.StoreException;

/** Whatever a store gives back, it is read as an entry, or found to be damaged. */
public final class EntryRecordFuzz {
    private EntryRecordFuzz() {
    }

    public static void record(byte[] input) {
        try {
            read(input);
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
            assertFalse(e.getMessage().isEmpty());
        }
    }

    private static void read(byte[] input) {
        EntryRecord record = EntryRecord.of(input);
        record.rdn();
        List<Attribute> user = record.userAttributes();
        List<Attribute> operational = record.operationalAttributes();
        record.operationalValue("entryUUID");
        for (LargeAttribute large : record.largeAttributes()) {
            assertEquals(large.description(), record.largeAttribute(large.description()).description());
        }
        EntryRecord moved = record.withParent(record.parentId() / 2);
        assertEquals(record.parentId() / 2, moved.parentId());
        assertEquals(user.size(), moved.userAttributes().size());
        EntryRecord rebuilt = EntryRecord.of(record.parentId(), record.rdnBytes(), user, operational);
        assertEquals(rebuilt, EntryRecord.of(record.parentId(), rebuilt.rdnBytes(), rebuilt.userAttributes(),
                rebuilt.operationalAttributes()));
    }
}
