package org.alder.partition.bookkeeper.distant;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Status;

/** The members that hold a store which this one does not. Thread safe. */
public interface Holders {
    /** Looks who there is. @throws IOException where that cannot be known now */
    Status look() throws IOException;

    /** Whether a member may be asked now for what it holds, as far as is known here. */
    boolean mayBeAsked(String member);

    /** Asks one of them, as {@link org.alder.partition.store.ClusterService.Cluster#ask} does. */
    CompletableFuture<byte[]> ask(String member, byte[] question);

    /** What those are told who want to change anything. @param status what was seen last; null where nothing was */
    StoreException refusal(Status status);
}
