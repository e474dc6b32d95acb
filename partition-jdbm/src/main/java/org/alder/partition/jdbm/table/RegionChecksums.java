package org.alder.partition.jdbm.table;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.alder.partition.jdbm.disk.DiskFile;

/** CRC32C of each region of a file. */
final class RegionChecksums {

    static final int REGION_BYTES = 1 << 20;

    private RegionChecksums() {
    }

    static int regionCount(long fileBytes, int regionBytes) {
        return Math.toIntExact((fileBytes + regionBytes - 1) / regionBytes);
    }

    static int[] compute(DiskFile file, int regionBytes) throws IOException {
        long fileBytes = file.size();
        int[] sums = new int[regionCount(fileBytes, regionBytes)];
        ByteBuffer region = ByteBuffer.allocateDirect((int) Math.min(regionBytes, Math.max(1, fileBytes)));
        for (int i = 0; i < sums.length; i++) {
            sums[i] = sum(file, (long) i * regionBytes, fileBytes, region);
        }
        return sums;
    }

    private static int sum(DiskFile file, long start, long fileBytes, ByteBuffer region) throws IOException {
        region.clear().limit((int) Math.min(region.capacity(), fileBytes - start));
        int wanted = region.remaining();
        if (file.read(region, start) < wanted) {
            throw new EOFException("the file became shorter than " + fileBytes + " bytes while it was read");
        }
        CRC32C crc = new CRC32C();
        crc.update(region.flip());
        return (int) crc.getValue();
    }
}
