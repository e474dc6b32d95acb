package org.alder.partition.jdbm.table;

import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.RecordCheck;

/**
 * The record that root slot 1 of the file leads to, where reading a table starts (docs/format/table.md; big-endian; do not change
 * without a new version):
 * <pre>
 * "ALDERTBL" 8 bytes, version u2 = 1, main tree u8, dictionary u8 (record IDs, 0 none), pair count u8, block count u8, check u4
 * </pre>
 */
record TableHeader(long mainTreeId, long dictionaryId, long pairCount, long blockCount) {

    /** JDBM2 keeps slot 0 for its directory of names, which tables do not use. */
    static final int ROOT_SLOT = 1;
    private static final long MAGIC = 0x414C44455254424CL;
    private static final int VERSION = 1;
    private static final int BYTES = 42 + RecordCheck.BYTES;

    byte[] toRecord() {
        byte[] record = new byte[BYTES];
        BigEndian.putLong(record, 0, MAGIC);
        BigEndian.putShort(record, 8, VERSION);
        BigEndian.putLong(record, 10, mainTreeId);
        BigEndian.putLong(record, 18, dictionaryId);
        BigEndian.putLong(record, 26, pairCount);
        BigEndian.putLong(record, 34, blockCount);
        return record;
    }

    static TableHeader read(MappedRecordManager records) {
        long recordId = records.getRoot(ROOT_SLOT);
        if (recordId <= 0) {
            throw records.corrupt(0, "root slot " + ROOT_SLOT + " leads to record " + recordId + ": not a finished table");
        }
        byte[] record = records.read(recordId);
        if (record.length < 10 || BigEndian.getLong(record, 0) != MAGIC) {
            throw records.corrupt(recordId, "expected the header of a table, found another record");
        }
        int version = BigEndian.getUnsignedShort(record, 8);
        if (version != VERSION) {
            throw records.corrupt(recordId, "found table format version " + version + ", this program reads " + VERSION);
        }
        if (record.length != BYTES) {
            throw records.corrupt(recordId, "a table header of " + record.length + " bytes, expected " + BYTES);
        }
        TableHeader header = new TableHeader(BigEndian.getLong(record, 10), BigEndian.getLong(record, 18),
            BigEndian.getLong(record, 26), BigEndian.getLong(record, 34));
        if (header.mainTreeId <= 0 || header.dictionaryId < 0 || header.blockCount < 0
            || header.pairCount < header.blockCount) {
            throw records.corrupt(recordId, "found an impossible table header " + header);
        }
        return header;
    }
}
