package org.alder.partition.store;

/**
 * What an index takes, as far as it is on the disk. Immutable.
 *
 * @param keys  of all its tables: one that stands in several segments, which is so until these are merged, counts in each
 * @param bytes of their files
 */
public record IndexSize(long keys, long bytes) {
    public static final IndexSize NONE = new IndexSize(0, 0);

    public IndexSize plus(IndexSize other) {
        return new IndexSize(keys + other.keys, bytes + other.bytes);
    }
}
