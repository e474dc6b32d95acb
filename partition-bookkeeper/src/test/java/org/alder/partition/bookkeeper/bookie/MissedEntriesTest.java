package org.alder.partition.bookkeeper.bookie;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.alder.partition.bookkeeper.Groups;
import org.alder.partition.bookkeeper.Leases;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.log.BookKeeperLog;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.jdbm.log.GroupLog.Ending;
import org.alder.partition.jdbm.log.GroupLog.Outcome;
import org.alder.partition.testing.Await;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.util.AvailabilityOfEntriesOfLedger;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A log on three bookies, one of which is away for a while. */
public class MissedEntriesTest {
    private static final int RATE = 64 << 20;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private TestCluster bookies;
    private LogCluster cluster;
    private BookKeeperLog log;
    private long last;

    @Before
    public void start() throws Exception {
        bookies = new TestCluster(folder.getRoot().toPath());
        cluster = LogCluster.connect(bookies.settings(Await.MILLIS, 1_000));
        cluster.createLog(TestCluster.PATH, TestCluster.STORE);
        log = open();
        assertNull(log.begin(1, 0));
    }

    @After
    public void stop() throws Exception {
        log.close();
        cluster.close();
        bookies.close();
    }

    private BookKeeperLog open() throws Exception {
        return BookKeeperLog.open(cluster, TestCluster.PATH, TestCluster.STORE, "test", new Leases());
    }

    private void append(int groups) {
        for (int i = 0; i < groups; i++) {
            Ending ending = log.append(Groups.of(last + 1, 1, last + 1), true);
            assertEquals(ending.toString(), Outcome.DONE, ending.outcome());
            last++;
        }
    }

    private void end() throws Exception {
        log.close();
        log = open();
        assertNull(log.begin(last + 1, last));
    }

    private void isHere(int bookie, boolean expected) throws Exception {
        BookieNodes nodes = new BookieNodes(cluster.session());
        Await.until("that it is " + expected, () -> nodes.writable(Deadline.in(Await.MILLIS)).contains("bookie-" + bookie) == expected);
    }

    private void stop(int bookie) throws Exception {
        bookies.stop(bookie);
        isHere(bookie, false);
    }

    private void start(int bookie) throws Exception {
        bookies.start(bookie);
        isHere(bookie, true);
        // A client that has just found it away tries again a moment later.
        Await.until("that it answers", () -> {
            try {
                cluster.entriesOn(BookieId.parse("bookie-" + bookie), ledgers().first(), Deadline.in(Await.MILLIS));
                return true;
            } catch (BKException e) {
                return false;
            }
        });
    }

    private MissedEntries of(int bookie) {
        return new MissedEntries(cluster, new BookieNodes(cluster.session()), "bookie-" + bookie);
    }

    /** @return those that were mended */
    private Set<Long> mend(MissedEntries missed) throws Exception {
        Set<Long> mended = new TreeSet<>();
        try (BookKeeperAdmin admin = cluster.administratorInPlace(RATE)) {
            for (long ledger : missed.lacking()) {
                assertNull(missed.copy(admin, ledger));
                mended.add(ledger);
            }
        }
        return mended;
    }

    private List<String> read() throws Exception {
        List<String> found = new ArrayList<>();
        cluster.source(TestCluster.PATH, TestCluster.STORE).replay(1, false, group -> found.add(Groups.name(group)));
        return found;
    }

    /** Of a ledger that is written others see the last entry a moment later. */
    private void readsAll() throws Exception {
        Await.until("that all is read", () -> read().equals(all()));
    }

    private List<String> all() {
        return LongStream.rangeClosed(1, last).mapToObj(i -> Groups.name(Groups.of(i, 1, i))).toList();
    }

    private boolean hasAll(int bookie, long ledger) throws Exception {
        AvailabilityOfEntriesOfLedger has = cluster.entriesOn(BookieId.parse("bookie-" + bookie), ledger, Deadline.in(Await.MILLIS));
        long end = metadata(ledger).getLastEntryId();
        return LongStream.rangeClosed(0, end).allMatch(has::isEntryAvailable);
    }

    private SortedSet<Long> ledgers() throws Exception {
        return cluster.ledgers(Deadline.in(Await.MILLIS));
    }

