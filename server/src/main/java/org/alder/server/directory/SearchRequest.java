package org.alder.server.directory;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.Patience;
import org.alder.partition.request.SearchScope;

/**
 * What entries are searched; which of their attributes are returned is the protocol's affair. Immutable.
 *
 * @param sizeLimit most entries on all pages together, 0 for no limit
 * @param timeLimitSeconds 0 for no limit
 * @param examinedLimit entries that may be tested for want of an index, 0 for no limit
 * @param dereferencing what becomes of aliases
 * @param visibility whether subentries are returned
 * @param references whether the search sends the client on to other servers
 * @param paged whether this is one page of a longer answer
 * @param list the order in which entries are wanted, if they can be had in it ({@link EntryCursor#isOrdered}); null for none
 * @param indexed whether the search is refused if all entries would have to be looked at for want of an index
 * @param after entries up to this position are not returned again
 * @param access what who asks may know: entries that he may not know of are not found
 * @param patience how long who asks waits for the search to be planned
 */
public record SearchRequest(Dn base, SearchScope scope, Filter filter, int sizeLimit, int timeLimitSeconds, int examinedLimit,
                            boolean manageDsaIt, Dereferencing dereferencing, Visibility visibility, boolean references,
                            boolean paged, OrderedList list, boolean indexed, SearchPosition after,
                            EntryAccess access, Patience patience) {
    /** Whoever asks may know everything, until access control says who asks. */
    public SearchRequest(Dn base, SearchScope scope, Filter filter, int sizeLimit, int timeLimitSeconds, int examinedLimit,
                         boolean manageDsaIt, Dereferencing dereferencing, Visibility visibility, boolean references,
                         boolean paged, OrderedList list, boolean indexed, SearchPosition after) {
        this(base, scope, filter, sizeLimit, timeLimitSeconds, examinedLimit, manageDsaIt, dereferencing, visibility, references,
                paged, list, indexed, after, EntryAccess.ALL, Patience.ENDLESS);
    }

    /** Does not dereference aliases, and leaves subentries to the scope. */
    public SearchRequest(Dn base, SearchScope scope, Filter filter, int sizeLimit, int timeLimitSeconds, int examinedLimit,
                         boolean manageDsaIt, boolean paged, SearchPosition after) {
        this(base, scope, filter, sizeLimit, timeLimitSeconds, examinedLimit, manageDsaIt, Dereferencing.NEVER,
                Visibility.BY_SCOPE, true, paged, null, false, after);
    }

    /** One entry, whatever it is, an alias or a referral object too, if the filter is true of it. */
    public static SearchRequest ofEntry(Dn dn, Filter filter) {
        return new SearchRequest(dn, SearchScope.BASE, filter, 0, 0, 0, true, false, SearchPosition.START);
    }

    /** One entry, whatever is in it. */
    public static SearchRequest ofEntry(Dn dn) {
        return ofEntry(dn, new Filter.And(List.of()));
    }

    public SearchRequest withList(OrderedList other) {
        return new SearchRequest(base, scope, filter, sizeLimit, timeLimitSeconds, examinedLimit, manageDsaIt,
                dereferencing, visibility, references, paged, other, indexed, after, access, patience);
    }

    public SearchRequest withExaminedLimit(int other) {
        return new SearchRequest(base, scope, filter, sizeLimit, timeLimitSeconds, other, manageDsaIt, dereferencing,
                visibility, references, paged, list, indexed, after, access, patience);
    }

    public SearchRequest withAccess(EntryAccess other) {
        return new SearchRequest(base, scope, filter, sizeLimit, timeLimitSeconds, examinedLimit, manageDsaIt, dereferencing,
                visibility, references, paged, list, indexed, after, other, patience);
    }

    public SearchRequest withPatience(Patience other) {
        return new SearchRequest(base, scope, filter, sizeLimit, timeLimitSeconds, examinedLimit, manageDsaIt, dereferencing,
                visibility, references, paged, list, indexed, after, access, other);
    }

    public SearchRequest withBase(Dn other) {
        return new SearchRequest(other, scope, filter, sizeLimit, timeLimitSeconds, examinedLimit, manageDsaIt, dereferencing,
                visibility, references, paged, list, indexed, after, access, patience);
    }
}
