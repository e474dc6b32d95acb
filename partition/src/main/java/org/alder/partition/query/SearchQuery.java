package org.alder.partition.query;

import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.GivenUpException;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.Patience;
import org.alder.partition.request.SearchScope;

/**
 * What to search for.
 *
 * @param afterId only entries with greater IDs are returned: 0, or the last ID of the page before
 * @param examinedLimit how many entries may be tested for want of an index before the search ends with adminLimitExceeded; 0 =
 *     no limit
 * @param access what who asks may know: entries that he may not know of are not found, also not by what he may not read of them
 * @param patience how long whoever asks waits
 * @param entries all entries in scope, where aliases lead out of it or only some are asked for; null if base and scope say it
 * @param without entries that are not returned though they are in scope
 */
public record SearchQuery(Dn base, SearchScope scope, Filter filter, long afterId, int examinedLimit, EntryAccess access,
        Patience patience, IdSet entries, IdSet without) {
    /** The scope is what base and scope say. */
    public SearchQuery(Dn base, SearchScope scope, Filter filter, long afterId, int examinedLimit, EntryAccess access,
            Patience patience) {
        this(base, scope, filter, afterId, examinedLimit, access, patience, null, IdSet.EMPTY);
    }

    /** Whoever asks waits as long as it takes. */
    public SearchQuery(Dn base, SearchScope scope, Filter filter, long afterId, int examinedLimit, EntryAccess access) {
        this(base, scope, filter, afterId, examinedLimit, access, Patience.ENDLESS);
    }

    /** Everything may be known. */
    public SearchQuery(Dn base, SearchScope scope, Filter filter, long afterId, int examinedLimit) {
        this(base, scope, filter, afterId, examinedLimit, EntryAccess.ALL);
    }

    /**
     * What the search ends with if its own patience has ended it.
     *
     * @throws GivenUpException the same, if it was that of somebody for whom this search is but a part of the work
     */
    public DirectoryException resultOf(GivenUpException e) {
        if (patience == Patience.ENDLESS) {
            throw e;
        }
        return e.result();
    }

    /** The same with another scope: what aliases, referral objects and subentries make of it. */
    public SearchQuery within(IdSet otherEntries, IdSet otherWithout) {
        return new SearchQuery(base, scope, filter, afterId, examinedLimit, access, patience, otherEntries, otherWithout);
    }
}
