package org.alder.partition.prepared;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.junit.Test;

/** The bytes of what a shard has prepared, and of decisions. */
public class SystemRecordCodecTest {
    private static final UUID ID = UUID.fromString("8a1a9b0c-30ad-4cbb-9a52-5a3c5d1d3d4e");

    private static PreparedTransaction prepared() {
        byte[] value = TextDirectory.utf8("value");
        List<AttributeDelta> deltas = List.of(new AttributeDelta("sn", false, List.of(value), List.of()), new AttributeDelta("entryCSN", true, List.of(),
                List.of(value, new byte[0])));
        EntryRecord record = EntryRecord.of(1, TextDirectory.utf8("cn=a"), List.of(new Attribute("cn", List.of(value))), List.of());
        return new PreparedTransaction(new TransactionId(ID, 2), "the transaction of \"cn=a\"", value,
                new LinkedHashSet<>(List.of(Lock.branch(value), Lock.value("2.5.4.3", value))), List.of(new PreparedChange.Add(7, record),
                new PreparedChange.Modify(8, deltas), new PreparedChange.Rename(1L << 40, 1, TextDirectory.utf8("cn=b"), deltas), new PreparedChange.Delete(9)));
    }

    @Test
    public void recordsAreReadAsTheyWereWritten() {
        PreparedTransaction prepared = prepared();
        PreparedTransaction read = PreparedTransaction.decode(ID, prepared.encode());
        assertArrayEquals(prepared.encode(), read.encode());
        assertEquals(prepared.id(), read.id());
        assertEquals(prepared.what(), read.what());
        assertEquals(prepared.locks(), read.locks());
        assertArrayEquals(prepared.csn(), read.csn());
        assertEquals(4, read.size());
        Decision decision = new Decision(new TransactionId(ID, 2), Set.of(0, 3, 1));
        assertEquals(decision, Decision.decode(ID, decision.encode()));
        assertEquals("prepared/" + ID, PreparedTransaction.key(ID));
        assertEquals("decided/" + ID, Decision.key(ID));
    }

    @Test
    public void whatIsCutOffOrChangedIsFoundToBeDamaged() {
        Random random = Seed.random(SystemRecordCodecTest.class);
        List<byte[]> records = List.of(prepared().encode(), new Decision(new TransactionId(ID, 2), Set.of(0, 3)).encode());
        for (byte[] record : records) {
            for (int length = 0; length < record.length; length++) {
                byte[] cut = Arrays.copyOf(record, length);
                requireCorrupt(() -> decode(record == records.get(0), cut));
            }
            requireCorrupt(() -> decode(record == records.get(0), Arrays.copyOf(record, record.length + 1)));
            for (int i = 0; i < 2000; i++) {
                byte[] changed = record.clone();
                changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
                try {
                    decode(record == records.get(0), changed);
                } catch (StoreException e) {
                    assertEquals(StoreException.Kind.CORRUPT, e.kind());
                }
            }
        }
    }

    private static void decode(boolean isPrepared, byte[] record) {
        if (isPrepared) {
            PreparedTransaction.decode(ID, record);
        } else {
            Decision.decode(ID, record);
        }
    }

    private static StoreException requireCorrupt(Runnable decoding) {
        StoreException thrown = assertThrows(StoreException.class, decoding::run);
        assertEquals(thrown.getMessage(), StoreException.Kind.CORRUPT, thrown.kind());
        return thrown;
    }

    @Test
    public void whatANewerBuildWroteIsNamed() {
        BerWriter out = new BerWriter(16);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, 2);
        out.end(outer);
        StoreException prepared = requireCorrupt(() -> PreparedTransaction.decode(ID, out.toByteArray()));
        assertTrue(prepared.getMessage(), prepared.getMessage().endsWith("prepared/" + ID + ": version 2, expected 1: a newer build wrote it"));
        requireCorrupt(() -> Decision.decode(ID, out.toByteArray()));
        requireCorrupt(() -> Decision.uuid("decided/x", "decided/"));
    }

    @Test
    public void numbersThatNothingHasAreFoundToBeDamaged() {
        byte[] none = new PreparedTransaction(new TransactionId(ID, 0), "", new byte[0], Set.of(), List.of(new PreparedChange.Delete(0))).encode();
        assertTrue(requireCorrupt(() -> PreparedTransaction.decode(ID, none)).getMessage().contains("the entry 0"));
        byte[] coordinator = new Decision(new TransactionId(ID, -1), Set.of()).encode();
        assertTrue(requireCorrupt(() -> Decision.decode(ID, coordinator)).getMessage().contains("the shard -1"));
    }
}
