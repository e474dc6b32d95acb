package org.alder.partition.jdbm.block;

/**
 * How the blocks of a table are compressed. The choice is made per table when it is written; each block names its own codec,
 * because a block that does not shrink is stored as {@link #NONE}. The identifiers are part of the file format: do not change.
 */
public enum BlockCodec {
    /** Stored as it is: for tables whose values do not shrink, or that are read far more than they take space. */
    NONE(0),
    /** LZ4 block format: about 2 GB/s per core to decompress, little shrinking. */
    LZ4(1),
    /** Zstandard, with the table's dictionary where it has one: a third to a half smaller than LZ4, slower to decompress. */
    ZSTD(2);

    /** Asked for with each block that is decoded. */
    private static final BlockCodec[] ALL = values();

    private final int id;

    BlockCodec(int id) {
        this.id = id;
    }

    int id() {
        return id;
    }

    /** Returns the codec with this identifier, or null where no codec has it. */
    static BlockCodec ofId(int id) {
        return id >= 0 && id < ALL.length ? ALL[id] : null;
    }
}
