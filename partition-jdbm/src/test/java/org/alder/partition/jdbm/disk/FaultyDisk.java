package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A disk of which the n-th change (write, sync, truncation, new file or folder, replacement, removal) fails, as its {@link Fault}
 * says. A failing write first writes half of its bytes. On the real disk a sync that succeeds does nothing, because nothing here
 * turns the power off and thousands of real ones would take minutes. Thread safe.
 */
public final class FaultyDisk extends DiskFilter {
    public static final String NO_SPACE = "No space left on device";
    private static final long PLENTY_BYTES = 1L << 50;

    /** What happens at the n-th change. */
    public enum Fault {
        /** It fails, later ones do not. */
        ONCE,
        /** It fails, and so do all later ones. */
        FOR_EVER,
        /** The disk is full from then on, until {@link FaultyDisk#makeRoom} or a later change: what needs space fails. */
        NO_SPACE
    }

    private final boolean syncs;
    private final long failAt;
    private final Fault fault;
    /** From this change on there is room again. */
    private final long roomAt;
    private long changes;
    private boolean roomAgain;
    private long freeBytes = PLENTY_BYTES;

    /** The real disk. */
    public FaultyDisk(long failAt, Fault fault) {
        this(SystemDisk.INSTANCE, false, failAt, fault, Long.MAX_VALUE);
    }

    /** Another disk, whose syncs are made. @param roomAt the change from which on a full disk has room again */
    public FaultyDisk(Disk disk, long failAt, Fault fault, long roomAt) {
        this(disk, true, failAt, fault, roomAt);
    }

    private FaultyDisk(Disk disk, boolean syncs, long failAt, Fault fault, long roomAt) {
        super(disk);
        this.syncs = syncs;
        this.failAt = failAt;
        this.fault = fault;
        this.roomAt = roomAt;
    }

    /** A disk on which nothing fails before {@link #setFreeBytes} makes it say so. */
    public static FaultyDisk sound() {
        return new FaultyDisk(Long.MAX_VALUE, Fault.NO_SPACE);
    }

    /** How many changes were asked for so far. */
    public synchronized long changes() {
        return changes;
    }

    /** Whether something has gone wrong. */
    public synchronized boolean hasFailed() {
        return changes >= failAt;
    }

    /** There is room again, for good. */
    public synchronized void makeRoom() {
        roomAgain = true;
    }

    /** What the disk says of itself while there is room; it does not fail any sooner for that. */
    public synchronized void setFreeBytes(long bytes) {
        freeBytes = bytes;
    }

    private synchronized boolean isFull() {
        return fault == Fault.NO_SPACE && changes >= failAt && changes < roomAt && !roomAgain;
    }

    private synchronized boolean fails(boolean needsSpace) {
        changes++;
        return switch (fault) {
            case ONCE -> changes == failAt;
            case FOR_EVER -> changes >= failAt;
            case NO_SPACE -> needsSpace && isFull();
        };
    }

    private IOException failure(String what) {
        return new IOException(fault == Fault.NO_SPACE ? what + ": " + NO_SPACE : "injected fault: " + what);
    }

    private void change(String what, boolean needsSpace) throws IOException {
        if (fails(needsSpace)) {
            throw failure(what);
        }
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        change("create " + file, true);
        return new FaultyFile(disk.create(file));
    }

    @Override
    public DiskFile createScratch(Path file) throws IOException {
        change("create " + file, true);
        return new FaultyFile(disk.createScratch(file));
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        change("create " + folder, true);
        disk.createFolder(folder);
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        return new FaultyFile(disk.open(file, writable));
    }

    @Override
    public void willWrite(Path file) throws IOException {
        change("write pages of " + file, true);
        disk.willWrite(file);
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        change("replace " + target, false);
        disk.replace(source, target);
    }

    @Override
    public void delete(Path file) throws IOException {
        change("delete " + file, false);
        disk.delete(file);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        change("sync " + folder, false);
        if (syncs) {
            disk.syncFolder(folder);
        }
    }

    @Override
    public synchronized long freeBytes(Path folder) {
        return isFull() ? 0 : freeBytes;
    }

    private final class FaultyFile extends DiskFileFilter {
        private FaultyFile(DiskFile file) {
            super(file);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            if (fails(position + source.remaining() > file.size())) {
                file.write(source.slice(source.position(), source.remaining() / 2), position);
                throw failure("write");
            }
            file.write(source, position);
        }

        @Override
        public void sync() throws IOException {
            change("sync", false);
            if (syncs) {
                file.sync();
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            change("truncate", false);
            file.truncate(size);
        }
    }
}
