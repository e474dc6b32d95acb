package org.alder.perf.stress;

import java.io.IOException;
import org.alder.perf.client.LdapClient;

/**
 * A copy of all entries, kept by what the server tells who follows it and nothing else. One thread at a time follows; the copy is
 * looked at from any.
 */
interface Follower {
    /** Follows until the connection ends. @throws DifferenceException if it was told what cannot be after what it was told before */
    void follow(LdapClient client) throws IOException, DifferenceException;

    /** The copy as it is now. @throws DifferenceException also if it holds too little, or one name twice */
    Contents copy(int workers) throws DifferenceException;

    History history();
}
