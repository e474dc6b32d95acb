package org.alder.server.http;

import org.alder.server.wire.layer.TlsEngines;

/**
 * Where the HTTP port is. Immutable.
 *
 * @param host an address or a name
 * @param port 0 takes a free one
 * @param tls makes the engines of connections; null if they are in clear
 * @param console whether the console is on
 */
public record HttpSettings(String host, int port, TlsEngines tls, boolean console) {
}
