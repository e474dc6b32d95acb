package org.alder.server.wire.layer;

import java.time.Instant;
import javax.net.ssl.SSLEngine;

/** Makes the TLS engine of each new connection, of what keys and certificates are good at that moment. Thread safe. */
public interface TlsEngines {
    /** @return in server mode, with its handshake not begun; the caller's alone */
    SSLEngine newEngine(ClientCertificates clients);

    /** When the server's certificate expires that new connections have. */
    Instant notAfter();
}
