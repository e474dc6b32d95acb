package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A disk that does what another one does, but for what a subclass changes. As thread safe as the other one. */
public class DiskFilter implements Disk {
    protected final Disk disk;

    protected DiskFilter(Disk disk) {
        this.disk = disk;
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        return disk.create(file);
    }

    @Override
    public DiskFile createScratch(Path file) throws IOException {
        return disk.createScratch(file);
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        disk.createFolder(folder);
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        return disk.open(file, writable);
    }

    @Override
    public void willWrite(Path file) throws IOException {
        disk.willWrite(file);
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        disk.replace(source, target);
    }

    @Override
    public void delete(Path file) throws IOException {
        disk.delete(file);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        disk.syncFolder(folder);
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public long freeBytes(Path folder) throws IOException {
        return disk.freeBytes(folder);
    }
}
