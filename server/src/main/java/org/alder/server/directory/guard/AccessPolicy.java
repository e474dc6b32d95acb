package org.alder.server.directory.guard;

import org.alder.partition.dn.Dn;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.server.auth.Identity;

/**
 * Who may do what with which entry. Pure and thread safe. What does not depend on an entry's content is decided before the entry is
 * looked at; what does is decided once for each entry, and for updates in the state that they are applied to.
 */
public interface AccessPolicy {
    /** What the identity may know of all entries in the partitions alike; null if it depends on the entry. */
    AttributeAccess everywhere(Identity identity);

    /** The identity's rights to the entry of this name, whatever is in it; null if they depend on its content. */
    EntryRights byName(Identity identity, Dn dn);

    /** The identity's rights to this entry. */
    EntryRights of(Identity identity, CandidateEntry entry);
}
