package org.alder.partition.bookkeeper.log;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.bookkeeper.Groups;
import org.alder.partition.bookkeeper.Leases;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupCodec;
import org.alder.partition.jdbm.log.GroupLog.Ending;
import org.alder.partition.jdbm.log.GroupLog.Outcome;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource.Since;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.testing.Await;
import org.apache.bookkeeper.client.api.BKException;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The log on three bookies, while these are there, go and come back. */
public class BookKeeperLogTest {
    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();
    /** So short that tests of what cannot be found out do not take long. */
    private static final int SHORT_MILLIS = 3_000;
    private static final int SMALL_LEDGER_BYTES = 1_000;
    private static TestCluster bookies;
    private static LogCluster cluster;
    private static LogCluster impatient;
    private static int logs;
    private String path;

    @BeforeClass
    public static void start() throws Exception {
        bookies = new TestCluster(FOLDER.getRoot().toPath());
        cluster = LogCluster.connect(bookies.settings(Await.MILLIS, SMALL_LEDGER_BYTES));
        impatient = LogCluster.connect(bookies.settings(SHORT_MILLIS, SMALL_LEDGER_BYTES));
    }

    @AfterClass
    public static void stop() throws Exception {
        impatient.close();
        cluster.close();
        bookies.close();
    }

    @Before
    public void create() throws Exception {
        for (int i = 0; i < TestCluster.BOOKIES; i++) {
            bookies.start(i);
        }
        path = TestCluster.PATH + "-" + logs++;
        cluster.createLog(path, TestCluster.STORE);
    }

    private BookKeeperLog open() throws Exception {
        return open(cluster, new Leases());
    }

    private BookKeeperLog open(LogCluster by, Lease lease) throws Exception {
        return BookKeeperLog.open(by, path, TestCluster.STORE, "test", lease);
    }

    private static void append(BookKeeperLog log, LogGroup group) {
        Ending ending = log.append(group, true);
        assertEquals(ending.toString(), Outcome.DONE, ending.outcome());
    }

    private List<String> read(LogSource source, long from) throws Exception {
        List<String> found = new ArrayList<>();
        source.replay(from, false, group -> found.add(Groups.name(group)));
        return found;
    }

    private List<String> read() throws Exception {
        return read(cluster.source(path, TestCluster.STORE), 1);
    }

    @Test
    public void whatWasAppendedIsReadFromAnyTransactionOnAndFromLedgerToLedger() throws Exception {
        BookKeeperLog log = open();
        assertEquals(0, log.lastSequence());
        assertEquals(null, log.begin(1, 900));
        for (int i = 0; i < 20; i++) {
            append(log, Groups.of(1 + 3 * i, 3, 1000 + i));
            if (i % 5 == 4) {
                log.end();
                assertFalse(log.isOpen());
                assertEquals(null, log.begin(4 + 3 * i, 1000 + i));
            }
        }
        LogSource source = log.source();
        assertTrue("several ledgers", cluster.node(path).read(Deadline.in(Await.MILLIS)).ledgers().size() > 1);
        assertEquals(20, read(source, 1).size());
        assertEquals(List.of("59-60@1019"), read(source, 59));
        assertEquals(List.of(), read(source, 61));
        assertEquals(900, source.timeBefore(1));
        assertEquals(1006, source.timeBefore(22));
        assertEquals(1, source.partOf(1));
        List<String> found = new ArrayList<>();
        assertEquals(new Since(1005, 27), source.readSince(17, 26, group -> found.add(Groups.name(group))));
        assertEquals(List.of("16-18@1005", "19-21@1006", "22-24@1007", "25-27@1008"), found);
        assertEquals(new Since(900, 3), source.readSince(0, 1, group -> { }));
        assertSame(Since.MISSING, source.readSince(60, 61, group -> { }));
        assertEquals(20, log.syncs());
        log.close();
        assertEquals(20, read().size());
        assertThrows("a store ahead of its log", StoreException.class, () -> read(source, 62));
    }

