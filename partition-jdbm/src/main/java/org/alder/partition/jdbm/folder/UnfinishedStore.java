package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.jdbm.disk.Disk;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there was where a store is about to be made, so that one that cannot be made leaves nothing behind, on a disk that is full perhaps.
 * Of a folder that holds a store nothing is ever removed. One thread.
 */
public final class UnfinishedStore {
    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedStore.class);

    private final Disk disk;
    private final Path path;
    private final boolean isNew;
    /** Those that are not there, the innermost first. */
    private final List<Path> missing = new ArrayList<>();
    private final Set<Path> before = new HashSet<>();

    private UnfinishedStore(Disk disk, Path path) throws IOException {
        this.disk = disk;
        this.path = path.toAbsolutePath();
        this.isNew = Files.notExists(this.path.resolve(ManifestFile.NAME));
        for (Path each = this.path; each != null && Files.notExists(each, LinkOption.NOFOLLOW_LINKS); each = each.getParent()) {
            missing.add(each);
        }
        if (isNew && missing.isEmpty()) {
            before.addAll(disk.list(this.path));
        }
    }

    /** Looked at before anything is made. */
    public static UnfinishedStore before(StoreFolder folder) throws IOException {
        return new UnfinishedStore(folder.disk(), folder.path());
    }

    /**
     * Removes what was made since. What cannot be removed is no obstacle to a second try.
     *
     * @param locked whether the folder is the caller's: what another process has made is not removed
     */
    public void remove(boolean locked) {
        if (!isNew) {
            return;
        }
        try {
            if (locked) {
                removeFiles();
            }
            for (Path folder : missing) {
                disk.delete(folder);
            }
        } catch (IOException e) {
            LOG.warn("What was made of a store in {} could not be removed: {}", path, e.toString());
        }
    }

    /** The manifest first: what is left without it is no store. */
    private void removeFiles() throws IOException {
        disk.delete(path.resolve(ManifestFile.NAME));
        for (Path file : disk.list(path)) {
            if (!before.contains(file)) {
                disk.deleteTree(file);
            }
        }
    }
}
