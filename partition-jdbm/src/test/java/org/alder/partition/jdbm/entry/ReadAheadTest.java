package org.alder.partition.jdbm.entry;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ReadAheadTest {
    private static final long SLOW = 1_000_000;
    private static final long QUICK = 1_000;
    private static final int EVEN_IDS = 5_000;
    private static final int BATCH = ReadAhead.BATCH_IDS;
    private static final int WINDOW = ReadAhead.MAX_BATCHES * BATCH;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<Runnable> batches = new ArrayList<>();
    private final Random random = new Random(1);
    private final IdSet even = IdSet.of(LongStream.rangeClosed(1, EVEN_IDS).map(number -> 2 * number).toArray());
    private TableSummary summary;

    private Path file() {
        return folder.getRoot().toPath().resolve("master.entries");
    }

    @Before
    public void writeEntries() throws IOException {
        summary = write(2 * EVEN_IDS, 40);
    }

    private TableSummary write(int count, int size) throws IOException {
        try (EntryFileWriter writer = new EntryFileWriter(SystemDisk.INSTANCE, file(), EntryCodec.NONE)) {
            for (long id = 1; id <= count; id++) {
                byte[] value = new byte[size];
                random.nextBytes(value);
                writer.add(id, EntryRecord.of(0, ("cn=" + id).getBytes(StandardCharsets.UTF_8), List.of(new Attribute("description", List.of(value))),
                        List.of()));
            }
            return writer.finish();
        }
    }

    private ReadAhead readAhead(EntryFile entries) {
        return new ReadAhead(entries, even, batches::add);
    }

    @Test
    public void quickReadsAndOneSlowOneStartNothing() throws IOException {
        try (EntryFile entries = EntryFile.open(file(), summary)) {
            ReadAhead ahead = readAhead(entries);
            for (long id = 2; id < 1_000; id += 2) {
                ahead.read(id, id == 500 ? SLOW : QUICK);
            }
            assertEquals(0, batches.size());
        }
    }

    @Test
    public void afterTwoSlowReadsAWindowIsKeptAheadOfTheReaderUpToTheEnd() throws IOException {
        try (EntryFile entries = EntryFile.open(file(), summary)) {
            ReadAhead ahead = readAhead(entries);
            ahead.read(2, SLOW);
            ahead.read(100, SLOW);
            for (long id = 102; id <= 2 * EVEN_IDS; id += 2) {
                ahead.read(id, QUICK);
                long last = Math.min(2 * EVEN_IDS, 100 + 2L * BATCH * batches.size() - 2);
                long idsAhead = (last - id) / 2;
                assertTrue(idsAhead + " IDs ahead of " + id, idsAhead <= WINDOW + BATCH);
                assertTrue("nothing ahead of " + id, idsAhead > 0 || id > 2 * EVEN_IDS - 4 * BATCH);
            }
            int fetched = EVEN_IDS - 100 / 2 + 1;
            assertEquals((fetched + BATCH - 1) / BATCH, batches.size());
            batches.forEach(Runnable::run);
        }
    }

    @Test
    public void ofABatchOfLargeGroupsOnlySomeAreFetched() throws IOException {
        Files.delete(file());
        summary = write(16 * 2 * BATCH, ReadAhead.BATCH_BYTES / 64);
        try (EntryFile entries = EntryFile.open(file(), summary)) {
            long[] oneOfEachGroup = LongStream.range(0, BATCH).map(group -> 1 + 16 * group).toArray();
            assertEquals("four groups have as many bytes as a batch may", 4, readAhead(entries).fetchGroups(oneOfEachGroup, BATCH));
        }
    }

    @Test
    public void fetchingFromAClosedFileHarmsNobody() throws IOException {
        try (EntryFile entries = EntryFile.open(file(), summary)) {
            ReadAhead ahead = readAhead(entries);
            ahead.read(2, SLOW);
            ahead.read(4, SLOW);
        }
        assertTrue(batches.size() > 1);
        batches.forEach(Runnable::run);
    }

    @Test
    public void aFinderThatReadsAheadFindsWhatOneWithoutFinds() throws IOException {
        try (EntryFile entries = EntryFile.open(file(), summary)) {
            EntryFinder plain = entries.finder(IdSet.EMPTY);
            EntryFinder ahead = entries.finder(even);
            for (long id = 0; id <= 2 * EVEN_IDS + 2; id += 3) {
                assertEquals("entry " + id, plain.entry(id), ahead.entry(id));
            }
        }
    }
}
