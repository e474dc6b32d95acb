package org.alder.partition.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A cluster as a command sees it that is no running member, and gives all members other data. One thread; whoever opens it closes it, after the loads.
 */
public interface ClusterLoading extends Closeable {
    /** The definitions that clients added. */
    SharedSchema schema();

    /**
     * Starts a bulk load into the folder of the member whose file was given, which does not run. The others serve on until it is published: then
     * whoever leads can write no more, and each of them needs a copy of this one. Without that nothing is changed for them.
     *
     * @param partition its name in the configuration
     * @param engine    what the store of that folder is without the others
     * @return to be closed before this; of what is published one by one {@link #takeOver} has all be taken at once
     * @throws org.alder.partition.error.StoreException of kind REFUSED where the folder's store cannot be that of this member, or a running server
     *         holds it; OUTDATED where it needs a copy of another member first
     */
    BulkLoad replace(String partition, Path folder, StoreEngine engine, EntryIndexer indexer, long memoryBytes) throws IOException;

    /**
     * Has those who lead what loads were begun for hand over, all of them, before the first load is published, and the member hold all of it from now on. Until the loads
     * are closed nobody else leads.
     *
     * @throws org.alder.partition.error.StoreException of kind REFUSED where one of them does not: nothing was changed
     */
    void takeOver() throws IOException;
}
