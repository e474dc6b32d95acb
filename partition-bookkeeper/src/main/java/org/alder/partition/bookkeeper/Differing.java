package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.Folders;
import org.alder.partition.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that was found to hold other than most members do: it applies nothing more, and a file beside its folder says that it needs a
 * copy of another one, also when it is opened the next time. Stateless.
 */
final class Differing {
    private static final Logger LOG = LoggerFactory.getLogger(Differing.class);
    /** No name of a partition has a tilde. */
    private static final String SUFFIX = "~differs";

    private Differing() {
    }

    private static Path mark(Path folder) {
        Path whole = folder.toAbsolutePath();
        return whole.resolveSibling(whole.getFileName() + SUFFIX);
    }

    /** What the file says; null where the store in a folder is not known to differ. */
    static String why(Path folder) throws IOException {
        Path mark = mark(folder);
        return Files.exists(mark) ? Files.readString(mark, StandardCharsets.UTF_8).strip() : null;
    }

    /** From now on its member needs a copy of another one. */
    static void found(Path folder, Store store, String why) {
        LOG.error("The store in {} is used no more, and a copy of another member's takes its place: {}", folder, why);
        note(folder, why);
        store.replica().fail(new StoreException(StoreException.Kind.OUTDATED, why + "; the replica needs a copy of another one"));
    }

    /** For a start before a copy is in its place. */
    static void note(Path folder, String why) {
        try {
            Files.writeString(mark(folder), why + "\n", StandardCharsets.UTF_8);
            Folders.sync(mark(folder).getParent());
        } catch (IOException e) {
            LOG.error("That the store in {} differs cannot be noted for the next start: delete the folder by hand before", folder, e);
        }
    }

    /** A copy is in its place. */
    static void mended(Path folder) throws IOException {
        Files.deleteIfExists(mark(folder));
    }
}