    @Test
    public void aGroupLargerThanAnEntryIsReadWhole() throws Exception {
        BookKeeperLog log = open();
        log.begin(1, 0);
        LogGroup large = Groups.of(2, 1, 2, 20 * EntryFormat.MAX_PIECE_BYTES + 1);
        append(log, Groups.of(1, 1, 1));
        append(log, large);
        append(log, Groups.of(3, 1, 3));
        List<LogGroup> found = new ArrayList<>();
        BookKeeperLog next = open();
        assertEquals(3, next.lastSequence());
        next.source().replay(2, false, found::add);
        assertEquals(2, found.size());
        assertEquals(large.transactions().get(0).get(0).getClass(), found.get(0).transactions().get(0).get(0).getClass());
        assertEquals(GroupCodec.bytesOf(large).length,
                GroupCodec.bytesOf(found.get(0)).length);
    }

    @Test
    public void aWriterThatPausedIsFencedByTheNextOne() throws Exception {
        BookKeeperLog first = open();
        first.begin(1, 0);
        append(first, Groups.of(1, 2, 1));
        BookKeeperLog second = open();
        assertEquals(first.epoch() + 1, second.epoch());
        assertEquals(2, second.lastSequence());
        for (int i = 0; i < 3; i++) {
            assertEquals(Outcome.FENCED, first.append(Groups.of(3, 1, 666), true).outcome());
        }
        second.begin(3, 1);
        append(second, Groups.of(3, 1, 2));
        assertEquals(StoreException.Kind.FENCED, assertThrows(StoreException.class, () -> first.begin(3, 1)).kind());
        assertEquals(StoreException.Kind.FENCED, assertThrows(StoreException.class, () -> first.trim(3)).kind());
        first.close();
        append(second, Groups.of(4, 1, 3));
        assertEquals(List.of("1-2@1", "3-3@2", "4-4@3"), read(second.source(), 1));
    }

    @Test
    public void aWriterThatPausedBeforeItsFirstLedgerMakesNone() throws Exception {
        BookKeeperLog first = open();
        BookKeeperLog second = open();
        assertEquals(StoreException.Kind.FENCED, assertThrows(StoreException.class, () -> first.begin(1, 0)).kind());
        second.begin(1, 0);
        append(second, Groups.of(1, 1, 1));
        assertEquals(List.of("1-1@1"), read(second.source(), 1));
    }

    @Test
    public void aLostLeaseFencesForEver() throws Exception {
        Leases lease = new Leases();
        BookKeeperLog log = open(cluster, lease);
        log.begin(1, 0);
        append(log, Groups.of(1, 1, 1));
        lease.lose();
        assertEquals(Outcome.FENCED, log.append(Groups.of(2, 1, 2), true).outcome());
        assertEquals(StoreException.Kind.FENCED, assertThrows(StoreException.class, () -> log.begin(2, 1)).kind());
        assertThrows(StoreException.class, () -> open(cluster, lease));
        assertEquals(List.of("1-1@1"), read(open().source(), 1));
    }

    @Test
    public void appendsGoOnWithTwoOfThreeBookiesAndNewLedgersToo() throws Exception {
        BookKeeperLog log = open();
        log.begin(1, 0);
        append(log, Groups.of(1, 1, 1));
        bookies.stop(1);
        for (int i = 2; i <= 60; i++) {
            append(log, Groups.of(i, 1, i));
        }
        log.end();
        assertEquals(null, log.begin(61, 60));
        append(log, Groups.of(61, 1, 61));
        BookKeeperLog next = open();
        assertEquals(61, next.lastSequence());
        assertEquals(null, next.begin(62, 61));
        append(next, Groups.of(62, 1, 62));
        assertEquals(62, read(next.source(), 1).size());
    }

