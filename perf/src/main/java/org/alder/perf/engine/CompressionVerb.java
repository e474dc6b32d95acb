package org.alder.perf.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.alder.ldif.LdifGenerator;
import org.alder.ldif.SampleValues;
import org.alder.partition.Partition;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.store.Snapshot;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.LocalPartition;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.process.Machine;
import org.alder.perf.report.BarPlot;
import org.alder.perf.report.PeerFigures;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.server.cli.option.CommandException;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What coding entries costs and saves, beside entries as they are, on random letters and on realistic values. Random entries are fetched
 * through a snapshot in this process: first from disk (the operating system's page cache dropped, with --drop-page-cache), then from memory.
 */
@Command(name = "compression", mixinStandardHelpOptions = true,
        description = "Size, load rate and random entry fetch of coded and plain entries, on random and on realistic data.")
public final class CompressionVerb extends BenchmarkVerb {
    private static final List<String> CODECS = List.of("none", "coded");
    private static final String PUBLISHED = "Lucene (10M, LZ4): 9.4 GB to 5.7, 11.5 ms to 4.25 beyond the page cache";
    private static final String ENTRY_FILE = "master.entries";

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--cold-fetches", paramLabel = "N", description = "Entries fetched from disk. Default: ${DEFAULT-VALUE}.")
    private int coldFetches = 500;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Time of warm fetches, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 4;

    private record Fetches(double coldMicros, double warmMicros) {
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException, DirectoryException, ConfigurationException,
            CommandException {
        List<ReportRow> rows = new ArrayList<>();
        for (SampleValues values : SampleValues.values()) {
            measure(values, rows);
        }
        return report(machine, rows);
    }

    private void measure(SampleValues values, List<ReportRow> rows) throws IOException, InterruptedException, DirectoryException,
            ConfigurationException, CommandException {
        try (WorkFolder work = options().workFolder()) {
            Path ldif = work.path().resolve("data.ldif");
            SampleUsers users = SampleUsers.write(new LdifGenerator(options().seed(), values), entries, ldif);
            for (String codec : CODECS) {
                System.err.println("measuring " + values.name().toLowerCase(Locale.ROOT) + " values with " + codec);
                LoadedData data = LoadedData.load(work.path(), users, ldif, codec,
                        List.of("compression: " + codec, "snapshotTimeLimitSeconds: 0"));
                if (rows.isEmpty()) {
                    System.err.println("warming up");
                    fetches(data);
                }
                Fetches fetches = fetches(data);
                rows.add(new ReportRow(List.of(values.name().toLowerCase(Locale.ROOT), codec), ReportRow.boxed(
                        (double) Files.size(ldif) / entries, (double) entryBytes(data.folder()) / entries,
                        (double) WorkFolder.sizeBytes(data.folder()) / entries, entries / data.loadSeconds(), fetches.warmMicros,
                        fetches.coldMicros), codec.equals("coded") ? PUBLISHED : ""));
            }
        }
    }

    /** The entries alone, without indexes. */
    private static long entryBytes(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            long sum = 0;
            for (Path file : (Iterable<Path>) files.filter(path -> path.endsWith(ENTRY_FILE))::iterator) {
                sum += Files.size(file);
            }
            return sum;
        }
    }

    private Fetches fetches(LoadedData data) throws IOException, InterruptedException, DirectoryException, ConfigurationException,
            CommandException {
        boolean dropped = options().dropPageCache();
        try (Partition partition = LocalPartition.openReadOnly(data); Snapshot snapshot = partition.snapshot()) {
            SplittableRandom random = new SplittableRandom(options().seed());
            long start = System.nanoTime();
            for (int i = 0; i < coldFetches; i++) {
                fetch(snapshot, 1 + random.nextLong(entries));
            }
            double coldMicros = (System.nanoTime() - start) / 1e3 / coldFetches;
            rate(snapshot, random, seconds / 2);
            return new Fetches(dropped ? coldMicros : Double.NaN, 1e6 / rate(snapshot, random, seconds));
        }
    }

    /** Entries per second. */
    private double rate(Snapshot snapshot, SplittableRandom random, double time) throws IOException {
        long start = System.nanoTime();
        long done = 0;
        long elapsed;
        do {
            fetch(snapshot, 1 + random.nextLong(entries));
            done++;
            elapsed = System.nanoTime() - start;
        } while (elapsed < time * 1e9);
        return done * 1e9 / elapsed;
    }

    /** A bulk load numbers entries in their order: the two above the users come first. */
    private static void fetch(Snapshot snapshot, long user) throws IOException {
        EntryRecord record = snapshot.entry(LdifGenerator.baseEntries().size() + user);
        String expected = "uid=user." + user;
        if (record == null || !record.rdn().equals(expected)) {
            throw new IOException("fetched " + (record == null ? "nothing" : record.rdn()) + ", expected " + expected);
        }
    }

    private Report report(Machine machine, List<ReportRow> rows) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("cold fetches", Integer.toString(coldFetches));
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        ReportTable table = new ReportTable("Entries as they are, and coded", List.of("values", "compression"),
                List.of("LDIF bytes/entry",
                "entry file bytes/entry", "disk bytes/entry", "load entries/s", "fetch warm us", "fetch cold us"), rows);
        BarPlot plot = new BarPlot("Entry file, bytes per entry");
        rows.forEach(row -> plot.bar(String.join(", ", row.labels()), row.figures().get(1)));
        return new Report("compression", "Compressed entries", machine, parameters, List.of(table),
                Map.of("compression", plot.svg()),
                List.of("Load: with the start of its process. Disk: all of the data folder, with the indexes of"
                        + " conf/benchmark.ldif and"
                        + " an empty log. Warm: one thread. Cold: the page cache dropped before; a dash where that was not wanted (--drop-page-cache) or not allowed.", PeerFigures.SOURCE
                        + " "
                        + PeerFigures.DISK
                        + "."));
    }
}
