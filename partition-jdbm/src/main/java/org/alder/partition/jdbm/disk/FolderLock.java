package org.alder.partition.jdbm.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.alder.partition.error.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a store's folder for one user: a lock of the operating system on the file {@code LOCK}, which ends with the process,
 * however it ends. The file says whose it is.
 */
public final class FolderLock implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(FolderLock.class);
    private static final String NAME = "LOCK";
    /**
     * Folders this process holds. The operating system gives a process's lock up when it closes any channel on the file, so a
     * second one must not even be opened.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path realFolder;
    private final DiskFile file;

    private FolderLock(Path realFolder, DiskFile file) {
        this.realFolder = realFolder;
        this.file = file;
    }

    /** @throws StoreException of kind REFUSED where somebody else has the folder */
    public static FolderLock acquire(Disk disk, Path folder) throws IOException {
        Path real = folder.toRealPath();
        if (!HELD.add(real)) {
            throw refused(folder, "this process");
        }
        DiskFile file = null;
        try {
            file = openOrCreate(disk, real.resolve(NAME));
            if (!file.tryLock()) {
                throw refused(folder, "another process (" + Files.readString(real.resolve(NAME)).strip() + ")");
            }
            signWithPid(file);
            return new FolderLock(real, file);
        } catch (IOException | RuntimeException e) {
            if (file != null) {
                file.close();
            }
            HELD.remove(real);
            throw e;
        }
    }

    private static DiskFile openOrCreate(Disk disk, Path path) throws IOException {
        try {
            return disk.open(path, true);
        } catch (NoSuchFileException e) {
            return disk.create(path);
        }
    }

    /** The name only helps whoever finds the folder locked, and a full disk must not keep a store from being read. */
    private static void signWithPid(DiskFile file) {
        try {
            file.truncate(0);
            file.write(ByteBuffer.wrap(("pid " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
        } catch (IOException e) {
            LOG.warn("Cannot write this process's number into the lock file: {}", e.toString());
        }
    }

    private static StoreException refused(Path folder, String holder) {
        return new StoreException(StoreException.Kind.REFUSED, "the data folder " + folder + " is in use by " + holder);
    }

    /** Closes a lock, where there is one; what fails then ends with the process. */
    public static void release(FolderLock lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            LOG.warn("Cannot release the lock of the data folder: {}", e.toString(), e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
        HELD.remove(realFolder);
    }
}
