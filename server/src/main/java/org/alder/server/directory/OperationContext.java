package org.alder.server.directory;

import java.time.Instant;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.auth.Identity;

/** In whose name, when and how an operation is asked for. Immutable. @param time when the request was received */
public record OperationContext(Identity identity, Instant time, OperationOptions options) {
    public OperationContext(Identity identity, Instant time) {
        this(identity, time, OperationOptions.NONE);
    }

    public OperationContext withIdentity(Identity other) {
        return new OperationContext(other, time, options);
    }

    public OperationContext withOptions(OperationOptions other) {
        return new OperationContext(identity, time, other);
    }

    public UpdateOrigin updateOrigin() {
        return new UpdateOrigin(identity.dn().text(), time);
    }
}
