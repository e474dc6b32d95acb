package org.alder.partition.jdbm.write;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.log.CommitLog;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.log.Outside;
import org.alder.partition.jdbm.memory.ChangeSet;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a transaction says it takes in the log bounds what it takes: a longer log record than there may be ends all writing. */
public class WriteBatchTest {
    private static final int HEADERS_BYTES = 100;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static List<byte[]> values(Random random) {
        List<byte[]> values = new ArrayList<>();
        for (int i = random.nextInt(50); i > 0; i--) {
            values.add(new byte[random.nextInt(3) * random.nextInt(200)]);
        }
        return values;
    }

    private static List<AttributeDelta> deltas(Random random) {
        List<AttributeDelta> deltas = new ArrayList<>();
        for (int i = random.nextInt(20); i > 0; i--) {
            String description = String.join("", Collections.nCopies(random.nextInt(100), random.nextBoolean() ? "x" : "\u20ac"));
            deltas.add(new AttributeDelta(description, random.nextBoolean(), values(random), values(random)));
        }
        return deltas;
    }

    private static void fill(WriteBatch batch, Random random) {
        long id = (1L << 32) - 1 - random.nextInt(10);
        switch (random.nextInt(4)) {
            case 0 -> batch.add(id, EntryRecord.of(1, StoreTests.utf8("cn=a"), List.of(), List.of()));
            case 1 -> batch.modify(id, deltas(random));
            case 2 -> batch.rename(id, id - 1, StoreTests.utf8("cn=" + "b".repeat(random.nextInt(300))), deltas(random));
            default -> batch.delete(id);
        }
    }

    /** As the writer logs it: with the identity of what is deleted, and what was decided about large attributes. */
    private static Operation logged(Operation operation, Random random) {
        return operation instanceof Operation.Delete ? new Operation.Delete(operation.id(), new byte[16])
                : operation.with(random.nextBoolean() ? Outside.NONE : outside(random));
    }

    private static Outside outside(Random random) {
        List<Outside.Moved> moved = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            moved.add(new Outside.Moved(random.nextInt(256), "\u20ac".repeat(random.nextInt(100))));
        }
        return new Outside(random.nextBoolean(), moved, values(random));
    }

    @Test
    public void itsSizeIsABound() throws IOException {
        long seed = Seed.of(WriteBatchTest.class);
        Random random = new Random(seed);
        Path path = folder.getRoot().toPath();
        TestIndexer indexer = new TestIndexer("color");
        LayerSet layers = new LayerSet(List.of(), List.of(new MemoryLayer(indexer.indexes().size(), 0)), IndexTables.of(indexer));
        try (CommitLog log = CommitLog.create(SystemDisk.INSTANCE, path, UUID.randomUUID(), 1, 0)) {
            for (int i = 1; i <= 300; i++) {
                try (WriteBatch batch = new WriteBatch(layers, 0, 0, new BoundedDnMemo(1000), SystemRecords.NONE, indexer, new EntryIds(0), Long.MAX_VALUE)) {
                    for (int operations = random.nextInt(30); operations >= 0; operations--) {
                        fill(batch, random);
                    }
                    long before = log.sizeBytes();
                    List<Operation> logged = batch.operations().stream().map(each -> logged(each, random)).toList();
                    log.append(new LogGroup(i, 0, List.of(logged)));
                    long found = log.sizeBytes() - before;
                    long said = batch.sizeBytes() + new ChangeSet(logged, List.of(), List.of(), false).outsideBytes();
                    assertTrue("seed " + seed + ": " + found + " bytes, said " + said, found <= said + HEADERS_BYTES);
                }
            }
        }
    }
}
