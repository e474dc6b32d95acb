package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;

/**
 * Builds and reads a table by hand: 1,000,000 keys like {@code user.N} with 12-byte values (an index) for each codec and main
 * page size, and 100,000 entries of 700 bytes (a master table). Arguments: none. Prints the machine, then one line per table:
 * pairs built per second, bytes of the file, random get per second in one thread without and with a block cache, pairs scanned
 * per second.
 */
public final class TableBenchmark {

    private static final int LOOKUPS = 500_000;

    private final Random random = new Random(42);
    private final Path folder;

    private TableBenchmark(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] arguments) throws IOException {
        System.out.printf(Locale.ROOT, "Java %s, %d processors, heap %d MiB%n", System.getProperty("java.version"),
            Runtime.getRuntime().availableProcessors(), Runtime.getRuntime().maxMemory() >> 20);
        TableBenchmark benchmark = new TableBenchmark(Files.createTempDirectory("table-benchmark"));
        TreeMap<byte[], byte[]> index = benchmark.pairs(1_000_000, 12);
        for (int pageSize : new int[] {16, 32, 64, 128}) {
            benchmark.measure("index LZ4 page " + pageSize, TableSettings.index(), pageSize, index);
        }
        for (BlockCodec codec : BlockCodec.values()) {
            benchmark.measure("index " + codec, TableSettings.index().withCodec(codec), 64, index);
        }
        TreeMap<byte[], byte[]> master = benchmark.pairs(100_000, 700);
        for (BlockCodec codec : BlockCodec.values()) {
            benchmark.measure("master " + codec, TableSettings.index().withCodec(codec), 64, master);
        }
        Files.delete(benchmark.folder);
    }

    private TreeMap<byte[], byte[]> pairs(int count, int valueBytes) {
        TreeMap<byte[], byte[]> pairs = TestTables.sortedMap();
        for (int i = 0; i < count; i++) {
            pairs.put(("user." + i).getBytes(StandardCharsets.UTF_8), TestTables.text(random, valueBytes));
        }
        return pairs;
    }

    private void measure(String name, TableSettings settings, int pageSize, TreeMap<byte[], byte[]> pairs)
        throws IOException {
        Path file = folder.resolve("t.db");
        long start = System.nanoTime();
        TableSummary summary;
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file, settings, pageSize)) {
            summary = TestTables.append(writer, pairs);
        }
        double build = pairs.size() / seconds(start);
        BlockCache<TreePage> pages = new BlockCache<>(64 << 20);
        double plain;
        double scan;
        try (Table table = Table.open(file, new TableOptions(new BlockCache<>(0), pages))) {
            gets(table, pairs.size());
            plain = gets(table, pairs.size());
            start = System.nanoTime();
            for (TableCursor cursor = table.scan(); cursor.next(); ) {
                cursor.value();
            }
            scan = pairs.size() / seconds(start);
        }
        double cached;
        try (Table table = Table.open(file, new TableOptions(new BlockCache<>(256 << 20), pages))) {
            gets(table, pairs.size());
            cached = gets(table, pairs.size());
        }
        System.out.printf(Locale.ROOT, "%-22s build %,9.0f/s  file %,11d  get %,9.0f/s  cached %,9.0f/s  scan %,10.0f/s%n",
            name, build, summary.fileBytes(), plain, cached, scan);
        Files.delete(file);
    }

    private double gets(Table table, int keys) {
        long start = System.nanoTime();
        for (int i = 0; i < LOOKUPS; i++) {
            if (table.get(("user." + random.nextInt(keys)).getBytes(StandardCharsets.UTF_8)) == null) {
                throw new IllegalStateException("a key is missing");
            }
        }
        return LOOKUPS / seconds(start);
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