    @Test
    public void withOneBookieNothingIsDoneAndTheNextLeaderKnowsWhatBecameOfIt() throws Exception {
        BookKeeperLog log = open(impatient, new Leases());
        log.begin(1, 0);
        append(log, Groups.of(1, 1, 1));
        bookies.stop(0);
        bookies.stop(2);
        Ending ending = log.append(Groups.of(2, 1, 2), true);
        assertNotEquals(Outcome.DONE, ending.outcome());
        assertFalse(log.isOpen());
        bookies.start(0);
        BookKeeperLog next = open();
        boolean made = next.lastSequence() == 2;
        assertFalse("refused, and in the log", made && ending.outcome() == Outcome.REFUSED);
        assertEquals(null, next.begin(next.lastSequence() + 1, 1));
        append(next, Groups.of(next.lastSequence() + 1, 1, 3));
        assertEquals(made ? List.of("1-1@1", "2-2@2", "3-3@3") : List.of("1-1@1", "2-2@3"), read(next.source(), 1));
        log.close();
    }

    @Test
    public void anAppendInDoubtIsResolvedWhenEnoughBookiesAnswerAgain() throws Exception {
        BookKeeperLog log = open();
        log.begin(1, 0);
        append(log, Groups.of(1, 1, 1));
        bookies.stop(0);
        bookies.stop(2);
        var append = CompletableFuture.supplyAsync(() -> log.append(Groups.of(2, 1, 2), true), Await.THREADS);
        bookies.start(2);
        Ending ending = Await.result("the append", append);
        if (ending.outcome() == Outcome.REFUSED) {
            assertFalse(ending.isOver());
            Await.until("the log goes on", () -> log.begin(2, 1) == null);
            append(log, Groups.of(2, 1, 2));
        } else {
            assertEquals(Outcome.DONE, ending.outcome());
            Await.until("the log goes on", () -> log.isOpen() || log.begin(3, 2) == null);
        }
        append(log, Groups.of(3, 1, 3));
        assertEquals(List.of("1-1@1", "2-2@2", "3-3@3"), read(log.source(), 1));
    }

    @Test
    public void aLedgerThatNoWriterHasFencedIsFollowedByAnother() throws Exception {
        BookKeeperLog log = open();
        log.begin(1, 0);
        append(log, Groups.of(1, 1, 1));
        long ledger = cluster.node(path).read(Deadline.in(Await.MILLIS)).last().id();
        cluster.open(ledger, true, Deadline.in(Await.MILLIS)).close();
        append(log, Groups.of(2, 1, 2));
        append(log, Groups.of(3, 1, 3));
        assertEquals(List.of("1-1@1", "2-2@2", "3-3@3"), read(log.source(), 1));
        assertEquals("for copies of a bookie that is gone", 2, cluster.node(path).read(Deadline.in(Await.MILLIS)).ledgers().size());
    }

    /** While bookies are away each try to append makes one. */
    @Test
    public void ledgersThatNothingWasWrittenToDoNotAddUp() throws Exception {
        BookKeeperLog log = open();
        log.begin(1, 0);
        long empty = cluster.node(path).read(Deadline.in(Await.MILLIS)).last().id();
        cluster.open(empty, true, Deadline.in(Await.MILLIS)).close();
        append(log, Groups.of(1, 1, 1));
        LedgerList after = cluster.node(path).read(Deadline.in(Await.MILLIS));
        assertEquals(1, after.ledgers().size());
        assertNotEquals(empty, after.last().id());
        assertEquals(List.of(), after.deleting());
        assertThrows("it is deleted", BKException.class, () -> cluster.open(empty, false, Deadline.in(Await.MILLIS)));
        append(log, Groups.of(2, 1, 2));
        log.close();
        assertEquals(List.of("1-1@1", "2-2@2"), read(open().source(), 1));
    }

