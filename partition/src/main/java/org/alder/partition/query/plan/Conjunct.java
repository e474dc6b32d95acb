package org.alder.partition.query.plan;

import org.alder.partition.filter.FilterNode;

/**
 * One or several parts of an AND with what the indexes say about them. Immutable.
 *
 * @param node the part, or an AND of those that one term answers; null for the scope
 * @param term null if the indexes cannot answer it
 */
record Conjunct(FilterNode node, IndexTerm term) {
}
