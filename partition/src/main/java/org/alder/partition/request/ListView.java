package org.alder.partition.request;

/**
 * Where a {@link ListWindow} was found to be.
 *
 * @param targetPosition the target's place, from 1; one more than there are entries if all are before it; 0 in an empty list that
 *     was asked for by offset
 * @param contentCount how many entries the list has
 */
public record ListView(long targetPosition, long contentCount) {
    /** Where a window of an empty list is. */
    public static ListView ofNothing(ListWindow window) {
        return new ListView(window.target() instanceof ListWindow.Target.Offset ? 0 : 1, 0);
    }
}
