package org.alder.partition.entry;

import org.alder.partition.text.Utf8;

/**
 * What an entry says of its name: its RDN and under which entry it stands. The entry's record has it, and so has what a store keeps
 * of names beside the records, which costs less to read. Immutable, thread safe.
 */
public interface StoredName {
    /** 0 for the suffix entry. */
    long parentId();

    /** The array that {@link #rdnOffset} counts in; not to be changed. */
    byte[] buffer();

    /** Where the RDN's text starts in {@link #buffer}. */
    int rdnOffset();

    int rdnLength();

    /** The RDN as RFC 4514 text. */
    default String rdn() {
        return Utf8.stored(buffer(), rdnOffset(), rdnLength());
    }

    /** @param rdn RFC 4514 text in UTF-8, kept as it is */
    static StoredName of(long parentId, byte[] rdn) {
        return new Alone(parentId, rdn);
    }

    /** A name without its entry. */
    record Alone(long parentId, byte[] buffer) implements StoredName {
        @Override
        public int rdnOffset() {
            return 0;
        }

        @Override
        public int rdnLength() {
            return buffer.length;
        }
    }
}
