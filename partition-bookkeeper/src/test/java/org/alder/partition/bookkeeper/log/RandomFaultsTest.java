package org.alder.partition.bookkeeper.log;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.bookkeeper.Groups;
import org.alder.partition.bookkeeper.Leases;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupLog.Ending;
import org.alder.partition.jdbm.log.GroupLog.Outcome;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Leaders follow each other while bookies stop and come back. Whatever was acknowledged is in the log, once and in order; what was refused
 * is not; what nobody knew, the next leader knows; and who follows the log saw nothing else on its way. {@code -Dalder.test.steps} makes it longer.
 */
public class RandomFaultsTest {
    private static final int STEPS = Integer.getInteger("alder.test.steps", 40);
    private static final int RESOLVE_MILLIS = 3_000;
    private static final int LEDGER_BYTES = 3_000;
    private static final int MOST_APPENDS = 12;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private final Random random = Seed.random(RandomFaultsTest.class);
    /** What has to be in the log. */
    private final List<String> expected = new ArrayList<>();
    /** What is in the log or not, where the last leader did not know. */
    private LogGroup unknown;
    private final List<BookKeeperLog> former = new ArrayList<>();
    private final int[] outcomes = new int[Outcome.values().length];
    private long lastSequence;
    private long time;
    private TestCluster bookies;
    private LogCluster cluster;
    private BookKeeperLog leader;

    @Test
    public void whatWasAcknowledgedIsInTheLogOnceAndInOrder() throws Exception {
        bookies = new TestCluster(folder.getRoot().toPath());
        cluster = LogCluster.connect(bookies.settings(RESOLVE_MILLIS, LEDGER_BYTES));
        cluster.createLog(TestCluster.PATH, TestCluster.STORE);
        List<String> seen = new ArrayList<>();
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> tail = CompletableFuture.runAsync(() -> follow(seen, stop), Await.THREADS);
        try {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            startAll();
            elect();
            begin();
            append();
            leader.close();
            stop.set(true);
            Await.result("the tail", tail);
        } finally {
            stop.set(true);
        }
        List<String> found = new ArrayList<>();
        cluster.source(TestCluster.PATH, TestCluster.STORE).replay(1, false, group -> found.add(Groups.name(group)));
        assertEquals(expected, found);
        assertEquals(expected, seen);
        System.out.println("RandomFaultsTest: " + expected.size() + " groups by " + leader.epoch() + " leaders; DONE, REFUSED, UNKNOWN, FENCED: "
                + Arrays.toString(outcomes));
        cluster.close();
        bookies.close();
    }

    /** Reads all there is, beside everything else, until it is told to stop and at the end. */
    private void follow(List<String> seen, AtomicBoolean stop) {
        try (LogCluster own = LogCluster.connect(bookies.settings(RESOLVE_MILLIS, LEDGER_BYTES));
                LogTail tail = own.tail(TestCluster.PATH, TestCluster.STORE, 0)) {
            boolean atEnd = false;
            while (!atEnd) {
                boolean last = stop.get();
                try {
                    atEnd = tail.read(100, group -> seen.add(Groups.name(group))) == 0 && last && tail.lastSequence() == lastSequence;
                } catch (IOException e) {
                    // Too few bookies at the moment.
                    atEnd = false;
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void step() throws Exception {
        switch (random.nextInt(8)) {
            case 0 -> bookies.stop(random.nextInt(TestCluster.BOOKIES));
            case 1, 2 -> bookies.start(random.nextInt(TestCluster.BOOKIES));
            case 3 -> elect();
            case 4 -> formerLeaderTries();
            default -> lead();
        }
    }

    /** Some appends by the leader, as far as it gets. */
    private void lead() throws Exception {
        if (leader == null) {
            elect();
        }
        for (int i = random.nextInt(MOST_APPENDS); i >= 0 && leader != null && begin(); i--) {
            append();
            if (leader != null && leader.isOpen() && random.nextInt(8) == 0) {
                leader.end();
            }
        }
    }

    /** Whether the leader takes groups. */
    private boolean begin() throws IOException {
        return leader.isOpen() || leader.begin(lastSequence + 1, time) == null;
    }

    private void append() {
        LogGroup group = Groups.of(lastSequence + 1, 1 + random.nextInt(3), ++time, 1 + random.nextInt(200));
        Ending ending = leader.append(group, true);
        outcomes[ending.outcome().ordinal()]++;
        switch (ending.outcome()) {
            case DONE -> put(group);
            case REFUSED -> assertFalse(ending.toString(), leader.isOpen());
            case UNKNOWN -> {
                assertTrue(ending.isOver());
                unknown = group;
                former.add(leader);
                leader = null;
            }
            default -> fail("fenced, and nobody else leads: " + ending);
        }
    }

    private void put(LogGroup group) {
        expected.add(Groups.name(group));
        lastSequence = group.lastSequence();
    }

    /** Another leader takes over, where enough bookies are there: beside the one before, which knows nothing of it. */
    private void elect() throws Exception {
        while (bookies.running() < 2) {
            bookies.start(random.nextInt(TestCluster.BOOKIES));
        }
        BookKeeperLog next = Await.value("a new leader", this::tryToOpen, log -> log != null);
        if (unknown != null && next.lastSequence() == unknown.lastSequence()) {
            put(unknown);
        }
        unknown = null;
        assertEquals("the end of the log", lastSequence, Math.max(0, next.lastSequence()));
        if (leader != null) {
            former.add(leader);
        }
        leader = next;
        begin();
    }

    private BookKeeperLog tryToOpen() throws Exception {
        try {
            return BookKeeperLog.open(cluster, TestCluster.PATH, TestCluster.STORE, "leader-" + time, new Leases());
        } catch (IOException e) {
            startAll();
            return null;
        }
    }

    /** One that was a leader, and does not know better. */
    private void formerLeaderTries() {
        if (former.isEmpty()) {
            return;
        }
        BookKeeperLog log = former.get(random.nextInt(former.size()));
        if (leader == null) {
            return;
        }
        if (!log.isOpen()) {
            try {
                StoreException refusal = log.begin(log.lastSequence() + 1, time);
                assertTrue("a former leader begins a part", refusal != null || log.isOpen());
            } catch (StoreException | IOException e) {
                return;
            }
        }
        if (log.isOpen()) {
            Outcome outcome = log.append(Groups.of(log.lastSequence() + 1, 1, ++time), true).outcome();
            outcomes[outcome.ordinal()]++;
            assertTrue("a former leader's append ended " + outcome, outcome != Outcome.DONE);
        }
    }

    private void startAll() throws IOException {
        for (int i = 0; i < TestCluster.BOOKIES; i++) {
            bookies.start(i);
        }
    }
}