    /** As where the bookie that said that it is confirmed does not answer any more: what was read before is no damage then. */
    @Test
    public void whoGoesOnBehindWhatIsNotKnownToBeConfirmedAnyMoreWaits() throws Exception {
        ClusterSettings known = bookies.settings();
        try (LogCluster quiet = LogCluster.connect(new ClusterSettings(known.zooKeeper(), known.sessionMillis(), known.appendMillis(), known.resolveMillis(),
                known.openMillis(), known.rollBytes(), known.mostLedgers(), Integer.MAX_VALUE, known.password(), null, known.build()))) {
            BookKeeperLog log = open(quiet, new Leases());
            log.begin(1, 0);
            append(log, Groups.of(1, 2, 1));
            try (LogTail tail = quiet.tail(path, TestCluster.STORE, 2)) {
                List<String> found = new ArrayList<>();
                assertEquals("its first entry is not known to be confirmed", 0, tail.read(SHORT_MILLIS / 10, group -> found.add(Groups.name(group))));
                append(log, Groups.of(3, 1, 2));
                append(log, Groups.of(4, 1, 3));
                Await.until("what is behind", () -> tail.read(SHORT_MILLIS, group -> found.add(Groups.name(group))) > 0);
                assertEquals(List.of("3-3@2"), found);
            }
            try (LogTail tail = quiet.tail(path, TestCluster.STORE, 4)) {
                List<String> found = new ArrayList<>();
                assertEquals(0, tail.read(SHORT_MILLIS / 10, group -> found.add(Groups.name(group))));
                log.end();
                log.begin(5, 3);
                append(log, Groups.of(5, 1, 4));
                append(log, Groups.of(6, 1, 5));
                Await.until("what is in the next ledger", () -> tail.read(SHORT_MILLIS, group -> found.add(Groups.name(group))) > 0);
                assertEquals(List.of("5-5@4"), found);
            }
        }
    }

    @Test
    public void trimmingGivesUpWholeLedgersAndLaterReadersAreTold() throws Exception {
        BookKeeperLog log = open();
        log.begin(1, 0);
        for (int i = 1; i <= 60; i++) {
            append(log, Groups.of(i, 1, i));
            log.end();
            log.begin(i + 1, i);
        }
        LedgerList before = cluster.node(path).read(Deadline.in(Await.MILLIS));
        assertTrue(before.ledgers().size() > 2);
        log.trim(before.ledgers().get(1).firstSequence());
        LedgerList after = cluster.node(path).read(Deadline.in(Await.MILLIS));
        assertEquals(before.ledgers().subList(1, before.ledgers().size()), after.ledgers());
        assertEquals(List.of(), after.deleting());
        long first = after.ledgers().get(0).firstSequence();
        assertEquals(61 - first, read(log.source(), first).size());
        assertEquals(StoreException.Kind.OUTDATED, assertThrows(StoreException.class, () -> read(log.source(), first - 1)).kind());
        assertSame(Since.MISSING, log.source().readSince(first - 2, 60, group -> { }));
        log.trim(Long.MAX_VALUE);
        assertEquals("the last one stays", 1, cluster.node(path).read(Deadline.in(Await.MILLIS)).ledgers().size());
    }

    @Test
    public void aTailSeesEachGroupOnceWhileLeadersChange() throws Exception {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (LogTail tail = cluster.tail(path, TestCluster.STORE, 0)) {
            assertEquals(0, tail.read(1, group -> { }));
            long sequence = 1;
            for (int leader = 0; leader < 3; leader++) {
                BookKeeperLog log = open();
                log.begin(sequence, 0);
                for (int i = 0; i < 10; i++) {
                    LogGroup group = Groups.of(sequence, 2, leader * 100 + i);
                    append(log, group);
                    expected.add(Groups.name(group));
                    sequence += 2;
                }
                Await.until("the tail is at " + expected.size(), () -> {
                    tail.read(1000, group -> found.add(Groups.name(group)));
                    return found.size() >= expected.size();
                });
                assertEquals(expected, found);
            }
            assertEquals(sequence - 1, tail.lastSequence());
        }
    }

    /** As is done for copies; its leader goes on when it has something to write. */
    @Test
    public void aTailWaitsBehindALedgerThatSomebodyElseHasEnded() throws Exception {
        List<String> found = new ArrayList<>();
        BookKeeperLog log = open();
        assertEquals(null, log.begin(1, 900));
        try (LogTail tail = cluster.tail(path, TestCluster.STORE, 0)) {
            for (int i = 1; i <= 3; i++) {
                append(log, Groups.of(i, 1, 1000 + i));
                long ledger = cluster.node(path).read(Deadline.in(Await.MILLIS)).last().id();
                cluster.open(ledger, true, Deadline.in(Await.MILLIS)).close();
                while (tail.lastSequence() < i) {
                    tail.read(Await.MILLIS, group -> found.add(Groups.name(group)));
                }
                assertEquals("nothing more", 0, tail.read(300, group -> found.add(Groups.name(group))));
            }
        }
        assertEquals(List.of("1-1@1001", "2-2@1002", "3-3@1003"), found);
        log.close();
    }

