package org.alder.server.clients;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file in which MIT's library keeps tickets, in its format 4: changed so that clients send what they would keep to themselves. What
 * stands in the tickets is the KDC's and cannot be changed. One thread.
 */
final class TicketCache {
    private static final int VERSION = 0x0504;
    private static final int TIME_OFFSET = 1;

    private final Path file;
    private final ByteBuffer bytes;

    private TicketCache(Path file) throws IOException {
        this.file = file;
        this.bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        if (bytes.getShort() != VERSION) {
            throw new IOException(file + " is no ticket cache of format 4");
        }
    }

    /** Has clients believe that the KDC's clock goes ahead of theirs, and go by it. */
    static void shiftClock(Path file, int seconds) throws IOException {
        TicketCache cache = new TicketCache(file);
        int end = cache.bytes.getShort() + cache.bytes.position();
        while (cache.bytes.position() < end) {
            int tag = cache.bytes.getShort();
            int length = cache.bytes.getShort();
            if (tag == TIME_OFFSET) {
                cache.bytes.putInt(cache.bytes.position(), seconds);
                Files.write(file, cache.bytes.array());
                return;
            }
            cache.skip(length);
        }
        throw new IOException(file + " holds no difference of clocks");
    }

    /** Has clients believe that all tickets end then. @return how many ended before */
    static int extend(Path file, int endSeconds) throws IOException {
        TicketCache cache = new TicketCache(file);
        cache.skip(cache.bytes.getShort());
        cache.skipPrincipal();
        int extended = 0;
        while (cache.bytes.hasRemaining()) {
            cache.skipPrincipal();
            cache.skipPrincipal();
            cache.skip(Short.BYTES);
            cache.skipOctets();
            cache.skip(2 * Integer.BYTES);
            if (cache.bytes.getInt(cache.bytes.position()) - endSeconds < 0) {
                cache.bytes.putInt(cache.bytes.position(), endSeconds);
                extended++;
            }
            cache.skip(2 * Integer.BYTES + Byte.BYTES + Integer.BYTES);
            cache.skipTyped();
            cache.skipTyped();
            cache.skipOctets();
            cache.skipOctets();
        }
        Files.write(file, cache.bytes.array());
        return extended;
    }

    private void skip(int length) {
        bytes.position(bytes.position() + length);
    }

    private void skipOctets() {
        skip(bytes.getInt());
    }

    private void skipPrincipal() {
        skip(Integer.BYTES);
        for (int parts = bytes.getInt(); parts >= 0; parts--) {
            skipOctets();
        }
    }

    /** Addresses, or data for authorization. */
    private void skipTyped() {
        for (int left = bytes.getInt(); left > 0; left--) {
            skip(Short.BYTES);
            skipOctets();
        }
    }
}
