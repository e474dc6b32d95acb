package org.alder.partition.jdbm.table;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import jdbm.RecordManager;
import jdbm.btree.BTree;
import jdbm.helper.Serializer;
import org.alder.partition.jdbm.block.RecordCheck;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableLimits;

/**
 * Reads the records of a JDBM2 file that nobody writes, through memory mappings. Thread safe, lock-free; the methods that write
 * throw UnsupportedOperationException.
 *
 * <p>The container, as JDBM2 wrote it (docs/format/jdbm2-file.md; all numbers big-endian):
 * <pre>
 * file             = page of 4096 bytes, numbered from 0
 * page 0           = 0x1350 u2, 5 x (first page u8, last page u8) of a list, root slots u8 ...
 * page             = 0x1351 + list u2, next page u8, previous page u8, contents     list: 0 free, 1 used, 2 translation, ...
 * translation page = header, slots of (page u8, offset u2)
 * used page        = header, offset of the first record that starts here u2, records
 * record           = current size u4, available size u4, bytes; running on at offset 20 of the next used page
 * record ID        = page of the slot &lt;&lt; 16 | offset of the slot
 * </pre>
 * The "last page" of list 0 is the number of pages in the file. Every record must end in a {@link RecordCheck}.
 */
final class MappedRecordManager implements RecordManager {

    static final int PAGE_BYTES = 4096;
    /** Mapping size in use; a mapping ends at a page border, so no page lies in two of them. */
    static final int MAPPING_BYTES = 1 << 30;

    private static final int FILE_MAGIC = 0x1350;
    private static final int USED_PAGE_MAGIC = 0x1352;
    private static final int TRANSLATION_PAGE_MAGIC = 0x1353;
    private static final int PAGE_COUNT_OFFSET = 10;
    private static final int ROOTS_OFFSET = 82;
    private static final int ROOT_COUNT = (PAGE_BYTES - ROOTS_OFFSET) / Long.BYTES;
    private static final int NEXT_PAGE_OFFSET = 2;
    private static final int SLOTS_OFFSET = 18;
    private static final int SLOT_BYTES = 10;
    private static final int DATA_OFFSET = 20;
    private static final int RECORD_HEADER_BYTES = 8;

    private static final ObjectInputFilter TREE_HEADER_CLASSES = ObjectInputFilter.Config.createFilter(
        "maxdepth=4;maxrefs=32;maxarray=0;maxbytes=4096;" + BTree.class.getName() + ';' + ByteKeyComparator.class.getName()
            + ';' + ByteKeySerializer.class.getName() + ";!*");

    private final Path file;
    private final MappedByteBuffer[] mappings;
    private final int mappingShift;
    private final long pageCount;
    private volatile boolean closed;

    private MappedRecordManager(Path file, MappedByteBuffer[] mappings, int mappingShift, long pageCount) {
        this.file = file;
        this.mappings = mappings;
        this.mappingShift = mappingShift;
        this.pageCount = pageCount;
    }

