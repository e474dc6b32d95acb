package org.alder.partition.bookkeeper.log;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.alder.partition.bookkeeper.log.LedgerList.Ledger;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.FeatureLevel;
import org.junit.Test;

/** The text of the log's znode, as docs/format/replicated-log.md shows it, and what is refused as such. */
public class LedgerListTest {
    private static final String EXAMPLE = """
            alder-log 2
            store 00000000-0000-0007-0000-000000000009
            generation 1 behind 0 at 0
            epoch 3 claim 00000000-0000-0000-0000-000000000001 leader node1:1389
            ledger 12 epoch 1 first 1 before 0 last 4711
            ledger 15 epoch 3 first 4712 before 1763880000000
            deleting 9
            """;
    private static final String OF_A_LEVEL = EXAMPLE.replace("alder-log 2", "alder-log 3").replace("generation 1", "level 2\ngeneration 1");
    private static final UUID CLAIM = new UUID(0, 1);
    private static final LedgerList LIST = new LedgerList(new UUID(7, 9), new LedgerList.Data(1, 0, 0), 3, CLAIM, "node1:1389",
            List.of(new Ledger(12, 1, 1, 0, 4711), new Ledger(15, 3, 4712, 1763880000000L, Ledger.OPEN)), List.of(9L), FeatureLevel.FIRST);

    private static LedgerList parse(String text) {
        return LedgerList.parse(text.getBytes(StandardCharsets.US_ASCII), "/log");
    }

    @Test
    public void theTextIsThatOfThePage() {
        assertEquals(EXAMPLE, new String(LIST.bytes(), StandardCharsets.US_ASCII));
        assertEquals(LIST, parse(EXAMPLE));
        LedgerList empty = LedgerList.empty(new UUID(1, 2), FeatureLevel.NEWEST);
        assertEquals(empty, LedgerList.parse(empty.bytes(), "/log"));
    }

    @Test
    public void aLevelThatBuildsWithoutLevelsDoNotKnowIsToldInAVersionThatTheyRefuse() {
        LedgerList raised = LIST.raised(2);
        assertEquals(OF_A_LEVEL, new String(raised.bytes(), StandardCharsets.US_ASCII));
        assertEquals(raised, parse(OF_A_LEVEL));
        assertEquals(2, parse(OF_A_LEVEL).claimed(CLAIM, "x").closed(15, 5000).replaced(new LedgerList.Data(2, 9000, 77)).level());
        assertEquals("it only grows", raised, raised.raised(1));
    }

