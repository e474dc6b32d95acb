package org.alder.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.SearchTimesReport;
import org.alder.perf.report.SearchTimesRow;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The table of "Using indices to boost search performance" (ApacheDS, 2006): for each size it loads the data set and
 * times {@code (initials=aa)} (1) indexed without cache, (2) indexed with cache, (3) without index and cache, and the same
 * search limited to 1000 entries. All searches go over LDAP to a server of its own process and return all attributes; every
 * result is counted against the generator's own count, so a wrong answer stops the benchmark.
 *
 * <p>"Without cache" is a server that was just restarted with its entry and index caches switched off, after the operating
 * system's page cache was dropped where that is wanted and allowed (the report says so); "without index" is a server told not to use the
 * index on initials.
 */
@Command(name = "search-times", mixinStandardHelpOptions = true,
        description = "Search times by size: (initials=aa) with and without cache and index, at several sizes.")
public final class SearchTimesVerb extends BenchmarkVerb {
    private static final String BASE = "dc=example,dc=com";
    private static final int LIMIT = 1000;
    private static final List<String> NO_CACHES = List.of("indexCacheBytes: 0");

    @Option(names = "--sizes", paramLabel = "N", split = ",", description = "Numbers of users. Default: ${DEFAULT-VALUE}.")
    private List<Long> sizes = List.of(100_000L, 200_000L);

    @Option(names = "--duplicate-threshold", paramLabel = "N",
            description = "Sets of more entry IDs than this move to a nested B+Tree. Default: ${DEFAULT-VALUE}.")
    private int duplicateThreshold = 1000;

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        List<SearchTimesRow> rows = new ArrayList<>();
        for (long entries : sizes) {
            try (WorkFolder work = options().workFolder()) {
                rows.add(measure(entries, work.path()));
            }
            options().write(report(machine, rows));
        }
        return report(machine, rows);
    }

    private Report report(Machine machine, List<SearchTimesRow> rows) {
        return new SearchTimesReport(machine, "(initials=aa)", limitedFilter(rows), rows).report();
    }

    private static String limitedFilter(List<SearchTimesRow> rows) {
        return rows.stream().allMatch(row -> row.matches() >= LIMIT) ? "(initials=aa)"
                : "(initials=aa), where that matches fewer than "
                + LIMIT + " entries (|(initials=aa)(initials=ab)...(initials=az))";
    }

    private SearchTimesRow measure(long entries, Path work) throws IOException, InterruptedException {
        Path ldif = work.resolve("data.ldif");
        Counts counts = generate(entries, ldif);
        Path data = work.resolve("data");
        String threshold = "duplicateThreshold: " + duplicateThreshold;
        Path cached = PerfOptions.configuration(work, "cached.ldif", List.of(threshold));
        long start = System.nanoTime();
        ServerProcess.run(List.of("import", "--data", data.toString(), "--conf", cached.toString(), ldif.toString()));
        double loadSeconds = seconds(start);
        Files.delete(ldif);
        long diskBytes = WorkFolder.sizeBytes(data);

        List<String> lines = new ArrayList<>(NO_CACHES);
        lines.add(threshold);
        double[] uncached = indexed(data, PerfOptions.configuration(work, "uncached.ldif", lines), counts, 5);
        double[] warm = indexed(data, cached, counts, 10);
        lines.add("ignoreIndex: initials");
        double unindexed = unindexed(data, PerfOptions.configuration(work, "unindexed.ldif", lines), counts.aa());
        return new SearchTimesRow(entries, loadSeconds, diskBytes, counts.aa(), uncached[0], uncached[1], warm[1], unindexed,
                uncached[2], warm[2],
                uncached[3] > 0);
    }

    /** How many users have the initials {@code aa}, and how many have any that start with {@code a}. */
    private record Counts(long aa, long a) {
        /** What the limited search asks for: the same filter, where it matches enough. */
        List<String> limitedInitials() {
            return aa >= LIMIT ? List.of("aa") : initialsStartingWithA();
        }

        long limitedMatches() {
            return Math.min(LIMIT, aa >= LIMIT ? aa : a);
        }
    }

    /** Writes the LDIF and counts what the searches must find. */
    private Counts generate(long entries, Path ldif) throws IOException {
        SampleUsers users = SampleUsers.write(new LdifGenerator(options().seed()), entries, ldif);
        long a = 0;
        for (String initials : initialsStartingWithA()) {
            a += users.withInitials(initials);
        }
        return new Counts(users.withInitials("aa"), a);
    }

    /** The first search, the median of further ones, the limited search's median, and 1 if the page cache was dropped. */
    private double[] indexed(Path data, Path configuration, Counts counts, int rounds) throws IOException, InterruptedException {
        boolean dropped = options().dropPageCache();
        try (ServerProcess server = ServerProcess.start(data, configuration);
                LdapConnection client = new LdapConnection("127.0.0.1", server.port())) {
            double first = search(client, List.of("aa"), 0, counts.aa());
            double again = median(client, List.of("aa"), 0, counts.aa(), rounds);
            double limitedTime = median(client, counts.limitedInitials(), LIMIT, counts.limitedMatches(), rounds);
            return new double[] {first, again, limitedTime, dropped ? 1 : 0};
        }
    }

    private double unindexed(Path data, Path configuration, long expected) throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(data, configuration);
                LdapConnection client = new LdapConnection("127.0.0.1", server.port())) {
            return median(client, List.of("aa"), 0, expected, 3);
        }
    }

    private static List<String> initialsStartingWithA() {
        List<String> values = new ArrayList<>();
        for (char second = 'a'; second <= 'z'; second++) {
            values.add("a" + second);
        }
        return values;
    }

    private static double median(LdapConnection client, List<String> initials, int sizeLimit, long expected,
            int rounds) throws IOException {
        double[] times = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            times[i] = search(client, initials, sizeLimit, expected);
        }
        Arrays.sort(times);
        return times[rounds / 2];
    }

    private static double search(LdapConnection client, List<String> initials, int sizeLimit, long expected) throws IOException {
        long start = System.nanoTime();
        LdapConnection.Result result = client.search(BASE, SearchFilter.anyOf("initials", initials), sizeLimit).expect(0, 4);
        double time = seconds(start);
        if (result.entries() != expected) {
            throw new IOException("the search returned " + result.entries() + " entries, but the data set has " + expected);
        }
        return time;
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
