package org.alder.server.directory;

import java.time.Instant;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.auth.Identity;

/**
 * In whose name, when and how an operation is asked for. Immutable.
 *
 * @param time when the request was received
 * @param transaction what updates become part of instead of being made at once, or null
 * @param manageDsaIt whether updates and compares take referral objects as the entries they are (RFC 3296 3)
 */
public record OperationContext(Identity identity, Instant time, OperationOptions options, UpdateTransaction transaction,
                               boolean manageDsaIt) {
    public OperationContext(Identity identity, Instant time) {
        this(identity, time, OperationOptions.NONE, null, false);
    }

    public OperationContext withIdentity(Identity other) {
        return new OperationContext(other, time, options, transaction, manageDsaIt);
    }

    public OperationContext withOptions(OperationOptions other) {
        return new OperationContext(identity, time, other, transaction, manageDsaIt);
    }

    public OperationContext withManageDsaIt(boolean other) {
        return new OperationContext(identity, time, options, transaction, other);
    }

    public OperationContext withTransaction(UpdateTransaction other) {
        return new OperationContext(identity, time, options, other, manageDsaIt);
    }

    public UpdateOrigin updateOrigin() {
        return new UpdateOrigin(identity.dn().text(), time);
    }
}
