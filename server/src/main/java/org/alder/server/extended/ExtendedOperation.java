package org.alder.server.extended;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.audit.AuditLine;
import org.alder.server.directory.Directory;
import org.alder.server.directory.OperationContext;

/** One extended operation (RFC 4511 4.12). Implementations are thread safe. */
public interface ExtendedOperation {
    String oid();

    /**
     * Checks that the operation can be part of a transaction (RFC 5805): that it is one update, made in {@link #handle} before
     * that returns.
     *
     * @param value the request's value, null if absent
     * @throws DirectoryException unavailableCriticalExtension if it is none
     */
    default void requireUpdate(byte[] value) throws DirectoryException {
        throw noUpdate();
    }

    /** What a request that is no update is refused with if it is to be part of a transaction. */
    static DirectoryException noUpdate() {
        return new DirectoryException(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION,
                "only updates can be part of a transaction");
    }

    /** Whether it changes what the directory holds. */
    default boolean changes() {
        return false;
    }

    /**
     * The entry that it changes, as far as the request names it without anything being searched for; null if it does not.
     *
     * @param value the request's value, null if absent
     */
    default Dn named(OperationContext context, byte[] value) throws DirectoryException {
        return null;
    }

    /** The entry that it changes; null if it changes none. On a worker thread. */
    default Dn target(Directory directory, OperationContext context, byte[] value) throws DirectoryException {
        return null;
    }

    /** Tells the audit log what is asked for, without secrets. @param value the request's value, null if absent */
    default void describe(byte[] value, AuditLine line) {
    }

    /**
     * Called on a worker thread.
     *
     * @param directory the outermost one, with access control: it decides what may be done
     * @param value the request's value, null if absent
     * @return the response's value, null for none; may complete with a {@link DirectoryException}
     * @throws DirectoryException the operation's result
     */
    CompletableFuture<byte[]> handle(Directory directory, OperationContext context, byte[] value) throws DirectoryException;
}
