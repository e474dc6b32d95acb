package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.table.NestedTree;
import org.alder.partition.jdbm.table.NestedTreeCursor;
import org.alder.partition.jdbm.table.NestedTreeWriter;
import org.alder.partition.jdbm.table.Table;
import org.alder.partition.jdbm.table.TableWriter;
import org.roaringbitmap.ContainerPointer;
import org.roaringbitmap.InvalidRoaringFormat;
import org.roaringbitmap.RoaringBitmap;

/**
 * The value of an index key: how a segment changes the key's ID set. Stateless, thread safe.
 *
 * <p>Format, version 1 (docs/format/id-set.md; do not change without a new version):
 * <pre>
 *   head           1 byte: version (1) in the high four bits, form of removed in bits 2 and 3, form of added in bits 0 and 1
 *   cardinality    varint, of added and then of removed, each only if its form is not EMPTY
 *   body           of added and then of removed, each only if its form is not EMPTY:
 *     INLINE         the first ID, then the distance of each ID to the one before, as varints
 *     NESTED         varint, the record ID of a nested tree: block number = ID &gt;&gt;&gt; 16, value = a RoaringBitmap in the
 *                    portable serialisation that holds the low 16 bits of the block's IDs
 * </pre>
 */
final class IdSetCodec {
    /** Greater thresholds act as this one: an inline value must stay far below the longest value a table takes. */
    static final int MAX_INLINE_IDS = 1 << 18;

    private static final int VERSION = 1;
    private static final int EMPTY = 0;
    private static final int INLINE = 1;
    private static final int NESTED = 2;
    private static final int MAX_ID_BYTES = 5;
    private static final int BLOCK_BITS = 16;

    /** The part of a value in front of the bodies. */
    record Head(int addedForm, long added, int removedForm, long removed, int bodyOffset) {
        long netCardinality() {
            return added - removed;
        }

        /** Whether there are IDs, and all are in the value itself, as the threshold asks for: it means the same in any table. */
        boolean isInline(int threshold) {
            return addedForm != NESTED && removedForm != NESTED && added + removed > 0 && misplaced(threshold) == null;
        }

        /** Names the first set whose form is not what the threshold asks for, or null. */
        String misplaced(int threshold) {
            if (addedForm != formOf(added, threshold)) {
                return "added set of " + added + " IDs";
            }
            return removedForm != formOf(removed, threshold) ? "removed set of " + removed + " IDs" : null;
        }
    }

    private IdSetCodec() {
    }

    private static int formOf(long cardinality, int threshold) {
        if (cardinality == 0) {
            return EMPTY;
        }
        return cardinality <= Math.min(threshold, MAX_INLINE_IDS) ? INLINE : NESTED;
    }

    /** Encodes a delta; sets above the threshold go into nested trees of the table that is being written. */
    static byte[] encode(IdSetDelta delta, int threshold, TableWriter table) throws IOException {
        int addedForm = formOf(delta.added().cardinality(), threshold);
        int removedForm = formOf(delta.removed().cardinality(), threshold);
        byte[] value = new byte[1 + 4 * Varints.MAX_BYTES + bodyBytes(delta.added(), addedForm)
                + bodyBytes(delta.removed(), removedForm)];
        value[0] = (byte) (VERSION << 4 | removedForm << 2 | addedForm);
        int at = putCardinality(value, 1, delta.added());
        at = putCardinality(value, at, delta.removed());
        at = putBody(value, at, delta.added(), addedForm, table);
        at = putBody(value, at, delta.removed(), removedForm, table);
        return Arrays.copyOf(value, at);
    }

    private static int bodyBytes(IdSet ids, int form) {
        return form == INLINE ? (int) ids.cardinality() * MAX_ID_BYTES : 0;
    }

    private static int putCardinality(byte[] value, int at, IdSet ids) {
        return ids.isEmpty() ? at : Varints.put(value, at, ids.cardinality());
    }

    private static int putBody(byte[] value, int at, IdSet ids, int form, TableWriter table) throws IOException {
        return switch (form) {
            case INLINE -> putInline(value, at, ids);
            case NESTED -> Varints.put(value, at, writeNested(ids, table));
            default -> at;
        };
    }

    private static int putInline(byte[] value, int at, IdSet ids) {
        int end = at;
        long previous = 0;
        for (IdSet.IdIterator iterator = ids.iterator(); iterator.hasNext();) {
            long id = iterator.next();
            end = Varints.put(value, end, id - previous);
            previous = id;
        }
        return end;
    }

    private static long writeNested(IdSet ids, TableWriter table) throws IOException {
        NestedTreeWriter tree = table.newNestedTree();
        for (ContainerPointer block = ids.bitmap().getContainerPointer(); block.getContainer() != null; block.advance()) {
            RoaringBitmap low = new RoaringBitmap();
            low.append((char) 0, block.getContainer());
            low.runOptimize();
            ByteBuffer bytes = ByteBuffer.allocate(low.serializedSizeInBytes());
            low.serialize(bytes);
            tree.append(block.key(), bytes.array());
        }
        return tree.finish();
    }

    /** Whether a set lies in a nested tree, so that reading it costs more than the value's few bytes show. */
    static boolean isNested(byte[] value) {
        int forms = value.length == 0 ? 0 : value[0];
        return (forms & 3) == NESTED || (forms >>> 2 & 3) == NESTED;
    }

