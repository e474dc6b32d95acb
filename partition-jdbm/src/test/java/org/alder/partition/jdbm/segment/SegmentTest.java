package org.alder.partition.jdbm.segment;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.layer.MapLayer;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.KeyRange;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SegmentTest {
    private static final SegmentOptions UNCACHED = SegmentOptions.uncached();

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder() {
        return temporary.getRoot().toPath().resolve("segment");
    }

    private Segment sample() {
        Segments.write(folder(), Segments.sample(), 5);
        return Segment.open(folder(), UNCACHED);
    }

    @Test
    public void whatIsWrittenIsRead() {
        Segment segment = sample();
        Segments.assertSame(Segments.sample(), segment);
        assertEquals(199, segment.descriptor().entries());
        assertEquals(1, segment.descriptor().tombstones());
        assertEquals(200, segment.descriptor().maxId());
        assertEquals(Segments.SEQUENCES, segment.descriptor().sequences());
        assertEquals(List.of("hierarchy", "cn"), segment.descriptor().indexNames());
        assertEquals(List.of(), SegmentChecker.check(folder()));
        segment.release();
    }

    @Test
    public void anIndexWithoutKeysHasNoTable() throws IOException {
        Segments.write(folder(), layerOf(7), 5);
        Segment segment = Segment.open(folder(), UNCACHED);
        assertEquals(List.of("hierarchy"), segment.descriptor().indexNames());
        assertEquals(0, segment.netCardinality(1, new byte[] {1}, 1));
        assertFalse(segment.keys(1, KeyRange.ALL, 1).next());
        assertEquals(List.of(), SegmentChecker.check(folder()));
        segment.release();
    }

    /** As segments were before there were entry files. */
    @Test
    public void aSegmentOfVersion3IsRead() throws IOException {
        for (BlockCodec codec : BlockCodec.values()) {
            Path folder = temporary.getRoot().toPath().resolve(codec.name());
            Segments.writeVersion3(folder, Segments.sample(), 5, codec);
            assertEquals(List.of(), SegmentChecker.check(folder));
            Segment segment = Segment.open(folder, UNCACHED);
            assertNull(segment.descriptor().names());
            Segments.assertSame(Segments.sample(), segment);
            segment.release();
            assertThrows(IllegalStateException.class, () -> segment.entry(1, 1));
        }
    }

    @Test
    public void recordsInPartsOfASegmentOfVersion3AreRead() throws IOException {
        int part = MasterKeys.PART_BYTES;
        MapLayer layer = layerOf(10, part - 100, part + 100, 2 * part - 10, 2 * part + 10, 5 * part, 20);
        Segments.writeVersion3(folder(), layer, 1000, BlockCodec.LZ4);
        assertHolds(layer);
    }

    @Test
    public void aMergeWritesTheEntriesOfVersion3Anew() throws IOException {
        Path older = temporary.getRoot().toPath().resolve("older");
        Path newer = temporary.getRoot().toPath().resolve("newer");
        Segments.writeVersion3(older, Segments.sample(), 5, BlockCodec.LZ4);
        MapLayer change = layerOf(7);
        Segments.write(newer, change, 5);
        merge(folder(), 5, older, newer);
        Segment merged = Segment.open(folder(), UNCACHED);
        assertEquals(SegmentDescriptor.VERSION, merged.descriptor().version());
        assertEquals(change.entries.get(1L), merged.entry(1, 1));
        assertEquals(Segments.sample().entries.get(2L), merged.entry(2, 1));
        assertEquals(List.of(), SegmentChecker.check(folder()));
        merged.release();
    }

    /** For members of a cluster with an older build, which copy it: the same as segments were before there were entry files. Key tables have a seed of their own each. */
    @Test
    public void aSegmentIsWrittenInVersion3() throws IOException {
        int part = MasterKeys.PART_BYTES;
        for (MapLayer layer : List.of(Segments.sample(), layerOf(10, part - 100, part + 100, 2 * part - 10, 5 * part, 20))) {
            Path folder = temporary.getRoot().toPath().resolve("written-" + layer.entries.size());
            Path expected = temporary.getRoot().toPath().resolve("expected-" + layer.entries.size());
            SegmentWriter.write(folder, LayerStack.slice(List.of(layer), 1), Segments.specs(5), Segments.SEQUENCES,
                    SegmentSettings.defaults().withVersion(SegmentDescriptor.WITH_TABLE), Segments.SILENT);
            Segments.writeVersion3(expected, layer, 5, BlockCodec.LZ4);
            assertEquals("alder-segment 3", Files.readAllLines(folder.resolve(SegmentDescriptor.FILE_NAME)).get(0));
            try (Stream<Path> files = Files.list(expected)) {
                for (Path each : (Iterable<Path>) files::iterator) {
                    Path written = folder.resolve(each.getFileName());
                    if (each.toString().endsWith(".db")) {
                        assertArrayEquals(each.toString(), Files.readAllBytes(each), Files.readAllBytes(written));
                    } else {
                        assertEquals(each.toString(), Files.size(each), Files.size(written));
                    }
                }
            }
            assertEquals(fileNames(expected), fileNames(folder));
            assertEquals(List.of(), SegmentChecker.check(folder));
        }
        assertThrows(IllegalArgumentException.class, () -> SegmentSettings.defaults().withVersion(2));
    }

    private static Set<String> fileNames(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    @Test
    public void namesAreReadWithoutTheEntries() throws IOException {
        Segment segment = sample();
        Path master = folder().resolve(SegmentDescriptor.ENTRIES_FILE);
        byte[] nothing = new byte[(int) Files.size(master)];
        try (FileChannel channel = FileChannel.open(master, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(nothing));
        }
        EntryFinder finder = segment.finder(1, IdSet.of(5, 150, 199));
        assertEquals("cn=entry 5", finder.name(5).rdn());
        assertSame(EntryFinder.DELETED, finder.name(150));
        assertEquals("cn=entry 199", finder.name(199).rdn());
        assertThrows(StoreException.class, () -> finder.entry(5));
        segment.release();
        assertThrows(IllegalStateException.class, () -> finder.name(5));
    }

    @Test
    public void everyCodecReadsBack() {
        for (EntryCodec codec : EntryCodec.values()) {
            Path folder = temporary.getRoot().toPath().resolve(codec.name());
            SegmentWriter.write(folder, LayerStack.slice(List.of(Segments.sample()), 1), Segments.specs(1000), Segments.SEQUENCES,
                    SegmentSettings.defaults().withEntries(codec), Segments.SILENT);
            Segment segment = Segment.open(folder, UNCACHED);
            Segments.assertSame(Segments.sample(), segment);
            segment.release();
        }
    }

    @Test
    public void anEmptySegmentKnowsNothing() {
        Segments.write(folder(), new MapLayer(), 1000);
        Segment segment = Segment.open(folder(), UNCACHED);
        assertNull(segment.entry(1, 1));
        assertNull(segment.entry(0, 1));
        assertEquals(IdSetDelta.EMPTY, segment.ids(1, Segments.bytes("x"), 1));
        assertEquals(0, segment.netCardinality(1, Segments.bytes("x"), 1));
        assertFalse(segment.keys(0, KeyRange.ALL, 1).next());
        assertFalse(segment.entries(0, 1).next());
        assertEquals(List.of(), SegmentChecker.check(folder()));
        segment.release();
    }

    @Test
    public void recordsOfEverySizeReadBack() {
        MapLayer layer = layerOf(0, 10, 1 << 16, 20, 1 << 20, 5 << 20, 20);
        Segments.write(folder(), layer, 1000);
        assertHolds(layer);
    }

    /** Entries with descriptions of these sizes. */
    private static MapLayer layerOf(int... sizes) {
        MapLayer layer = new MapLayer();
        for (int i = 0; i < sizes.length; i++) {
            layer.entries.put(i + 1L, Segments.version(1, "cn=" + sizes[i], sizes[i]));
        }
        return layer;
    }

    private void assertHolds(MapLayer layer) {
        Segment segment = Segment.open(folder(), UNCACHED);
        Segments.assertSame(layer, segment);
        assertEquals(layer.entries.size(), segment.descriptor().entries());
        EntryVersionCursor entries = segment.entries(4, 1);
        assertTrue(entries.next());
        assertEquals(4, entries.id());
        assertEquals(List.of(), SegmentChecker.check(folder()));
        segment.release();
    }

    @Test
    public void cursorsStartWhereTheyAreTold() {
        Segment segment = sample();
        EntryVersionCursor entries = segment.entries(150, 1);
        assertTrue(entries.next());
        assertEquals(150, entries.id());
        assertTrue(entries.version().isDeleted());
        assertFalse(segment.entries(201, 1).next());
        KeyDeltaCursor keys = segment.keys(1, KeyRange.from(Segments.bytes("mb")), 1);
        assertTrue(keys.next());
        assertEquals("none", new String(keys.key(), StandardCharsets.UTF_8));
        assertEquals(-3, keys.netCardinality());
        segment.release();
    }

    @Test
    public void aSetThatShrinksIsWrittenInlineAgain() {
        for (int threshold : new int[] {1, 10, 1000}) {
            for (int left = Math.max(1, threshold - 1); left <= threshold + 1; left++) {
                Path large = temporary.getRoot().toPath().resolve("large-" + threshold + "-" + left);
                Path small = temporary.getRoot().toPath().resolve("small-" + threshold + "-" + left);
                Path merged = temporary.getRoot().toPath().resolve("merged-" + threshold + "-" + left);
                IdSet all = Segments.ids(1, 3, threshold + 5);
                IdSet kept = Segments.ids(1, 3, left);
                Segments.write(large, cn(IdSetDelta.adding(all)), threshold);
                Segments.write(small, cn(new IdSetDelta(IdSet.EMPTY, all.andNot(kept))), threshold);
                merge(merged, threshold, large, small);
                Segment segment = Segment.open(merged, UNCACHED);
                assertEquals(IdSetDelta.adding(kept), segment.ids(1, Segments.bytes("key"), 1));
                segment.release();
                // The checker knows which of the two forms a set of this size must have.
                assertEquals(List.of(), SegmentChecker.check(merged));
            }
        }
    }

    private static MapLayer cn(IdSetDelta delta) {
        MapLayer layer = new MapLayer();
        layer.index(1).put(Segments.bytes("key"), delta);
        return layer;
    }

    private static void merge(Path target, int threshold, Path older, Path newer) {
        List<Segment> segments = List.of(Segment.open(older, UNCACHED), Segment.open(newer, UNCACHED));
        SegmentWriter.write(target, LayerStack.whole(segments, 1), Segments.specs(threshold), Segments.SEQUENCES,
                SegmentSettings.defaults(), Segments.SILENT);
        segments.forEach(Segment::release);
    }

    @Test
    public void idSetsComeFromTheCacheTheSecondTime() {
        Map<IdSetAddress, IdSetDelta> kept = new HashMap<>();
        IdSetCache cache = new IdSetCache() {
            @Override
            public IdSetDelta get(IdSetAddress address) {
                return kept.get(address);
            }

            @Override
            public void put(IdSetAddress address, IdSetDelta delta) {
                kept.put(address, delta);
            }
        };
        Segments.write(folder(), Segments.sample(), 5);
        SegmentOptions options = new SegmentOptions(new BlockCache<>(0), new BlockCache<>(1 << 20), cache, true,
                SystemDisk.INSTANCE);
        Segment segment = Segment.open(folder(), options);
        IdSetDelta first = segment.ids(1, Segments.bytes("many"), 1);
        assertSame(first, segment.ids(1, Segments.bytes("many"), 1));
        assertEquals(300, segment.netCardinality(1, Segments.bytes("many"), 1));
        assertEquals(IdSetDelta.EMPTY, segment.ids(1, Segments.bytes("absent"), 1));
        assertEquals("a set and the absence of one", 2, kept.size());
        assertEquals(IdSetDelta.EMPTY, segment.ids(0, Segments.bytes("absent"), 1));
        assertEquals("the key table tells what is absent", 2, kept.size());
        IdSetAddress address = kept.keySet().iterator().next();
        assertEquals(segment.id(), address.segmentId());
        Segment other = Segment.open(folder(), options);
        other.ids(1, Segments.bytes("many"), 1);
        assertEquals("another segment is another address", 3, kept.size());
        segment.release();
        other.release();
    }

    @Test
    public void aCondemnedSegmentGoesWithItsLastReader() {
        Segment segment = sample();
        assertTrue(segment.tryAcquire());
        segment.condemn();
        segment.release();
        assertTrue(Files.exists(folder()));
        Segments.assertSame(Segments.sample(), segment);
        segment.release();
        assertFalse(Files.exists(folder()));
        assertFalse("gone for good", segment.tryAcquire());
        assertThrows(IllegalStateException.class, () -> segment.entry(1, 1));
        assertThrows(IllegalStateException.class, segment::release);
    }

    @Test
    public void aSegmentThatIsOnlyClosedStaysOnDisk() {
        sample().release();
        Segment again = Segment.open(folder(), UNCACHED);
        Segments.assertSame(Segments.sample(), again);
        again.release();
    }

    @Test
    public void aFailingProgressLeavesNothing() {
        IllegalStateException stop = new IllegalStateException("stop");
        for (String phase : new String[] {"entries", "index hierarchy", "index cn"}) {
            IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> SegmentWriter.write(folder(),
                    LayerStack.slice(List.of(Segments.sample()), 1), Segments.specs(5), Segments.SEQUENCES,
                    SegmentSettings.defaults(), (current, done, total) -> {
                        if (current.equals(phase)) {
                            throw stop;
                        }
                    }));
            assertSame(stop, thrown);
            assertFalse(phase, Files.exists(folder()));
        }
    }

    @Test
    public void anExistingFolderIsLeftAlone() throws IOException {
        Files.createDirectory(folder());
        Path file = Files.createFile(folder().resolve("precious"));
        StoreException refused = assertThrows(StoreException.class, () -> Segments.write(folder(), Segments.sample(), 5));
        assertEquals(StoreException.Kind.IO, refused.kind());
        assertTrue(Files.exists(file));
    }

    @Test
    public void namesThatAreNoFileNamesAreRefused() {
        for (String name : new String[] {"", "a/b", "../x", ".hidden", "a b", "x".repeat(300)}) {
            assertThrows(name, IllegalArgumentException.class, () -> SegmentWriter.write(folder(),
                    LayerStack.slice(List.of(), 1), List.of(new IndexSpec(name, 1)), Segments.SEQUENCES,
                    SegmentSettings.defaults(), Segments.SILENT));
            assertFalse(Files.exists(folder()));
        }
    }

    @Test
    public void openNamesTheFileThatIsMissingOrOfAnotherLength() throws IOException {
        sample().release();
        Path file = folder().resolve("index-cn.db");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        assertOpenRefused(file, "bytes");
        Files.delete(file);
        assertOpenRefused(file, "missing");
        Files.write(file, bytes);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertOpenRefused(file, "CRC32C");
    }

    private void assertOpenRefused(Path file, String part) {
        StoreException refused = assertThrows(StoreException.class, () -> Segment.open(folder(), UNCACHED));
        assertEquals(StoreException.Kind.CORRUPT, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains(file.toString()) && refused.getMessage().contains(part));
    }
}
