package org.alder.partition.jdbm.folder;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.DeletedSpace;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.settings.DiskSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether there is room on a store's disk, so that writes are refused while there is still enough for the work under way;
 * and which failures are of a kind that passes. Asks the operating system now and then only. Thread safe.
 */
public final class DiskSpace {
    private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);
    /** What the operating systems say; Java has no kind of exception for it. */
    private static final List<String> FULL = List.of("No space left on device", "Disk quota exceeded",
            "not enough space on the disk");
    /** With less than this a failed write failed for lack of room, whatever it says: a log grows by half of it at a time. */
    private static final long LEAST_BYTES = 2L << 20;

    private final Disk disk;
    private final Path folder;
    private final Supplier<DiskSettings> settings;
    private String shortage;
    /** Whether the log says that writes are refused. */
    private boolean warned;
    private boolean measured;
    private long measuredNanos;
    private long writtenBytes;

    /** @param settings asked for at each look */
    public DiskSpace(Disk disk, Path folder, Supplier<DiskSettings> settings) {
        this.disk = disk;
        this.folder = folder;
        this.settings = settings;
    }

    /** Why transactions are refused for now, or null. */
    public synchronized String shortage() {
        DiskSettings now = settings.get();
        long lowBytes = now.lowBytes();
        if (!measured || System.nanoTime() - measuredNanos >= TimeUnit.MILLISECONDS.toNanos(now.checkMillis()) || writtenBytes > lowBytes / 4) {
            change(tooLittle(0, lowBytes));
        }
        return shortage;
    }

    /** Tells what was written since; much of it makes the next look at the disk come sooner. */
    public synchronized void wrote(long bytes) {
        writtenBytes += bytes;
        if (warned) {
            warned = false;
            LOG.info("Writes to {} go on", folder);
        }
    }

    /** Tells of a failure that {@link #mayPass}; nothing is tried again before the next look at the disk. */
    public synchronized StoreException lacking(Throwable failure) {
        change(text(failure));
        return exception(shortage);
    }

    private String text(Throwable failure) {
        return isFull(failure) ? "the disk of " + folder + " is full: " + failure.getMessage()
                : "a file in " + folder + " could not be opened or made: " + failure.getMessage() + "; writes go on when it can";
    }

    /** What a failure that {@link #mayPass} is told with; others stay what they are. */
    public StoreException orShortage(StoreException failure) {
        return failure.kind() != StoreException.Kind.DISK_FULL && mayPass(failure)
                ? new StoreException(StoreException.Kind.DISK_FULL, text(failure), failure) : failure;
    }

    /** @throws StoreException of kind DISK_FULL where there is no room for so many bytes, and the reserve beside them */
    public void require(long bytes) {
        require(bytes, 0);
    }

    /** Work that is not urgent leaves the reserve alone. */
    public void requireBesideReserve(long bytes) {
        require(bytes, settings.get().lowBytes());
    }

    private void require(long bytes, long reserveBytes) {
        String tooLittle = tooLittle(bytes, reserveBytes);
        if (tooLittle != null) {
            throw exception(tooLittle);
        }
    }

    public static StoreException exception(String shortage) {
        return new StoreException(StoreException.Kind.DISK_FULL, shortage);
    }

    private void change(String now) {
        measured = true;
        measuredNanos = System.nanoTime();
        writtenBytes = 0;
        if (now != null && !warned) {
            LOG.warn("Writes are refused for now: {}", now);
            warned = true;
        }
        shortage = now;
    }

    private String tooLittle(long workBytes, long reserveBytes) {
        long neededBytes = workBytes + reserveBytes < 0 ? Long.MAX_VALUE : workBytes + reserveBytes;
        long free = freeBytes();
        if (free < neededBytes) {
            DeletedSpace.OF_PROCESS.giveBack();
        }
        String limit = reserveBytes == 0 ? "" : workBytes == 0 ? " (diskLowBytes)" : ", " + reserveBytes + " of them to stay free (diskLowBytes)";
        return free >= neededBytes ? null : "the disk of " + folder + " has " + free + " bytes free, needed are " + neededBytes + limit
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

    /** Whether nothing was lost by a failure, and it is over when there is room, or file descriptors, again. */
    public boolean mayPass(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            // A file that could not be opened or made. What fails on an open one, above all a sync, is not of these types.
            if (cause instanceof FileSystemException || cause instanceof FileNotFoundException) {
                return true;
            }
        }
        return isFull(failure);
    }

    /** Whether something failed because the disk is full. */
    public boolean isFull(Throwable failure) {
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
