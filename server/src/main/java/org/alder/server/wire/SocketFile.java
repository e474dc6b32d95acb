package org.alder.server.wire;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a unix-domain socket that is listened on: one that an earlier server has left is removed first, one that is still
 * listened on or belongs to somebody else never, and at the end only the one that was made here. A lock on a file beside it, for as
 * long as the server listens, keeps two servers that start at once from taking each other's socket for one that was left. One thread
 * at a time.
 */
final class SocketFile {
    private static final Logger LOG = LoggerFactory.getLogger(SocketFile.class);
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;
    private static final int STICKY = 01000;

    private final Path path;
    /** Says which file it is, whatever its name. */
    private final Object key;
    private final long uid;
    private final Lock lock;

    private SocketFile(Path path, Object key, long uid, Lock lock) {
        this.path = path;
        this.key = key;
        this.uid = uid;
        this.lock = lock;
    }

    /**
     * A lock of the operating system, which ends with the process, however it ends. Its file stays: to remove it would be a race of
     * its own.
     */
    private record Lock(Path path, FileChannel channel) {
        /** The operating system gives a process's lock up when it closes any channel on the file: a second one is not opened. */
        private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

        static Lock acquire(Path socket) throws IOException {
            Path path = socket.getParent().toRealPath().resolve(socket.getFileName() + ".lock");
            if (!HELD.add(path)) {
                throw new IOException("this server listens there already");
            }
            FileChannel channel = null;
            try {
                channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE,
                        LinkOption.NOFOLLOW_LINKS), PosixFilePermissions.asFileAttribute(UnixSocket.OWNER_ALONE));
                if (channel.tryLock() == null) {
                    throw new IOException("another server listens there: it holds the lock of " + path);
                }
                return new Lock(path, channel);
            } catch (AccessDeniedException e) {
                release(path, channel);
                throw new IOException("another user's server may listen there: " + path + " is not this user's", e);
            } catch (IOException | RuntimeException e) {
                release(path, channel);
                throw e;
            }
        }

        private static void release(Path path, FileChannel channel) throws IOException {
            try {
                if (channel != null) {
                    channel.close();
                }
            } finally {
                HELD.remove(path);
            }
        }

        void release() {
            try {
                release(path, channel);
            } catch (IOException e) {
                LOG.warn("the lock {} cannot be given up: {}", path, e.toString());
            }
        }
    }

    /** Makes the file and listens. @throws IOException naming the reason, without the path */
    static SocketFile bind(UnixSocket socket, ServerSocketChannel channel, int backlog) throws IOException {
        Lock lock = Lock.acquire(socket.path());
        boolean bound = false;
        try {
            SocketFile made = bind(socket, channel, backlog, lock);
            bound = true;
            return made;
        } finally {
            if (!bound) {
                lock.release();
            }
        }
    }

    private static SocketFile bind(UnixSocket socket, ServerSocketChannel channel, int backlog, Lock lock) throws IOException {
        Path path = socket.path();
        long uid = new UnixSystem().getUid();
        removeStale(path, uid);
        warnOfFolder(path.getParent());
        channel.bind(UnixDomainSocketAddress.of(path), backlog);
        Files.setPosixFilePermissions(path, socket.permissions());
        closeTooEarly(channel);
        PosixFileAttributes made = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (number(made.owner()) != unixNumber(path, "uid") || number(made.group()) != unixNumber(path, "gid")) {
            throw new IOException("this Java does not tell the numbers of users, without which nobody could be told from others");
        }
        return new SocketFile(path, made.fileKey(), uid, lock);
    }

    private static void removeStale(Path path, long uid) throws IOException {
        try {
            if ((unixNumber(path, "mode") & FILE_TYPE) != SOCKET) {
                throw new IOException("there is a file of that name which is no socket");
            }
            if (unixNumber(path, "uid") != uid) {
                throw new IOException("there is a socket of that name which is " + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS)
                        + "'s: remove it if nobody listens on it");
            }
        } catch (NoSuchFileException e) {
            return;
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(path));
            throw new IOException("another server listens there");
        } catch (ConnectException e) {
            LOG.info("the socket {} is what an earlier server has left, and is made anew", path);
            Files.delete(path);
        }
    }

    /** Who may write to the folder could put a socket of his own in place of this one. */
    private static void warnOfFolder(Path folder) throws IOException {
        boolean othersWrite = Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE);
        if (othersWrite && (unixNumber(folder, "mode") & STICKY) == 0) {
            LOG.warn("other users of this machine may write to {}, and put a socket of their own in the server's place: chmod o-w {}",
                    folder, folder);
        }
    }

    /** Who has connected before the permissions stood may be somebody whom they keep out. */
    private static void closeTooEarly(ServerSocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        for (SocketChannel early = channel.accept(); early != null; early = channel.accept()) {
            early.close();
        }
    }

    private static long unixNumber(Path path, String name) throws IOException {
        return Integer.toUnsignedLong((Integer) Files.getAttribute(path, "unix:" + name, LinkOption.NOFOLLOW_LINKS));
    }

    /** Java's users of unix have their numbers as hash codes, and no other way to tell them; {@link #bind} holds that against a file's. */
    private static long number(UserPrincipal user) {
        return Integer.toUnsignedLong(user.hashCode());
    }

    /** Who has connected. May ask the name service of the machine, and so take a while. */
    PeerCredentials peer(SocketChannel channel) throws IOException {
        UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
        GroupPrincipal group = peer.group();
        long user = number(peer.user());
        return new PeerCredentials(peer.user().getName(), user, number(group), user == 0 || user == uid);
    }

    /** Removes the file, unless another has taken its place, and gives the lock up. The server listens no more. */
    void remove() {
        try {
            if (key.equals(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey())) {
                Files.delete(path);
            }
        } catch (NoSuchFileException e) {
            // Somebody else has tidied up.
        } catch (IOException e) {
            LOG.warn("the socket {} cannot be removed: {}", path, e.toString());
        } finally {
            lock.release();
        }
    }
}
