package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryTree;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A store that has given all entry IDs gives those again that nothing is known of any more, and mistakes no entry for the one that had its ID before. */
public class ReusedIdsTest {
    private static final int ROUNDS = 24;
    private static final int MOST_LEFT = 100;
    private static final int STEPS = 50;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final TestIndexer indexer = new TestIndexer("color");
    private final Random random = Seed.random(ReusedIdsTest.class);
    private final Map<Long, String> names = new TreeMap<>();
    private final Map<Long, Long> parents = new HashMap<>();
    private final Map<Long, String> colors = new HashMap<>();
    private final Set<Long> deletedIds = new HashSet<>();
    private Path folder;
    private JdbmStore store;
    private EntryTree tree;
    private int number;
    private int again;

    private StoreSettings settings() {
        return StoreSettings.defaults().withMemoryLayerBytes(20_000 + random.nextInt(60_000)).withDurability(Durability.NONE, 100).withChangeHistory(4 << 20);
    }

    /** Has the store think that it has given all IDs but a few once more. */
    private void giveNearlyAll() throws IOException {
        int left = random.nextInt(4) == 0 ? 3 : 1;
        while (names.size() > left) {
            deleteLeaf();
        }
        store.maintenance().compact();
        if (random.nextBoolean()) {
            skipNearlyAll();
        } else {
            store.close();
            Manifest now = ManifestFile.read(folder);
            ManifestFile.write(SystemDisk.INSTANCE, folder, new Manifest(now.storeId(), now.generation(), nearlyAll(now.givenIds()), now.entries(),
                    now.lastFlushed(), now.firstLog(), now.nextSegment(), now.fingerprint(), now.indexes(), now.segments()));
            store = JdbmStore.open(folder, settings(), indexer);
        }
    }

    private long nearlyAll(long given) {
        return ((given + MOST_LEFT) / IdSet.MAX_ID + 1) * IdSet.MAX_ID - random.nextInt(MOST_LEFT);
    }

    /** While it is open, so that it remembers names. */
    private void skipNearlyAll() {
        EntryIds ids = store.ids();
        long end = nearlyAll(ids.count());
        while (ids.count() < end) {
            long next = Math.min(end, ids.count() + IdSet.MAX_ID / 3);
            ids.seen(List.of(new Operation.Keep((next - 1) % IdSet.MAX_ID + 1, "key", null)));
        }
        assertTrue(ids.count() >= end);
    }

    private long some() {
        List<Long> ids = new ArrayList<>(names.keySet());
        return ids.get(random.nextInt(ids.size()));
    }

    private void add() {
        long parent = names.isEmpty() ? HierarchyKeys.NO_PARENT : some();
        String color = "color" + random.nextInt(5);
        String name = "n" + number++;
        long id = StoreTests.add(store, parent, name, color);
        assertEquals("ID " + id + " has an entry", null, names.put(id, name));
        again += deletedIds.remove(id) ? 1 : 0;
        parents.put(id, parent);
        colors.put(id, color);
    }

    private void deleteLeaf() {
        long id = some();
        if (parents.containsValue(id) || parents.get(id) == HierarchyKeys.NO_PARENT) {
            return;
        }
        StoreTests.delete(store, id);
        names.remove(id);
        parents.remove(id);
        colors.remove(id);
        deletedIds.add(id);
    }

    private void step() {
        int choice = random.nextInt(100);
        if (names.size() < 5 || choice < 60) {
            add();
        } else if (choice < 90) {
            deleteLeaf();
        } else if (choice < 96) {
            store.maintenance().flush();
        } else {
            // Deleted entries are not known any more.
            store.maintenance().compact();
        }
    }

    private String dn(long id) {
        return "cn=" + names.get(id) + (parents.get(id) == HierarchyKeys.NO_PARENT ? "" : "," + dn(parents.get(id)));
    }

    private void compare() {
        try (Snapshot now = store.snapshot()) {
            assertEquals(names.size(), store.maintenance().status().entries());
            for (long id : names.keySet()) {
                assertEquals("names are remembered", dn(id), tree.dnOf(now, id));
                assertEquals(Set.of(colors.get(id)), StoreTests.colors(now, id));
            }
            for (int i = 0; i < 5; i++) {
                String color = "color" + i;
                assertEquals(new TreeSet<>(colors.keySet().stream().filter(id -> colors.get(id).equals(color)).toList()),
                        ids(now.ids(1, StoreTests.utf8(color))));
            }
        }
    }

    private static TreeSet<Long> ids(IdSet set) {
        TreeSet<Long> ids = new TreeSet<>();
        for (IdSet.IdIterator each = set.iterator(); each.hasNext();) {
            ids.add(each.next());
        }
        return ids;
    }

    private Dn dnOf(String text) {
        try {
            return Dn.parse(TextDirectory.SCHEMA, text);
        } catch (DirectoryException e) {
            throw new AssertionError(e);
        }
    }

    /** What a copy would be that goes on from a state. */
    private void compareHistory(Csn since, Map<Long, String> before) {
        try (Snapshot now = store.snapshot()) {
            ChangeHistory history = store.feed().changes(since, now);
            assertEquals(ChangeHistory.Answer.KNOWN, history.answer());
            Set<String> copy = new TreeSet<>(before.values());
            history.deleted().forEach(identity -> copy.remove(new String(identity, StandardCharsets.UTF_8).substring("cn=".length())));
            ids(history.changed()).forEach(id -> copy.add(names.get(id)));
            assertEquals(new TreeSet<>(names.values()), copy);
        }
    }

    @Test
    public void givesIdsAgainOfWhichNothingIsKnown() throws IOException {
        folder = temporary.getRoot().toPath().resolve("store");
        store = JdbmStore.open(folder, settings(), indexer);
        add();
        tree = new EntryTree(dnOf("cn=n0"));
        Map<Long, String> before = Map.of();
        Csn since = null;
        for (int round = 0; round < ROUNDS; round++) {
            if (since == null || random.nextInt(3) == 0) {
                before = new TreeMap<>(names);
                try (Snapshot now = store.snapshot()) {
                    since = now.csn();
                }
            }
            for (int i = 0; i < STEPS; i++) {
                step();
                if (random.nextInt(10) == 0) {
                    compare();
                }
            }
            compare();
            compareHistory(since, before);
            if (random.nextInt(3) == 0) {
                giveNearlyAll();
            } else if (random.nextInt(3) == 0) {
                long given = store.maintenance().status().givenIds();
                store.close();
                store = JdbmStore.open(folder, settings(), indexer);
                assertTrue(store.maintenance().status().givenIds() <= given);
            }
            compare();
        }
        store.close();
        StoreTests.assertFilesSound(folder);
        assertTrue("few were given again: " + again, again > 10);
    }
}
