package org.alder.server.wire;

/**
 * Who the operating system says is at the other end of a unix-domain socket. Immutable.
 *
 * @param user  the name of the user whose process has connected, or its number if it has no name
 * @param group the same of that process's group
 */
public record PeerCredentials(String user, String group) {
}
