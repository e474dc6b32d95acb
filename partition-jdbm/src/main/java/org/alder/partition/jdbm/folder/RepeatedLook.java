package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.alder.partition.error.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a store without its lock, perhaps beside its server, which flushes, merges and appends between two reads: what is not found, or
 * looks damaged, is looked at again. A look during which the manifest was replaced tells nothing of the store, however often that
 * happens to who gets little of the processor; one during which it was not counts. Stateless.
 */
public final class RepeatedLook {
    /** How often what nobody has replaced may fail: a record may have been appended while it was read. */
    public static final int ATTEMPTS = 10;
    /** How long a server may be quicker than who looks, from the first failure on; looks may take longer, so that there are some in any case. */
    static final long MOST_SECONDS = 60;

    private static final Logger LOG = LoggerFactory.getLogger(RepeatedLook.class);

    /** Reads the manifest first, and then what that names. */
    @FunctionalInterface
    public interface Look<T> {
        T take() throws IOException;
    }

    private RepeatedLook() {
    }

    /**
     * What a look finds that was not disturbed.
     *
     * @param store the folder
     * @throws IOException    as the look does, also StoreException, where it failed though nothing was replaced
     * @throws StoreException of kind IO, naming the last failure, where the server was quicker for a minute, and more than ten times
     */
    public static <T> T at(Path store, Look<T> look) throws IOException {
        return at(store, look, System::nanoTime);
    }

    static <T> T at(Path store, Look<T> look, LongSupplier nanoTime) throws IOException {
        int undisturbed = 0;
        long firstFailure = 0;
        for (int looks = 1; true; looks++) {
            Manifest before = ManifestFile.read(store);
            try {
                return look.take();
            } catch (IOException | StoreException e) {
                LOG.debug("Look {} at {} beside its server failed", looks, store, e);
                firstFailure = looks == 1 ? nanoTime.getAsLong() : firstFailure;
                if (Objects.equals(before, ManifestFile.read(store))) {
                    undisturbed++;
                    if (undisturbed == ATTEMPTS || isRefused(e)) {
                        throw e;
                    }
                } else if (looks > ATTEMPTS && nanoTime.getAsLong() - firstFailure > TimeUnit.SECONDS.toNanos(MOST_SECONDS)) {
                    throw new StoreException(StoreException.Kind.IO, "cannot read the store in " + store + ": its server has "
                            + "replaced what was being read " + (looks - undisturbed) + " times, for more than " + MOST_SECONDS
                            + " seconds. Try again when it flushes and merges less often. The last time: " + e.getMessage(), e);
                }
            }
        }
    }

    private static boolean isRefused(Exception failure) {
        return failure instanceof StoreException store && store.kind() == StoreException.Kind.REFUSED;
    }
}
