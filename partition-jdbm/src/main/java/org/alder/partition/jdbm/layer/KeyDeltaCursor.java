package org.alder.partition.jdbm.layer;

/**
 * Walks the keys of one index in ascending order of their unsigned bytes, each with the change of its ID set; positioned before
 * the first. One thread; needs no closing. A key whose delta is empty may or may not appear. The methods throw
 * {@link org.alder.partition.error.StoreException} where reading fails, and the cursor is then
 * of no use.
 */
public interface KeyDeltaCursor {
    /** Steps to the next key; false at the end, and from then on. */
    boolean next();

    /** The current key, valid also after further steps; do not change it. Only after {@link #next()} returned true. */
    byte[] key();

    /** The change of the current key's set; this is what reads the set. Only after {@link #next()} returned true. */
    IdSetDelta delta();

    /** {@link IdSetDelta#netCardinality()} of the current key's delta without reading the set. */
    long netCardinality();

    /**
     * The change of the current key's set as it is stored, where one segment alone changes it; null where it is to be worked out. What reads and writes segments
     * knows what it says; do not change it. Only after {@link #next()} returned true.
     */
    default byte[] stored() {
        return null;
    }

    /** One that has no keys. */
    static KeyDeltaCursor empty() {
        return new KeyDeltaCursor() {
            @Override
            public boolean next() {
                return false;
            }

            @Override
            public byte[] key() {
                throw new IllegalStateException("there is no key");
            }

            @Override
            public IdSetDelta delta() {
                throw new IllegalStateException("there is no key");
            }

            @Override
            public long netCardinality() {
                throw new IllegalStateException("there is no key");
            }
        };
    }
}