    @Test
    public void whatWasWrittenWhileABookieWasAwayIsOnEachOfThemInTheEnd() throws Exception {
        append(3);
        bookies.stop(2);
        append(3);
        isHere(2, false);
        end();
        append(3);
        end();
        assertEquals("on all three, on two", List.of(3, 2), ledgers().stream().limit(2).map(this::copies).toList());
        append(1);
        start(2);
        long first = ledgers().first();
        assertFalse(hasAll(2, first));
        end();
        MissedEntries missed = of(2);
        SortedSet<Long> ended = new TreeSet<>(ledgers().headSet(ledgers().last()));
        assertEquals(ended, mend(missed));
        for (long ledger : ended) {
            assertEquals(3, copies(ledger));
            assertTrue("ledger " + ledger, hasAll(2, ledger));
        }
        assertEquals("once", Set.of(), mend(missed));
        assertEquals("others", Set.of(), mend(of(0)));
        log.close();
        for (int alone = 0; alone < TestCluster.BOOKIES; alone++) {
            for (int i = 0; i < TestCluster.BOOKIES; i++) {
                start(i);
            }
            stop((alone + 1) % TestCluster.BOOKIES);
            stop((alone + 2) % TestCluster.BOOKIES);
            assertEquals("of bookie " + alone + " alone", all(), read());
        }
    }

    private int copies(long ledger) {
        return metadata(ledger).getWriteQuorumSize();
    }

    private LedgerMetadata metadata(long ledger) {
        try {
            return cluster.metadata(ledger, Deadline.in(Await.MILLIS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its leader goes on, and loses nothing. */
    @Test
    public void aLedgerThatIsWrittenIsEndedWhenABookieIsBackAndOnce() throws Exception {
        append(2);
        bookies.stop(2);
        append(2);
        start(2);
        MissedEntries missed = of(2);
        assertEquals("perhaps on their way", Set.of(), missed.lacking());
        append(1);
        long written = ledgers().last();
        assertEquals(Set.of(written), mend(missed));
        assertTrue(hasAll(2, written));
        append(2);
        assertTrue("another ledger", ledgers().last() > written);
        assertEquals(Set.of(), missed.lacking());
        append(1);
        assertEquals(Set.of(), missed.lacking());
        readsAll();
        // Two copies, as two are there.
        stop(1);
        end();
        append(2);
        start(1);
        MissedEntries other = of(1);
        assertEquals(Set.of(), other.lacking());
        long two = ledgers().last();
        assertEquals(Set.of(two), mend(other));
        assertTrue(hasAll(1, two));
        append(1);
        assertEquals(3, copies(ledgers().last()));
        stop(0);
        readsAll();
        start(0);
    }

    /** As where many partitions were there before the third member was. */
    @Test
    public void aLedgerOfEachLogIsEndedAtOnce() throws Exception {
        stop(2);
        String path = TestCluster.PATH + "-other";
        cluster.createLog(path, TestCluster.STORE);
        BookKeeperLog other = BookKeeperLog.open(cluster, path, TestCluster.STORE, "test", new Leases());
        assertNull(other.begin(1, 0));
        assertEquals(Outcome.DONE, other.append(Groups.of(1, 1, 1), true).outcome());
        end();
        append(2);
        start(2);
        MissedEntries missed = of(2);
        missed.lacking();
        SortedSet<Long> lacking = missed.lacking();
        long first = ledgers().headSet(ledgers().last()).last();
        assertTrue(lacking + " has the ones that are written", lacking.containsAll(List.of(first, ledgers().last())));
        assertEquals(List.of(path, TestCluster.PATH), List.of(log(first), log(ledgers().last())));
        mend(missed).forEach(each -> assertEquals("ledger " + each, 3, copies(each)));
        // Nobody ends one of the same log again so soon.
        stop(2);
        append(1);
        end();
        append(1);
        start(2);
        missed.lacking();
        try (BookKeeperAdmin admin = cluster.administratorInPlace(RATE)) {
            String later = missed.copy(admin, missed.lacking().last());
            assertTrue(later, later.contains("it is ended in some minutes"));
        }
        readsAll();
        other.close();
    }

    private String log(long ledger) {
        return LogCluster.log(metadata(ledger));
    }
}
