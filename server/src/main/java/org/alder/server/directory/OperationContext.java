package org.alder.server.directory;

import java.time.Instant;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.auth.Identity;

/** In whose name and when an operation is asked for. Immutable. @param time when the request was received */
public record OperationContext(Identity identity, Instant time) {
    public UpdateOrigin updateOrigin() {
        return new UpdateOrigin(identity.dn().text(), time);
    }
}
