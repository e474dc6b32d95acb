package org.alder.server.login;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.DirectoryException;
import org.alder.server.wire.layer.SecurityLayer;

/** An authentication that is going on, over one bind or several. One message at a time; given up, it is forgotten. */
@FunctionalInterface
public interface SaslNegotiation {
    /** Whether the client has to send something at all, if only nothing; if not, a bind without credentials is whole. */
    default boolean needsMessage() {
        return true;
    }

    /**
     * What the client's next message leads to; it may take the time of a hash.
     *
     * @throws DirectoryException invalidCredentials, whatever was wrong with what was to be proven; protocolError for what is no
     *     message of the mechanism; others as they come
     */
    CompletableFuture<Step> respond(byte[] message) throws DirectoryException;

    /**
     * @param login of whom; null as long as that is not known
     * @param credentials for the client, or null
     * @param layer what all goes through from then on; null for none
     */
    record Step(Login login, byte[] credentials, SecurityLayer layer) {
        public Step(Login login, byte[] credentials) {
            this(login, credentials, null);
        }

        static Step challenge(byte[] credentials) {
            return new Step(null, credentials);
        }
    }
}
