package org.alder.partition.jdbm.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings pages of a file into the operating system's page cache with positional reads, and forgets what it read. A page fault on
 * a mapping brings them too, but one at a time for each thread, and with up to megabytes around each that nobody asked for.
 * Thread safe, but a thread that is interrupted while it reads closes the file: for threads of its own.
 */
public final class PageFetcher implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(PageFetcher.class);
    private static final int SCRATCH_BYTES = 64 * 1024;
    private static final ThreadLocal<ByteBuffer> SCRATCH = ThreadLocal
            .withInitial(() -> ByteBuffer.allocateDirect(SCRATCH_BYTES));

    private final Path file;
    private final FileChannel channel;

    public PageFetcher(Path file) throws IOException {
        this.file = file;
        channel = FileChannel.open(file, StandardOpenOption.READ);
    }

    /** @throws IOException also where the file was closed meanwhile */
    public void fetch(long offset, long length) throws IOException {
        ByteBuffer scratch = SCRATCH.get();
        long at = offset;
        while (at < offset + length) {
            scratch.clear().limit((int) Math.min(SCRATCH_BYTES, offset + length - at));
            int read = channel.read(scratch, at);
            if (read <= 0) {
                return;
            }
            at += read;
        }
    }

    /** Nothing was written, so nothing is lost where closing fails. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("Cannot close {}", file, e);
        }
    }
}
