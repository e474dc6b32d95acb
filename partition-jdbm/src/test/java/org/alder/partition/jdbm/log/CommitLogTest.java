package org.alder.partition.jdbm.log;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

public class CommitLogTest {
    private static final UUID STORE = new UUID(7, 9);
    private static final long FIRST = 100;
    private static final long TIME_BEFORE = 1_795_271_000_000L;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final List<Long> ends = new ArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(LogReader.class);
    private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

    @Before
    public void catchWarnings() {
        warnings.start();
        logger.setAdditive(false);
        logger.addAppender(warnings);
    }

    @After
    public void releaseWarnings() {
        logger.detachAppender(warnings);
        logger.setAdditive(true);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static EntryRecord entry(String name) {
        return EntryRecord.of(1, utf8("cn=" + name), List.of(new Attribute("cn", List.of(utf8(name)))), List.of());
    }

    private static LogGroup group(long sequence, int transactions) {
        List<List<Operation>> list = new ArrayList<>();
        for (int i = 0; i < transactions; i++) {
            list.add(List.of(new Operation.Add(sequence + i, entry("n" + sequence + "-" + i), Outside.NONE)));
        }
        return new LogGroup(sequence, 1234, list);
    }

    /** Groups of 1, 2, 3, 4 transactions; {@link #ends} gets the offset behind each. */
    private Path write(boolean sync) throws IOException {
        try (CommitLog log = CommitLog.create(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE, FIRST, TIME_BEFORE)) {
            long sequence = FIRST;
            ends.add(log.sizeBytes());
            for (int size = 1; size <= 4; size++) {
                log.append(group(sequence, size));
                if (sync) {
                    log.sync();
                }
                sequence += size;
                ends.add(log.sizeBytes());
            }
            return log.path();
        }
    }

    private long replay(boolean cut) throws IOException {
        return new StoredLog(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE).replay(FIRST, cut, group -> { });
    }

    private static void flip(Path path, long offset) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(offset);
            int value = file.read();
            file.seek(offset);
            file.write(value ^ 0x20);
        }
    }

    @Test
    public void everyKindOfOperationComesBack() throws IOException {
        AttributeDelta delta = new AttributeDelta("descripti\u00f6n;lang-de", true, List.of(utf8("a"), new byte[0]),
                List.of(new byte[300]));
        Outside outside = new Outside(true, List.of(new Outside.Moved(255, "descripti\u00f6n")),
                List.of(utf8("form"), new byte[0]));
        List<Operation> operations = List.of(new Operation.Add(0xFFFF_FFFFL, entry("x"), Outside.NONE),
                new Operation.Modify(5, List.of(delta), outside),
                new Operation.Rename(6, 7, utf8("cn=new"), List.of(), Outside.NONE),
                new Operation.Delete(8, new byte[] {1, 2}));
        try (CommitLog log = CommitLog.create(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE, FIRST, TIME_BEFORE)) {
            log.append(new LogGroup(FIRST, 42, List.of(operations, List.of())));
            log.finish();
        }
        List<LogGroup> groups = new ArrayList<>();
        new StoredLog(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE).replay(FIRST, false, groups::add);
        assertEquals(1, groups.size());
        assertEquals(42, groups.get(0).timeMillis());
        assertEquals(List.of(), groups.get(0).transactions().get(1));
        List<Operation> found = groups.get(0).transactions().get(0);
        assertEquals(operations.get(0), found.get(0));
        AttributeDelta foundDelta = ((Operation.Modify) found.get(1)).deltas().get(0);
        assertEquals(delta.description(), foundDelta.description());
        assertTrue(foundDelta.operational());
        assertArrayEquals(delta.removed().get(0), foundDelta.removed().get(0));
        assertArrayEquals(delta.removed().get(1), foundDelta.removed().get(1));
        assertArrayEquals(delta.added().get(0), foundDelta.added().get(0));
        assertTrue(found.get(1).outside().madeWhole());
        assertEquals(outside.moved(), found.get(1).outside().moved());
        assertArrayEquals(utf8("form"), found.get(1).outside().forms().get(0));
        assertEquals(0, found.get(1).outside().forms().get(1).length);
        assertEquals(Outside.NONE, found.get(2).outside());
        assertArrayEquals(utf8("cn=new"), ((Operation.Rename) found.get(2)).rdn());
        assertEquals(7, ((Operation.Rename) found.get(2)).newParentId());
        assertEquals(8, found.get(3).id());
        assertArrayEquals(new byte[] {1, 2}, ((Operation.Delete) found.get(3)).identity());
    }

    @Test
    public void zeroedFromEveryByteOfTheLastRecordOnKeepsWhatIsBefore() throws IOException {
        Path path = write(true);
        byte[] whole = Files.readAllBytes(path);
        for (long length = ends.get(3); length < ends.get(4); length++) {
            byte[] zeroTailed = Arrays.copyOf(Arrays.copyOf(whole, (int) length), whole.length);
            Files.write(path, zeroTailed);
            assertEquals("zeroed from " + length, length == ends.get(4) - 1 && whole[(int) length] == 0 ? FIRST + 9 : FIRST + 5,
                    replay(true));
        }
    }

    private void assertCutOff(Path path, long length) {
        StoreException e = assertThrows("cut to " + length, StoreException.class, () -> replay(true));
        assertEquals(StoreException.Kind.CORRUPT, e.kind());
        assertTrue(e.getMessage(), e.getMessage().startsWith(path + " at offset " + length + ":")
                && e.getMessage().contains("1048576"));
    }

    @Test
    public void aFileThatIsShorterThanACrashLeavesItIsRefused() throws IOException {
        Path path = write(true);
        byte[] whole = Files.readAllBytes(path);
        assertEquals(LogFormat.STEP_BYTES, whole.length);
        for (long length = LogFormat.HEADER_BYTES; length < ends.get(4) + 5; length++) {
            Files.write(path, Arrays.copyOf(whole, (int) length));
            assertCutOff(path, length);
            assertEquals("nothing is changed", length, Files.size(path));
        }
        Files.write(path, Arrays.copyOf(whole, whole.length - 1));
        assertCutOff(path, whole.length - 1);
    }

    @Test
    public void aFinishedFileThatIsCutOffOrDamagedAnywhereIsRefused() throws IOException {
        Path path = finished();
        byte[] whole = Files.readAllBytes(path);
        assertEquals(ends.get(4) + LogFormat.FRAME_BYTES, whole.length);
        for (int length = LogFormat.HEADER_BYTES; length < whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertCutOff(path, length);
        }
        Files.write(path, whole);
        for (long at = 0; at < whole.length; at++) {
            flip(path, at);
            assertThrows("flipped at " + at, StoreException.class, () -> replay(true));
            flip(path, at);
        }
        assertEquals(FIRST + 9, replay(true));
    }

    private Path finished() throws IOException {
        Path path = write(true);
        assertEquals(FIRST + 9, replay(true));
        return path;
    }

    /** While the file grew the machine stopped: its length was not synced, and may be anything behind what was. */
    @Test
    public void aFileThatWasGrowingIsReadToWhatIsWhole() throws IOException {
        Path path = temporary.getRoot().toPath().resolve(LogFormat.fileName(FIRST));
        EntryRecord large = EntryRecord.of(1, utf8("cn=x"), List.of(new Attribute("x", List.of(new byte[LogFormat.STEP_BYTES]))),
                List.of());
        long durable;
        try (CommitLog log = CommitLog.create(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE, FIRST, TIME_BEFORE)) {
            log.append(group(FIRST, 1));
            log.sync();
            durable = log.sizeBytes();
            log.append(new LogGroup(FIRST + 1, 1, List.of(List.of(new Operation.Add(7, large, Outside.NONE)))));
            ends.add(log.sizeBytes());
        }
        byte[] whole = Files.readAllBytes(path);
        assertEquals(2 * LogFormat.STEP_BYTES, whole.length);
        for (int length : new int[] {LogFormat.STEP_BYTES, LogFormat.STEP_BYTES + 1, ends.get(0).intValue() - 1}) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertEquals(FIRST, replay(true));
            assertEquals(durable + LogFormat.FRAME_BYTES, Files.size(path));
        }
        for (int length : new int[] {ends.get(0).intValue(), ends.get(0).intValue() + 1, whole.length}) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertEquals(FIRST + 1, replay(true));
        }
    }

    /** As a former version of this program left it: without an end mark, cut off where nothing more was appended. */
    private Path version2(long length) throws IOException {
        Path path = temporary.getRoot().toPath().resolve(LogFormat.fileName(FIRST));
        byte[] bytes = Arrays.copyOf(Files.readAllBytes(path), (int) length);
        ByteBuffer header = ByteBuffer.wrap(bytes).putInt(8, 2);
        header.putInt(LogFormat.HEADER_BYTES - 4, LogFormat.checksum(bytes, 0, LogFormat.HEADER_BYTES - 4));
        return Files.write(path, bytes);
    }

    @Test
    public void aFileOfVersion2IsReadAsItWasLeft() throws IOException {
        write(true);
        Path path = version2(ends.get(4));
        assertEquals(FIRST + 9, replay(true));
        CommitLog.create(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE, FIRST + 10, TIME_BEFORE).finish();
        assertEquals(FIRST + 9, replay(true));
        assertEquals(ends.get(4).longValue(), Files.size(path));
        flip(path, ends.get(3) + 1);
        assertThrows(StoreException.class, () -> replay(true));
    }

    @Test
    public void aTornFileOfVersion2IsCut() throws IOException {
        write(true);
        Path path = version2(ends.get(4) - 1);
        assertEquals(FIRST + 5, replay(true));
        assertEquals(ends.get(3).longValue(), Files.size(path));
        assertEquals(FIRST + 5, replay(true));
    }

    @Test
    public void aFlippedByteInTheMiddleIsRefusedWithFileAndOffset() throws IOException {
        Path path = write(true);
        for (long at = ends.get(1); at < ends.get(3); at++) {
            flip(path, at);
            StoreException e = assertThrows("flipped at " + at, StoreException.class, () -> replay(true));
            assertEquals(StoreException.Kind.CORRUPT, e.kind());
            long start = at < ends.get(2) ? ends.get(1) : ends.get(2);
            assertTrue(e.getMessage(), e.getMessage().startsWith(path + " at offset " + start + ":"));
            flip(path, at);
        }
        assertEquals(FIRST + 9, replay(true));
    }

    @Test
    public void aFlippedByteInTheLastRecordIsCut() throws IOException {
        Path path = write(true);
        byte[] whole = Files.readAllBytes(path);
        for (long at = ends.get(3); at < ends.get(4); at++) {
            flip(path, at);
            warnings.list.clear();
            assertEquals(FIRST + 5, replay(true));
            assertEquals(Level.WARN, warnings.list.get(0).getLevel());
            String warning = warnings.list.get(0).getFormattedMessage();
            assertTrue(warning, warning.startsWith(path + ": torn tail: the last whole record ends at offset " + ends.get(3)));
            Files.write(path, whole);
        }
    }

    @Test
    public void theHeaderKeepsTheTimeOfWhatIsBefore() throws IOException {
        write(true);
        assertEquals(TIME_BEFORE, new StoredLog(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE).timeBefore(FIRST));
    }

    @Test
    public void anOlderVersionIsRefusedByItsNumber() throws IOException {
        Path path = write(true);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(8);
            file.writeInt(1);
        }
        StoreException e = assertThrows(StoreException.class, () -> replay(true));
        assertTrue(e.getMessage(), e.getMessage().contains("version 1") && e.getMessage().contains("expected 3"));
    }

    @Test
    public void aFlippedByteInTheHeaderIsRefused() throws IOException {
        Path path = write(true);
        for (int at = 0; at < LogFormat.HEADER_BYTES; at++) {
            flip(path, at);
            StoreException e = assertThrows(StoreException.class, () -> replay(true));
            assertTrue(e.getMessage(), e.getMessage().startsWith(path + " at offset 0:"));
            flip(path, at);
        }
    }

    @Test
    public void aHoleInUnsyncedRecordsIsATornTail() throws IOException {
        Path path = write(false);
        flip(path, ends.get(1) + 20);
        assertEquals(FIRST, replay(true));
        assertEquals(ends.get(1) + LogFormat.FRAME_BYTES, Files.size(path));
    }

    @Test
    public void aTornFileWithALaterFileIsRefused() throws IOException {
        Path path = finished();
        CommitLog.create(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE, FIRST + 10, TIME_BEFORE).finish();
        assertEquals(FIRST + 9, replay(true));
        flip(path, ends.get(4) - 1);
        StoreException e = assertThrows(StoreException.class, () -> replay(true));
        assertTrue(e.getMessage(), e.getMessage().startsWith(path + " at offset " + ends.get(3)));
    }

    @Test
    public void aMissingFileIsRefused() throws IOException {
        CommitLog.create(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE, FIRST + 10, TIME_BEFORE).finish();
        StoreException e = assertThrows(StoreException.class, () -> replay(true));
        assertTrue(e.getMessage(), e.getMessage().contains("expected a log file that starts with sequence " + FIRST));
        Files.delete(temporary.getRoot().toPath().resolve(LogFormat.fileName(FIRST + 10)));
        assertThrows(StoreException.class, () -> replay(true));
    }

    @Test
    public void aFileWithoutAHeaderIsIgnoredWhenLastAndEmptyBehindOneOfVersion2() throws IOException {
        write(true);
        version2(ends.get(4));
        Files.write(temporary.getRoot().toPath().resolve(LogFormat.fileName(FIRST + 10)), new byte[5]);
        assertEquals(FIRST + 9, replay(true));
    }

    @Test
    public void aFileThatLostItsHeaderIsRefused() throws IOException {
        finished();
        Path path = temporary.getRoot().toPath().resolve(LogFormat.fileName(FIRST + 10));
        for (int length : new int[] {0, 5, LogFormat.STEP_BYTES}) {
            Files.write(path, new byte[length]);
            StoreException e = assertThrows(StoreException.class, () -> replay(true));
            assertTrue(e.getMessage(), e.getMessage().startsWith(path + " at offset 0:"));
        }
    }

    @Test
    public void anotherStoresLogIsRefused() throws IOException {
        write(true);
        StoredLog other = new StoredLog(SystemDisk.INSTANCE, temporary.getRoot().toPath(), new UUID(1, 1));
        StoreException e = assertThrows(StoreException.class, () -> other.replay(FIRST, true, group -> { }));
        assertTrue(e.getMessage(), e.getMessage().contains("another store"));
    }

    @Test
    public void aRecordStoredAsAValueIsNotTakenForARecord() throws IOException {
        byte[] record = Arrays.copyOfRange(Files.readAllBytes(write(true)), ends.get(0).intValue(), ends.get(1).intValue());
        Path path = temporary.getRoot().toPath().resolve(LogFormat.fileName(FIRST));
        try (CommitLog log = CommitLog.create(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE, FIRST, TIME_BEFORE)) {
            log.append(group(FIRST, 1));
            log.sync();
            log.append(new LogGroup(FIRST + 1, 0, List.of(List.of(new Operation.Rename(1, 1, record, List.of(), Outside.NONE)))));
            ends.clear();
            ends.add(log.sizeBytes());
        }
        flip(path, ends.get(0) - 1);
        assertEquals(FIRST, replay(true));
    }

    /** Every group that was synced without an error is there afterwards, and a refused one is not there in part. */
    @Test
    public void everyChangeFailsOnce() throws IOException {
        long changes = Long.MAX_VALUE;
        for (long n = 1; n <= changes; n++) {
            Path folder = temporary.newFolder().toPath();
            FaultyDisk disk = new FaultyDisk(n, n % 2 == 0 ? FaultyDisk.Fault.FOR_EVER : FaultyDisk.Fault.ONCE);
            long acknowledged = scriptedRun(disk, folder);
            changes = acknowledged == FIRST + 9 ? disk.changes() : changes;
            if (acknowledged >= FIRST) {
                long found = new StoredLog(SystemDisk.INSTANCE, folder, STORE).replay(FIRST, true, group -> { });
                assertTrue("fault at " + n + ": acknowledged " + acknowledged + ", found " + found,
                        found == acknowledged || disk.changes() > n && found >= acknowledged);
            }
        }
        assertTrue(changes < 100);
    }

    private static long scriptedRun(FaultyDisk disk, Path folder) throws IOException {
        long acknowledged = FIRST - 1;
        try (CommitLog log = CommitLog.create(disk, folder, STORE, FIRST, TIME_BEFORE)) {
            long end = log.sizeBytes();
            try {
                for (int size = 1; size <= 4; size++) {
                    end = log.sizeBytes();
                    log.append(group(acknowledged + 1, size));
                    log.sync();
                    acknowledged += size;
                }
            } catch (IOException e) {
                takeBack(log, end);
            }
        } catch (IOException e) {
            return FIRST - 1;
        }
        return acknowledged;
    }

    private static void takeBack(CommitLog log, long offset) {
        try {
            log.takeBack(offset);
        } catch (IOException e) {
            assertTrue(e.getMessage().startsWith("injected"));
        }
    }

    /** Of a store that was being made there may be a log, but no manifest yet: there are no data in it, wherever the power went. */
    @Test
    public void aTornEndMarkIsNoRecord() throws IOException {
        LogFolder logs = new LogFolder(SystemDisk.INSTANCE, temporary.getRoot().toPath());
        CommitLog log = CommitLog.create(SystemDisk.INSTANCE, temporary.getRoot().toPath(), STORE, FIRST, TIME_BEFORE);
        log.finish();
        byte[] whole = Files.readAllBytes(log.path());
        for (int torn = LogFormat.HEADER_BYTES; torn <= whole.length; torn++) {
            Files.write(log.path(), Arrays.copyOf(Arrays.copyOf(whole, torn), whole.length));
            assertFalse("torn at " + torn, logs.holdsRecords(log.path()));
        }
        for (int length : new int[] {1, 100, 1 << 8, LogFormat.MAX_PAYLOAD_BYTES, 0x81000000, 0xfffffffe ^ 4}) {
            ByteBuffer record = ByteBuffer.wrap(whole.clone()).putInt(LogFormat.HEADER_BYTES, length);
            Files.write(log.path(), record.array());
            assertTrue("length " + length, logs.holdsRecords(log.path()));
        }
    }
}
