package org.alder.server.extended;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.DirectoryException;
import org.alder.server.directory.OperationContext;

/** One extended operation (RFC 4511 4.12). Implementations are thread safe. */
public interface ExtendedOperation {
    String oid();

    /**
     * Called on a worker thread.
     *
     * @param value the request's value, null if absent
     * @return the response's value, null for none; may complete with a {@link DirectoryException}
     * @throws DirectoryException the operation's result
     */
    CompletableFuture<byte[]> handle(OperationContext context, byte[] value) throws DirectoryException;
}
