package org.alder.perf.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.LocalPartition;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.engine.GroupUpdateRun.Outcome;
import org.alder.perf.engine.GroupUpdateRun.Way;
import org.alder.perf.process.Machine;
import org.alder.perf.process.OwnUsage;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetSummary;
import org.alder.server.cli.option.CommandException;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The tables of "Benchmarking Updatable DocValues" (Lucene, 2014), with a group in the place of its documents: a client
 * replaces all members; one member changes and the server rewrites the record; one member changes and the server keeps it outside
 * of the record. Each at several rates and flush intervals, in this process, while threads search. Then adding, removing and
 * testing one member by the size of the group.
 */
@Command(name = "update-table", mixinStandardHelpOptions = true,
        description = "Rewriting an entry against updating one value, by update rate and flush interval.")
public final class UpdateTableVerb extends BenchmarkVerb {
    private static final String PUBLISHED = "Lucene (1000/s, 5 s): reindex 1.41 ms, numeric value 0.17 ms per document";

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 5000;

    @Option(names = "--members", paramLabel = "N", description = "Members of the group. Default: ${DEFAULT-VALUE}.")
    private int members = 100_000;

    @Option(names = "--sizes", paramLabel = "N", split = ",",
            description = "Members of the groups of the last table. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizes = List.of(1000, 10_000, 100_000, 1_000_000);

    @Option(names = "--rates", paramLabel = "R", split = ",", description = "Updates per second. Default: ${DEFAULT-VALUE}.")
    private List<Integer> rates = List.of(1, 10, 100, 1000);

    @Option(names = "--flush-intervals", paramLabel = "S", split = ",",
            description = "Seconds from flush to flush. Default: ${DEFAULT-VALUE}.")
    private List<Double> flushIntervals = List.of(1.0, 2.0, 5.0);

    @Option(names = "--searchers", paramLabel = "N",
            description = "Threads that search by uid as fast as they can. Default: ${DEFAULT-VALUE}.")
    private int searchers = 1;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each line, after one to two seconds of warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 10;

    private final List<ReportRow> rows = new ArrayList<>();
    private final List<ReportRow> bySize = new ArrayList<>();
    private final Map<String, Map<Way, Outcome>> outcomes = new LinkedHashMap<>();

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException, DirectoryException, ConfigurationException,
            CommandException {
        rows.clear();
        bySize.clear();
        outcomes.clear();
        for (Way way : Way.values()) {
            try (WorkFolder work = options().workFolder(); Partition partition = load(work.path(), members, way)) {
                measure(way, new SampleGroup(partition));
            }
        }
        for (int size : sizes) {
            System.err.println("measuring one member of " + size);
            try (WorkFolder work = options().workFolder(); Partition partition = load(work.path(), size, Way.VALUE)) {
                bySize.add(oneMember(size, new SampleGroup(partition)));
            }
        }
        return report(machine);
    }

    private Partition load(Path work, int groupMembers, Way way) throws IOException, InterruptedException, DirectoryException,
            ConfigurationException, CommandException {
        Path ldif = work.resolve("data.ldif");
        SampleUsers users = SampleUsers.write(new LdifGenerator(options().seed()), entries, ldif);
        SampleGroup.append(ldif, groupMembers);
        List<String> lines = new ArrayList<>(List.of("durability: sync", "index: member eq"));
        if (way != Way.VALUE) {
            lines.add("largeAttributeThreshold: 0");
        }
        LoadedData data = LoadedData.load(work, users, ldif, "data", lines);
        return LocalPartition.open(data.folder(), data.configuration());
    }

    private void measure(Way way, SampleGroup group) throws IOException, InterruptedException {
        List<List<byte[]>> replacements = way == Way.REPLACE
                ? List.of(SampleGroup.members(members + 1), SampleGroup.members(members)) : List.of();
        for (int rate : rates) {
            for (double flushSeconds : flushIntervals) {
                System.err.println("measuring " + name(way) + " at " + rate + "/s, a flush every " + flushSeconds + " s");
                Outcome outcome = new GroupUpdateRun(group, way, entries, rate, replacements)
                        .run(searchers, flushSeconds, 2, seconds);
                rows.add(row(way, rate, flushSeconds, outcome));
                outcomes.computeIfAbsent(rate + "/s, " + ReportTable.figure(flushSeconds) + " s", key -> new LinkedHashMap<>())
                        .put(way, outcome);
            }
        }
    }

    private static String name(Way way) {
        return way.name().toLowerCase(Locale.ROOT);
    }

    private static ReportRow row(Way way, int rate, double flushSeconds, Outcome outcome) {
        double flushMillis = outcome.flushMillis() / outcome.flushes();
        double updateMillis = outcome.updateMillis() / outcome.flushes();
        double totalMillis = outcome.flushMillis() + outcome.updateMillis();
        return new ReportRow(List.of(name(way), Integer.toString(rate), ReportTable.figure(flushSeconds)),
                ReportRow.boxed(outcome.updates() / outcome.seconds(), outcome.seconds() / outcome.flushes(), flushMillis,
                        updateMillis, flushMillis + updateMillis, totalMillis / outcome.updates(), cpuMicros(outcome),
                        bytes(outcome), outcome.searches() / outcome.seconds()),
                remark(rate, flushSeconds, outcome));
    }

    private static String remark(int rate, double flushSeconds, Outcome outcome) {
        List<String> remarks = new ArrayList<>();
        if (outcome.updates() / outcome.seconds() < 0.9 * rate) {
            remarks.add("updates fall behind");
        }
        if (outcome.seconds() / outcome.flushes() > 1.1 * flushSeconds) {
            remarks.add("flushes fall behind");
        }
        return String.join(", ", remarks);
    }

    private static double cpuMicros(Outcome outcome) {
        return outcome.cpuSeconds() * 1e6 / outcome.updates();
    }

    private static double bytes(Outcome outcome) {
        return outcome.writtenBytes() / outcome.updates();
    }

    /** Adds members, removes them, and tests present and missing ones, each for a third of the time after some warm-up. */
    private ReportRow oneMember(int size, SampleGroup group) throws IOException, DirectoryException {
        oneMember(size, group, seconds / 6);
        double[] figures = oneMember(size, group, seconds / 3);
        return ReportRow.of(Integer.toString(size), "", figures);
    }

    /** CPU and wall microseconds of an add, a removal and a test, and bytes of an update. */
    private static double[] oneMember(int size, SampleGroup group, double time) throws IOException, DirectoryException {
        double written = OwnUsage.writtenBytes();
        Timed adds = Timed.forSeconds(time, i -> group.change(Modification.Kind.ADD, List.of(SampleGroup.member(size + i))));
        Timed removals = Timed.times(adds.count(),
                i -> group.change(Modification.Kind.DELETE, List.of(SampleGroup.member(size + i))));
        double bytes = (OwnUsage.writtenBytes() - written) / (2.0 * adds.count());
        Timed tests = Timed.forSeconds(time, i -> {
            boolean present = i % 2 == 0;
            if (group.has(SampleGroup.member(present ? i * 7919 % size : size + i)) != present) {
                throw new IOException("testing a member gave the wrong answer, expected " + present);
            }
        });
        return new double[] {adds.cpuMicros(), removals.cpuMicros(), tests.cpuMicros(), adds.micros(), removals.micros(),
            tests.micros(), bytes};
    }

    private Report report(Machine machine) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("members", Integer.toString(members));
        parameters.put("users", Long.toString(entries));
        parameters.put("searchers", Integer.toString(searchers));
        parameters.put("durability", "sync");
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        ReportTable table = new ReportTable("Updates of a group of " + members + " members",
                List.of("way", "updates/s asked", "flush every s"), List.of("updates/s", "flush interval s", "flush ms",
                        "update ms", "total ms", "ms/update", "CPU us/update", "bytes/update", "query/s"), "remarks", rows);
        ReportTable ratios = new ReportTable(TargetSummary.VALUE_RATIOS, List.of("rate, flush interval"),
                List.of("CPU, record / value", "bytes, record / value", "ms/update, record / value", "CPU, replace / value",
                        "bytes, replace / value"), ratioRows());
        ReportTable sizeTable = new ReportTable(TargetSummary.VALUE_SIZES, List.of("members"), List.of("add CPU us",
                "remove CPU us", "test CPU us", "add us", "remove us", "test us", "bytes/update"), bySize);
        return new Report("update-table", "Updatable values", machine, parameters, List.of(table, ratios, sizeTable), Map.of(),
                List.of("In this process, without protocol. Per flush: flush ms, update ms (of all updates since"
                        + " the flush before) and their sum. CPU: of all threads but the searching ones, without the virtual"
                        + " machine's. Bytes: handed to the operating system, by the log, flushes and merges.", PUBLISHED + "."));
    }

    private List<ReportRow> ratioRows() {
        List<ReportRow> result = new ArrayList<>();
        outcomes.forEach((name, ways) -> {
            Outcome replace = ways.get(Way.REPLACE);
            Outcome record = ways.get(Way.RECORD);
            Outcome value = ways.get(Way.VALUE);
            result.add(ReportRow.of(name, "", cpuMicros(record) / cpuMicros(value), bytes(record) / bytes(value),
                    perUpdateMillis(record) / perUpdateMillis(value), cpuMicros(replace) / cpuMicros(value),
                    bytes(replace) / bytes(value)));
        });
        return result;
    }

    private static double perUpdateMillis(Outcome outcome) {
        return (outcome.flushMillis() + outcome.updateMillis()) / outcome.updates();
    }
}