    /** @param mappingBytes a power of two, at least a page */
    static MappedRecordManager open(Path file, int mappingBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long fileBytes = channel.size();
            if (fileBytes < PAGE_BYTES || fileBytes % PAGE_BYTES != 0) {
                throw new TableCorruptException(file, fileBytes,
                    "the file has " + fileBytes + " bytes, expected a positive multiple of " + PAGE_BYTES);
            }
            int count = Math.toIntExact((fileBytes + mappingBytes - 1) / mappingBytes);
            MappedByteBuffer[] mappings = new MappedByteBuffer[count];
            for (int i = 0; i < count; i++) {
                long start = (long) i * mappingBytes;
                mappings[i] = channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(mappingBytes, fileBytes - start));
            }
            int shift = Integer.numberOfTrailingZeros(mappingBytes);
            return checked(new MappedRecordManager(file, mappings, shift, fileBytes / PAGE_BYTES));
        }
    }

    private static MappedRecordManager checked(MappedRecordManager records) {
        try {
            records.checkFileHeader();
            return records;
        } catch (TableCorruptException e) {
            records.close();
            throw e;
        }
    }

    private void checkFileHeader() {
        int magic = unsignedShort(0, 0);
        if (magic != FILE_MAGIC) {
            throw new TableCorruptException(file, 0, "found magic " + hex(magic) + ", expected " + hex(FILE_MAGIC)
                + " of a JDBM2 file");
        }
        long written = longAt(0, PAGE_COUNT_OFFSET);
        if (written != pageCount) {
            throw new TableCorruptException(file, PAGE_COUNT_OFFSET,
                "the file header counts " + written + " pages, the file has " + pageCount);
        }
    }

    Path file() {
        return file;
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("table " + file + " is closed");
        }
    }

    /** Where to look for the record, for messages: the file offset of its slot. */
    static long offsetOf(long recordId) {
        return (recordId >>> 16) * PAGE_BYTES + (recordId & 0xffff);
    }

    TableCorruptException corrupt(long recordId, String foundAndExpected) {
        return corrupt(recordId, foundAndExpected, null);
    }

    TableCorruptException corrupt(long recordId, String foundAndExpected, Throwable cause) {
        return new TableCorruptException(file, offsetOf(recordId), "record " + recordId + ": " + foundAndExpected, cause);
    }

    /** Returns the whole record, whose check holds; the last {@link RecordCheck#BYTES} bytes are that check. */
    byte[] read(long recordId) {
        requireOpen();
        long position = locate(recordId);
        long dataPage = position / PAGE_BYTES;
        int dataOffset = (int) (position % PAGE_BYTES);
        byte[] record = new byte[recordSize(recordId, dataPage, dataOffset)];
        copy(recordId, dataPage, dataOffset + RECORD_HEADER_BYTES, record);
        if (!RecordCheck.holds(recordId, record)) {
            throw corrupt(recordId, "the check of its " + record.length + " bytes on page " + dataPage + " does not hold");
        }
        return record;
    }

    /** Where in the file the record starts. */
    private long locate(long recordId) {
        long page = recordId >>> 16;
        int slot = (int) (recordId & 0xffff);
        requirePage(page, TRANSLATION_PAGE_MAGIC, recordId);
        if (slot < SLOTS_OFFSET || slot > PAGE_BYTES - SLOT_BYTES || (slot - SLOTS_OFFSET) % SLOT_BYTES != 0) {
            throw corrupt(recordId, "there is no slot at offset " + slot + " of a translation page");
        }
        long dataPage = longAt(page, slot);
        int dataOffset = unsignedShort(page, slot + Long.BYTES);
        requirePage(dataPage, USED_PAGE_MAGIC, recordId);
        if (dataOffset < DATA_OFFSET || dataOffset > PAGE_BYTES - RECORD_HEADER_BYTES) {
            throw corrupt(recordId, "its slot points to offset " + dataOffset + " of page " + dataPage);
        }
        return dataPage * PAGE_BYTES + dataOffset;
    }

    private int recordSize(long recordId, long page, int offset) {
        int size = intAt(page, offset);
        int available = intAt(page, offset + Integer.BYTES);
        long limit = Math.min(TableLimits.MAX_RECORD_BYTES, pageCount * PAGE_BYTES);
        if (size < RecordCheck.BYTES || size > limit || available < size) {
            throw corrupt(recordId, "found size " + size + " of " + available + " available at page " + page + " offset "
                + offset + ", expected " + RecordCheck.BYTES + " to " + limit);
        }
        return size;
    }

    /** Follows the page chain; ends because each step copies what a page holds, or fails. */
    private void copy(long recordId, long firstPage, int firstOffset, byte[] record) {
        long page = firstPage;
        int offset = firstOffset;
        int done = 0;
        while (true) {
            int length = Math.min(PAGE_BYTES - offset, record.length - done);
            mapping(page).get(position(page) + offset, record, done, length);
            done += length;
            if (done == record.length) {
                return;
            }
            page = longAt(page, NEXT_PAGE_OFFSET);
            requirePage(page, USED_PAGE_MAGIC, recordId);
            offset = DATA_OFFSET;
        }
    }

    private void requirePage(long page, int magic, long recordId) {
        if (page <= 0 || page >= pageCount) {
            throw corrupt(recordId, "it leads to page " + page + ", the file has " + pageCount);
        }
        int found = unsignedShort(page, 0);
        if (found != magic) {
            throw corrupt(recordId, "page " + page + " has magic " + hex(found) + ", expected " + hex(magic));
        }
    }

    private MappedByteBuffer mapping(long page) {
        return mappings[(int) (page * PAGE_BYTES >>> mappingShift)];
    }

    private int position(long page) {
        return (int) (page * PAGE_BYTES & (1L << mappingShift) - 1);
    }

    private int unsignedShort(long page, int offset) {
        return mapping(page).getShort(position(page) + offset) & 0xffff;
    }

    private int intAt(long page, int offset) {
        return mapping(page).getInt(position(page) + offset);
    }

    private long longAt(long page, int offset) {
        return mapping(page).getLong(position(page) + offset);
    }

    private static String hex(int number) {
        return "0x" + Integer.toHexString(number);
    }

    /** Reads a B+Tree header: the only Java-serialised object in the file, let in by class name. */
    @Override
    public BTree<?, ?> fetch(long recordId) {
        byte[] record = read(recordId);
        ByteArrayInputStream body = new ByteArrayInputStream(record, 0, record.length - RecordCheck.BYTES);
        try (ObjectInputStream in = new ObjectInputStream(body)) {
            in.setObjectInputFilter(TREE_HEADER_CLASSES);
            return (BTree<?, ?>) in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            throw corrupt(recordId, "expected the header of a B+Tree, found " + e, e);
        }
    }

    @Override
    public Object fetch(long recordId, Serializer serializer) throws IOException {
        byte[] record = read(recordId);
        return serializer.deserialize(Arrays.copyOf(record, record.length - RecordCheck.BYTES));
    }

    @Override
    public int getRootCount() {
        return ROOT_COUNT;
    }

    @Override
    public long getRoot(int slot) {
        return longAt(0, ROOTS_OFFSET + slot * Long.BYTES);
    }

    /** Makes every later read fail; the mappings go when the garbage collector finds them unreachable (DeletedSpace says why). */
    @Override
    public void close() {
        closed = true;
    }

    @Override
    public long insert(Object object) {
        throw readOnly();
    }

    @Override
    public long insert(Object object, Serializer serializer) {
        throw readOnly();
    }

    @Override
    public void delete(long recordId) {
        throw readOnly();
    }

    @Override
    public void update(long recordId, Object object) {
        throw readOnly();
    }

    @Override
    public void update(long recordId, Object object, Serializer serializer) {
        throw readOnly();
    }

    @Override
    public void setRoot(int slot, long recordId) {
        throw readOnly();
    }

    @Override
    public void commit() {
        throw readOnly();
    }

    @Override
    public void rollback() {
        throw readOnly();
    }

    @Override
    public long getNamedObject(String name) {
        throw readOnly();
    }

    @Override
    public void setNamedObject(String name, long recordId) {
        throw readOnly();
    }

    private UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("table " + file + " is read through root slots and record IDs only");
    }
}
