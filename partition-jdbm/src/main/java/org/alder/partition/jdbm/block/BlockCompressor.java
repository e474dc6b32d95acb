package org.alder.partition.jdbm.block;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.Closeable;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Turns an uncompressed block into its record: codec u1, uncompressed length u4, payload, room for the {@link RecordCheck}.
 * One thread; holds native memory until it is closed.
 */
public final class BlockCompressor implements Closeable {

    static final int HEADER_BYTES = 5;

    private final BlockCodec codec;
    private final LZ4Compressor lz4;
    private final ZstdCompressCtx zstd;
    private byte[] scratch = {};

    /** @param dictionary for Zstandard; empty for none */
    public BlockCompressor(TableSettings settings, byte[] dictionary) {
        codec = settings.codec();
        lz4 = codec == BlockCodec.LZ4 ? LZ4Factory.fastestInstance().fastCompressor() : null;
        zstd = codec == BlockCodec.ZSTD ? zstdContext(settings, dictionary) : null;
    }

    private static ZstdCompressCtx zstdContext(TableSettings settings, byte[] dictionary) {
        ZstdCompressCtx context = new ZstdCompressCtx().setLevel(settings.zstdLevel()).setContentSize(false).setDictID(false);
        if (dictionary.length > 0) {
            context.loadDict(dictionary);
        }
        return context;
    }

    public byte[] toRecord(byte[] block) {
        int length = compress(block);
        if (length >= block.length) {
            return record(BlockCodec.NONE, block, block.length, block.length);
        }
        return record(codec, scratch, length, block.length);
    }

    private int compress(byte[] block) {
        return switch (codec) {
            case NONE -> block.length;
            case LZ4 -> {
                reserve(lz4.maxCompressedLength(block.length));
                yield lz4.compress(block, 0, block.length, scratch, 0, scratch.length);
            }
            case ZSTD -> {
                reserve((int) Zstd.compressBound(block.length));
                yield zstd.compressByteArray(scratch, 0, scratch.length, block, 0, block.length);
            }
        };
    }

    private void reserve(int length) {
        if (scratch.length < length) {
            scratch = new byte[length];
        }
    }

    private static byte[] record(BlockCodec codec, byte[] payload, int payloadLength, int uncompressedLength) {
        byte[] record = new byte[HEADER_BYTES + payloadLength + RecordCheck.BYTES];
        record[0] = (byte) codec.id();
        BigEndian.putInt(record, 1, uncompressedLength);
        System.arraycopy(payload, 0, record, HEADER_BYTES, payloadLength);
        return record;
    }

    @Override
    public void close() {
        if (zstd != null) {
            zstd.close();
        }
    }
}
