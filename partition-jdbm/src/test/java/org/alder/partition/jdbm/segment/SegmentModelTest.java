package org.alder.partition.jdbm.segment;

import static org.junit.Assert.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.Layer;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.layer.MapLayer;
import org.alder.partition.jdbm.layer.SegmentSource;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Random layers flushed to segments and merged, against the same layers kept in plain maps. */
public class SegmentModelTest {
    private static final int ROUNDS = 12;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final Random random = Seed.random(SegmentModelTest.class);
    private final List<Segment> opened = new ArrayList<>();

    @Test
    public void flushesAndMergesKeepTheState() {
        for (int round = 0; round < ROUNDS; round++) {
            int threshold = new int[] {0, 1, 20, 1000}[random.nextInt(4)];
            List<MapLayer> maps = layers();
            List<Layer> segments = new ArrayList<>();
            maps.forEach(map -> segments.add(segment(LayerStack.slice(List.of(map), 1), threshold)));
            for (int i = 0; i < maps.size(); i++) {
                Segments.assertSame(maps.get(i), segments.get(i));
            }
            verifyMerges(maps, segments, threshold);
            opened.forEach(Segment::release);
            opened.clear();
        }
    }

    private void verifyMerges(List<MapLayer> maps, List<Layer> segments, int threshold) {
        int cut = random.nextInt(maps.size());
        Layer upper = segment(LayerStack.slice(segments.subList(cut, segments.size()), 1), threshold);
        Segments.assertSame(copy(LayerStack.slice(maps.subList(cut, maps.size()), 1)), upper);
        List<Layer> shorter = new ArrayList<>(segments.subList(0, cut));
        shorter.add(upper);
        Layer all = segment(LayerStack.whole(shorter, 1), threshold);
        Segments.assertSame(copy(LayerStack.whole(maps, 1)), all);
    }

    private Segment segment(SegmentSource source, int threshold) {
        Path folder = temporary.getRoot().toPath().resolve("segment-" + System.nanoTime());
        List<IndexSpec> specs = List.of(new IndexSpec("hierarchy", threshold, random.nextBoolean()),
                new IndexSpec("cn", threshold, random.nextBoolean()));
        SegmentWriter.write(folder, source, specs, Segments.SEQUENCES, SegmentSettings.defaults(),
                Segments.SILENT);
        assertEquals(List.of(), SegmentChecker.check(folder));
        Segment segment = Segment.open(folder, SegmentOptions.uncached());
        segment.condemn();
        opened.add(segment);
        return segment;
    }

    private static MapLayer copy(SegmentSource source) {
        MapLayer copy = new MapLayer();
        for (EntryVersionCursor entries = source.entries(); entries.next();) {
            copy.entries.put(entries.id(), entries.version());
        }
        for (int index = 0; index < 2; index++) {
            for (KeyDeltaCursor keys = source.keys(index); keys.next();) {
                copy.index(index).put(keys.key(), keys.delta());
            }
        }
        return copy;
    }

    private List<MapLayer> layers() {
        List<MapLayer> layers = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            MapLayer layer = new MapLayer();
            for (int entry = random.nextInt(300); entry > 0; entry--) {
                EntryVersion version = random.nextInt(4) == 0 ? EntryVersion.DELETED
                        : Segments.version(1, "cn=" + random.nextInt(), random.nextInt(2000));
                layer.entries.put(1L + random.nextInt(500), version);
            }
            for (int key = random.nextInt(40); key > 0; key--) {
                changeKey(random.nextInt(2), Segments.bytes("key " + random.nextInt(30)), layers, layer);
            }
            layers.add(layer);
        }
        return layers;
    }

    private void changeKey(int index, byte[] key, List<MapLayer> below, MapLayer layer) {
        IdSet before = LayerStack.whole(below, 1).ids(index, key).added();
        IdSet after = Segments.ids(1 + random.nextInt(5), 1 + random.nextInt(random.nextBoolean() ? 5 : 50_000),
                random.nextInt(random.nextBoolean() ? 4 : 1500));
        layer.index(index).put(key, new IdSetDelta(after.andNot(before), before.andNot(after)));
    }
}
