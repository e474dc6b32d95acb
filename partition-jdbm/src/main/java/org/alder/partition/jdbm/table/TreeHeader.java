package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.io.ObjectOutput;
import java.util.ArrayList;
import java.util.List;
import jdbm.btree.BTree;

/**
 * What the header record of a JDBM2 B+Tree says.
 *
 * @param height     levels of pages; 0 in an empty tree
 * @param rootId     record ID of the root page; 0 in an empty tree
 * @param pageSize   slots per page
 * @param tupleCount tuples in the tree
 */
record TreeHeader(int height, long rootId, int pageSize, int tupleCount) {

    private static final int MAX_HEIGHT = 40;
    private static final int MAX_PAGE_SIZE = 1024;

    static TreeHeader read(MappedRecordManager records, long recordId) {
        BTree<?, ?> tree = records.fetch(recordId);
        List<Object> fields = new ArrayList<>();
        try {
            tree.writeExternal(new FieldRecorder(fields));
        } catch (IOException e) {
            throw records.corrupt(recordId, "expected the header of a B+Tree, found " + e, e);
        }
        if (!(fields.get(0) instanceof ByteKeyComparator) || !(fields.get(1) instanceof ByteKeySerializer)
            || !(fields.get(2) instanceof ByteKeySerializer)) {
            throw records.corrupt(recordId, "expected this package's comparator and serializers, found " + fields);
        }
        TreeHeader header = new TreeHeader((Integer) fields.get(3), (Long) fields.get(4), (Integer) fields.get(5),
            (Integer) fields.get(6));
        if (!header.isPlausible()) {
            throw records.corrupt(recordId, "found an impossible B+Tree header " + header);
        }
        return header;
    }

    private boolean isPlausible() {
        boolean empty = tupleCount == 0;
        return tupleCount >= 0 && height <= MAX_HEIGHT && empty == (height == 0) && empty == (rootId == 0)
            && height >= 0 && rootId >= 0 && pageSize >= 4 && pageSize <= MAX_PAGE_SIZE && pageSize % 2 == 0;
    }

    /** JDBM2 keeps the header's fields to itself but writes them to any ObjectOutput: this one keeps what it is given. */
    private record FieldRecorder(List<Object> fields) implements ObjectOutput {

        @Override
        public void writeObject(Object object) {
            fields.add(object);
        }

        @Override
        public void writeInt(int number) {
            fields.add(number);
        }

        @Override
        public void writeLong(long number) {
            fields.add(number);
        }

        @Override
        public void write(int number) {
            throw unexpected();
        }

        @Override
        public void write(byte[] bytes) {
            throw unexpected();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            throw unexpected();
        }

        @Override
        public void writeBoolean(boolean value) {
            throw unexpected();
        }

        @Override
        public void writeByte(int number) {
            throw unexpected();
        }

        @Override
        public void writeShort(int number) {
            throw unexpected();
        }

        @Override
        public void writeChar(int character) {
            throw unexpected();
        }

        @Override
        public void writeFloat(float number) {
            throw unexpected();
        }

        @Override
        public void writeDouble(double number) {
            throw unexpected();
        }

        @Override
        public void writeBytes(String text) {
            throw unexpected();
        }

        @Override
        public void writeChars(String text) {
            throw unexpected();
        }

        @Override
        public void writeUTF(String text) {
            throw unexpected();
        }

        @Override
        public void flush() {
            // There is nothing behind this output to flush to.
        }

        @Override
        public void close() {
            // There is nothing behind this output to close.
        }

        private static UnsupportedOperationException unexpected() {
            return new UnsupportedOperationException("JDBM2 wrote a B+Tree header of another shape");
        }
    }
}
