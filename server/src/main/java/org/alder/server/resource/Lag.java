package org.alder.server.resource;

/**
 * How far a search that is told changes is behind. Immutable.
 *
 * @param changes that wait to be told, about
 * @param nanos how long the oldest of them has waited; while the search still tells what was there before, since it began
 */
public record Lag(long changes, long nanos) {
    /** All is told. */
    public static final Lag NONE = new Lag(0, 0);

    /** The larger of both. */
    public Lag or(Lag other) {
        return new Lag(Math.max(changes, other.changes), Math.max(nanos, other.nanos));
    }
}
