package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.key.KeyTable;

/**
 * Holds a key table against the pairs of its table, in the same pass in which {@link TableVerifier} reads those: every key must
 * be found through it. Remembers the first thing that is wrong. One thread, used once.
 */
public final class KeyTableCheck {
    private final Path file;
    private final TableSummary expected;
    /** Null before the pass, and once something was wrong. */
    private KeyTable keys;
    private int block = -1;
    private TableCorruptException problem;

    /**
     * @param file     its length and checksums must have been compared already
     * @param expected what its writer returned for this file
     */
    public KeyTableCheck(Path file, TableSummary expected) {
        this.file = file;
        this.expected = expected;
    }

    void begin(Table table) throws IOException {
        try {
            keys = KeyTable.open(file, table.pairCount(), table.blockCount());
            if (table.pairCount() != expected.pairCount()) {
                fail("found " + table.pairCount() + " keys, expected " + expected.pairCount());
            }
        } catch (TableCorruptException e) {
            problem = e;
        }
    }

    /** @param cursor stands on a pair, the one after that of the last call */
    void pair(TableCursor cursor, byte[] key) {
        int pair = cursor.pairInBlock();
        if (pair == 0) {
            block++;
        }
        if (keys != null && !leads(key, cursor.recordId(), pair)) {
            fail("the key of pair " + pair + " of block " + block + " is not found through it: " + HexFormat.of().formatHex(key));
        }
    }

    private boolean leads(byte[] key, long recordId, int pair) {
        try {
            return keys.leadsTo(key, block, recordId, pair);
        } catch (TableCorruptException e) {
            problem = e;
            keys = null;
            return true;
        }
    }

    private void fail(String found) {
        problem = new TableCorruptException(file, 0, found);
        keys = null;
    }

    /** What is wrong with the key table, or null; means nothing where the table itself was not read to its end. */
    public TableCorruptException problem() {
        return problem;
    }
}
