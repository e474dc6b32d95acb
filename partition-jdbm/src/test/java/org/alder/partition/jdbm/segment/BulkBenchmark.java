package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;

/**
 * Measures a bulk load; run by hand: {@code BulkBenchmark [entries [sort MiB [folder]]]}. Workload, seed 42: entries of 20
 * attributes with random letters under one parent; equality keys of all attributes and trigrams of cn, sn, givenName and mail,
 * about 60 keys an entry. Prints the machine, then each phase, lookups of the loaded uids, a merge and a check.
 */
public final class BulkBenchmark {
    private static final String[] NAMES = {"uid", "initials", "description", "pager", "postalCode", "st", "street", "l",
        "homePhone", "mobile", "telephoneNumber", "postalAddress", "employeeNumber", "employeeType", "departmentNumber", "title",
        "cn", "sn", "givenName", "mail"};
    private static final int[] LENGTHS = {0, 2, 20, 10, 5, 2, 20, 10, 10, 10, 10, 20, 0, 1, 1, 8, 15, 9, 6, 15};
    private static final int FIRST_WITH_TRIGRAMS = 16;

    private BulkBenchmark() {
    }

    /** Equality keys begin with 'e', trigrams with 's', as one index may have both. */
    private static final class Indexer implements EntryIndexer {
        @Override
        public List<IndexSpec> indexes() {
            List<IndexSpec> specs = new ArrayList<>();
            specs.add(new IndexSpec("hierarchy", 1000));
            for (String name : NAMES) {
                specs.add(new IndexSpec(name, 1000));
            }
            return specs;
        }

        @Override
        public void forEachKey(EntryRecord record, KeyConsumer consumer) {
            consumer.accept(0, HierarchyKeys.rdn(record.parentId(), record.rdnBytes()));
            consumer.accept(0, HierarchyKeys.children(record.parentId()));
            int attribute = 0;
            AttributeCursor attributes = record.cursor(false);
            while (attributes.next()) {
                byte[] value = attributes.values().get(0);
                consumer.accept(attribute + 1, key('e', value, 0, value.length));
                for (int i = 0; attribute >= FIRST_WITH_TRIGRAMS && i + 3 <= value.length; i++) {
                    consumer.accept(attribute + 1, key('s', value, i, 3));
                }
                attribute++;
            }
        }

        private static byte[] key(char kind, byte[] value, int offset, int length) {
            byte[] key = new byte[1 + length];
            key[0] = (byte) kind;
            System.arraycopy(value, offset, key, 1, length);
            return key;
        }
    }

    public static void main(String[] arguments) throws IOException {
        int entries = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200_000;
        long sortBytes = (arguments.length > 1 ? Long.parseLong(arguments[1]) : 256) << 20;
        Path parent = arguments.length > 2 ? Path.of(arguments[2]) : Files.createTempDirectory("bulk");
        Path folder = parent.resolve("segment");
        Runtime runtime = Runtime.getRuntime();
        System.out.printf(Locale.ROOT, "machine: %d processors, %d MiB heap, %s %s; %d entries, sort memory %d MiB%n",
                runtime.availableProcessors(),
                runtime.maxMemory() >> 20, System.getProperty("java.vm.name"), System.getProperty("java.version"), entries,
                sortBytes >> 20);
        List<EntryRecord> pool = pool();
        long start = System.nanoTime();
        BulkSettings settings = new BulkSettings(SegmentSettings.defaults(), sortBytes, runtime.availableProcessors());
        try (BulkBuilder builder = BulkBuilder.create(folder, new Indexer(), Segments.SEQUENCES, settings, segment ->
                System.out.printf(Locale.ROOT, "segment: %d MiB, %d index keys%n", segment.diskBytes() >> 20,
                        segment.indexes().stream().mapToLong(index -> index.table().pairCount()).sum()))) {
            add(builder, pool, entries);
            report("add", start, entries);
            long publish = System.nanoTime();
            builder.publish(Segments.SILENT);
            report("publish", publish, entries);
        }
        report("load", start, entries);
        lookup(folder, entries);
        merge(folder, parent.resolve("merged"), entries);
        SystemDisk.INSTANCE.deleteTree(folder);
    }

