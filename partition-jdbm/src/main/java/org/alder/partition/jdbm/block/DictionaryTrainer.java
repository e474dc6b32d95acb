package org.alder.partition.jdbm.block;

import com.github.luben.zstd.Zstd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the first blocks of a table until it can make a Zstandard dictionary of what they have in common: attribute names, object
 * classes, frequent words. One thread.
 */
public final class DictionaryTrainer {

    private static final Logger LOG = LoggerFactory.getLogger(DictionaryTrainer.class);
    /** From this much on a dictionary of {@link #DICTIONARY_BYTES} hardly gets better. */
    private static final int SAMPLE_BYTES = 4 * 1024 * 1024;
    private static final int DICTIONARY_BYTES = 64 * 1024;
    /** Of less a dictionary of this size cannot be made, or would take as much as it saves. */
    private static final int LEAST_SAMPLE_BYTES = 16 * DICTIONARY_BYTES;

    private final List<Sample> samples = new ArrayList<>();
    private int sampleBytes;

    /** A block that waits for the dictionary it is to be written with. */
    public record Sample(byte[] lastKey, byte[] block) {
    }

    /** Keeps a block; true when there are enough. */
    public boolean add(byte[] lastKey, byte[] block) {
        samples.add(new Sample(lastKey, block));
        sampleBytes += block.length;
        return sampleBytes >= SAMPLE_BYTES;
    }

    /** The blocks, in the order they came. */
    public List<Sample> samples() {
        return samples;
    }

    /** The dictionary; empty where the blocks are too few to make one of, or have nothing in common. */
    public byte[] train() {
        if (sampleBytes < LEAST_SAMPLE_BYTES) {
            return new byte[0];
        }
        byte[] dictionary = new byte[DICTIONARY_BYTES];
        long length = Zstd.trainFromBuffer(samples.stream().map(Sample::block).toArray(byte[][]::new), dictionary);
        if (Zstd.isError(length)) {
            LOG.info("No dictionary could be made of {} bytes of blocks: {}", sampleBytes, Zstd.getErrorName(length));
            return new byte[0];
        }
        return Arrays.copyOf(dictionary, (int) length);
    }
}
