package org.alder.perf.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Load;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.BarPlot;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetFigure;
import org.alder.perf.report.TargetSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What access rules cost: the same searches on one server with ten rules, in turns of the administrator, of a user who may read
 * all, and of one whose rights to attributes depend on the entry.
 */
@Command(name = "access", mixinStandardHelpOptions = true,
        description = "Searches of the administrator, of a user who may read all, and of one with attribute rules: server CPU.")
public final class AccessVerb extends BenchmarkVerb {
    private static final int TURNS = 4;
    private static final int CONNECTIONS = 8;
    private static final String READER = LdifGenerator.userDn(1);
    private static final String LIMITED = LdifGenerator.userDn(2);
    private static final String SERVER_CLASS = "objectClass: alderServer";
    /** No rule is without effect: each is looked at for one of the two users at least, or for their own entries. */
    private static final List<String> RULES = List.of(
            "grant view in base \"\" to anyone",
            "deny all in \"cn=Monitor\" to anyone",
            "grant authenticate to anyone",
            "grant compare, write of userPassword to self",
            "grant write of telephoneNumber, mobile, mail to self",
            "grant write of member where (objectClass=groupOfNames) to namedBy owner",
            "grant all in \"ou=services," + LdifGenerator.SUFFIX + "\" to group \"cn=admins," + LdifGenerator.SUFFIX + "\"",
            "deny view of homePhone, street, postalAddress where (employeeType=alpha) to dn \"" + LIMITED + '"',
            "grant view of *, entryUUID in \"" + LdifGenerator.SUFFIX + "\" to dn \"" + LIMITED + '"',
            "grant view to dn \"" + READER + '"');

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each figure, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 8;

    private final List<ReportRow> rows = new ArrayList<>();
    private final List<ReportRow> targets = new ArrayList<>();

    /** Who asks, and what came of it. */
    private static final class Asker {
        private final String name;
        private final Load.Login login;
        private Load.Outcome sum;

        Asker(String name, Load.Login login) {
            this.name = name;
            this.login = login;
        }

        double micros() {
            return sum.serverMicrosPerOperation();
        }
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        rows.clear();
        targets.clear();
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), new LdifGenerator(options().seed()), entries, List.of());
            SampleSearches searches = new SampleSearches(data.users());
            try (ServerProcess server = data.with(withRules(data.configuration(), work.path())).serve()) {
                measure(server, "(uid=user.i)", CONNECTIONS, searches::byUid, TargetFigure.ACCESS_ALL_ONE,
                        TargetFigure.ACCESS_ATTRIBUTES_ONE);
                measure(server, "(initials=xx), all attributes", 1, searches::byInitials, TargetFigure.ACCESS_ALL_MANY,
                        TargetFigure.ACCESS_ATTRIBUTES_MANY);
            }
            return report(machine);
        }
    }

    private static Path withRules(Path configuration, Path folder) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(configuration));
        lines.addAll(lines.indexOf(SERVER_CLASS) + 1, RULES.stream().map(rule -> "accessRule: " + rule).toList());
        return Files.writeString(folder.resolve("rules.conf.ldif"), String.join("\n", lines) + "\n");
    }

    private void measure(ServerProcess server, String search, int connections, Load.Request request, TargetFigure all,
            TargetFigure attributes) throws IOException, InterruptedException {
        System.err.println("measuring " + search);
        Asker administrator = new Asker("administrator", LoadedData.ADMINISTRATOR);
        Asker reader = new Asker("may read all", new Load.Login(READER, "password"));
        Asker limited = new Asker("attribute rules", new Load.Login(LIMITED, "password"));
        List<Asker> askers = List.of(administrator, reader, limited);
        long turnNanos = (long) (seconds * 1e9 / TURNS);
        for (int turn = 0; turn < TURNS; turn++) {
            for (Asker asker : askers) {
                long warmUpNanos = turn == 0 ? TURNS / 2 * turnNanos : turnNanos / 8;
                Load.Outcome outcome = new Load(server.port(), connections, warmUpNanos, turnNanos, options().seed() + turn, asker.login)
                        .run(request, server::cpuSeconds);
                asker.sum = asker.sum == null ? outcome : asker.sum.plus(outcome);
            }
        }
        for (Asker asker : askers) {
            rows.add(new ReportRow(List.of(search, asker.name), ReportRow.boxed(asker.sum.operationsPerSecond(),
                    asker.sum.latencies().percentileMillis(0.5), asker.sum.latencies().percentileMillis(0.99), asker.micros(),
                    asker.sum.serverMicrosPerEntry(), asker.micros() / administrator.micros()), ""));
        }
        targets.add(all.row(Double.NaN, reader.micros() / administrator.micros()));
        targets.add(attributes.row(Double.NaN, limited.micros() / administrator.micros()));
    }

    private Report report(Machine machine) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("seconds", seconds + " in " + TURNS + " turns, after half as much warm-up");
        parameters.put("seed", Long.toString(options().seed()));
        ReportTable table = new ReportTable("Searches under ten access rules", List.of("search", "who asks"),
                List.of("ops/s", "p50 ms", "p99 ms", "server CPU us/op", "server CPU us/entry", "CPU against administrator"), rows);
        BarPlot plot = new BarPlot("(uid=user.i): server CPU us of a search");
        rows.stream().filter(row -> row.labels().get(0).startsWith("(uid="))
                .forEach(row -> plot.bar(row.labels().get(1), row.figures().get(3)));
        List<String> notes = new ArrayList<>(List.of("The rules:"));
        notes.addAll(RULES);
        return new Report("access", "The cost of access rules", machine, parameters,
                List.of(table, TargetFigure.table(TargetSummary.ACCESS, "peer", targets)), Map.of("access", plot.svg()), notes);
    }
}
