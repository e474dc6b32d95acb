package org.alder.perf.engine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.LocalPartition;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.process.Machine;
import org.alder.perf.report.BarPlot;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetSummary;
import org.alder.server.cli.option.CommandException;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Primary-key lookups in one thread of this process, warm, without protocol: by uid, entryUUID and DN through a snapshot of the
 * store (segments only), with and without its key tables, and the uid keys through JDBM2's own B+Tree. Keys come in random order;
 * every answer is checked.
 */
@Command(name = "key-lookup", mixinStandardHelpOptions = true,
        description = "Lookups per second by uid, entryUUID and DN in one thread, and what they keep in memory.")
public final class KeyLookupVerb extends BenchmarkVerb {
    private static final int UUID_BYTES = 16;
    private static final int DEFAULT_CACHE_OBJECTS = 1000;
    private static final String PUBLISHED = "Lucene (27.6M keys in an FST, 2011): 509,000/s, 7.1 bytes/key";

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private int entries = 200_000;

    @Option(names = "--keys", paramLabel = "N", description = "Different keys looked up, at most. Default: ${DEFAULT-VALUE}.")
    private int keys = 500_000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each figure, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 4;

    /** One of the two ways the store looks keys up. */
    private enum Way {
        KEY_TABLE(TargetSummary.KEY_TABLE), TREE("the store without key tables");

        private final String title;

        Way(String title) {
            this.title = title;
        }
    }

    /** Looks up a key; the answer is 0 or below where there is none. */
    @FunctionalInterface
    private interface Lookup<K> {
        long find(K key) throws IOException;
    }

    /** Keys that are there with the answers they must have, and as many that are not. */
    private record Keys<K>(List<K> present, long[] answers, List<K> absent) {
    }

    private final List<ReportRow> rows = new ArrayList<>();

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException, DirectoryException, ConfigurationException,
            CommandException {
        rows.clear();
        try (WorkFolder work = options().workFolder()) {
            List<String> lines = List.of("index: entryUUID eq", "snapshotTimeLimitSeconds: 0");
            LoadedData data = LoadedData.load(work.path(), new LdifGenerator(options().seed()), entries, lines);
            List<String> withoutTables = new ArrayList<>(lines);
            withoutTables.add("keyTables: false");
            LoadedData without = new LoadedData(data.folder(), PerfOptions.configuration(work.path(), "without.conf.ldif",
                    withoutTables), data.users(), data.load());
            Keys<byte[]> uids = measureStore(data, Way.KEY_TABLE);
            measureStore(without, Way.TREE);
            measureJdbm(uids, work.path());
        }
        return report(machine);
    }

    private Keys<byte[]> measureStore(LoadedData data, Way way) throws DirectoryException, IOException, ConfigurationException,
            CommandException {
        try (Partition partition = LocalPartition.openReadOnly(data); Snapshot snapshot = partition.snapshot()) {
            long[] ids = sample(snapshot);
            Keys<byte[]> uids = uids(partition, snapshot, ids);
            int uid = index(partition, "uid").number();
            measure("uid", way, data, "uid", uids, key -> only(snapshot.ids(uid, key)));
            int entryUuid = index(partition, "entryUUID").number();
            measure("entryUUID", way, data, "entryuuid", uuids(partition, snapshot, ids),
                    key -> only(snapshot.ids(entryUuid, key)));
            measure("RDN below its parent", way, data, "hierarchy", rdns(partition, snapshot, ids),
                    key -> only(snapshot.ids(HierarchyKeys.INDEX, key)));
            measure("DN, parsed", way, data, "hierarchy", dns(partition, snapshot, ids),
                    dn -> partition.resolve(snapshot, dn));
            return uids;
        }
    }

    private <K> void measure(String kind, Way way, LoadedData data, String index, Keys<K> looked, Lookup<K> lookup)
            throws IOException {
        double tableBytes = way == Way.TREE ? 0 : keyTableBytes(data.folder(), "index-" + index + ".keys");
        measure(kind, way.title, tableBytes / entries, looked, lookup);
    }

