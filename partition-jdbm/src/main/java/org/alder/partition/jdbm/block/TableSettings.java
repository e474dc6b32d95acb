package org.alder.partition.jdbm.block;

import java.util.Objects;

/**
 * How a table is written. Immutable; nothing of it is needed to read the table again, the file says what it must.
 *
 * @param blockBytes a block is closed when its pairs reach this many bytes uncompressed (256 to 1,048,576)
 * @param codec      how blocks are compressed
 * @param zstdLevel  the Zstandard level (1 to 19), used with {@link BlockCodec#ZSTD} only
 * @param dictionary a Zstandard dictionary, stored once in the file; empty for none. Not copied: do not change it afterwards
 */
public record TableSettings(int blockBytes, BlockCodec codec, int zstdLevel, byte[] dictionary) {

    /** Block size for indexes: small, because a lookup decodes a whole block for one short pair. */
    public static final int INDEX_BLOCK_BYTES = 4 * 1024;
    private static final int DEFAULT_ZSTD_LEVEL = 3;
    private static final byte[] NO_DICTIONARY = {};

    /** @throws IllegalArgumentException naming the setting that is out of its range */
    public TableSettings {
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(dictionary, "dictionary");
        requireRange("blockBytes", blockBytes, 256, 1 << 20);
        requireRange("zstdLevel", zstdLevel, 1, 19);
        if (dictionary.length > 0 && codec != BlockCodec.ZSTD) {
            throw new IllegalArgumentException("a dictionary needs codec ZSTD, found " + codec);
        }
        requireRange("dictionary length", dictionary.length, 0, TableLimits.MAX_DICTIONARY_BYTES);
    }

    /** An index's settings: 4 KiB blocks, LZ4. */
    public static TableSettings index() {
        return new TableSettings(INDEX_BLOCK_BYTES, BlockCodec.LZ4, DEFAULT_ZSTD_LEVEL, NO_DICTIONARY);
    }

    public TableSettings withBlockBytes(int bytes) {
        return new TableSettings(bytes, codec, zstdLevel, dictionary);
    }

    /** The same settings with another codec and without a dictionary. */
    public TableSettings withCodec(BlockCodec other) {
        return new TableSettings(blockBytes, other, zstdLevel, NO_DICTIONARY);
    }

    public TableSettings withZstd(int level, byte[] zstdDictionary) {
        return new TableSettings(blockBytes, BlockCodec.ZSTD, level, zstdDictionary);
    }

    private static void requireRange(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " must be " + low + " to " + high + ", found " + value);
        }
    }
}
