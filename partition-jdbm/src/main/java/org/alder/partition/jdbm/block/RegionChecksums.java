package org.alder.partition.jdbm.block;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.SystemDisk;

/**
 * The CRC32C of each region of a file: made by its writer, and compared with the file later. Open as long as the file is; one
 * thread.
 */
public final class RegionChecksums implements Closeable {
    private static final int REGION_BYTES = 1 << 20;

    private final DiskFile file;
    private final TableSummary expected;
    private final ByteBuffer buffer;

    /** Opens a file to compare it. */
    public RegionChecksums(Path file, TableSummary expected) throws IOException {
        this.expected = expected;
        this.file = SystemDisk.INSTANCE.open(file, false);
        this.buffer = buffer(expected.fileBytes(), expected.regionBytes());
    }

    private static ByteBuffer buffer(long fileBytes, int regionBytes) {
        return ByteBuffer.allocateDirect((int) Math.min(regionBytes, Math.max(1, fileBytes)));
    }

    /** Sums up a file that was just written. */
    public static TableSummary summary(long pairCount, long blockCount, DiskFile file) throws IOException {
        long fileBytes = file.size();
        int[] sums = new int[Math.toIntExact((fileBytes + REGION_BYTES - 1) / REGION_BYTES)];
        ByteBuffer buffer = buffer(fileBytes, REGION_BYTES);
        for (int i = 0; i < sums.length; i++) {
            sums[i] = sum(file, (long) i * REGION_BYTES, fileBytes, buffer);
        }
        return new TableSummary(pairCount, blockCount, fileBytes, REGION_BYTES, sums);
    }

    private static int sum(DiskFile file, long start, long fileBytes, ByteBuffer buffer) throws IOException {
        buffer.clear().limit((int) Math.min(buffer.capacity(), fileBytes - start));
        int wanted = buffer.remaining();
        if (file.read(buffer, start) < wanted) {
            throw new EOFException("the file ends at " + file.size() + ", expected " + fileBytes + " bytes");
        }
        CRC32C crc = new CRC32C();
        crc.update(buffer.flip());
        return (int) crc.getValue();
    }

    public int regionCount() {
        return expected.regionCrc32c().length;
    }

    public long offset(int region) {
        return (long) region * expected.regionBytes();
    }

    /** Reads one region; says what is wrong with its checksum, or null. */
    public String mismatch(int region) throws IOException {
        int found = sum(file, offset(region), expected.fileBytes(), buffer);
        int wanted = expected.regionCrc32c()[region];
        return found == wanted ? null : "the region from there has the CRC32C " + HexFormat.of().toHexDigits(found)
                + ", expected " + HexFormat.of().toHexDigits(wanted);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
