package org.alder.server.directory.own;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.FileReplacement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the definitions that clients add are kept. One change at a time: whoever makes one holds this object's monitor, and so does
 * whoever opens a partition meanwhile, which goes by the schema.
 *
 * @param file may not be there yet; its folder is
 * @param replacement how it is written
 * @param cluster     whose schema it is; null where the server stands alone
 */
public record OnlineSchema(Path file, FileReplacement replacement, ClusterSchema cluster) {
    private static final Logger LOG = LoggerFactory.getLogger(OnlineSchema.class);

    /** Of a server that stands alone. */
    public OnlineSchema(Path file, FileReplacement replacement) {
        this(file, replacement, null);
    }

    /** What the cluster has decided holds, also where it cannot be written here: the next start asks the cluster. */
    void tryToWrite(byte[] content, byte[] before) {
        try {
            write(content, before);
        } catch (StoreException e) {
            LOG.warn("The cluster's schema is in use, but not written down here; the next start takes it of the cluster: {}", e.getMessage());
        }
    }

    /**
     * Makes this the file's content, durably.
     *
     * @param before the content the file has now, or means the same as no file
     * @throws StoreException of kind IO; then the file has the content before, as far as the disk lets anybody write it: else the
     *     message says that the next start may find the new one
     */
    void write(byte[] content, byte[] before) {
        try {
            replacement.replace(file, content);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot write the schema file " + file + ": " + e
                    + (replacement.putBack(file, before, e) ? "" : ". The next start finds the schema as it was or as it should have become"), e);
        }
    }
}
