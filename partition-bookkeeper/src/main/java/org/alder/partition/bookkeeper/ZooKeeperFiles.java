package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an {@link EmbeddedZooKeeper} has in its folder, while none runs there. Stateless, thread safe. */
final class ZooKeeperFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperFiles.class);
    private static final String FILES = "version-2";
    private static final String UNREADABLE = "unreadable-";
    /** What a server writes that begins a new ensemble, before anything is in that. */
    private static final String FIRST_SNAPSHOT = "snapshot.0";

    private ZooKeeperFiles() {
    }

    private static Path data(Path folder) {
        return folder.resolve("data");
    }

    /** Whether a server with this folder has ever stored a transaction, or taken what others had; also where that cannot be read any more. */
    static boolean hasData(Path folder) throws IOException {
        return contains(data(folder), UNREADABLE) || hasReadable(folder);
    }

    /** The same without what was put aside. */
    static boolean hasReadable(Path folder) throws IOException {
        Path files = data(folder).resolve(FILES);
        if (contains(files, "log.")) {
            return true;
        }
        try (Stream<Path> all = Files.isDirectory(files) ? Files.list(files) : Stream.empty()) {
            return all.map(each -> each.getFileName().toString()).anyMatch(name -> name.startsWith("snapshot.") && !name.equals(FIRST_SNAPSHOT));
        }
    }

    private static boolean contains(Path folder, String prefix) throws IOException {
        try (Stream<Path> all = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            return all.anyMatch(each -> each.getFileName().toString().startsWith(prefix));
        }
    }

    /**
     * Puts aside what cannot be read, as a disk that was full may leave it: ZooKeeper goes on behind what it could write in part. The server is then
     * one that has lost its disk, and takes what the others have, but one that had something: it never begins a new ensemble.
     */
    static void setAsideUnreadable(Path folder) throws IOException {
        if (!hasReadable(folder)) {
            return;
        }
        try {
            read(folder);
        } catch (IOException | RuntimeException e) {
            int number = 1;
            while (Files.exists(data(folder).resolve(UNREADABLE + number))) {
                number++;
            }
            Path aside = data(folder).resolve(UNREADABLE + number);
            Files.move(data(folder).resolve(FILES), aside);
            LOG.warn("What ZooKeeper has stored in {} cannot be read ({}): it is put aside, into {}, and the other members are to give it what they have."
                    + " When this member is back that folder may be deleted", folder, e.toString(), aside);
        }
    }

    private static void read(Path folder) throws IOException {
        FileTxnSnapLog files = new FileTxnSnapLog(data(folder).toFile(), data(folder).toFile());
        try {
            files.restore(new DataTree(), new ConcurrentHashMap<>(), (header, transaction, digest) -> LOG.trace("read {}", header));
        } finally {
            files.close();
        }
    }
}
