package org.alder.partition.bookkeeper.log;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.alder.partition.bookkeeper.Groups;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupCodec;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.Operation;
import org.junit.Test;

/** The bytes of docs/format/replicated-log.md, and what is refused as such. */
public class EntryFormatTest {
    private static final LogGroup GROUP = new LogGroup(100, 1000, List.of(List.of(new Operation.Delete(8, new byte[0]))));

    @Test
    public void theBytesAreThoseOfThePage() {
        byte[] entry = EntryFormat.encode(3, 0, GROUP).get(0);
        assertEquals("0100" + "0000" + "0001" + "0000000000000003" + "0000000000000064" + "0000000000000064" + "030064e80701010408" + "00",
                HexFormat.of().formatHex(entry));
        assertEquals(new EntryFormat.Header(0, 1, 3, 100, 100, 0), EntryFormat.header(entry, "here"));
    }

    @Test
    public void aLargeGroupIsCutIntoPiecesThatAreItAgain() {
        LogGroup large = Groups.of(5, 3, 1, EntryFormat.MAX_PIECE_BYTES);
        List<byte[]> entries = EntryFormat.encode(1, 0, large);
        assertEquals(4, entries.size());
        byte[] all = new byte[0];
        for (int i = 0; i < 4; i++) {
            byte[] entry = entries.get(i);
            assertEquals(new EntryFormat.Header(i, 4, 1, 5, 7, 0), EntryFormat.header(entry, "here"));
            int at = all.length;
            all = Arrays.copyOf(all, at + entry.length - EntryFormat.HEADER_BYTES);
            System.arraycopy(entry, EntryFormat.HEADER_BYTES, all, at, entry.length - EntryFormat.HEADER_BYTES);
        }
        assertArrayEquals(GroupCodec.bytesOf(large), all);
    }

    @Test
    public void whatIsNotAHeaderIsRefusedWithItsPlace() {
        byte[] entry = EntryFormat.encode(3, 0, GROUP).get(0);
        for (int length = 0; length < EntryFormat.HEADER_BYTES; length++) {
            assertRefused(Arrays.copyOf(entry, length));
        }
        assertRefused(with(entry, 0, 0));
        assertRefused(Arrays.copyOf(with(entry, 0, 2), EntryFormat.HEADER_BYTES + EntryFormat.SCHEMA_BYTES - 1));
        assertRefused(with(EntryFormat.encode(3, 1, GROUP).get(0), 37, 0));
        assertRefused(with(entry, 1, 1));
        assertRefused(with(entry, 2, 0x80));
        assertRefused(with(entry, 3, 1));
        assertRefused(with(entry, 4, 0x7f));
        assertRefused(with(entry, 5, 0));
        assertRefused(with(entry, 14, 0x80));
        assertRefused(with(entry, 29, 99));
    }

    @Test
    public void whatWasCheckedByAnotherSchemaThanThatOfTheFilesSaysWhich() {
        byte[] entry = EntryFormat.encode(3, 258, GROUP).get(0);
        assertEquals("0200" + "0000" + "0001" + "0000000000000003" + "0000000000000064" + "0000000000000064" + "0000000000000102"
                + "030064e80701010408" + "00", HexFormat.of().formatHex(entry));
        EntryFormat.Header header = EntryFormat.header(entry, "here");
        assertEquals(new EntryFormat.Header(0, 1, 3, 100, 100, 258), header);
        assertArrayEquals(GroupCodec.bytesOf(GROUP), Arrays.copyOfRange(entry, header.bytes(), entry.length));
    }

    @Test
    public void whatANewerBuildWroteIsRefusedAsThat() {
        byte[] entry = with(EntryFormat.encode(3, 1, GROUP).get(0), 0, 3);
        StoreException e = assertThrows(StoreException.class, () -> EntryFormat.header(entry, "ledger 3, entry 4"));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertEquals("ledger 3, entry 4: an entry of version 3, which a newer build of Alder wrote; this one reads up to version 2: start this member "
                + "with the newer build", e.getMessage());
    }

    private static byte[] with(byte[] entry, int at, int value) {
        byte[] changed = entry.clone();
        changed[at] = (byte) value;
        return changed;
    }

    private static void assertRefused(byte[] entry) {
        StoreException e = assertThrows(StoreException.class, () -> EntryFormat.header(entry, "ledger 3, entry 4"));
        assertEquals(StoreException.Kind.CORRUPT, e.kind());
        assertTrue(e.getMessage(), e.getMessage().startsWith("ledger 3, entry 4: "));
    }
}
