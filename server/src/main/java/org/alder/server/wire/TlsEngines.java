package org.alder.server.wire;

import javax.net.ssl.SSLEngine;

/** Makes the TLS engine of each new connection, of what keys and certificates are good at that moment. Thread safe. */
@FunctionalInterface
public interface TlsEngines {
    /** @return in server mode, with its handshake not begun; the caller's alone */
    SSLEngine newEngine(ClientCertificates clients);
}
