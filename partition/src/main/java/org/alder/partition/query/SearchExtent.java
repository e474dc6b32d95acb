package org.alder.partition.query;

import org.alder.partition.id.IdSet;

/**
 * What aliases, referral objects and subentries make of a search's scope. Immutable.
 *
 * @param entries all entries in scope, where aliases lead out of it or only some are asked for; null if the query's
 *     base and scope say it
 * @param without entries that are not returned though they are in scope
 */
public record SearchExtent(IdSet entries, IdSet without) {
    /** The scope as the query says it. */
    public static final SearchExtent PLAIN = new SearchExtent(null, IdSet.EMPTY);
}
