package org.alder.partition.bookkeeper.zookeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an {@link EmbeddedZooKeeper} has in its folder, while none runs there. Stateless, thread safe. */
public final class ZooKeeperFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperFiles.class);
    private static final String FILES = "version-2";
    private static final String UNREADABLE = "unreadable-";
    /** What a server writes that begins a new ensemble, before anything is in that. */
    private static final String FIRST_SNAPSHOT = "snapshot.0";
    /** Is there from before the current epoch is written until it is. */
    private static final String EPOCH_IS_WRITTEN = "updatingEpoch";

    private ZooKeeperFiles() {
    }

    private static Path data(Path folder) {
        return folder.resolve("data");
    }

    /** Whether a server with this folder has ever stored a transaction, or taken what others had; also where that cannot be read any more. */
    public static boolean hasData(Path folder) throws IOException {
        return contains(data(folder), name -> name.startsWith(UNREADABLE)) || hasReadable(folder);
    }

    /** The same without what was put aside. */
    static boolean hasReadable(Path folder) throws IOException {
        return contains(data(folder).resolve(FILES), name -> name.startsWith("log.") || name.startsWith("snapshot.") && !name.equals(FIRST_SNAPSHOT));
    }

    private static boolean contains(Path folder, Predicate<String> wanted) throws IOException {
        try (Stream<Path> all = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            return all.map(each -> each.getFileName().toString()).anyMatch(wanted);
        }
    }

    /**
     * Puts aside what cannot be read or has gaps, as a disk that was full or failed may leave it: ZooKeeper goes on behind what it could write in part, or not
     * at all. The server is then one that has lost its disk, and takes what the others have, but one that had something: it never begins a new ensemble.
     *
     * @throws IOException where the disk fails as such: what is on it may be read later
     */
    public static void setAsideUnreadable(Path folder) throws IOException {
        if (!hasReadable(folder)) {
            return;
        }
        try {
            read(folder);
        } catch (IOException | RuntimeException e) {
            requireDisk(folder);
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

    /** @throws IOException where nothing can be written to the folder's disk now, or read from it */
    static void requireDisk(Path folder) throws IOException {
        Path probe = Files.createDirectories(folder).resolve("probe");
        try (FileChannel file = FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(1), 0);
            file.force(true);
            file.read(ByteBuffer.allocate(1), 0);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static void read(Path folder) throws IOException {
        FileTxnSnapLog files = new FileTxnSnapLog(data(folder).toFile(), data(folder).toFile());
        AtomicLong gap = new AtomicLong(-1);
        DataTree tree = new DataTree();
        // Each transaction comes with a digest of what was there behind it. Other servers were told that this one has what is missing: it must not vote with the rest.
        tree.addDigestWatcher(transaction -> gap.compareAndSet(-1, transaction));
        long last;
        try {
            last = files.restore(tree, new ConcurrentHashMap<>(), (header, transaction, digest) -> LOG.trace("read {}", header));
        } finally {
            files.close();
        }
        if (gap.get() >= 0) {
            throw new IOException("something is missing before transaction 0x" + Long.toHexString(gap.get()) + ": its digest is that of other data");
        }
        checkEpochs(data(folder).resolve(FILES), last >>> Integer.SIZE);
    }

    /** A disk that fails may take one of the epochs, which ZooKeeper does not start with then. @param reached of the last transaction */
    private static void checkEpochs(Path files, long reached) throws IOException {
        Path current = files.resolve(QuorumPeer.CURRENT_EPOCH_FILENAME);
        Path accepted = files.resolve(QuorumPeer.ACCEPTED_EPOCH_FILENAME);
        if (Files.exists(current) && Files.exists(accepted) && epoch(accepted) < epoch(current)) {
            throw new IOException(accepted.getFileName() + " is " + epoch(accepted) + ", before " + current.getFileName() + ", which is " + epoch(current));
        }
        if (Files.exists(current) && reached > epoch(current) && !Files.exists(files.resolve(EPOCH_IS_WRITTEN))) {
            throw new IOException(current.getFileName() + " is " + epoch(current) + ", before that of the last transaction, which is " + reached);
        }
    }

    /** @throws NumberFormatException where there is none */
    private static long epoch(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).trim());
    }
}
