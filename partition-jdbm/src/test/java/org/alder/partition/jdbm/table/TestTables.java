package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;

/** Tables and their contents for the tests of this package. */
final class TestTables {

    private TestTables() {
    }

    static TreeMap<byte[], byte[]> sortedMap() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    static TableSummary write(Path file, TableSettings settings, SortedMap<byte[], byte[]> pairs) throws IOException {
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file, settings)) {
            return append(writer, pairs);
        }
    }

    static TableSummary append(TableWriter writer, SortedMap<byte[], byte[]> pairs) throws IOException {
        for (Map.Entry<byte[], byte[]> pair : pairs.entrySet()) {
            writer.append(pair.getKey(), pair.getValue());
        }
        return writer.finish();
    }

    static byte[] randomBytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Bytes that compress: few letters, in runs. */
    static byte[] text(Random random, int length) {
        byte[] bytes = new byte[length];
        byte letter = 'a';
        for (int i = 0; i < length; i++) {
            if (random.nextInt(4) == 0) {
                letter = (byte) ('a' + random.nextInt(16));
            }
            bytes[i] = letter;
        }
        return bytes;
    }

    /** A map of pairs with keys of some common prefix and values of up to the given length. */
    static TreeMap<byte[], byte[]> randomPairs(Random random, int count, int maximumKey, int maximumValue) {
        TreeMap<byte[], byte[]> pairs = sortedMap();
        byte[] prefix = text(random, random.nextInt(maximumKey));
        for (int i = 0; i < count; i++) {
            byte[] suffix = randomBytes(random, 1 + random.nextInt(maximumKey - prefix.length));
            byte[] key = random.nextInt(4) == 0 ? suffix : Arrays.copyOf(prefix, prefix.length + suffix.length);
            System.arraycopy(suffix, 0, key, key.length - suffix.length, suffix.length);
            int length = random.nextInt(8) == 0 ? 0 : random.nextInt(maximumValue + 1);
            pairs.put(key, random.nextBoolean() ? text(random, length) : randomBytes(random, length));
        }
        return pairs;
    }
}
