package org.alder.server.wire;

/**
 * How long one connection may be without a request. Immutable.
 *
 * @param seconds 0 for no limit
 * @param origin where it is set, for messages
 */
public record IdleLimit(long seconds, String origin) {
}
