package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.WriteContext;

/**
 * Everything a store does, in a fixed order: adds, modifications, renames and deletions, flushes, a merge, a restart, a bulk load
 * over it, and more of the same; all the while the values of an entry {@code cn=group} go out of its record and back, and system records come and go. Each
 * transaction counts itself in entry 1, so that the state found after a fault says how far it is; what the state must then be was
 * found out beforehand with a {@link MemoryStore}.
 */
final class FaultScript {
    static final TestIndexer INDEXER = new TestIndexer(3, "color").withValueTable(4);
    static final StoreSettings SETTINGS = StoreSettings.defaults().withChangeHistory(1000).withBackgroundCompaction(false)
            .withCacheBytes(0, 0)
            .withMerging(Long.MAX_VALUE, true);
    private static final int STEPS_BEFORE_LOAD = 14;
    private static final int STEPS = 20;
    private static final int LOADED_ENTRIES = 30;

    /** The state after each step; a bulk load is one. */
    private final List<Snapshot> states = new ArrayList<>();

    FaultScript() {
        MemoryStore oracle = new MemoryStore(INDEXER);
        states.add(oracle.snapshot());
        for (int step = 1; step <= STEPS; step++) {
            if (step == STEPS_BEFORE_LOAD + 1) {
                oracle = new MemoryStore(INDEXER);
                for (int id = 1; id <= LOADED_ENTRIES; id++) {
                    EntryRecord record = loaded(id);
                    oracle.submit(context -> {
                        context.add(context.allocateId(), record);
                        return null;
                    }).join();
                }
            } else {
                transact(oracle, step);
            }
            states.add(oracle.snapshot());
        }
    }

    /** Does it all. The run tells of each acknowledged step; it ends with the first exception. */
    void run(Path folder, Disk disk, Run run) {
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, INDEXER, disk)) {
            run.opened(store);
            for (int step = 1; step <= STEPS_BEFORE_LOAD; step++) {
                transact(store, step);
                run.acknowledged(step);
                if (step % 4 == 0) {
                    store.flush();
                }
                if (step == 10) {
                    store.compact();
                }
            }
        }
        try (BulkLoad load = JdbmStore.bulkLoad(folder, SETTINGS, INDEXER, disk)) {
            for (int id = 1; id <= LOADED_ENTRIES; id++) {
                load.add(id, loaded(id));
            }
            load.publish((phase, done, total) -> { });
        }
        run.acknowledged(STEPS_BEFORE_LOAD + 1);
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, INDEXER, disk)) {
            run.opened(store);
            for (int step = STEPS_BEFORE_LOAD + 2; step <= STEPS; step++) {
                transact(store, step);
                run.acknowledged(step);
            }
            store.compact();
        }
    }

    /** Follows a run. */
    interface Run {
        void acknowledged(int step);

        default void opened(JdbmStore store) {
        }
    }

    private static void transact(Store store, int step) {
        store.submit(context -> {
            write(context, step);
            return null;
        }).join();
    }

    private static void write(WriteContext context, int step) {
        if (step == 1) {
            context.add(context.allocateId(), counter(1));
            return;
        }
        context.modify(1, List.of(new AttributeDelta("steps", false, List.of(StoreTests.utf8("" + (step - 1))),
                List.of(StoreTests.utf8("" + step)))));
        if (step % 2 == 0) {
            context.advance();
        }
        writeEntries(context, step);
        writeGroup(context, group(step - 1), group(step));
        writeRecords(context, step);
    }

    /** Three of them come and go, so that those that are there differ from step to step. */
    private static void writeRecords(WriteContext context, int step) {
        context.putSystemRecord("step/" + step % 3, StoreTests.utf8("of step " + step));
        if (step % 4 == 3) {
            context.putSystemRecord("step/" + (step + 1) % 3, null);
        }
    }

    private static void writeEntries(WriteContext context, int step) {
        switch (step % 5) {
            case 0 -> context.rename(step - 2, 1, StoreTests.utf8("cn=renamed" + step), List.of());
            case 4 -> context.modify(step - 1, StoreTests.recolor(List.of("red"), List.of("blue", "green")));
            case 1 -> context.delete(step - 3);
            default -> {
                context.add(context.allocateId(), StoreTests.entry(1, "a" + step, "red"));
                context.add(context.allocateId(), StoreTests.entry(1, "b" + step, "red"));
            }
        }
    }

    /** The group's colours after a step, more than four of them outside of its record; none where there is no group. */
    private static List<String> group(int step) {
        return switch (step) {
            case 2 -> colors(0, 3);
            case 3 -> colors(0, 8);
            case 4 -> colors(0, 9);
            case 5 -> colors(2, 9);
            case 6 -> colors(2, 4);
            case 7 -> colors(2, 10);
            case 8 -> colors(20, 28);
            case 9 -> colors(21, 28);
            case 10 -> colors(21, 30);
            case 13 -> colors(0, 7);
            case 14 -> colors(1, 9);
            case 15 -> colors(0, 9);
            case 16 -> colors(1, 9);
            case 17 -> colors(1, 12);
            case 18 -> colors(1, 3);
            case 19 -> colors(1, 8);
            default -> List.of();
        };
    }

    private static List<String> colors(int from, int to) {
        return IntStream.range(from, to).mapToObj(color -> "Color " + color).toList();
    }

    private static void writeGroup(WriteContext context, List<String> before, List<String> after) {
        if (before.isEmpty() && !after.isEmpty()) {
            context.add(context.allocateId(), StoreTests.entry(1, "group", after.toArray(String[]::new)));
        } else if (!before.isEmpty()) {
            byte[] key = HierarchyKeys.rdn(1, StoreTests.utf8("cn=group"));
            long id = context.state().ids(HierarchyKeys.INDEX, key).iterator().next();
            if (after.isEmpty()) {
                context.delete(id);
            } else {
                context.modify(id, StoreTests.recolor(without(before, after), without(after, before)));
            }
        }
    }

    private static List<String> without(List<String> colors, List<String> others) {
        return colors.stream().filter(color -> !others.contains(color)).toList();
    }

    private static EntryRecord counter(int step) {
        return EntryRecord.of(0, StoreTests.utf8("cn=top"), List.of(new Attribute("steps",
                List.of(StoreTests.utf8("" + step)))), List.of());
    }

    private static EntryRecord loaded(int id) {
        return switch (id) {
            case 1 -> counter(STEPS_BEFORE_LOAD + 1);
            case LOADED_ENTRIES -> StoreTests.entry(1, "group", group(STEPS_BEFORE_LOAD + 1).toArray(String[]::new));
            default -> StoreTests.entry(1, "loaded" + id, "red");
        };
    }

    /**
     * What is found after a fault: all that was acknowledged, at most the one step more that was under way, nothing in part, and
     * files that are sound.
     */
    void assertWhole(String when, Path folder, int acknowledged) {
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, INDEXER, FaultyDisk.sound());
                Snapshot snapshot = store.snapshot()) {
            EntryRecord top = snapshot.entry(1);
            int found = top == null ? 0 : Integer.parseInt(new String(top.userAttributes().get(0).values().get(0),
                    StandardCharsets.UTF_8));
            assertTrue(when + ": acknowledged " + acknowledged + " steps, found " + found,
                    found == acknowledged || found == acknowledged + 1);
            StoreTests.assertSame(when, INDEXER.indexes().size(), states.get(found), snapshot);
            StoreTests.add(store, 0, "after", "red");
        } catch (RuntimeException e) {
            throw new AssertionError(when + ": " + e, e);
        }
        StoreTests.assertFilesSound(folder);
    }
}
