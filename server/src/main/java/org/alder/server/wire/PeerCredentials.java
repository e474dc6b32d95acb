package org.alder.server.wire;

/**
 * Who the operating system says is at the other end of a unix-domain socket: the user and the group of the process when it
 * connected. Immutable.
 *
 * @param user the name of the user, or its number if it has no name
 * @param uid the number of the user
 * @param gid the number of the process's own group
 * @param ownsServer whether it is root, or the user that this server runs as: they can read and change its files in any case
 */
public record PeerCredentials(String user, long uid, long gid, boolean ownsServer) {
}
