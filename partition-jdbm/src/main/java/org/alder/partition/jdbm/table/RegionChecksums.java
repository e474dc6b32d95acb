package org.alder.partition.jdbm.table;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** CRC32C of each region of a file. */
final class RegionChecksums {

    static final int REGION_BYTES = 1 << 20;

    private RegionChecksums() {
    }

    static int regionCount(long fileBytes, int regionBytes) {
        return Math.toIntExact((fileBytes + regionBytes - 1) / regionBytes);
    }

    static int[] compute(FileChannel channel, int regionBytes) throws IOException {
        long fileBytes = channel.size();
        int[] sums = new int[regionCount(fileBytes, regionBytes)];
        ByteBuffer region = ByteBuffer.allocateDirect((int) Math.min(regionBytes, Math.max(1, fileBytes)));
        for (int i = 0; i < sums.length; i++) {
            sums[i] = sum(channel, (long) i * regionBytes, fileBytes, region);
        }
        return sums;
    }

    private static int sum(FileChannel channel, long start, long fileBytes, ByteBuffer region) throws IOException {
        region.clear().limit((int) Math.min(region.capacity(), fileBytes - start));
        while (region.hasRemaining()) {
            if (channel.read(region, start + region.position()) < 0) {
                throw new EOFException("the file became shorter than " + fileBytes + " bytes while it was read");
            }
        }
        CRC32C crc = new CRC32C();
        crc.update(region.flip());
        return (int) crc.getValue();
    }
}