    /** The bytes of the key tables of an index. */
    private static long keyTableBytes(Path data, String fileName) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(path -> path.endsWith(fileName)).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    /** IDs of users in random order. */
    private long[] sample(Snapshot snapshot) {
        List<Long> users = new ArrayList<>();
        try (Snapshot.EntryCursor cursor = snapshot.entries(1)) {
            while (cursor.next()) {
                if (cursor.entry().rdn().startsWith("uid=")) {
                    users.add(cursor.id());
                }
            }
        }
        Collections.shuffle(users, new Random(options().seed()));
        return users.stream().mapToLong(Long::longValue).limit(keys).toArray();
    }

    private static IndexedAttribute index(Partition partition, String name) {
        return partition.indexer().index(partition.schema().attributeType(name));
    }

    private static byte[] key(Partition partition, String name, byte[] value) throws DirectoryException {
        AttributeType type = partition.schema().attributeType(name);
        return IndexKeys.equality(type.equality().normalize(value));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Keys<byte[]> uids(Partition partition, Snapshot snapshot, long[] ids) throws DirectoryException {
        List<byte[]> present = new ArrayList<>();
        List<byte[]> absent = new ArrayList<>();
        for (long id : ids) {
            String uid = snapshot.entry(id).rdn().substring("uid=".length());
            present.add(key(partition, "uid", utf8(uid)));
            absent.add(key(partition, "uid", utf8(uid + "x")));
        }
        return new Keys<>(present, ids, absent);
    }

    private Keys<byte[]> uuids(Partition partition, Snapshot snapshot, long[] ids) throws DirectoryException {
        Random random = new Random(options().seed());
        List<byte[]> present = new ArrayList<>();
        List<byte[]> absent = new ArrayList<>();
        byte[] bytes = new byte[UUID_BYTES];
        for (long id : ids) {
            present.add(key(partition, "entryUUID", entryUuid(snapshot, id)));
            random.nextBytes(bytes);
            ByteBuffer other = ByteBuffer.wrap(bytes);
            absent.add(key(partition, "entryUUID", utf8(new UUID(other.getLong(), other.getLong()).toString())));
        }
        return new Keys<>(present, ids, absent);
    }

    private static byte[] entryUuid(Snapshot snapshot, long id) {
        for (Attribute attribute : snapshot.entry(id).operationalAttributes()) {
            if (attribute.description().equalsIgnoreCase("entryUUID")) {
                return attribute.values().get(0);
            }
        }
        throw new IllegalStateException("entry " + id + " has no entryUUID");
    }

    private static Keys<byte[]> rdns(Partition partition, Snapshot snapshot, long[] ids) throws DirectoryException {
        List<byte[]> present = new ArrayList<>();
        List<byte[]> absent = new ArrayList<>();
        for (long id : ids) {
            EntryRecord entry = snapshot.entry(id);
            present.add(rdnKey(partition, entry.parentId(), entry.rdn()));
            absent.add(rdnKey(partition, entry.parentId(), entry.rdn() + "x"));
        }
        return new Keys<>(present, ids, absent);
    }

    private static byte[] rdnKey(Partition partition, long parentId, String rdn) throws DirectoryException {
        return HierarchyKeys.rdn(parentId, Rdn.parse(partition.schema(), rdn).normalized());
    }

    private static Keys<Dn> dns(Partition partition, Snapshot snapshot, long[] ids) throws DirectoryException {
        List<Dn> present = new ArrayList<>();
        List<Dn> absent = new ArrayList<>();
        for (long id : ids) {
            String dn = partition.dnOf(snapshot, id);
            present.add(normalized(Dn.parse(partition.schema(), dn)));
            absent.add(normalized(Dn.parse(partition.schema(), dn.replaceFirst(",", "x,"))));
        }
        return new Keys<>(present, ids, absent);
    }

    /** A DN makes its normal form when it is first asked for; that belongs to parsing, not to the lookup. */
    private static Dn normalized(Dn dn) {
        dn.normalized();
        return dn;
    }

    private static long only(IdSet found) {
        if (found.cardinality() > 1) {
            throw new IllegalStateException("a unique key has " + found.cardinality() + " entries");
        }
        return found.isEmpty() ? HierarchyKeys.NO_PARENT : found.iterator().next();
    }

    private void measureJdbm(Keys<byte[]> uids, Path work) throws IOException {
        System.err.println("building JDBM2's B+Tree");
        List<byte[]> sorted = new ArrayList<>(uids.present);
        sorted.sort(Arrays::compareUnsigned);
        sorted.add(0, new byte[] {0});
        Path file = work.resolve("plain");
        PlainJdbmTree.build(file, sorted);
        long[] positions = new long[uids.present.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = Collections.binarySearch(sorted, uids.present.get(i), Arrays::compareUnsigned);
        }
        Keys<byte[]> keysInTree = new Keys<>(uids.present, positions, uids.absent);
        try (PlainJdbmTree tree = PlainJdbmTree.open(file, sorted.size() + DEFAULT_CACHE_OBJECTS)) {
            measure("uid", "JDBM2's own B+Tree, all pages cached", 0, keysInTree, tree::find);
        }
        try (PlainJdbmTree tree = PlainJdbmTree.open(file, DEFAULT_CACHE_OBJECTS)) {
            measure("uid", "JDBM2's own B+Tree, its default cache", 0, keysInTree, tree::find);
        }
    }

    private <K> void measure(String kind, String through, double tableBytes, Keys<K> looked, Lookup<K> lookup)
            throws IOException {
        System.err.println("measuring lookups by " + kind + " through " + through);
        long before = usedHeapBytes();
        double hits = rate(looked.present, looked.answers, lookup);
        double keptBytes = Math.max(0, usedHeapBytes() - before);
        double misses = rate(looked.absent, null, lookup);
        rows.add(new ReportRow(List.of(kind, through), ReportRow.boxed(looked.present.size(), hits, misses, tableBytes,
                keptBytes / looked.present.size()), through.equals(Way.KEY_TABLE.title) ? PUBLISHED : ""));
    }

    /** Lookups per second, after half as much warm-up. */
    private <K> double rate(List<K> wanted, long[] answers, Lookup<K> lookup) throws IOException {
        rate(wanted, answers, lookup, seconds / 2);
        return rate(wanted, answers, lookup, seconds);
    }

    private static <K> double rate(List<K> wanted, long[] answers, Lookup<K> lookup, double time) throws IOException {
        long done = 0;
        long start = System.nanoTime();
        long elapsed;
        do {
            pass(wanted, answers, lookup);
            done += wanted.size();
            elapsed = System.nanoTime() - start;
        } while (elapsed < time * 1e9);
        return done * 1e9 / elapsed;
    }

    /** @param answers null if no key must be found */
    private static <K> void pass(List<K> wanted, long[] answers, Lookup<K> lookup) throws IOException {
        for (int i = 0; i < wanted.size(); i++) {
            long found = lookup.find(wanted.get(i));
            if (answers == null ? found > 0 : found != answers[i]) {
                throw new IOException("a lookup found " + found + ", expected " + (answers == null ? "nothing" : answers[i]));
            }
        }
    }

    private static long usedHeapBytes() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private Report report(Machine machine) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Integer.toString(entries));
        parameters.put("keys", "up to " + keys + ", in random order");
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        ReportTable table = new ReportTable(TargetSummary.KEY_LOOKUPS, List.of("key", "through"),
                List.of("keys", TargetSummary.HITS, "misses/s", TargetSummary.KEY_BYTES, "heap bytes/key"), rows);
        BarPlot plot = new BarPlot("Key lookups per second in one thread, hits");
        rows.forEach(row -> plot.bar(row.labels().get(0) + ", " + row.labels().get(1), row.figures().get(1)));
        return new Report("key-lookup", "Primary-key lookups", machine, parameters, List.of(table),
                Map.of("key-lookup", plot.svg()),
                List.of("key table bytes/key: the index's key table, which is mapped into memory, divided by the users.",
                        "heap bytes/key: growth of the live heap by the lookups, divided by the keys"
                        + " looked up: decoded pages, blocks and ID sets that the caches (bounded in bytes) keep.",
                        "A DN takes one lookup of an RDN for each entry from the suffix down.",
                        "Lucene looked up 4000 keys at a time in key order, on other hardware; JDBM2's B+Tree has the same uid"
                        + " keys, one tuple each, in pages of 16."));
    }
}
