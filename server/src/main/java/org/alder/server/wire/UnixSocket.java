package org.alder.server.wire;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Where a unix-domain socket is listened on. Immutable.
 *
 * @param path the file that stands for the socket; it is made, and removed again
 * @param permissions of that file: who may write to it may connect
 * @param required whether a server that cannot listen here does not start
 */
public record UnixSocket(Path path, Set<PosixFilePermission> permissions, boolean required) {
    /** For the user that the server runs as, and for root, whom permissions do not stop. */
    public static final Set<PosixFilePermission> OWNER_ALONE = PosixFilePermissions.fromString("rw-------");
    /** What Linux has room for. */
    private static final int MOST_PATH_BYTES = 107;

    public UnixSocket {
        permissions = Set.copyOf(permissions);
    }

    /** Null, or what is wrong with the length of the path: the operating system has little room for it. */
    public static String tooLong(Path path) {
        int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
        return bytes <= MOST_PATH_BYTES ? null
                : "the path of the socket has " + bytes + " bytes, expected at most " + MOST_PATH_BYTES + ": " + path;
    }
}
