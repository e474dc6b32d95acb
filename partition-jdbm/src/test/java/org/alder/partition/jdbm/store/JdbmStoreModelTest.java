package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.Transaction;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Random transactions, flushes, merges and restarts beside the simplest engine: both always show the same, also to old
 * snapshots.
 */
public class JdbmStoreModelTest {
    private static final int COLORS = 12;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final TestIndexer indexer = new TestIndexer(5, "color");
    private final MemoryStore oracle = new MemoryStore(indexer);
    private final Map<Long, List<String>> colors = new LinkedHashMap<>();
    private final Map<Long, Long> parents = new LinkedHashMap<>();
    private final List<Snapshot[]> held = new ArrayList<>();
    private Random random;
    private Store store;
    private Path folder;
    private int steps;

    private StoreSettings settings() {
        return StoreSettings.defaults().withMemoryLayerBytes(20_000 + random.nextInt(60_000)).withDurability(Durability.NONE, 100)
                .withCacheBytes(random.nextInt(3) * 50_000, 10_000);
    }

    @Test
    public void randomChangesBesideThePlainOracle() throws IOException {
        long seed = Seed.of(JdbmStoreModelTest.class);
        random = new Random(seed);
        folder = temporary.getRoot().toPath().resolve("store");
        store = JdbmStore.open(folder, settings(), indexer);
        for (steps = 0; steps < 3000; steps++) {
            step();
            if (steps % 250 == 249) {
                compareAll();
            }
        }
        held.forEach(pair -> pair[1].close());
        store.close();
        StoreTests.assertFilesSound(folder);
    }

    private void step() {
        int choice = random.nextInt(1000);
        if (choice < 500 || colors.isEmpty()) {
            addOne();
        } else if (choice < 700) {
            recolor();
        } else if (choice < 780) {
            rename();
        } else if (choice < 960) {
            deleteLeaf();
        } else if (choice < 968) {
            inParts();
        } else if (choice < 975) {
            failing();
        } else {
            maintain(choice);
        }
    }

    private void maintain(int choice) {
        if (choice < 980) {
            store.maintenance().flush();
        } else if (choice < 983) {
            store.maintenance().compact();
        } else if (choice < 986) {
            store.maintenance().clearCaches();
        } else if (choice < 990) {
            restart();
        } else if (held.size() < 4) {
            held.add(new Snapshot[] {oracle.snapshot(), store.snapshot()});
        } else {
            Snapshot[] pair = held.remove(random.nextInt(held.size()));
            StoreTests.assertSame("held snapshot, step " + steps, 2, pair[0], pair[1]);
            pair[0].close();
            pair[1].close();
        }
    }

    private void restart() {
        held.forEach(pair -> pair[1].close());
        held.clear();
        store.close();
        store = JdbmStore.open(folder, settings(), indexer);
    }

    private void both(Transaction<Object> transaction) {
        oracle.submit(transaction).join();
        store.submit(transaction).join();
    }

    private long someId() {
        List<Long> ids = new ArrayList<>(colors.keySet());
        return ids.get(random.nextInt(ids.size()));
    }

    private List<String> someColors() {
        List<String> some = new ArrayList<>();
        for (int i = 0; i < COLORS; i++) {
            if (random.nextInt(4) == 0) {
                some.add("color" + i);
            }
        }
        return some;
    }

    /** A transaction whose parts see what those before them wrote. */
    private void inParts() {
        List<String> own = someColors();
        String name = "n" + steps;
        boolean fails = random.nextInt(3) == 0;
        Transaction<Object> transaction = context -> {
            long sequence = context.state().sequence();
            long top = context.allocateId();
            context.add(top, StoreTests.entry(0, name, own.toArray(new String[0])));
            assertNull(context.state().entry(top));
            context.advance();
            assertEquals(new TreeSet<>(own), StoreTests.colors(context.state(), top));
            long leaf = context.allocateId();
            context.add(leaf, StoreTests.entry(top, name + "leaf", "color1"));
            context.modify(top, StoreTests.recolor(own, List.of("color98", "color99")));
            context.advance();
            assertEquals(IdSet.of(leaf), context.state().ids(HierarchyKeys.INDEX, HierarchyKeys.children(top)));
            context.rename(leaf, 0, StoreTests.utf8("cn=" + name + "moved"), List.of());
            context.advance();
            assertEquals(0, context.state().cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(top)));
            context.delete(top);
            assertEquals(sequence, context.state().sequence());
            if (fails) {
                throw new IllegalStateException("as wanted");
            }
            colors.put(leaf, List.of("color1"));
            parents.put(leaf, 0L);
            return null;
        };
        if (fails) {
            assertThrows(CompletionException.class, () -> oracle.submit(transaction).join());
            assertThrows(CompletionException.class, () -> store.submit(transaction).join());
            // A restart would give its IDs to others, which the oracle does not: one that is higher is logged first.
            addOne();
        } else {
            both(transaction);
        }
    }

    private void addOne() {
        long parent = colors.isEmpty() || random.nextInt(20) == 0 ? 0 : someId();
        List<String> own = someColors();
        String name = "n" + steps;
        both(context -> {
            long id = context.allocateId();
            context.add(id, StoreTests.entry(parent, name, own.toArray(new String[0])));
            colors.put(id, own);
            parents.put(id, parent);
            return null;
        });
    }

    private List<AttributeDelta> recoloring(long id) {
        List<String> before = colors.get(id);
        List<String> after = someColors();
        colors.put(id, after);
        return StoreTests.recolor(before.stream().filter(color -> !after.contains(color)).toList(),
                after.stream().filter(color -> !before.contains(color)).toList());
    }

    private void recolor() {
        long id = someId();
        long other = someId();
        List<AttributeDelta> first = recoloring(id);
        List<AttributeDelta> second = other == id ? null : recoloring(other);
        both(context -> {
            context.modify(id, first);
            if (second != null) {
                context.modify(other, second);
            }
            return null;
        });
    }

    private void rename() {
        long id = someId();
        long parent = random.nextInt(10) == 0 ? 0 : someId();
        for (long above = parent; above != 0; above = parents.get(above)) {
            if (above == id) {
                return;
            }
        }
        parents.put(id, parent);
        List<AttributeDelta> deltas = recoloring(id);
        byte[] rdn = StoreTests.utf8("cn=r" + steps);
        both(context -> {
            context.rename(id, parent, rdn, deltas);
            return null;
        });
    }

    private void deleteLeaf() {
        long id = someId();
        if (parents.containsValue(id)) {
            return;
        }
        colors.remove(id);
        parents.remove(id);
        both(context -> {
            context.delete(id);
            return null;
        });
    }

    /** A transaction that throws after writing changes nothing. */
    private void failing() {
        long id = someId();
        List<AttributeDelta> deltas = StoreTests.recolor(colors.get(id), List.of());
        try {
            store.submit(context -> {
                context.modify(id, deltas);
                throw new IllegalArgumentException("on purpose");
            }).join();
            throw new AssertionError("did not fail");
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof IllegalArgumentException)) {
                throw e;
            }
        }
    }

    private void compareAll() {
        try (Snapshot expected = oracle.snapshot(); Snapshot found = store.snapshot()) {
            StoreTests.assertSame("step " + steps, 2, expected, found);
        }
        for (Snapshot[] pair : held) {
            StoreTests.assertSame("held snapshot, step " + steps, 2, pair[0], pair[1]);
        }
        if (store.maintenance().status().entries() != colors.size()) {
            throw new AssertionError("step " + steps + ": " + store.maintenance().status().entries()
                    + " entries counted, there are "
                    + colors.size());
        }
    }
}
