package org.alder.server.audit;

/**
 * What the audit log tells of a connection. Immutable.
 *
 * @param address of the client, as text
 * @param tls version and cipher suite; {@code none} without TLS
 * @param mechanism by which the client has logged in; null if it has not
 */
public record AuditedConnection(long id, String address, String tls, String mechanism) {
}
