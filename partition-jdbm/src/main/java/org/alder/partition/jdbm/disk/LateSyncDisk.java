package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Another disk, on which files are synced when the next folder is, and not before: of many small files the first sync has the file system's journal written for
 * all, where else each has it written anew. Only for who asks for nothing to be durable before he syncs a folder. One thread.
 */
public final class LateSyncDisk extends DiskFilter {
    private final Set<Path> late = new LinkedHashSet<>();

    public LateSyncDisk(Disk disk) {
        super(disk);
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        return new LateFile(file, disk.create(file));
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        return new LateFile(file, disk.open(file, writable));
    }

    @Override
    public void delete(Path file) throws IOException {
        late.remove(file);
        disk.delete(file);
    }

    /** Syncs all files first: a name that is durable is one of a file that is. */
    @Override
    public void syncFolder(Path folder) throws IOException {
        for (Path file : late) {
            try (DiskFile written = disk.open(file, true)) {
                written.sync();
            }
        }
        late.clear();
        disk.syncFolder(folder);
    }

    private final class LateFile extends DiskFileFilter {
        private final Path path;

        LateFile(Path path, DiskFile file) {
            super(file);
            this.path = path;
        }

        @Override
        public void sync() {
            late.add(path);
        }
    }
}