    @Test
    public void ledgersAreFoundByMembersOfAnyLocale() throws Exception {
        Locale before = Locale.getDefault(Locale.Category.FORMAT);
        try {
            Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("fa-IR-u-nu-arabext"));
            try (LogCluster persian = LogCluster.connect(bookies.settings(Await.MILLIS, SMALL_LEDGER_BYTES))) {
                BookKeeperLog log = open(persian, new Leases());
                assertEquals(null, log.begin(1, 900));
                append(log, Groups.of(1, 2, 1000));
                log.close();
            }
            Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
            assertEquals(List.of("1-2@1000"), read());
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, before);
        }
    }

    @Test
    public void aTailWaitsWhereNothingIsWrittenYetAlsoWhileABookieIsAway() throws Exception {
        BookKeeperLog before = open();
        assertEquals(null, before.begin(1, 900));
        bookies.stop(2);
        List<String> found = new ArrayList<>();
        try (LogTail tail = cluster.tail(path, TestCluster.STORE, 0)) {
            assertEquals("an empty ledger", 0, tail.read(1500, group -> found.add(Groups.name(group))));
            BookKeeperLog log = open();
            assertEquals(null, log.begin(1, 900));
            assertEquals("the next one", 0, tail.read(1500, group -> found.add(Groups.name(group))));
            append(log, Groups.of(1, 2, 1000));
            while (tail.lastSequence() < 2) {
                tail.read(Await.MILLIS, group -> found.add(Groups.name(group)));
            }
            log.close();
        }
        assertEquals(List.of("1-2@1000"), found);
    }

    @Test
    public void aTailBehindWhatWasTrimmedIsTold() throws Exception {
        BookKeeperLog log = open();
        log.begin(1, 0);
        append(log, Groups.of(1, 1, 1));
        BookKeeperLog next = open();
        next.begin(2, 1);
        append(next, Groups.of(2, 1, 2));
        next.trim(2);
        try (LogTail tail = cluster.tail(path, TestCluster.STORE, 0)) {
            assertEquals(StoreException.Kind.OUTDATED, assertThrows(StoreException.class, () -> tail.read(1, group -> { })).kind());
        }
    }

    @Test
    public void aGapIsDamageThatNamesLedgerAndEntry() throws Exception {
        BookKeeperLog log = open();
        log.begin(1, 0);
        append(log, Groups.of(1, 1, 1));
        BookKeeperLog next = open();
        next.begin(2, 1);
        long ledger = cluster.node(path).read(Deadline.in(Await.MILLIS)).last().id();
        append(next, Groups.of(2, 1, 2));
        var hole = cluster.create(path, next.epoch(), Deadline.in(Await.MILLIS));
        hole.append(EntryFormat.encode(next.epoch(), 0, Groups.of(4, 1, 4)).get(0));
        hole.close();
        cluster.node(path).change(Deadline.in(Await.MILLIS), list -> list.closed(ledger, 2)
                .with(new LedgerList.Ledger(hole.getId(), next.epoch(), 3, 2, 3)));
        StoreException gap = assertThrows(StoreException.class, () -> read());
        assertEquals(StoreException.Kind.CORRUPT, gap.kind());
        assertTrue(gap.getMessage(), gap.getMessage().contains("ledger " + hole.getId() + ", entry 0"));
    }

    @Test
    public void anotherStoresLogIsRefused() throws Exception {
        UUID other = new UUID(1, 1);
        assertEquals(StoreException.Kind.REFUSED, assertThrows(StoreException.class,
                () -> BookKeeperLog.open(cluster, path, other, "test", new Leases())).kind());
        assertThrows(StoreException.class, () -> cluster.source(path, other).partOf(1));
        cluster.createLog(path, other);
        assertEquals("made once", TestCluster.STORE, cluster.node(path).read(Deadline.in(Await.MILLIS)).storeId());
    }
}
