package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.LogFolder;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What lies in a store's folder and no manifest names: left by a crash, or by an ended generation. It is moved to the folder
 * {@code leftovers} first, and removed only when all that the manifest names has been opened; while anything of that is missing,
 * nothing is touched at all. Used by one thread, which holds the folder's lock.
 */
public final class Leftovers {
    public static final String FOLDER = "leftovers";

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private final StoreFolder folder;
    private final Path aside;
    /** What could not be moved, as on a full disk. */
    private final List<Path> inPlace = new ArrayList<>();

    private Leftovers(StoreFolder folder) {
        this.folder = folder;
        this.aside = folder.path().resolve(FOLDER);
    }

    /**
     * Moves aside what the manifest does not name.
     *
     * @throws StoreException of kind CORRUPT where something that the manifest names is missing; then nothing is moved
     */
    public static Leftovers setAside(StoreFolder folder, Manifest manifest) throws IOException {
        Leftovers leftovers = new Leftovers(folder);
        leftovers.requireNamed(manifest);
        folder.logs().adoptPrepared(manifest.firstLog());
        leftovers.moveAll(manifest);
        return leftovers;
    }

    /** Removes the old generation, after a new one was published. What cannot be removed stays until the next start. */
    public static void removeOld(StoreFolder folder, Manifest published) {
        try {
            setAside(folder, published).remove();
        } catch (IOException e) {
            LOG.warn("Generation {} of {} is published, but the old one could not be removed; the next start does it",
                    published.generation(), folder.path(), e);
        }
    }

    private void requireNamed(Manifest manifest) throws IOException {
        List<Path> files = folder.disk().list(folder.path());
        for (Manifest.SegmentEntry segment : manifest.segments()) {
            List<Path> found = files.stream().filter(file -> StoreFolder.numberOf(file) == segment.number()).toList();
            if (found.size() > 1) {
                throw refused(files, "names segment " + segment.number() + ", for which there are " + names(found));
            }
            Path descriptor = folder.segment(segment.number()).resolve(SegmentDescriptor.FILE_NAME);
            if (!Files.exists(descriptor)) {
                throw refused(files, "names segment " + segment.number() + ", but " + descriptor + " is missing");
            }
        }
        if (manifest.shared() == null && !folder.logs().holds(manifest.firstLog())) {
            throw refused(files, "names the log file " + folder.logs().file(manifest.firstLog()) + ", which is missing");
        }
    }

    private StoreException refused(List<Path> files, String missing) {
        return new StoreException(StoreException.Kind.CORRUPT, folder.path().resolve(ManifestFile.NAME) + " " + missing
                + "; in the folder there are " + names(files) + ". Nothing was removed: restore the folder from a backup, or "
                + "import into a new one");
    }

    private static String names(List<Path> files) {
        return files.stream().map(file -> file.getFileName().toString()).collect(Collectors.joining(", "));
    }

    private void moveAll(Manifest manifest) throws IOException {
        List<Long> named = manifest.segments().stream().map(Manifest.SegmentEntry::number).toList();
        List<Path> oldLogs = folder.superfluousLogs(manifest.firstLog());
        for (Path file : folder.disk().list(folder.path())) {
            long segment = StoreFolder.numberOf(file);
            if (oldLogs.contains(file) || segment >= 0 && !named.contains(segment)) {
                if (!move(file)) {
                    inPlace.add(file);
                }
            } else if (file.getFileName().toString().equals(ManifestFile.NEW_NAME)) {
                // Where it cannot be moved, the next manifest takes its place.
                move(file);
            }
        }
    }

    private boolean move(Path file) {
        try {
            if (!Files.isDirectory(aside, LinkOption.NOFOLLOW_LINKS)) {
                folder.disk().createFolder(aside);
            }
            boolean empty = isEmptyLog(file);
            folder.disk().replace(file, target(file.getFileName().toString()));
            // Empty is the log of a new store that is filled at once: nobody misses it.
            LOG.atLevel(empty ? Level.DEBUG : Level.INFO).log("Moved {} to {}: it was not published, or is no longer needed", file, aside);
            return true;
        } catch (IOException e) {
            LOG.warn("Cannot move {} to {}: {}", file, aside, e.toString());
            return false;
        }
    }

    private boolean isEmptyLog(Path file) {
        try {
            return LogFolder.firstSequenceOf(file) >= 0 && !folder.logs().holdsRecords(file);
        } catch (IOException e) {
            return false;
        }
    }

    private Path target(String name) {
        Path target = aside.resolve(name);
        for (int i = 2; Files.exists(target, LinkOption.NOFOLLOW_LINKS); i++) {
            target = aside.resolve(name + "." + i);
        }
        return target;
    }

    /** Removes all of it. What cannot be removed stays until the next start. */
    public void remove() {
        inPlace.forEach(this::remove);
        if (Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
            remove(aside);
        }
    }

    private void remove(Path file) {
        try {
            folder.disk().deleteTree(file);
        } catch (IOException e) {
            LOG.warn("Cannot remove {}, which is not needed; the next start tries it again", file, e);
        }
    }
}
