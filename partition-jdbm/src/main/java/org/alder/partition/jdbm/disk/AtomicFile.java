package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.alder.partition.file.FileReplacement;

/**
 * Replaces a file in one step: writes NAME.new, syncs it, renames it over NAME and syncs the folder. What a crash leaves under
 * NAME.new has no meaning, and the next replacement overwrites it. Thread safe for different files.
 */
public final class AtomicFile implements FileReplacement {
    public static final String NEW_SUFFIX = ".new";

    private final Disk disk;

    public AtomicFile(Disk disk) {
        this.disk = disk;
    }

    /** On the real disk. */
    public static AtomicFile onDisk() {
        return new AtomicFile(SystemDisk.INSTANCE);
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + NEW_SUFFIX);
        try (DiskFile out = disk.create(fresh)) {
            out.write(ByteBuffer.wrap(content), 0);
            out.sync();
        }
        disk.replace(fresh, file);
        disk.syncFolder(file.toAbsolutePath().getParent());
    }
}
