package org.alder.server.directory;

import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;

/**
 * Who is a member of which groups, by DN: members need no entry of their own. Groups are entries that name their members in the
 * attributes which the key {@code memberOf} of their partition names, or find them by {@code memberURL}. Every answer is that of
 * the newest state: a change that was acknowledged before the question is in it. Never for clients, who see no more of it than
 * they may read. Thread safe.
 */
public interface Groups {
    /**
     * All groups of a member: those that name it or whose URLs find its entry, the groups of these, and so on, in all partitions.
     * The same set as long as nothing was committed meanwhile.
     *
     * @throws DirectoryException adminLimitExceeded if they are too many to be looked at: whoever asks must take that for a no
     */
    Set<Dn> of(Dn member) throws DirectoryException;

    /** Whether a group itself names the member: neither over other groups nor by a URL. */
    boolean isNamed(Dn group, Dn member);

    /** Whether a group itself names a DN at or below this one. Reads all its values. */
    boolean namesBelow(Dn group, Dn top);

    /** The newest state of the partition that holds the group: as long as it is the same, so are the answers about the group. */
    long state(Dn group);
}
