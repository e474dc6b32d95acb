package org.alder.server.wire;

import java.net.InetSocketAddress;

/**
 * Who asks another member of the cluster, which hands his request on to this one, with all that counts here of his connection there.
 * Immutable.
 *
 * @param member            the other one's name, as it is shown
 * @param address           the client's; null where he has connected to a unix-domain socket there
 * @param user              who has connected to that socket; empty where it is none
 * @param uid               the number of that user
 * @param tls               version and cipher suite of what protects his connection; empty without TLS
 * @param strength          the key bits of what protects it; 0 if nothing does
 * @param isProtected       whether nobody on the way there can read it
 * @param acceptsPasswords  whether he may send passwords as they are
 * @param dn                as whom he has logged in; empty for anonymous
 * @param isAdministrator   whether he was an administrator there
 * @param mustChangePassword whether he may do nothing but change his password
 * @param mechanism         by what he has logged in
 */
public record HandedClient(String member, InetSocketAddress address, String user, long uid, String tls, int strength, boolean isProtected,
        boolean acceptsPasswords, String dn, boolean isAdministrator, boolean mustChangePassword, String mechanism) {
}
