package org.alder.server.directory.own;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.SchemaRevision;

/** A change of the schema under way: of one thread, in the order of the methods. Closing it has updates go on. */
interface SchemaTurn extends AutoCloseable {
    /**
     * Entries are looked at from now on, while updates go on.
     *
     * @throws DirectoryException busy where somebody else changes the schema
     */
    void look() throws DirectoryException;

    /**
     * Holds updates of all partitions: what was written before is here when this returns.
     *
     * @param definitions that the schema is to have
     * @throws DirectoryException where that is not so; nothing was done
     */
    void hold(byte[] definitions) throws DirectoryException;

    /** The schema is the revised one from now on. @throws DirectoryException where nothing was done, or nobody knows */
    void take(SchemaRevision revision, OnlineSchema file) throws DirectoryException;

    @Override
    void close();

    /** Of a server that stands alone. */
    static SchemaTurn alone(List<Partition> partitions) {
        List<Partition> held = new ArrayList<>();
        return new SchemaTurn() {
            @Override
            public void look() {
                // There is nobody else.
            }

            @Override
            public void hold(byte[] definitions) throws DirectoryException {
                for (Partition partition : partitions) {
                    partition.holdUpdates();
                    held.add(partition);
                }
            }

            @Override
            public void take(SchemaRevision revision, OnlineSchema file) {
                file.write(revision.onlineFile(), revision.onlineFileBefore());
                revision.adopt();
            }

            @Override
            public void close() {
                held.forEach(Partition::resumeUpdates);
            }
        };
    }
}
