package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import jdbm.RecordManager;
import jdbm.helper.DefaultSerializer;
import jdbm.helper.Serializer;
import jdbm.recman.BaseRecordManager;
import org.alder.partition.jdbm.block.RecordCheck;

/**
 * The record manager a table is built through: JDBM2's own underneath, without its traps. One thread.
 * <ul>
 * <li>Transactions are off, so JDBM2 never syncs and never writes a log; the writer syncs the finished file.</li>
 * <li>JDBM2 keeps every page it wrote in a list that it searches on each access, so pages are committed (written, not synced)
 *     in slices of {@link #SLICE_BYTES}, which bounds that list.</li>
 * <li>JDBM2 reserves twice the size of a new record, so half of it is inserted and then updated to the whole.</li>
 * <li>B+Tree pages and headers stay objects until they are the least recently used of {@link #PENDING_OBJECTS}: in a sorted
 *     build a page is changed many times and then never again, so each is serialised about once, at its final size. Until then
 *     its record is a placeholder of one byte.</li>
 * <li>JDBM2 reports inner faults as java.lang.Error; here they are an IOException, and nothing works after one.</li>
 * </ul>
 * Every record ends in a {@link RecordCheck}.
 */
final class BuildRecordManager implements RecordManager {

    static final int SLICE_BYTES = 256 * 1024;
    static final int PENDING_OBJECTS = 64;

    private final BaseRecordManager base;
    private final LinkedHashMap<Long, Pending> pending = new LinkedHashMap<>(2 * PENDING_OBJECTS, 0.75f, true);
    private final BeforeWrite beforeWrite;
    private int sliceBytes;
    private boolean broken;

    /** Knows whether writing may go on. */
    @FunctionalInterface
    interface BeforeWrite {
        void run() throws IOException;
    }

    private record Pending(Object object, Serializer serializer) {
    }

    /**
     * @param nameWithoutSuffix path of the file less {@link TableWriter#FILE_SUFFIX}, which JDBM2 adds
     * @param beforeWrite       run before JDBM2 writes pages; where it throws, nothing is written and the build is over
     */
    BuildRecordManager(String nameWithoutSuffix, BeforeWrite beforeWrite) throws IOException {
        this.beforeWrite = beforeWrite;
        base = new BaseRecordManager(nameWithoutSuffix);
        base.disableTransactions();
    }

    /** Writes a finished record; its last {@link RecordCheck#BYTES} bytes are filled in here. */
    long insertRecord(byte[] record) throws IOException {
        return guarded(() -> {
            long recordId = base.insert(half(record), ByteKeySerializer.INSTANCE);
            RecordCheck.stamp(recordId, record);
            base.update(recordId, record, ByteKeySerializer.INSTANCE);
            countTowardsSlice(record.length);
            return recordId;
        });
    }

    /** Writes all that is pending, and the pages. */
    void flush() throws IOException {
        while (!pending.isEmpty()) {
            writeEldest();
        }
        commit();
    }

    @Override
    public long insert(Object object) throws IOException {
        return insert(object, DefaultSerializer.INSTANCE);
    }

    @Override
    public long insert(Object object, Serializer serializer) throws IOException {
        long recordId = guarded(() -> base.insert(new byte[1], ByteKeySerializer.INSTANCE));
        update(recordId, object, serializer);
        return recordId;
    }

    @Override
    public void update(long recordId, Object object) throws IOException {
        update(recordId, object, DefaultSerializer.INSTANCE);
    }

    @Override
    public void update(long recordId, Object object, Serializer serializer) throws IOException {
        pending.put(recordId, new Pending(object, serializer));
        if (pending.size() > PENDING_OBJECTS) {
            writeEldest();
        }
    }

    @Override
    public Object fetch(long recordId) throws IOException {
        return fetch(recordId, DefaultSerializer.INSTANCE);
    }

    @Override
    public Object fetch(long recordId, Serializer serializer) throws IOException {
        Pending kept = pending.get(recordId);
        if (kept != null) {
            return kept.object;
        }
        byte[] record = guarded(() -> (byte[]) base.fetch(recordId, ByteKeySerializer.INSTANCE));
        if (!RecordCheck.holds(recordId, record)) {
            throw new IOException("record " + recordId + " was read back with a wrong check while the table was being built");
        }
        return serializer.deserialize(Arrays.copyOf(record, record.length - RecordCheck.BYTES));
    }

    @Override
    public void delete(long recordId) {
        throw new UnsupportedOperationException("a sorted build deletes nothing, asked to delete record " + recordId);
    }

    @Override
    public void close() throws IOException {
        guarded(() -> {
            beforeWrite.run();
            base.close();
            return null;
        });
    }

    @Override
    public int getRootCount() {
        return base.getRootCount();
    }

    @Override
    public long getRoot(int slot) throws IOException {
        return base.getRoot(slot);
    }

    @Override
    public void setRoot(int slot, long recordId) throws IOException {
        base.setRoot(slot, recordId);
    }

    @Override
    public void commit() throws IOException {
        guarded(() -> {
            writePages();
            return null;
        });
    }

    @Override
    public void rollback() {
        throw new UnsupportedOperationException("a build that fails is deleted, not rolled back");
    }

    @Override
    public long getNamedObject(String name) {
        throw new UnsupportedOperationException("tables use root slots, asked for the name " + name);
    }

    @Override
    public void setNamedObject(String name, long recordId) {
        throw new UnsupportedOperationException("tables use root slots, asked to set the name " + name);
    }

    private void writeEldest() throws IOException {
        Iterator<Map.Entry<Long, Pending>> eldest = pending.entrySet().iterator();
        Map.Entry<Long, Pending> entry = eldest.next();
        long recordId = entry.getKey();
        Pending object = entry.getValue();
        eldest.remove();
        byte[] body = object.serializer.serialize(object.object);
        byte[] record = Arrays.copyOf(body, body.length + RecordCheck.BYTES);
        RecordCheck.stamp(recordId, record);
        guarded(() -> {
            base.update(recordId, half(record), ByteKeySerializer.INSTANCE);
            base.update(recordId, record, ByteKeySerializer.INSTANCE);
            countTowardsSlice(record.length);
            return null;
        });
    }

    private static byte[] half(byte[] record) {
        return Arrays.copyOf(record, (record.length + 1) / 2);
    }

    private void countTowardsSlice(int bytes) throws IOException {
        sliceBytes += bytes;
        if (sliceBytes >= SLICE_BYTES) {
            writePages();
        }
    }

    /** With transactions off, JDBM2 writes pages in its commit and nowhere else. */
    private void writePages() throws IOException {
        beforeWrite.run();
        base.commit();
        sliceBytes = 0;
    }

    private <T> T guarded(IoCall<T> call) throws IOException {
        if (broken) {
            throw new IOException("building this table failed before");
        }
        boolean done = false;
        try {
            T result = call.run();
            done = true;
            return result;
        } catch (Error e) {
            if (e.getClass() == Error.class) {
                throw new IOException("JDBM2 failed while building a table: " + e.getMessage(), e);
            }
            throw e;
        } finally {
            broken = !done;
        }
    }

    @FunctionalInterface
    private interface IoCall<T> {
        T run() throws IOException;
    }
}