    private static void report(String phase, long startNanos, int entries) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        System.out.printf(Locale.ROOT, "%s: %.2f s, %.0f entries/s%n", phase, seconds, entries / seconds);
    }

    /** So many entries are made beforehand and change only their uid, so that making entries is not what is measured. */
    private static List<EntryRecord> pool() {
        Random random = new Random(42);
        List<EntryRecord> pool = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            List<Attribute> attributes = new ArrayList<>();
            for (int a = 0; a < NAMES.length; a++) {
                attributes.add(new Attribute(NAMES[a], List.of(letters(random, LENGTHS[a]))));
            }
            pool.add(EntryRecord.of(2, new byte[0], attributes, List.of()));
        }
        return pool;
    }

    private static byte[] letters(Random random, int length) {
        byte[] letters = new byte[length];
        for (int i = 0; i < length; i++) {
            letters[i] = (byte) ('a' + random.nextInt(26));
        }
        return letters;
    }

    private static void add(BulkBuilder builder, List<EntryRecord> pool, int entries) {
        for (int i = 1; i <= entries; i++) {
            List<Attribute> attributes = pool.get(i % pool.size()).userAttributes();
            byte[] uid = uid(i);
            attributes.set(0, new Attribute("uid", List.of(uid)));
            // Half of the unique values of real data: every pass through the pool has a cn and mail of its own.
            byte[] cn = attributes.get(FIRST_WITH_TRIGRAMS).values().get(0).clone();
            cn[i / pool.size() % cn.length] ^= (byte) (i / pool.size() % 7);
            attributes.set(FIRST_WITH_TRIGRAMS, new Attribute("cn", List.of(cn)));
            byte[] rdn = Arrays.copyOf("uid=".getBytes(StandardCharsets.US_ASCII), 4 + uid.length);
            System.arraycopy(uid, 0, rdn, 4, uid.length);
            builder.add(i + 2, EntryRecord.of(2, rdn, attributes, List.of()));
        }
    }

    private static byte[] uid(int number) {
        return ("user." + number).getBytes(StandardCharsets.US_ASCII);
    }

    /** What a compaction costs: the loaded segment written once more through the stack of layers. */
    private static void merge(Path folder, Path merged, int entries) throws IOException {
        Segment segment = Segment.open(folder, SegmentOptions.uncached());
        long start = System.nanoTime();
        SegmentWriter.write(merged, LayerStack.whole(List.of(segment), 1), new Indexer().indexes(), Segments.SEQUENCES,
                SegmentSettings.defaults(), Segments.SILENT);
        report("merge", start, entries);
        segment.release();
        start = System.nanoTime();
        List<SegmentChecker.Problem> problems = SegmentChecker.check(merged);
        report("check", start, entries);
        problems.forEach(System.out::println);
        SystemDisk.INSTANCE.deleteTree(merged);
    }

    private static void lookup(Path folder, int entries) {
        Segment segment = Segment.open(folder, SegmentOptions.uncached());
        Random random = new Random(42);
        int lookups = 200_000;
        long start = System.nanoTime();
        long found = 0;
        for (int i = 0; i < lookups; i++) {
            byte[] uid = uid(1 + random.nextInt(entries));
            long id = segment.ids(1, Indexer.key('e', uid, 0, uid.length), 1).added().iterator().next();
            found += segment.entry(id, 1) == null ? 0 : 1;
        }
        System.out.printf(Locale.ROOT, "uid to entry, nothing cached: %.0f/s, %d of %d found%n",
                lookups / ((System.nanoTime() - start) / 1e9), found,
                lookups);
        segment.release();
    }
}
