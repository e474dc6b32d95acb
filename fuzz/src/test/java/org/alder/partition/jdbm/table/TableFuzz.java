package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.alder.fuzz.Scratch;
import org.alder.partition.jdbm.block.RecordCheck;
import org.alder.partition.jdbm.block.TableCorruptException;

/** Files of tables that a disk has changed: what is read of them is in order, or they are found to be damaged. */
public final class TableFuzz {
    private static final Path FILE = Scratch.file("table" + TableWriter.FILE_SUFFIX);
    private static final int PAGE_BYTES = MappedRecordManager.PAGE_BYTES;
    private static final int MOST_PAGES = 16;

    private TableFuzz() {
    }

    /**
     * The records of a table, each behind two bytes with its length and without its check, which it gets; the last one is where reading
     * starts.
     */
    public static void records(byte[] input) throws IOException {
        Files.deleteIfExists(FILE);
        BuildRecordManager records = new BuildRecordManager(FILE.toString().replace(TableWriter.FILE_SUFFIX, ""), () -> { });
        ByteBuffer in = ByteBuffer.wrap(input);
        long last = 0;
        while (in.remaining() >= Short.BYTES) {
            byte[] body = new byte[Math.min(Short.toUnsignedInt(in.getShort()), in.remaining())];
            in.get(body);
            last = records.insertRecord(Arrays.copyOf(body, body.length + RecordCheck.BYTES));
        }
        records.setRoot(TableHeader.ROOT_SLOT, last);
        records.flush();
        records.close();
        read();
    }

    /** The pages of a file, each behind two bytes with its number and without the zeros at its end. */
    public static void pages(byte[] input) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(input);
        byte[] file = new byte[PAGE_BYTES];
        while (in.remaining() >= 2 * Short.BYTES) {
            int page = Short.toUnsignedInt(in.getShort()) % MOST_PAGES;
            int length = Math.min(Math.min(Short.toUnsignedInt(in.getShort()), in.remaining()), PAGE_BYTES);
            file = file.length < (page + 1) * PAGE_BYTES ? Arrays.copyOf(file, (page + 1) * PAGE_BYTES) : file;
            in.get(file, page * PAGE_BYTES, length);
        }
        Scratch.write(FILE, file);
        read();
    }

    private static void read() throws IOException {
        try (Table table = Table.open(FILE)) {
            table.loadInnerPages();
            TreeVerifier.verify(table.mainTree());
            long pairs = 0;
            byte[] before = null;
            TableCursor cursor = table.scan();
            while (cursor.next()) {
                byte[] key = cursor.key();
                assertTrue("keys out of order", before == null || Arrays.compareUnsigned(before, key) < 0);
                assertArrayEquals(cursor.value(), table.get(key));
                before = key;
                pairs++;
            }
            assertTrue("more pairs than there are bytes", pairs <= Files.size(FILE));
            if (before != null) {
                assertEquals(null, table.get(Arrays.copyOf(before, before.length + 1)));
            }
        } catch (TableCorruptException e) {
            assertEquals(FILE, e.file());
            assertTrue(e.getMessage(), e.getMessage().contains(FILE.toString()));
        }
    }
}
