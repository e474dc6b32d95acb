package org.alder.server.control;

import java.util.List;
import java.util.Set;
import org.alder.partition.error.DirectoryException;

/** A request control the server acts on. Implementations are immutable and thread safe. @param <T> what its value says */
public interface ControlHandler<T> {
    String oid();

    /** Others under which clients send the same control. */
    default List<String> otherOids() {
        return List.of();
    }

    /** Where it has an effect; elsewhere it is refused if critical. */
    Set<OperationKind> operations();

    /** Whether clients must mark it critical, lest a server that does not know it does something else. */
    default boolean mustBeCritical() {
        return false;
    }

    /**
     * @param value null if the client sent none
     * @param limits of what it may ask for
     * @throws DirectoryException protocolError if the value is not what the control's definition says, adminLimitExceeded if it asks
     *     for too much
     */
    T decode(byte[] value, RequestLimits limits) throws DirectoryException;
}
