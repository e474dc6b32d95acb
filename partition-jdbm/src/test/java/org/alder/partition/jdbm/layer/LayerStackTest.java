package org.alder.partition.jdbm.layer;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.KeyRange;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class LayerStackTest {
    private static final byte[] KEY = {'k'};

    private static EntryVersion version(int number) {
        return new EntryVersion(EntryRecord.of(1, ("cn=" + number).getBytes(StandardCharsets.UTF_8), List.of(), List.of()));
    }

    @Test
    public void anEmptyStackIsAnEmptyState() {
        LayerStack stack = LayerStack.whole(List.of(), 1);
        assertNull(stack.entry(1));
        assertSame(IdSetDelta.EMPTY, stack.ids(0, KEY));
        assertEquals(0, stack.netCardinality(0, KEY));
        assertFalse(stack.keys(0).next());
        assertFalse(stack.entries().next());
        assertFalse("again", stack.entries().next());
    }

    @Test
    public void aTombstoneHidesTheEntryBelow() {
        MapLayer older = new MapLayer();
        MapLayer newer = new MapLayer();
        older.entries.put(7L, version(1));
        newer.entries.put(7L, EntryVersion.DELETED);
        assertNull(LayerStack.whole(List.of(older, newer), 1).entry(7));
        assertFalse(LayerStack.whole(List.of(older, newer), 1).entries().next());
        assertTrue(LayerStack.slice(List.of(older, newer), 1).entry(7).isDeleted());
        EntryVersionCursor slice = LayerStack.slice(List.of(older, newer), 1).entries();
        assertTrue(slice.next());
        assertTrue(slice.version().isDeleted());
        assertFalse(slice.next());
    }

    @Test
    public void aKeyWhoseSetIsEmptyIsLeftOutOfAWholeStackOnly() {
        MapLayer older = new MapLayer();
        MapLayer newer = new MapLayer();
        older.index(0).put(KEY, IdSetDelta.adding(IdSet.of(3)));
        newer.index(0).put(KEY, new IdSetDelta(IdSet.EMPTY, IdSet.of(3)));
        assertFalse(LayerStack.whole(List.of(older, newer), 1).keys(0).next());
    }

    @Test
    public void aSliceKeepsAKeyThatTradesOneIdForAnother() {
        MapLayer layer = new MapLayer();
        IdSetDelta trade = new IdSetDelta(IdSet.of(4), IdSet.of(3));
        layer.index(0).put(KEY, trade);
        KeyDeltaCursor keys = LayerStack.slice(List.of(layer), 1).keys(0);
        assertTrue(keys.next());
        assertEquals(0, keys.netCardinality());
        assertEquals(trade, keys.delta());
    }

    @Test
    public void onlyWhatOneLayerHasAloneIsGivenAsItIsStored() {
        MapLayer older = new MapLayer();
        MapLayer newer = new MapLayer();
        older.isStored = true;
        newer.isStored = true;
        for (int i = 0; i < 9; i++) {
            older.index(0).put(new byte[] {(byte) i}, IdSetDelta.adding(IdSet.of(3)));
        }
        newer.index(0).put(new byte[] {4}, IdSetDelta.adding(IdSet.of(5)));
        newer.index(0).put(new byte[] {6, 1}, IdSetDelta.adding(IdSet.of(5, 6)));
        newer.index(0).put(new byte[] {9}, IdSetDelta.adding(IdSet.of(5)));
        KeyDeltaCursor keys = LayerStack.slice(List.of(older, newer), 1).keys(0);
        StringBuilder found = new StringBuilder();
        while (keys.next()) {
            byte[] stored = keys.stored();
            found.append(HexFormat.of().formatHex(keys.key())).append('=').append(stored == null ? "folded" : stored[0]).append(' ');
        }
        assertEquals("00=1 01=1 02=1 03=1 04=folded 05=1 06=1 0601=2 07=1 08=1 09=1 ", found.toString());
    }

    /** Who has taken a hundred thousand values out must not make each look-up of another one walk over where they were. */
    @Test
    public void whatWasTakenOutBehindARangeIsNotWalkedOver() {
        MapLayer older = new MapLayer();
        MapLayer newer = new MapLayer();
        for (int i = 0; i < 1000; i++) {
            byte[] key = {'k', (byte) (i >> 8), (byte) i};
            older.index(0).put(key, IdSetDelta.adding(IdSet.of(3)));
            newer.index(0).put(key, new IdSetDelta(IdSet.EMPTY, IdSet.of(3)));
        }
        older.index(0).put(new byte[] {'z'}, IdSetDelta.adding(IdSet.of(3)));
        LayerStack stack = LayerStack.whole(List.of(older, newer), 1);
        assertFalse(stack.keys(0, KeyRange.ofPrefix(new byte[] {'k', 0, 7})).next());
        assertEquals("that key and the one behind it", 2, older.steps);
        assertEquals(2, newer.steps);
        KeyDeltaCursor last = stack.keys(0, KeyRange.from(new byte[] {'l'}));
        assertTrue(last.next());
        assertArrayEquals(new byte[] {'z'}, last.key());
        assertFalse(last.next());
        assertFalse("a range that ends before it begins is empty",
                stack.keys(0, new KeyRange(new byte[] {'z'}, new byte[] {'k'})).next());
    }

    @Test
    public void everyStackEqualsThePlainState() {
        Random random = Seed.random(LayerStackTest.class);
        for (int round = 0; round < 300; round++) {
            Model model = new Model();
            List<MapLayer> layers = new ArrayList<>();
            int count = random.nextInt(6);
            for (int i = 0; i < count; i++) {
                layers.add(model.nextLayer(random));
            }
            LayerStack stack = LayerStack.whole(layers, 1);
            model.verify(stack, random);
            int cut = random.nextInt(count + 1);
            MapLayer merged = copy(LayerStack.slice(layers.subList(cut, count), 1));
            List<MapLayer> shorter = new ArrayList<>(layers.subList(0, cut));
            shorter.add(merged);
            model.verify(LayerStack.whole(shorter, 1), random);
        }
    }

    private static MapLayer copy(SegmentSource source) {
        MapLayer copy = new MapLayer();
        for (EntryVersionCursor entries = source.entries(); entries.next();) {
            assertNull("twice", copy.entries.put(entries.id(), entries.version()));
        }
        for (KeyDeltaCursor keys = source.keys(0); keys.next();) {
            assertEquals(keys.delta().netCardinality(), keys.netCardinality());
            assertNull("twice", copy.index(0).put(keys.key(), keys.delta()));
        }
        return copy;
    }

    /** The state as plain maps, and the layers that lead to it. */
    private static final class Model {
        private final TreeMap<Long, EntryVersion> entries = new TreeMap<>();
        private final TreeMap<String, TreeSet<Long>> keys = new TreeMap<>();
        private int versions;

        MapLayer nextLayer(Random random) {
            MapLayer layer = new MapLayer();
            for (int i = random.nextInt(20); i > 0; i--) {
                long id = 1 + random.nextInt(30);
                EntryVersion version = random.nextInt(3) == 0 ? EntryVersion.DELETED : version(++versions);
                layer.entries.put(id, version);
                entries.put(id, version);
            }
            for (int i = random.nextInt(8); i > 0; i--) {
                changeKey("k" + random.nextInt(12), layer, random);
            }
            return layer;
        }

        private void changeKey(String key, MapLayer layer, Random random) {
            IdSetDelta before = layer.ids(0, key.getBytes(StandardCharsets.UTF_8), 1);
            TreeSet<Long> ids = keys.computeIfAbsent(key, absent -> new TreeSet<>());
            IdSet state = set(ids);
            for (int i = random.nextInt(10); i > 0; i--) {
                long id = 1 + random.nextInt(15);
                if (!ids.remove(id)) {
                    ids.add(id);
                }
            }
            IdSetDelta change = new IdSetDelta(set(ids).andNot(state), state.andNot(set(ids)));
            layer.index(0).put(key.getBytes(StandardCharsets.UTF_8), IdSetDelta.fold(before, change));
        }

        private static IdSet set(TreeSet<Long> ids) {
            return IdSet.of(ids.stream().mapToLong(Long::longValue).toArray());
        }

        void verify(LayerStack stack, Random random) {
            EntryFinder finder = stack.finder(IdSet.EMPTY);
            for (long id = 0; id < 35; id++) {
                EntryVersion expected = entries.get(id);
                assertEquals(expected == null || expected.isDeleted() ? null : expected, stack.entry(id));
                assertEquals(stack.entry(id), finder.entry(id));
            }
            for (int i = 0; i < 13; i++) {
                IdSet expected = set(keys.getOrDefault("k" + i, new TreeSet<>()));
                assertEquals(IdSetDelta.adding(expected), stack.ids(0, ("k" + i).getBytes(StandardCharsets.UTF_8)));
                assertEquals(expected.cardinality(), stack.netCardinality(0, ("k" + i).getBytes(StandardCharsets.UTF_8)));
            }
            verifyEntries(stack, random.nextInt(35));
            verifyKeys(stack, "k" + random.nextInt(15), null);
            verifyKeys(stack, "k" + random.nextInt(15), "k" + random.nextInt(15));
            verifyKeys(stack, "", null);
        }

        private void verifyEntries(LayerStack stack, long from) {
            EntryVersionCursor cursor = stack.entries(from);
            for (Map.Entry<Long, EntryVersion> expected : entries.tailMap(from).entrySet()) {
                if (!expected.getValue().isDeleted()) {
                    assertTrue(cursor.next());
                    assertEquals((long) expected.getKey(), cursor.id());
                    assertEquals(expected.getValue(), cursor.version());
                }
            }
            assertFalse(cursor.next());
            assertFalse("from then on", cursor.next());
        }

        private void verifyKeys(LayerStack stack, String from, String to) {
            KeyDeltaCursor cursor = stack.keys(0, new KeyRange(from.getBytes(StandardCharsets.UTF_8),
                    to == null ? null : to.getBytes(StandardCharsets.UTF_8)));
            for (Map.Entry<String, TreeSet<Long>> expected : keys.tailMap(from).entrySet()) {
                if (!expected.getValue().isEmpty() && (to == null || expected.getKey().compareTo(to) < 0)) {
                    assertTrue(cursor.next());
                    assertArrayEquals(expected.getKey(), expected.getKey().getBytes(StandardCharsets.UTF_8), cursor.key());
                    assertEquals(IdSetDelta.adding(set(expected.getValue())), cursor.delta());
                    assertEquals(expected.getValue().size(), cursor.netCardinality());
                }
            }
            assertFalse(cursor.next());
            assertFalse("from then on", cursor.next());
        }
    }

    @Test
    public void keysAreOrderedAsUnsignedBytes() {
        MapLayer one = new MapLayer();
        MapLayer two = new MapLayer();
        one.index(0).put(new byte[] {(byte) 0x80}, IdSetDelta.adding(IdSet.of(1)));
        two.index(0).put(new byte[] {0x7F}, IdSetDelta.adding(IdSet.of(2)));
        two.index(0).put(new byte[] {0x7F, 0}, IdSetDelta.adding(IdSet.of(3)));
        List<String> found = new ArrayList<>();
        for (KeyDeltaCursor keys = LayerStack.whole(Arrays.asList(one, two), 1).keys(0); keys.next();) {
            found.add(Arrays.toString(keys.key()));
        }
        assertEquals(List.of("[127]", "[127, 0]", "[-128]"), found);
    }
}
