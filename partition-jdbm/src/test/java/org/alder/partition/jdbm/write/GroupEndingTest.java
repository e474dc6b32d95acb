package org.alder.partition.jdbm.write;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.folder.DiskSpace;
import org.alder.partition.jdbm.folder.LocalLog;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.GroupLog.Ending;
import org.alder.partition.jdbm.log.GroupLog.Outcome;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.log.Outside;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.FaultFolder;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.testing.Await;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;

/** Each way in which an append, or the beginning of a part, may end: what the members are told, what is shown, and what comes next. */
public class GroupEndingTest {
    @Rule
    public final FaultFolder temporary = new FaultFolder();

    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false).withDiskLow(1000, 0);
    private final Queue<Function<LogGroup, Ending>> appends = new ArrayDeque<>();
    private final Queue<IOException> begins = new ArrayDeque<>();
    private Path folder;

    @Before
    public void makeFolder() throws IOException {
        folder = temporary.newFolder().toPath();
    }

    /** Local files, but for what the test has come next. */
    private final class ScriptedLog implements GroupLog {
        private final GroupLog log;
        private boolean lost;

        ScriptedLog(GroupLog log) {
            this.log = log;
        }

        @Override
        public StoreException begin(long firstSequence, long timeBefore) throws IOException {
            if (!begins.isEmpty()) {
                throw begins.remove();
            }
            if (lost) {
                log.end();
            }
            lost = false;
            return log.begin(firstSequence, timeBefore);
        }

        @Override
        public boolean isOpen() {
            return log.isOpen() && !lost;
        }

        @Override
        public Ending append(LogGroup group, boolean durable) {
            Ending ending = appends.isEmpty() ? log.append(group, durable) : appends.remove().apply(group);
            lost = ending.outcome() != Outcome.DONE;
            return ending;
        }

        @Override
        public LogSource source() {
            return log.source();
        }

        @Override
        public boolean isSynced() {
            return log.isSynced();
        }

        @Override
        public void sync() throws IOException {
            log.sync();
        }

        @Override
        public long syncs() {
            return log.syncs();
        }

        @Override
        public void end() throws IOException {
            log.end();
        }

        @Override
        public void close() throws IOException {
            log.close();
        }
    }

    private OpenWriter open() throws IOException {
        return new OpenWriter(folder, settings, ScriptedLog::new);
    }

    private static void add(OpenWriter open, long id) throws Exception {
        Await.result("an add", open.writer().submit(context -> {
            context.add(id, StoreTests.entry(0, "a" + id, "red"));
            return null;
        }));
    }

    private static StoreException refused(OpenWriter open, long id) {
        return (StoreException) assertThrows(ExecutionException.class, () -> add(open, id)).getCause();
    }

    @Test(timeout = Await.MILLIS)
    public void whatIsRefusedForNowIsAsIfItHadNeverBeen() throws Exception {
        try (OpenWriter open = open()) {
            add(open, 1);
            StoreException reason = new StoreException(StoreException.Kind.DISK_FULL, "too few machines");
            appends.add(group -> Ending.refusedForNow(reason));
            assertEquals(reason, refused(open, 2));
            assertNull(open.writer().readOnlyReason());
            assertEquals("shown", 1, open.sequence());
            add(open, 2);
            assertEquals("shown", 2, open.sequence());
        }
        assertEquals("in the log", 2, OpenWriter.lastLogged(folder));
    }

    @Test(timeout = Await.MILLIS)
    public void whatIsRefusedForGoodEndsTheWriting() throws Exception {
        try (OpenWriter open = open()) {
            add(open, 1);
            appends.add(group -> Ending.refused(new StoreException(StoreException.Kind.READ_ONLY, "the log broke")));
            assertReadOnly("the log broke", refused(open, 2));
            assertReadOnly("the log broke", refused(open, 3));
            assertEquals("shown", 1, open.sequence());
        }
        assertEquals("in the log", 1, OpenWriter.lastLogged(folder));
    }

    /** It was written, but that could not be found out. */
    @Test(timeout = Await.MILLIS)
    public void whatIsUnknownIsNeitherPromisedNorRefused() throws Exception {
        try (OpenWriter open = new OpenWriter(folder, settings, log -> {
            ScriptedLog scripted = new ScriptedLog(log);
            appends.add(group -> log.append(group, true));
            appends.add(group -> {
                log.append(group, true);
                return Ending.unknown("nobody answers", null);
            });
            return scripted;
        })) {
            add(open, 1);
            StoreException unknown = refused(open, 2);
            assertEquals(StoreException.Kind.OUTCOME_UNKNOWN, unknown.kind());
            assertTrue(unknown.getMessage(), unknown.getMessage().startsWith("nobody answers; whether the update was made"));
            assertReadOnly("nobody answers", refused(open, 3));
            assertEquals("shown", 1, open.sequence());
        }
        assertEquals("in the log", 2, OpenWriter.lastLogged(folder));
    }

    @Test(timeout = Await.MILLIS)
    public void whoeverIsFencedSaysSo() throws Exception {
        try (OpenWriter open = open()) {
            add(open, 1);
            appends.add(group -> Ending.fenced("another server is the leader", null));
            StoreException fenced = refused(open, 2);
            assertEquals(StoreException.Kind.FENCED, fenced.kind());
            assertReadOnly("another server is the leader", refused(open, 3));
            assertEquals("shown", 1, open.sequence());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aFaultOfTheLogLeavesItUnknown() throws Exception {
        try (OpenWriter open = open()) {
            appends.add(group -> {
                throw new IllegalStateException("a fault");
            });
            StoreException unknown = refused(open, 1);
            assertEquals(StoreException.Kind.OUTCOME_UNKNOWN, unknown.kind());
            assertTrue(unknown.getMessage(), unknown.getMessage().contains("a fault"));
            assertReadOnly("a fault", refused(open, 2));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aPartThatCannotBeBegunEndsTheWriting() throws Exception {
        try (OpenWriter open = open()) {
            appends.add(group -> Ending.refusedForNow(new StoreException(StoreException.Kind.DISK_FULL, "for now")));
            refused(open, 1);
            begins.add(new IOException("another epoch"));
            assertReadOnly("another epoch", refused(open, 1));
            assertReadOnly("another epoch", refused(open, 1));
        }
    }

    private static void assertReadOnly(String reason, StoreException e) {
        assertEquals(StoreException.Kind.READ_ONLY, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(reason));
    }

    /** Each change of the disk that an append, its sync and taking it back make fails, alone or with all that follow. */
    @Test(timeout = Await.MILLIS)
    public void theLocalLogKnowsWhatItCannotTakeBack() throws Exception {
        int unknown = 0;
        int refused = 0;
        for (FaultyDisk.Fault fault : new FaultyDisk.Fault[] {FaultyDisk.Fault.ONCE, FaultyDisk.Fault.FOR_EVER}) {
            boolean failed = true;
            for (int at = 1; failed; at++) {
                assertTrue("still failing at change " + at, at < 100);
                Path own = temporary.newFolder().toPath();
                FaultyDisk disk = new FaultyDisk(at, fault);
                new StoreFolder(new FaultyDisk(Long.MAX_VALUE, fault), own).readOrCreate(OpenWriter.INDEXER);
                LocalLog log = new LocalLog(new StoreFolder(disk, own), ManifestFile.read(own).storeId(),
                        new DiskSpace(disk, own, settings::disk));
                Ending ending = appendTwice(log);
                failed = ending == null || ending.outcome() != Outcome.DONE;
                if (ending != null && failed) {
                    assertFalse("it goes on after " + ending.reason(), log.isOpen() || !ending.isOver());
                    unknown += ending.outcome() == Outcome.UNKNOWN ? 1 : 0;
                    refused += ending.outcome() == Outcome.REFUSED ? 1 : 0;
                    if (ending.outcome() == Outcome.REFUSED) {
                        assertTrue("what was refused is in the log: " + ending.reason(), OpenWriter.lastLogged(own) < 2);
                    }
                }
                log.close();
            }
        }
        assertTrue("refused " + refused + ", unknown " + unknown, refused > 0 && unknown > 0);
    }

    /** How the first of two appends that failed ended, else the second; null where the part could not even be begun. */
    private static Ending appendTwice(LocalLog log) {
        try {
            log.begin(1, 0);
        } catch (IOException e) {
            return null;
        }
        Ending first = log.append(group(1), true);
        return first.outcome() == Outcome.DONE ? log.append(group(2), true) : first;
    }

    private static LogGroup group(long sequence) {
        return new LogGroup(sequence, sequence, List.of(List.of(
                new Operation.Add(sequence, StoreTests.entry(0, "a" + sequence, "red")).with(Outside.NONE))));
    }
}
