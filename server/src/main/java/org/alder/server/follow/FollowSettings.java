package org.alder.server.follow;

import java.nio.file.Path;
import org.alder.partition.dn.Dn;

/**
 * Which server a partition follows, and how. Immutable.
 *
 * @param suffix         that of the partition, and the base of what is followed
 * @param provider       the server's URL: ldap, ldaps or ldapi
 * @param login          as whom; null for nobody
 * @param filter         of the entries that are followed, as RFC 4515 writes it
 * @param log            the base of the log in which the server says what was changed (slapo-accesslog); null for none
 * @param inClear        whether no TLS is started on ldap connections, even to other machines
 * @param trust          the certificates, PEM, that are trusted; null for those that Java trusts
 * @param deletedPercent how many percent of the entries a refresh may delete because they were not named
 * @param retrySeconds   the longest time between two attempts to reach the server
 * @param refers         whether who wants to change an entry is referred to the server, not refused
 */
public record FollowSettings(Dn suffix, String provider, Login login, String filter, String log, boolean inClear, Path trust,
                             int deletedPercent, int retrySeconds, boolean refers) {
    /**
     * As whom the server is asked.
     *
     * @param file     the password's; null if it is in the environment
     * @param variable of the environment; null if it is in a file
     */
    public record Login(String dn, Path file, String variable) {
    }
}
