package org.alder.server.wire.layer;

import java.time.Instant;
import javax.net.ssl.SSLEngine;

/** Makes the TLS engine of each new connection, of what keys and certificates are good at that moment. Thread safe. */
public interface TlsEngines {
    /** @return in server mode, with its handshake not begun; the caller's alone */
    SSLEngine newEngine(ClientCertificates clients);

    /** When the server's certificate expires that new connections have. */
    Instant notAfter();

    /** @param listener is told from now on when other keys and certificates are taken, or are there and cannot be; one at most */
    void follow(Listener listener);

    /** Is told of keys and certificates, on a thread that must not wait. */
    @FunctionalInterface
    interface Listener {
        /** @param taken whether new connections have them  @param detail which ones, or why not, without secrets */
        void changed(boolean taken, String detail);
    }
}
