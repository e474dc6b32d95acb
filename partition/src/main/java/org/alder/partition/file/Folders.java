package org.alder.partition.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Folders that outlive a power failure. Stateless. */
public final class Folders {
    private static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

    private Folders() {
    }

    /**
     * Makes the folder, and those above it, where they are missing, for the owner alone and durably. What is there keeps its
     * permissions.
     *
     * @throws IOException naming the folder that cannot be made
     */
    public static void create(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            return;
        }
        if (absolute.getParent() != null) {
            create(absolute.getParent());
        }
        try {
            Files.createDirectory(absolute, OwnerOnly.folder(absolute));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(absolute)) {
                throw new IOException(absolute + " is there already, and is not a folder", e);
            }
        } catch (FileSystemException e) {
            String reason = e instanceof AccessDeniedException ? "permission denied"
                    : e.getReason() == null ? "the file system of " + absolute.getParent() + " refuses it" : e.getReason();
            throw new IOException("the folder " + absolute + " cannot be made: " + reason, e);
        }
        sync(absolute.getParent());
    }

    /** Makes the names in a folder durable. Windows keeps names without being asked, and cannot open a folder. */
    public static void sync(Path folder) throws IOException {
        if (!WINDOWS) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
