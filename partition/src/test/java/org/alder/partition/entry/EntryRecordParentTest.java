package org.alder.partition.entry;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.Test;

public final class EntryRecordParentTest {
    @Test
    public void anotherParentChangesNothingElse() {
        byte[] rdn = "cn=a".getBytes(StandardCharsets.UTF_8);
        EntryRecord record = EntryRecord.of(300, rdn, List.of(new Attribute("cn", List.of(new byte[] {'a'}))),
                List.of(new Attribute("o", List.of(new byte[0]))));
        for (long parent : new long[] {0, 1, 127, 128, 300, 1L << 21, 0xFFFF_FFFFL}) {
            EntryRecord moved = record.withParent(parent);
            assertEquals(record.moved(parent, rdn, List.of()), moved);
            assertEquals(parent, moved.parentId());
            assertEquals(record, moved.withParent(300));
        }
    }
}
