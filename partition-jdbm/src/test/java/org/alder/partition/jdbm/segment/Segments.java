package org.alder.partition.jdbm.segment;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.key.KeyTableWriter;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.Layer;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.layer.MapLayer;
import org.alder.partition.jdbm.table.TableWriter;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.KeyRange;
import org.roaringbitmap.RoaringBitmap;

/** Segments and their contents for the tests of this package. */
final class Segments {
    static final BuildProgress SILENT = (phase, done, total) -> { };
    static final SequenceRange SEQUENCES = new SequenceRange(3, 17);

    private Segments() {
    }

    static List<IndexSpec> specs(int threshold) {
        return List.of(new IndexSpec("hierarchy", threshold, true), new IndexSpec("cn", threshold));
    }

    static SegmentDescriptor write(Path folder, Layer layer, int threshold) {
        return SegmentWriter.write(folder, LayerStack.slice(List.of(layer), 1), specs(threshold), SEQUENCES,
                SegmentSettings.defaults(), SILENT);
    }

    /** As segments were written before there were entry files: the same, with its entries in a master table. */
    static SegmentDescriptor writeVersion3(Path folder, MapLayer layer, int threshold, BlockCodec codec) throws IOException {
        SegmentDescriptor now = write(folder, layer, threshold);
        for (String file : new String[] {SegmentDescriptor.ENTRIES_FILE, SegmentDescriptor.NAMES_FILE, SegmentDescriptor.FILE_NAME}) {
            Files.delete(folder.resolve(file));
        }
        TableSummary table;
        TableSummary keyTable;
        try (KeyTableWriter keys = new KeyTableWriter(SystemDisk.INSTANCE, folder.resolve(SegmentDescriptor.MASTER_KEYS_FILE));
                TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, folder.resolve(SegmentDescriptor.MASTER_TABLE_FILE),
                        TableSettings.index().withCodec(codec), keys)) {
            for (Map.Entry<Long, EntryVersion> entry : layer.entries.entrySet()) {
                appendToTable(writer, entry.getKey(), entry.getValue().isDeleted() ? new byte[0] : entry.getValue().record().bytes());
            }
            table = writer.finish();
            keyTable = keys.finish();
        }
        SegmentDescriptor then = new SegmentDescriptor(SegmentDescriptor.WITH_TABLE, now.sequences(), now.entries(), now.tombstones(),
                now.minId(), now.maxId(), table, keyTable, null, now.indexes());
        DescriptorFile.write(SystemDisk.INSTANCE, folder, then);
        return then;
    }

    private static void appendToTable(TableWriter writer, long id, byte[] record) throws IOException {
        int part = MasterKeys.PART_BYTES;
        if (record.length <= part) {
            writer.append(MasterKeys.key(id), record);
            return;
        }
        writer.append(MasterKeys.key(id), ByteBuffer.allocate(5 + part).put((byte) 0x80).putInt(record.length).put(record, 0, part).array());
        for (int number = 1; number * part < record.length; number++) {
            writer.append(MasterKeys.partKey(id, number), Arrays.copyOfRange(record, number * part, Math.min(record.length, (number + 1) * part)));
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static EntryRecord record(long parentId, String rdn, int size) {
        Attribute description = new Attribute("description", List.of(bytes("x".repeat(size))));
        return EntryRecord.of(parentId, bytes(rdn), List.of(description), List.of());
    }

    static EntryVersion version(long parentId, String rdn, int size) {
        return new EntryVersion(record(parentId, rdn, size));
    }

    /** IDs from first on, each the given step after the one before. */
    static IdSet ids(long first, long step, int count) {
        RoaringBitmap bitmap = new RoaringBitmap();
        for (int i = 0; i < count; i++) {
            bitmap.add((int) (first + i * step));
        }
        return IdSet.wrap(bitmap);
    }

    /** A layer with something of each kind: records, a tombstone, inline and, above 5 IDs or so, nested sets. */
    static MapLayer sample() {
        MapLayer layer = new MapLayer();
        for (long id = 1; id <= 200; id++) {
            layer.entries.put(id, version(1, "cn=entry " + id, (int) id));
        }
        layer.entries.put(150L, EntryVersion.DELETED);
        layer.index(0).put(bytes("c"), IdSetDelta.adding(ids(2, 1, 100)));
        layer.index(0).put(bytes("n"), new IdSetDelta(ids(1, 1, 1), ids(1000, 7, 50)));
        layer.index(1).put(bytes("many"), IdSetDelta.adding(ids(1, 9999, 300)));
        layer.index(1).put(bytes("none"), new IdSetDelta(IdSet.EMPTY, ids(5, 1, 3)));
        layer.index(1).put(bytes("one"), IdSetDelta.adding(ids(IdSet.MAX_ID, 1, 1)));
        return layer;
    }

    static void assertSame(MapLayer expected, Layer found) {
        assertEntries(expected, found.entries(0, 1));
        for (Map.Entry<Long, EntryVersion> entry : expected.entries.entrySet()) {
            assertEquals(entry.getValue(), found.entry(entry.getKey(), 1));
        }
        assertNames(expected, found);
        for (int index = 0; index < 2; index++) {
            assertKeys(expected, index, found.keys(index, KeyRange.ALL, 1));
            for (Map.Entry<byte[], IdSetDelta> key : expected.index(index).entrySet()) {
                assertEquals(key.getValue(), found.ids(index, key.getKey(), 1));
                assertEquals(key.getValue().netCardinality(), found.netCardinality(index, key.getKey(), 1));
            }
        }
    }

    private static void assertNames(MapLayer expected, Layer found) {
        EntryFinder finder = found.finder(1, IdSet.EMPTY);
        for (Map.Entry<Long, EntryVersion> entry : expected.entries.entrySet()) {
            for (StoredName name : List.of(found.name(entry.getKey(), 1), finder.name(entry.getKey()))) {
                assertEquals(entry.getValue().isDeleted(), name == EntryFinder.DELETED);
                if (!entry.getValue().isDeleted()) {
                    assertEquals(entry.getValue().record().rdn(), name.rdn());
                    assertEquals(entry.getValue().record().parentId(), name.parentId());
                }
            }
        }
        assertNull(finder.name(expected.entries.isEmpty() ? 1 : expected.entries.lastKey() + 1));
    }

    private static void assertEntries(MapLayer expected, EntryVersionCursor entries) {
        for (Map.Entry<Long, EntryVersion> entry : expected.entries.entrySet()) {
            assertTrue(entries.next());
            assertEquals((long) entry.getKey(), entries.id());
            assertEquals(entry.getValue(), entries.version());
        }
        assertFalse(entries.next());
    }

    private static void assertKeys(MapLayer expected, int index, KeyDeltaCursor keys) {
        for (Map.Entry<byte[], IdSetDelta> key : expected.index(index).entrySet()) {
            if (!key.getValue().isEmpty()) {
                assertTrue(keys.next());
                assertArrayEquals(key.getKey(), keys.key());
                assertEquals(key.getValue().netCardinality(), keys.netCardinality());
                assertEquals(key.getValue(), keys.delta());
            }
        }
        assertFalse(keys.next());
    }
}
