package org.alder.partition.jdbm.segment;

import org.alder.partition.jdbm.layer.IdSetDelta;

/**
 * Keeps decoded ID sets of any number of segments. Implementations must be thread safe and bound themselves by
 * {@link IdSetAddress#sizeBytes()} plus {@link IdSetDelta#sizeBytes()}; they may forget any set at any time. Sets of a closed
 * segment are never asked for again (segment IDs are not reused): drop them when convenient.
 */
public interface IdSetCache {
    /** Keeps nothing: each lookup decodes its set. */
    IdSetCache NONE = new IdSetCache() {
        @Override
        public IdSetDelta get(IdSetAddress address) {
            return null;
        }

        @Override
        public void put(IdSetAddress address, IdSetDelta delta) {
            // Keeping nothing is what this cache is for.
        }
    };

    /** The delta, or null where it is not kept. */
    IdSetDelta get(IdSetAddress address);

    /** Offers a delta; an empty one says that the segment does not have the key. */
    void put(IdSetAddress address, IdSetDelta delta);
}
