package org.alder.partition.jdbm.backup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.LogSource;

/**
 * What a cluster holds for its members beside what is in their folders, to those who read such a folder and are no member: nothing waits
 * for them. One thread; whoever opens it closes it.
 */
public interface ClusterContents extends Closeable {
    /** Found by {@link java.util.ServiceLoader}. */
    interface Service {
        /**
         * @param file of a member, which need not run; most of the others do
         * @throws StoreException of kind REFUSED, naming file and line, where the file says something else
         * @throws IOException    where the cluster does not answer
         */
        ClusterContents open(Path file) throws IOException;
    }

    /**
     * The log of a store that a member has.
     *
     * @param generation of its data that the store has
     * @param behind     the last transaction that is in the store's segments
     * @throws StoreException of kind REFUSED where the log is that of another store, or of data that took the place of these; OUTDATED where
     *         it does not reach back to what the store has
     */
    LogSource log(String partition, UUID storeId, long generation, long behind) throws IOException;

    /** Whether there is a log of this name, whichever members hold a store of it. */
    boolean has(String partition) throws IOException;

    /** A member that holds a store and gives copies of it. */
    interface Holder {
        String name();

        /** @throws IOException where it gives none now */
        HeldStore open() throws IOException;
    }

    /**
     * What a member gives, as it is until this is closed: within a minute each something is to be read of it.
     *
     * @param storeId    which store it is to be
     * @param generation which of its data it is to have
     * @param connection by which it is read
     */
    record HeldStore(StoreCopy.Origin origin, UUID storeId, long generation, Closeable connection) implements Closeable {
        @Override
        public void close() throws IOException {
            connection.close();
        }
    }

    /** Other members than this one that hold a store now; none where none is here. */
    List<Holder> holders(String partition) throws IOException;

    /** The definitions that were added to the schema of the cluster, as the file of a server has them; null where it has none. */
    byte[] schema() throws IOException;
}