    @Test
    public void aLevelThatThisBuildDoesNotKnowIsRefusedWithBoth() {
        StoreException e = assertThrows(StoreException.class, () -> parse(OF_A_LEVEL.replace("level 2", "level 77")));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains("level 77, which a newer build of Alder wrote; this one knows up to level " + FeatureLevel.NEWEST));
        StoreException later = assertThrows(StoreException.class, () -> parse(OF_A_LEVEL.replace("alder-log 3", "alder-log 4")));
        assertEquals(StoreException.Kind.REFUSED, later.kind());
        assertRefused(OF_A_LEVEL.replace("level 2", "level 1"), "line 3");
        assertRefused(OF_A_LEVEL.replace("level 2\n", ""), "line 3");
    }

    @Test
    public void whatIsNotWholeIsRefusedWithItsLine() {
        assertRefused("", "begins with");
        assertRefused(EXAMPLE.replace("alder-log 2", "alder-log 1"), "begins with");
        assertRefused(EXAMPLE.replace("store 0", "store x"), "line 2");
        assertRefused(EXAMPLE + "ledger 16", "line 8");
        assertRefused(EXAMPLE.replace("epoch 3 claim", "epoch -3 claim"), "line 4");
        assertRefused(EXAMPLE.replace("last 4711", "last 4710"), "line 6");
        assertRefused(EXAMPLE.replace(" last 4711", ""), "line 6");
        assertRefused(EXAMPLE.replace("first 4712", "first 4712x"), "line 6");
        assertRefused(EXAMPLE.replace("first 1 before", "first 9999 before"), "line 5");
        assertRefused(EXAMPLE.replace("deleting 9", "deleting 99999999999999999999"), "line 7");
        assertRefused(EXAMPLE.replace("leader node1:1389", "leader"), "line 4");
        assertRefused(EXAMPLE.replace("behind 0", "behind 1"), "line 5");
        assertRefused(EXAMPLE.replace("generation 1", "generation"), "line 3");
        for (int i = 0; i < EXAMPLE.length() - 1; i++) {
            try {
                parse(EXAMPLE.substring(0, i));
            } catch (StoreException e) {
                assertEquals(StoreException.Kind.CORRUPT, e.kind());
            }
        }
    }

    private static void assertRefused(String text, String part) {
        StoreException e = assertThrows(text, StoreException.class, () -> parse(text));
        assertEquals(StoreException.Kind.CORRUPT, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(part));
    }

    @Test
    public void changesThatWereMadeAreNotMadeAgain() {
        LedgerList closed = LIST.closed(15, 5000);
        assertEquals(5000, closed.last().lastSequence());
        assertEquals(closed, closed.closed(15, 6000));
        Ledger next = new Ledger(20, 3, 5001, 7, Ledger.OPEN);
        LedgerList longer = closed.with(next);
        assertEquals(longer, longer.with(next));
        LedgerList shorter = longer.without(20);
        assertEquals(List.of(9L, 20L), shorter.deleting());
        assertEquals(shorter, shorter.without(20));
        assertEquals(List.of(9L), shorter.deleted(List.of(20L)).deleting());
        assertEquals(closed, closed.deleted(List.of(77L)));
        assertEquals(4, LIST.claimed(CLAIM, "x").epoch());
    }

    @Test
    public void aLedgerIsGivenUpWhenAllOfItIs() {
        assertEquals(LIST, LIST.trimmed(4711));
        assertEquals(List.of(LIST.last()), LIST.trimmed(4712).ledgers());
        assertEquals(List.of(9L, 12L), LIST.trimmed(Long.MAX_VALUE).deleting());
    }

    @Test
    public void otherDataTakeThePlaceOfAllLedgers() {
        LedgerList.Data data = new LedgerList.Data(2, 9000, 77);
        LedgerList next = LIST.replaced(data);
        assertEquals(List.of(9L, 12L, 15L), next.deleting());
        assertEquals(9001, next.firstSequence());
        assertEquals(77, next.timeBefore());
        assertEquals(9000, next.settledSequence());
        assertEquals(next, next.replaced(data));
        assertEquals(next, LedgerList.parse(next.bytes(), "/log"));
        assertEquals(-1, LIST.endOf(3));
        assertEquals(4711, LIST.endOf(2));
        assertEquals(5000, LIST.claimed(CLAIM, "x").closed(15, 5000).endOf(3));
        assertEquals(-1, LIST.claimed(CLAIM, "x").endOf(3));
        assertEquals(4711, LIST.settledSequence());
        assertEquals(5000, LIST.closed(15, 5000).settledSequence());
    }

    @Test
    public void theListHasALimitThatIsNamed() {
        LedgerList list = LedgerList.empty(new UUID(1, 2), FeatureLevel.NEWEST);
        for (int i = 0; i < LedgerList.MOST_LEDGERS; i++) {
            list = list.with(new Ledger(i, Integer.MAX_VALUE, i + 1, Long.MAX_VALUE, i + 1));
        }
        LedgerList full = list;
        assertTrue("more than a znode holds: " + full.bytes().length, full.bytes().length < 1_000_000);
        StoreException e = assertThrows(StoreException.class, () -> full.with(new Ledger(99999, 1, 1, 1, 1)));
        assertTrue(e.getMessage(), e.getMessage().contains("4096"));
    }
}
