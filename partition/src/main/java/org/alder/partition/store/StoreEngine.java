package org.alder.partition.store;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A storage engine with its settings: the ways to get at the stores it keeps, each in a folder of its own. The server makes one
 * for each partition, as the key {@code engine} of its configuration says; nothing else knows which engine it is. Thread safe.
 *
 * <p>Every method may throw a {@link org.alder.partition.error.StoreException}: of kind REFUSED where the folder is not as it has
 * to be or somebody else holds it, CORRUPT (naming the file) where data are damaged, IO.
 */
public interface StoreEngine {
    /** Whether there is a store in the folder, which need not exist. */
    boolean hasStore(Path folder);

    /**
     * Opens the store in a folder, which is made where it is not there, and holds it until the store is closed. What was
     * acknowledged before is there. Where keys were derived by another indexer, they are derived anew first.
     */
    Store open(Path folder, EntryIndexer indexer);

    /**
     * The names of indexes that were being built when the folder's store was last open, and of which there is none to be used until they
     * are, and of those whose keys are others by a changed schema; empty where there is no store. Whoever opens it with them waits until
     * they are built; he may open it without them, and have them built while it is open.
     */
    default Set<String> unfinishedIndexes(Path folder, EntryIndexer indexer) {
        return Set.of();
    }

    /**
     * Has an open store go by the settings of this engine from now on, as far as an open one can.
     *
     * @param store that an engine of this kind opened
     */
    default void retune(Store store) {
    }

    /** Opens the store as of now for reading only, also while it is held. REFUSED where there is none, or another indexer's. */
    Store openReadOnly(Path folder, EntryIndexer indexer);

    /**
     * Has a store that was opened for reading only show what has been committed up to a moment since: so several of them, which were opened one after the
     * other before it, show the same moment. Before anything is read of it.
     *
     * @param store  that an engine of this kind opened
     * @param millis since 1970
     * @return whether it does; otherwise it shows what it did, as what has been committed since cannot be read any more
     */
    default boolean goOn(Store store, long millis) {
        return true;
    }

    /**
     * Starts a load that replaces all entries of a folder's store, which is made where it is not there, and held until the load
     * is closed.
     *
     * @param memoryBytes the heap the load may take, about, at least 1 MiB
     */
    BulkLoad bulkLoad(Path folder, EntryIndexer indexer, long memoryBytes);

    /**
     * Reads everything the engine has written, and changes nothing, also while the store is held. Whether keys and entries agree
     * is not its concern.
     *
     * @return what is not as it was written, naming the file; empty if nothing is
     */
    List<String> check(Path folder);

    /** Derives all keys anew from the entries, also where keys are damaged. Holds the folder meanwhile. */
    RepairReport repair(Path folder, EntryIndexer indexer);
}
