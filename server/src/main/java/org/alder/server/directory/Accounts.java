package org.alder.server.directory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;

/** What the server knows of its users to find out whether they are who they say. Never for clients. Thread safe. */
public interface Accounts {
    /** The values of userPassword as they are stored; empty also if there is no such entry. */
    List<byte[]> passwords(Dn dn);

    /** Stores another form of the same password, if this one is still there; else it fails. */
    CompletableFuture<?> replacePassword(Dn dn, byte[] stored, byte[] better);
}
