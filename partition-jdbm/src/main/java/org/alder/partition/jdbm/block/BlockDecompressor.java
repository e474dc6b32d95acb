package org.alder.partition.jdbm.block;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** Turns a block's record back into the uncompressed block. Thread safe; one per table, because it knows the dictionary. */
public final class BlockDecompressor {

    /** Contexts of Zstandard are costly to make and serve one thread at a time; as many exist as threads ever met here. */
    private static final ConcurrentLinkedQueue<ZstdDecompressCtx> IDLE_CONTEXTS = new ConcurrentLinkedQueue<>();
    /** Those that never had a dictionary: to take one away costs more than to decompress a block. */
    private static final ConcurrentLinkedQueue<ZstdDecompressCtx> IDLE_PLAIN_CONTEXTS = new ConcurrentLinkedQueue<>();
    private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();

    private final ZstdDictDecompress dictionary;

    /** @param dictionary empty for none */
    public BlockDecompressor(byte[] dictionary) {
        this.dictionary = dictionary.length == 0 ? null : new ZstdDictDecompress(dictionary);
    }

    /** @throws IllegalArgumentException saying what is wrong with the record */
    public TableBlock toBlock(byte[] record) {
        int payloadLength = record.length - BlockCompressor.HEADER_BYTES - RecordCheck.BYTES;
        BlockCodec codec = payloadLength < 0 ? null : BlockCodec.ofId(record[0]);
        if (codec == null) {
            throw new IllegalArgumentException("expected a block, found " + record.length + " bytes of unknown codec");
        }
        int length = BigEndian.getInt(record, 1);
        if (length <= 0 || length > TableLimits.MAX_BLOCK_BYTES) {
            throw new IllegalArgumentException("uncompressed length " + length + ", expected 1 to "
                + TableLimits.MAX_BLOCK_BYTES);
        }
        byte[] block = new byte[length];
        int found = decompress(codec, record, payloadLength, block);
        if (found != length) {
            throw new IllegalArgumentException("decompressed to " + found + " bytes, expected " + length);
        }
        return TableBlock.decode(block);
    }

    private int decompress(BlockCodec codec, byte[] record, int payloadLength, byte[] block) {
        try {
            return switch (codec) {
                case NONE -> {
                    System.arraycopy(record, BlockCompressor.HEADER_BYTES, block, 0, Math.min(payloadLength, block.length));
                    yield payloadLength;
                }
                case LZ4 -> LZ4.decompress(record, BlockCompressor.HEADER_BYTES, payloadLength, block, 0, block.length);
                case ZSTD -> unzstd(record, payloadLength, block);
            };
        } catch (LZ4Exception | ZstdException e) {
            throw new IllegalArgumentException("the block does not decompress with " + codec + ": " + e.getMessage(), e);
        }
    }

    private int unzstd(byte[] record, int payloadLength, byte[] block) {
        ConcurrentLinkedQueue<ZstdDecompressCtx> contexts = dictionary == null ? IDLE_PLAIN_CONTEXTS : IDLE_CONTEXTS;
        ZstdDecompressCtx idle = contexts.poll();
        ZstdDecompressCtx context = idle == null ? new ZstdDecompressCtx() : idle;
        try {
            if (dictionary != null) {
                context.loadDict(dictionary);
            }
            return context.decompressByteArray(block, 0, block.length, record, BlockCompressor.HEADER_BYTES, payloadLength);
        } finally {
            contexts.add(context);
        }
    }
}
