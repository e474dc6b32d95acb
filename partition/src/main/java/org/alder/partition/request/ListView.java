package org.alder.partition.request;

/**
 * Where a {@link ListWindow} was found to be.
 *
 * @param targetPosition the target's place, from 1; one more than there are entries if all are before it; 0 in an empty list that
 *     was asked for by offset
 * @param contentCount how many entries the list has
 */
public record ListView(long targetPosition, long contentCount) {
}
