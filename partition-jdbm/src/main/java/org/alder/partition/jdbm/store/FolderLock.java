package org.alder.partition.jdbm.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.alder.partition.error.StoreException;

/**
 * Keeps a store's folder for one user: a lock of the operating system on the file {@code LOCK}, which ends with the process,
 * however it ends. The file says whose it is.
 */
final class FolderLock implements Closeable {
    private static final String NAME = "LOCK";
    /**
     * Folders this process holds. The operating system gives a process's lock up when it closes any channel on the file, so a
     * second one must not even be opened.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path realFolder;
    private final FileChannel channel;

    private FolderLock(Path realFolder, FileChannel channel) {
        this.realFolder = realFolder;
        this.channel = channel;
    }

    /** @throws StoreException of kind REFUSED where somebody else has the folder */
    static FolderLock acquire(Path folder) throws IOException {
        Path real = folder.toRealPath();
        if (!HELD.add(real)) {
            throw refused(folder, "this process");
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(real.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw refused(folder, "another process (" + Files.readString(real.resolve(NAME)).strip() + ")");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(("pid " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
            return new FolderLock(real, channel);
        } catch (IOException | RuntimeException e) {
            if (channel != null) {
                channel.close();
            }
            HELD.remove(real);
            throw e;
        }
    }

    private static StoreException refused(Path folder, String holder) {
        return new StoreException(StoreException.Kind.REFUSED, "the data folder " + folder + " is in use by " + holder);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD.remove(realFolder);
    }
}
