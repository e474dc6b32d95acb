package org.alder.partition.jdbm.layer;

import java.util.Objects;
import org.alder.partition.id.IdSet;

/**
 * How one layer changes the ID set of a key, relative to the layers below. Exact: an ID is in {@code added} only if it is absent
 * below, in {@code removed} only if it is present below, so the sets are disjoint and cardinalities of layers add up. Immutable,
 * thread safe.
 *
 * <p>Folding is associative: the deltas of adjacent layers can be folded in any grouping that keeps their order.
 *
 * @param added   the IDs the layer puts in
 * @param removed the IDs the layer takes out
 */
public record IdSetDelta(IdSet added, IdSet removed) {
    /** Changes nothing. */
    public static final IdSetDelta EMPTY = new IdSetDelta(IdSet.EMPTY, IdSet.EMPTY);

    public IdSetDelta {
        Objects.requireNonNull(added, "added");
        Objects.requireNonNull(removed, "removed");
    }

    /** A delta that only adds; {@link #EMPTY} where the set is empty. */
    public static IdSetDelta adding(IdSet added) {
        return added.isEmpty() ? EMPTY : new IdSetDelta(added, IdSet.EMPTY);
    }

    /** The one delta that does what the older and then the newer do: an add and a removal of the same ID cancel each other. */
    public static IdSetDelta fold(IdSetDelta older, IdSetDelta newer) {
        if (older.isEmpty()) {
            return newer;
        }
        if (newer.isEmpty()) {
            return older;
        }
        IdSet added = older.added.andNot(newer.removed).or(newer.added.andNot(older.removed));
        IdSet removed = older.removed.andNot(newer.added).or(newer.removed.andNot(older.added));
        return added.isEmpty() && removed.isEmpty() ? EMPTY : new IdSetDelta(added, removed);
    }

    /** What the layer does to these IDs. */
    public IdSetDelta among(IdSet ids) {
        return isEmpty() ? this : new IdSetDelta(added.and(ids), removed.and(ids));
    }

    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty();
    }

    /** By how much the layer changes the size of the set; negative where it removes more than it adds. */
    public long netCardinality() {
        return added.cardinality() - removed.cardinality();
    }

    /** Heap bytes this delta holds, for caches that are bounded in bytes. */
    public long sizeBytes() {
        return 24 + added.sizeBytes() + removed.sizeBytes();
    }
}
