package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.segment.SegmentDescriptor;

/** Copies a segment, and holds what it reads to the checksums in the segment's descriptor. One thread. */
final class SegmentCopy {
    private final Disk disk;
    private final LongConsumer copied;
    private final LongConsumer kept;

    /** The files of a segment, wherever they are. */
    @FunctionalInterface
    interface Source {
        /** An open file, which the copy closes. */
        DiskFile open(String fileName) throws IOException;
    }

    /**
     * @param disk   what is written to
     * @param copied told how many bytes were copied
     */
    SegmentCopy(Disk disk, LongConsumer copied) {
        this(disk, copied, bytes -> { });
    }

    /** @param kept told how many bytes were not copied, as a copy that was not finished has left them, and they are what is expected */
    SegmentCopy(Disk disk, LongConsumer copied, LongConsumer kept) {
        this.disk = disk;
        this.copied = copied;
        this.kept = kept;
    }

    /**
     * Makes the folder, and all of the segment in it, the descriptor last; durable when this returns, but for the folder's name. Goes on
     * where the folder holds what a copy has left that was not finished.
     *
     * @param descriptorBytes what is read into {@code descriptor}
     * @throws StoreException of kind CORRUPT, naming the file, where something is not what the descriptor says
     */
    void copy(Path source, Source files, SegmentDescriptor descriptor, byte[] descriptorBytes, Path target) throws IOException {
        if (!Files.isDirectory(target)) {
            disk.createFolder(target);
        }
        for (SegmentDescriptor.TableFile file : descriptor.files()) {
            try (DiskFile from = files.open(file.fileName()); DiskFile to = openOrCreate(target.resolve(file.fileName()))) {
                copy(source.resolve(file.fileName()), from, to, file.summary());
                to.sync();
            }
        }
        try (DiskFile to = disk.create(target.resolve(SegmentDescriptor.FILE_NAME))) {
            to.write(ByteBuffer.wrap(descriptorBytes), 0);
            to.sync();
        }
        disk.syncFolder(target);
    }

    private DiskFile openOrCreate(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? disk.open(file, true) : disk.create(file);
    }

    private void copy(Path source, DiskFile from, DiskFile to, TableSummary expected) throws IOException {
        requireLength(source, from.size(), expected);
        long there = to.size();
        if (there > expected.fileBytes()) {
            to.truncate(expected.fileBytes());
        }
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(expected.regionBytes(), expected.fileBytes()));
        for (int region = 0; region < expected.regionCrc32c().length; region++) {
            long offset = (long) region * expected.regionBytes();
            int length = (int) Math.min(buffer.capacity(), expected.fileBytes() - offset);
            if (there >= offset + length && read(to, buffer, offset, length) == expected.regionCrc32c()[region]) {
                kept.accept(length);
                continue;
            }
            int crc = read(from, buffer, offset, length);
            if (buffer.hasRemaining() || crc != expected.regionCrc32c()[region]) {
                throw new StoreException(StoreException.Kind.CORRUPT, source + " at offset " + offset + ": the region from there has "
                        + buffer.position() + " bytes with the CRC32C " + HexFormat.of().toHexDigits(crc) + ", expected "
                        + buffer.limit() + " with " + HexFormat.of().toHexDigits(expected.regionCrc32c()[region]));
            }
            int bytes = buffer.flip().remaining();
            to.write(buffer, offset);
            copied.accept(bytes);
        }
    }

    /** The CRC32C of what could be read. */
    private static int read(DiskFile file, ByteBuffer buffer, long offset, int length) throws IOException {
        buffer.clear().limit(length);
        file.read(buffer, offset);
        CRC32C crc = new CRC32C();
        crc.update(buffer.array(), 0, buffer.position());
        return (int) crc.getValue();
    }

    static void requireLength(Path source, long found, TableSummary expected) {
        if (found != expected.fileBytes()) {
            throw new StoreException(StoreException.Kind.CORRUPT, source + " has " + found + " bytes, its segment's descriptor says "
                    + expected.fileBytes());
        }
    }
}