    /** Reads the cardinalities and leaves the sets alone. */
    static Head head(byte[] value) {
        int first = value.length == 0 ? 0 : value[0] & 0xFF;
        if (first >>> 4 != VERSION) {
            throw corrupt("an ID set of " + value.length + " bytes and version " + (first >>> 4) + ", expected version "
                    + VERSION);
        }
        int addedForm = first & 3;
        int removedForm = first >>> 2 & 3;
        if (addedForm > NESTED || removedForm > NESTED) {
            throw corrupt("an ID set of the unknown form " + Math.max(addedForm, removedForm));
        }
        Varints in = new Varints(value, 1);
        long added = cardinality(in, addedForm);
        long removed = cardinality(in, removedForm);
        return new Head(addedForm, added, removedForm, removed, in.position());
    }

    private static long cardinality(Varints in, int form) {
        if (form == EMPTY) {
            return 0;
        }
        long cardinality = in.next();
        if (cardinality == 0 || cardinality > IdSet.MAX_ID) {
            throw corrupt("a stored ID set of " + cardinality + " IDs, expected 1 to " + IdSet.MAX_ID);
        }
        return cardinality;
    }

    /**
     * @param table where the value came from
     * @throws StoreException of kind CORRUPT where the value is malformed or a set has another size than stored
     */
    static IdSetDelta decode(byte[] value, Table table) {
        Head head = head(value);
        Varints in = new Varints(value, head.bodyOffset());
        IdSet added = body(value, in, head.addedForm(), head.added(), table);
        IdSet removed = body(value, in, head.removedForm(), head.removed(), table);
        if (in.position() != value.length) {
            throw corrupt("an ID set of " + in.position() + " bytes followed by " + (value.length - in.position()) + " more");
        }
        return new IdSetDelta(added, removed);
    }

    private static IdSet body(byte[] value, Varints in, int form, long cardinality, Table table) {
        return switch (form) {
            case INLINE -> readInline(value, in, cardinality);
            case NESTED -> readNested(table.nestedTree(in.next()), cardinality);
            default -> IdSet.EMPTY;
        };
    }

    private static IdSet readInline(byte[] value, Varints in, long cardinality) {
        if (cardinality > value.length - in.position()) {
            throw corrupt(cardinality + " IDs stored in " + (value.length - in.position()) + " bytes");
        }
        int[] ids = new int[(int) cardinality];
        long id = 0;
        for (int i = 0; i < ids.length; i++) {
            long distance = in.next();
            id += distance;
            if (distance == 0 || distance > IdSet.MAX_ID || id > IdSet.MAX_ID) {
                throw corrupt("ID number " + i + " of a set is " + id + ", at the distance " + distance + " to the one before");
            }
            ids[i] = (int) id;
        }
        return IdSet.wrap(RoaringBitmap.bitmapOf(ids));
    }

    private static IdSet readNested(NestedTree tree, long cardinality) {
        RoaringBitmap bitmap = new RoaringBitmap();
        NestedTreeCursor blocks = tree.cursor(0);
        while (blocks.next()) {
            if (blocks.blockNumber() >>> BLOCK_BITS != 0) {
                throw corrupt("an ID set has the block " + blocks.blockNumber());
            }
            bitmap.append((char) blocks.blockNumber(), block(blocks).getContainer());
        }
        IdSet ids = IdSet.wrap(bitmap);
        if (ids.cardinality() != cardinality) {
            throw corrupt("a nested ID set has " + ids.cardinality() + " IDs, " + cardinality + " are stored as its size");
        }
        if (bitmap.contains(0)) {
            throw corrupt("a nested ID set has the ID 0");
        }
        return ids;
    }

    private static ContainerPointer block(NestedTreeCursor blocks) {
        RoaringBitmap low = new RoaringBitmap();
        try {
            low.deserialize(ByteBuffer.wrap(blocks.value()));
        } catch (IOException | InvalidRoaringFormat | BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "block " + blocks.blockNumber()
                    + " of an ID set is not a bitmap: " + e, e);
        }
        ContainerPointer container = low.getContainerPointer();
        if (container.getContainer() == null || container.key() != 0 || low.last() >>> BLOCK_BITS != 0) {
            throw corrupt("block " + blocks.blockNumber() + " of an ID set has not the one container it should have");
        }
        return container;
    }

    /** Calls the consumer with the record ID of each nested tree the value refers to. */
    static void findNestedTrees(byte[] value, LongConsumer recordIds) {
        Head head = head(value);
        Varints in = new Varints(value, head.bodyOffset());
        findNestedTree(in, head.addedForm(), head.added(), recordIds);
        findNestedTree(in, head.removedForm(), head.removed(), recordIds);
    }

    private static void findNestedTree(Varints in, int form, long cardinality, LongConsumer recordIds) {
        if (form == NESTED) {
            recordIds.accept(in.next());
        } else if (form == INLINE) {
            for (long i = 0; i < cardinality; i++) {
                in.next();
            }
        }
    }

    private static StoreException corrupt(String found) {
        return new StoreException(StoreException.Kind.CORRUPT, found);
    }
}
