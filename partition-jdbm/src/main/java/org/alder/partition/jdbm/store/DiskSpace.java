package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether there is room on a store's disk, so that writes are refused while there is still enough for the work under way.
 * Asks the operating system now and then only. Thread safe.
 */
final class DiskSpace {
    private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);
    /** What the operating systems say; Java has no kind of exception for it. */
    private static final List<String> FULL = List.of("No space left on device", "Disk quota exceeded",
            "not enough space on the disk");
    /** With less than this a failed write failed for lack of room, whatever it says: a log grows by half of it at a time. */
    private static final long LEAST_BYTES = 2L << 20;

    private final Disk disk;
    private final Path folder;
    private final long lowBytes;
    private final long checkNanos;
    private String shortage;
    private boolean measured;
    private long measuredNanos;
    private long writtenBytes;

    DiskSpace(Disk disk, Path folder, StoreSettings settings) {
        this.disk = disk;
        this.folder = folder;
        this.lowBytes = settings.diskLowBytes();
        this.checkNanos = TimeUnit.MILLISECONDS.toNanos(settings.diskCheckMillis());
    }

    /** Why transactions are refused for now, or null. */
    synchronized String shortage() {
        if (!measured || System.nanoTime() - measuredNanos >= checkNanos || writtenBytes > lowBytes / 4) {
            change(tooLittle(lowBytes));
        }
        return shortage;
    }

    /** Tells what was written since; much of it makes the next look at the disk come sooner. */
    synchronized void wrote(long bytes) {
        writtenBytes += bytes;
    }

    /** Tells that something could not be written for lack of room; nothing is tried again before the next look at the disk. */
    synchronized StoreException full(Throwable cause) {
        change("the disk of " + folder + " is full: " + cause.getMessage());
        return exception(shortage);
    }

    /** @throws StoreException of kind DISK_FULL where there is no room for so many bytes, and the reserve beside them */
    void require(long bytes) {
        String tooLittle = tooLittle(bytes);
        if (tooLittle != null) {
            throw exception(tooLittle);
        }
    }

    /** Work that is not urgent leaves the reserve alone. */
    void requireBesideReserve(long bytes) {
        require(bytes + lowBytes);
    }

    static StoreException exception(String shortage) {
        return new StoreException(StoreException.Kind.DISK_FULL, shortage);
    }

    private void change(String now) {
        measured = true;
        measuredNanos = System.nanoTime();
        writtenBytes = 0;
        if (now != null && shortage == null) {
            LOG.warn("Writes are refused until there is room: {}", now);
        } else if (now == null && shortage != null) {
            LOG.info("There is room again on the disk of {}", folder);
        }
        shortage = now;
    }

    private String tooLittle(long neededBytes) {
        long free = freeBytes();
        return free >= neededBytes ? null : "the disk of " + folder + " has " + free + " bytes free, needed are " + neededBytes
                + "; reads go on, and writes do when there is room again";
    }

    /** A disk that cannot be asked is not taken for full: then writes show what it can. */
    private long freeBytes() {
        try {
            return disk.freeBytes(folder);
        } catch (IOException e) {
            LOG.warn("Cannot ask for the free space on the disk of {}: {}", folder, e.toString());
            return Long.MAX_VALUE;
        }
    }

    /** Whether something failed because the disk is full. */
    boolean isCauseOf(Throwable failure) {
        boolean io = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (FULL.stream().anyMatch(message::contains)) {
                return true;
            }
            io |= cause instanceof IOException;
        }
        return io && freeBytes() < LEAST_BYTES;
    }
}
