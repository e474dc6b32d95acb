package org.alder.server.directory;

import java.time.Instant;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.auth.Identity;

/**
 * In whose name, when and how an operation is asked for. Immutable.
 *
 * @param time when the request was received
 * @param manageDsaIt whether updates and compares take referral objects as the entries they are (RFC 3296 3)
 */
public record OperationContext(Identity identity, Instant time, OperationOptions options, boolean manageDsaIt) {
    public OperationContext(Identity identity, Instant time) {
        this(identity, time, OperationOptions.NONE, false);
    }

    public OperationContext withIdentity(Identity other) {
        return new OperationContext(other, time, options, manageDsaIt);
    }

    public OperationContext withOptions(OperationOptions other) {
        return new OperationContext(identity, time, other, manageDsaIt);
    }

    public OperationContext withManageDsaIt(boolean other) {
        return new OperationContext(identity, time, options, other);
    }

    public UpdateOrigin updateOrigin() {
        return new UpdateOrigin(identity.dn().text(), time);
    }
}
