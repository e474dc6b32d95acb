package org.alder.perf.engine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.QueryPlan;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.Snapshot;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.LocalPartition;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.process.Machine;
import org.alder.perf.report.InlineReport;
import org.alder.perf.report.InlineRow;
import org.alder.perf.report.InlineSize;
import org.alder.perf.report.Report;
import org.alder.server.cli.option.CommandException;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Seed 004, "Inline fields" (Riak Search, 2011): an AND of a rare and a frequent term, planned from two sets and from the inline
 * values of the rare term's index. In one thread of this process, through the query engine on a store, without protocol: the
 * same searches in turns on two folders with the same entries, of which one has employeeType inline in the index of initials.
 * The initials change with each search, and each answer is counted against the data set.
 */
@Command(name = "inline", mixinStandardHelpOptions = true,
        description = "An AND of a rare and a frequent term, with and without inline values.")
public final class InlineVerb extends BenchmarkVerb {
    private static final String NO_TIME_LIMIT = "snapshotTimeLimitSeconds: 0";
    private static final String INLINE = "index: initials eq inline=employeeType";
    private static final int TURNS = 8;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Filter ALPHA = equality("employeeType", "alpha");

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each line, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 4;

    private final List<InlineRow> rows = new ArrayList<>();

    /** One of the queries, and where it is asked. */
    private record Asker(String query, Partition partition, Snapshot snapshot, SampleUsers users, boolean scoped) {
        long expected(String initials) {
            return scoped ? users.alpha(initials) : users.alpha();
        }

        SearchCursor search(String initials) throws DirectoryException {
            Filter filter = scoped ? new Filter.And(List.of(equality("initials", initials), ALPHA)) : ALPHA;
            Dn base = partition.suffix();
            return partition.search(snapshot, new SearchQuery(base, SearchScope.SUBTREE, filter, 0, 0));
        }
    }

    /** Reads an answer to its end and counts it. */
    @FunctionalInterface
    private interface Answer {
        long read(SearchCursor cursor) throws DirectoryException;
    }

    private static Filter equality(String attribute, String value) {
        return new Filter.Equality(attribute, value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException, DirectoryException, ConfigurationException,
            CommandException {
        rows.clear();
        try (WorkFolder work = options().workFolder()) {
            Path ldif = work.path().resolve("data.ldif");
            SampleUsers users = SampleUsers.write(new LdifGenerator(options().seed()), entries, ldif);
            LoadedData plain = LoadedData.load(work.path(), users, ldif, "plain", List.of(NO_TIME_LIMIT));
            LoadedData inline = LoadedData.load(work.path(), users, ldif, "inline", List.of(NO_TIME_LIMIT, INLINE));
            Files.delete(ldif);
            measure("on", plain, inline);
            measure("off", uncached(plain, work.path()), uncached(inline, work.path(), INLINE));
            return report(machine, List.of(size("no", plain), size("yes", inline)));
        }
    }

    /** The same data with the index cache switched off. */
    private static LoadedData uncached(LoadedData data, Path work, String... lines) throws IOException {
        List<String> all = new ArrayList<>(List.of(lines));
        all.addAll(List.of(NO_TIME_LIMIT, "indexCacheBytes: 0"));
        Path configuration = PerfOptions.configuration(work, data.folder().getFileName() + ".uncached.ldif", all);
        return new LoadedData(data.folder(), configuration, data.users(), data.load());
    }

    private void measure(String cache, LoadedData plain, LoadedData inline) throws IOException, DirectoryException,
            ConfigurationException, CommandException {
        System.err.println("measuring with the index cache " + cache);
        try (Partition first = LocalPartition.openReadOnly(plain); Snapshot state = first.snapshot();
                Partition second = LocalPartition.openReadOnly(inline); Snapshot inlineState = second.snapshot()) {
            Asker naive = new Asker(InlineRow.NAIVE, first, state, plain.users(), false);
            Asker scoped = new Asker(InlineRow.SCOPED, first, state, plain.users(), true);
            Asker filter = new Asker(InlineRow.FILTER, second, inlineState, inline.users(), true);
            measure("IDs", cache, List.of(naive, scoped, filter), InlineVerb::readIds);
            measure("DNs", cache, List.of(scoped, filter), InlineVerb::readDns);
        }
    }

    /** In turns, so that what else the machine does hits all alike. */
    private void measure(String answers, String cache, List<Asker> askers, Answer answer) throws IOException, DirectoryException {
        SplittableRandom random = new SplittableRandom(options().seed());
        List<Timings> timings = askers.stream().map(asker -> new Timings()).toList();
        for (int turn = -TURNS / 2; turn < TURNS; turn++) {
            for (int i = 0; i < askers.size(); i++) {
                Timings kept = turn < 0 ? new Timings() : timings.get(i);
                ask(askers.get(i), answer, random, kept, seconds / TURNS);
            }
        }
        for (int i = 0; i < askers.size(); i++) {
            rows.add(timings.get(i).row(answers, cache, askers.get(i).query()));
        }
    }

    private static void ask(Asker asker, Answer answer, SplittableRandom random, Timings timings,
            double time) throws IOException, DirectoryException {
        long cpuBefore = THREADS.getCurrentThreadCpuTime();
        long end = System.nanoTime() + (long) (time * 1e9);
        long start;
        do {
            String initials = SampleUsers.initials(random);
            start = System.nanoTime();
            long found;
            try (SearchCursor cursor = asker.search(initials)) {
                found = answer.read(cursor);
            }
            timings.add(System.nanoTime() - start);
            if (found != asker.expected(initials)) {
                throw new IOException(asker.query() + " with initials " + initials + " found " + found
                        + " entries, but the data set has " + asker.expected(initials));
            }
        } while (start < end);
        timings.addCpu(THREADS.getCurrentThreadCpuTime() - cpuBefore);
    }

    /** Every ID, from the sets alone. */
    private static long readIds(SearchCursor cursor) {
        QueryPlan plan = cursor.plan();
        if (plan.candidates() == null || plan.steps().stream().anyMatch(step -> step.kind() == QueryPlan.Kind.TEST)) {
            throw new IllegalStateException("expected a search that the indexes answer alone:\n" + plan);
        }
        long count = 0;
        long last = 0;
        for (IdSet.IdIterator ids = plan.candidates().iterator(); ids.hasNext();) {
            long id = ids.next();
            count += id > last ? 1 : 0;
            last = id;
        }
        return count;
    }

    /** What a search for the attribute 1.1 returns: the entries' names. */
    private static long readDns(SearchCursor cursor) throws DirectoryException {
        long count = 0;
        for (SearchCursor.Step step = cursor.step(Integer.MAX_VALUE); step == SearchCursor.Step.MATCH;) {
            count += cursor.dn().isEmpty() ? 0 : 1;
            step = cursor.step(Integer.MAX_VALUE);
        }
        return count;
    }

    private InlineSize size(String inline, LoadedData data) throws IOException {
        try (var files = Files.walk(data.folder())) {
            long bytes = 0;
            for (Path file : (Iterable<Path>) files.filter(path -> path.endsWith("index-initials.db"))::iterator) {
                bytes += Files.size(file);
            }
            return new InlineSize(inline, (double) bytes / entries, (double) WorkFolder.sizeBytes(data.folder()) / entries,
                    entries / data.loadSeconds());
        }
    }

    private Report report(Machine machine, List<InlineSize> sizes) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        return new InlineReport(machine, parameters, rows, sizes).report();
    }
}
