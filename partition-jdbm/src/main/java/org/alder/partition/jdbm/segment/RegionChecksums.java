package org.alder.partition.jdbm.segment;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.alder.partition.jdbm.table.TableSummary;

/** Compares the checksums of a file's regions with those in the descriptor. Open as long as the file is; one thread. */
final class RegionChecksums implements AutoCloseable {
    private final TableSummary expected;
    private final FileChannel channel;
    private final ByteBuffer buffer;

    RegionChecksums(Path file, TableSummary expected) throws IOException {
        this.expected = expected;
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
        this.buffer = ByteBuffer.allocateDirect((int) Math.min(expected.regionBytes(), expected.fileBytes()));
    }

    int regionCount() {
        return expected.regionCrc32c().length;
    }

    long offset(int region) {
        return (long) region * expected.regionBytes();
    }

    /** Reads one region; says what is wrong with its checksum, or null. */
    String mismatch(int region) throws IOException {
        buffer.clear().limit((int) Math.min(expected.regionBytes(), expected.fileBytes() - offset(region)));
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset(region) + buffer.position()) < 0) {
                throw new EOFException("the file ends at " + channel.size() + ", expected " + expected.fileBytes() + " bytes");
            }
        }
        CRC32C sum = new CRC32C();
        sum.update(buffer.flip());
        int found = (int) sum.getValue();
        int wanted = expected.regionCrc32c()[region];
        return found == wanted ? null : "the region from there has the CRC32C " + HexFormat.of().toHexDigits(found)
                + ", expected " + HexFormat.of().toHexDigits(wanted);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
