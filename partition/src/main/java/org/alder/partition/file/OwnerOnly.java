package org.alder.partition.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * The permissions of files and folders that hold entries, and so password hashes: 0600 and 0700. They are given when the file is
 * made, so that there is no moment in which others can open it. Where the file system has no such permissions (Windows), its own
 * rules stand. Stateless.
 */
public final class OwnerOnly {
    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    private OwnerOnly() {
    }

    /** For a file that is about to be made at this path. */
    public static FileAttribute<?>[] file(Path path) {
        return isPosix(path) ? new FileAttribute<?>[] {FILE} : new FileAttribute<?>[0];
    }

    /** For a folder that is about to be made at this path. */
    public static FileAttribute<?>[] folder(Path path) {
        return isPosix(path) ? new FileAttribute<?>[] {FOLDER} : new FileAttribute<?>[0];
    }

    /** Whether users of the machine that are neither the owner nor in the group may do anything with it. */
    public static boolean isOpenToOthers(Path path) throws IOException {
        return isPosix(path) && Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains);
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
