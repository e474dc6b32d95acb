package org.alder.partition.jdbm.block;

import com.github.luben.zstd.Zstd;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a Zstandard dictionary of what the first blocks of a table have in common: attribute names, object classes, frequent
 * words. Stateless.
 */
public final class DictionaryTrainer {

    /** From this much on a dictionary of {@link #DICTIONARY_BYTES} hardly gets better. */
    public static final int SAMPLE_BYTES = 4 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(DictionaryTrainer.class);
    private static final int DICTIONARY_BYTES = 64 * 1024;
    /** Of less a dictionary of this size cannot be made, or would take as much as it saves. */
    private static final int LEAST_SAMPLE_BYTES = 16 * DICTIONARY_BYTES;

    private DictionaryTrainer() {
    }

    /** The dictionary; empty where the blocks are too few to make one of, or have nothing in common. */
    public static byte[] train(List<byte[]> blocks) {
        int sampleBytes = blocks.stream().mapToInt(block -> block.length).sum();
        if (sampleBytes < LEAST_SAMPLE_BYTES) {
            return new byte[0];
        }
        byte[] dictionary = new byte[DICTIONARY_BYTES];
        long length = Zstd.trainFromBuffer(blocks.toArray(byte[][]::new), dictionary);
        if (Zstd.isError(length)) {
            LOG.info("No dictionary could be made of {} bytes of blocks: {}", sampleBytes, Zstd.getErrorName(length));
            return new byte[0];
        }
        return Arrays.copyOf(dictionary, (int) length);
    }
}
