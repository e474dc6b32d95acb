package org.alder.partition.jdbm.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.DiskFileFilter;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.VolatileDisk;

/**
 * A disk of which one change fails, or all from one on, or that is full for a while; whose unsynced changes a failure of power may
 * lose in part ({@link VolatileDisk}); and at each change of which the {@link Simulation} may let another task go on. One task at a time.
 */
final class SimulatedDisk implements Disk {
    private static final long PLENTY_BYTES = 1L << 50;
    /** They change the disk while they hold their monitors, which others want. */
    private static final Set<String> WITHOUT_STEPS = Set.of("org.alder.partition.jdbm.folder.Catalog",
            "org.alder.partition.jdbm.state.LiveState", "org.alder.partition.jdbm.folder.DiskSpace");
    private static final StackWalker STACK = StackWalker.getInstance();

    /** What goes wrong, if anything. */
    enum Fault {
        NONE, ONCE, FOR_EVER, FULL
    }

    private final Simulation simulation;
    private final VolatileDisk disk;
    private final Fault fault;
    private final long from;
    /** A full disk has room again from this change on. */
    private final long to;
    private long changes;

    /** @param beforeChange told of each change before it is made, with what a failure of power would leave then */
    SimulatedDisk(Path root, Simulation simulation, Fault fault, long from, long to, Consumer<VolatileDisk.Image> beforeChange) {
        this.simulation = simulation;
        this.disk = new VolatileDisk(root, beforeChange);
        this.fault = fault;
        this.from = from;
        this.to = to;
    }

    /** Asked for so far, and whether or not they failed. */
    long changes() {
        return changes;
    }

    /** Whether something has gone wrong. */
    boolean hasFailed() {
        return fault != Fault.NONE && changes >= from;
    }

    private boolean isFull() {
        return fault == Fault.FULL && changes >= from && changes < to;
    }

    /** @return what to throw instead of making the change; null to make it */
    private IOException change(String what, boolean needsSpace) {
        step(what);
        changes++;
        return switch (fault) {
            case NONE -> null;
            case ONCE -> changes == from ? new IOException("injected fault: " + what) : null;
            case FOR_EVER -> changes >= from ? new IOException("injected fault: " + what) : null;
            case FULL -> needsSpace && isFull() ? new IOException(what + ": " + FaultyDisk.NO_SPACE) : null;
        };
    }

    private void step(String what) {
        if (STACK.<Boolean>walk(frames -> frames.noneMatch(frame -> WITHOUT_STEPS.contains(frame.getClassName())))) {
            simulation.step(what);
        }
    }

    private void require(String what, Path path, boolean needsSpace) throws IOException {
        IOException failure = change(what + " " + path.getFileName(), needsSpace);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        require("create", file, true);
        return new SimulatedFile(disk.create(file), file);
    }

    @Override
    public DiskFile createScratch(Path file) throws IOException {
        require("create", file, true);
        return new SimulatedFile(disk.createScratch(file), file);
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        require("create", folder, true);
        disk.createFolder(folder);
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        step("open " + file.getFileName());
        return new SimulatedFile(disk.open(file, writable), file);
    }

    @Override
    public void willWrite(Path file) throws IOException {
        require("write pages of", file, true);
        disk.willWrite(file);
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        require("replace", target, false);
        disk.replace(source, target);
    }

    @Override
    public void delete(Path file) throws IOException {
        require("delete", file, false);
        disk.delete(file);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        // Where it is the store's own folder, its name is another one in each run.
        require("sync folder", Path.of("."), false);
        disk.syncFolder(folder);
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public long freeBytes(Path folder) {
        return isFull() ? 0 : PLENTY_BYTES;
    }

    private final class SimulatedFile extends DiskFileFilter {
        private final Path path;

        private SimulatedFile(DiskFile file, Path path) {
            super(file);
            this.path = path;
        }

        /** One that fails writes half of it. */
        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            IOException failure = change("write " + path.getFileName() + " at " + position, position + source.remaining() > file.size());
            if (failure != null) {
                file.write(source.slice(source.position(), source.remaining() / 2), position);
                throw failure;
            }
            file.write(source, position);
        }

        @Override
        public void sync() throws IOException {
            require("sync", path, false);
            file.sync();
        }

        @Override
        public void truncate(long size) throws IOException {
            require("truncate", path, false);
            file.truncate(size);
        }
    }
}
