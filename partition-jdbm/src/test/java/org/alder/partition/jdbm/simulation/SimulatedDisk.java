package org.alder.partition.jdbm.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.DiskFileFilter;
import org.alder.partition.jdbm.disk.DiskFilter;
import org.alder.partition.testing.Simulation;

/** A disk at each change of which the {@link Simulation} may let another task go on. One task at a time. */
final class SimulatedDisk extends DiskFilter {
    /** They change the disk while they hold their monitors, which others want. */
    private static final Set<String> WITHOUT_STEPS = Set.of("org.alder.partition.jdbm.folder.Catalog",
            "org.alder.partition.jdbm.state.LiveState", "org.alder.partition.jdbm.folder.DiskSpace");
    private static final StackWalker STACK = StackWalker.getInstance();

    private final Simulation simulation;

    SimulatedDisk(Simulation simulation, Disk disk) {
        super(disk);
        this.simulation = simulation;
    }

    private void step(String what) {
        if (STACK.<Boolean>walk(frames -> frames.noneMatch(frame -> WITHOUT_STEPS.contains(frame.getClassName())))) {
            simulation.step(what);
        }
    }

    /** By the name alone: where the folder is, is another place in each run. */
    private void step(String what, Path path) {
        step(what + " " + path.getFileName());
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        step("create", file);
        return new SimulatedFile(disk.create(file), file);
    }

    @Override
    public DiskFile createScratch(Path file) throws IOException {
        step("create", file);
        return new SimulatedFile(disk.createScratch(file), file);
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        step("create", folder);
        disk.createFolder(folder);
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        step("open", file);
        return new SimulatedFile(disk.open(file, writable), file);
    }

    @Override
    public void willWrite(Path file) throws IOException {
        step("write pages of", file);
        disk.willWrite(file);
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        step("replace", target);
        disk.replace(source, target);
    }

    @Override
    public void delete(Path file) throws IOException {
        step("delete", file);
        disk.delete(file);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        step("sync a folder");
        disk.syncFolder(folder);
    }

    private final class SimulatedFile extends DiskFileFilter {
        private final Path path;

        private SimulatedFile(DiskFile file, Path path) {
            super(file);
            this.path = path;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            step("write at " + position, path);
            file.write(source, position);
        }

        @Override
        public void sync() throws IOException {
            step("sync", path);
            file.sync();
        }

        @Override
        public void truncate(long size) throws IOException {
            step("truncate", path);
            file.truncate(size);
        }
    }
}
