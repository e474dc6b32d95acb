package org.alder.perf.bystander;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetFigure;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.auth.Passwords;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How long somebody's small requests take while others do what costs the server much, against when nobody does. */
@Command(name = "bystander", mixinStandardHelpOptions = true,
        description = "The p99 of small searches, binds and modifies while others attack the server, each in turn, against idle.")
public final class BystanderVerb extends BenchmarkVerb {
    private static final String PASSWORD = "a password for benchmarks";
    private static final double MOST_TIMES = 3;
    private static final int SETTLE_SECONDS = 2;

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--searches", paramLabel = "R", description = "The bystander's searches per second. Default: ${DEFAULT-VALUE}.")
    private double searchesPerSecond = 1000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each attack, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 5;

    @Option(names = "--only", paramLabel = "TEXT", description = "Attack only as is described with this text.")
    private String only = "";

    private final List<Beside> measured = new ArrayList<>();
    private Bystander.Times idle;

    /** What was measured beside an attack. */
    private record Beside(String attack, Bystander.Times times, double turnsPerSecond, long disconnections) {
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        measured.clear();
        idle = null;
        LdifGenerator generator = new LdifGenerator(options().seed());
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), generator, entries, List.of());
            try (ServerProcess server = data.serve()) {
                Load.Login quick = user("quick");
                Load.Login slow = user("slow");
                WriteAttacks writes = new WriteAttacks(LoadedData.ADMINISTRATOR, server.port(), entries);
                try (LdapConnection admin = LoadedData.ADMINISTRATOR.connect(server.port())) {
                    addUser(admin, quick, NewPasswordScheme.SSHA512);
                    addUser(admin, slow, NewPasswordScheme.ARGON2ID);
                    writes.addGroup(admin);
                }
                try (Bystander bystander = new Bystander(server.port(), new SampleSearches(data.users()), new SampleUpdates(generator),
                        quick, LoadedData.ADMINISTRATOR, searchesPerSecond, options().seed())) {
                    measureAll(server, bystander, attacks(server, slow, writes));
                }
            }
        }
        return report(machine);
    }

    private static Load.Login user(String name) {
        return new Load.Login("cn=" + name + "," + LdifGenerator.SUFFIX, PASSWORD);
    }

    private static void addUser(LdapConnection admin, Load.Login user, NewPasswordScheme scheme) throws IOException {
        byte[] stored = new Passwords(PasswordSettings.STANDARD.withScheme(scheme)).hashed(PASSWORD.getBytes(StandardCharsets.UTF_8));
        admin.add(user.dn(), List.of("objectClass", "cn", "sn", "userPassword"), List.of(List.of(bytes("person")),
                List.of(bytes(scheme.name())), List.of(bytes("x")), List.of(stored))).expect(0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<Attack> attacks(ServerProcess server, Load.Login slow, WriteAttacks writes) {
        Attacks attacks = new Attacks(LoadedData.ADMINISTRATOR, slow, writes.group());
        List<Attack> all = new ArrayList<>(attacks.scans());
        all.add(attacks.both());
        all.addAll(attacks.searches());
        all.addAll(attacks.comers(server.port()));
        all.addAll(writes.all());
        all.add(attacks.elsewhere());
        return all.stream().filter(attack -> attack.name().contains(only)).toList();
    }

    /** Idle twice, first and last: what the machine or the server's compiler does meanwhile is in both. */
    private void measureAll(ServerProcess server, Bystander bystander, List<Attack> attacks) throws IOException, InterruptedException {
        System.err.println("measuring an idle server");
        bystander.beside(0, () -> Thread.sleep(Side.nanos(2 * seconds) / 1_000_000));
        idle = idle(bystander);
        for (Attack attack : attacks) {
            System.err.println("measuring beside: " + attack.name());
            beside(server, bystander, attack);
            Thread.sleep(1000L * SETTLE_SECONDS);
        }
        idle.add(idle(bystander));
    }

    private Bystander.Times idle(Bystander bystander) throws IOException, InterruptedException {
        return bystander.beside(Side.nanos(seconds / 2), () -> Thread.sleep(Side.nanos(1.5 * seconds) / 1_000_000));
    }

    private void beside(ServerProcess server, Bystander bystander, Attack attack) throws IOException, InterruptedException {
        Attack.Running running = attack.start(server.port(), options().seed());
        long begin = System.nanoTime();
        Bystander.Times times;
        try {
            times = bystander.beside(Side.nanos(seconds / 2), () -> Thread.sleep(Side.nanos(1.5 * seconds) / 1_000_000));
        } finally {
            running.stop();
        }
        measured.add(new Beside(attack.name(), times, running.turns() * 1e9 / (System.nanoTime() - begin), running.disconnections()));
    }

    private double ratio(Beside beside, Function<Bystander.Times, Latencies> which) {
        return which.apply(beside.times).percentileMillis(0.99) / which.apply(idle).percentileMillis(0.99);
    }

    private ReportTable table(String title, Function<Bystander.Times, Latencies> which) {
        List<ReportRow> rows = new ArrayList<>();
        rows.add(row("nobody", "", which.apply(idle), Double.NaN));
        for (Beside each : measured) {
            double ratio = ratio(each, which);
            rows.add(row(each.attack, Double.isNaN(ratio) ? "not measured" : ratio <= MOST_TIMES ? "met" : "missed", which.apply(each.times), ratio));
        }
        return new ReportTable(title, List.of("beside them"), List.of("requests", "p50 ms", "p99 ms", "longest ms", "p99 against idle"),
                "at most " + (int) MOST_TIMES + "x", rows);
    }

    private static ReportRow row(String beside, String verdict, Latencies latencies, double ratio) {
        return ReportRow.of(beside, verdict, latencies.count(), latencies.percentileMillis(0.5), latencies.percentileMillis(0.99),
                latencies.percentileMillis(1), ratio);
    }

    private Report report(Machine machine) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("searches/s", Double.toString(searchesPerSecond));
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        List<ReportRow> attackers = measured.stream().map(each -> ReportRow.of(each.attack, "", each.turnsPerSecond, each.disconnections)).toList();
        List<ReportTable> tables = new ArrayList<>(List.of(table("Searches by uid", Bystander.Times::searches),
                table("Simple binds, " + NewPasswordScheme.SSHA512.braces(), Bystander.Times::binds),
                table("Modifies of one value", Bystander.Times::modifies),
                new ReportTable("What the others achieved", List.of("attack"), List.of("turns/s", "disconnections"), attackers)));
        measured.stream().filter(each -> each.attack.equals(Attacks.BOTH)).findFirst().ifPresent(both -> tables.add(TargetFigure.table(
                "Against the target", "OpenLDAP", List.of(TargetFigure.BYSTANDER_SEARCH_P99.row(Double.NaN, ratio(both, Bystander.Times::searches)),
                        TargetFigure.BYSTANDER_BIND_P99.row(Double.NaN, ratio(both, Bystander.Times::binds))))));
        return new Report("bystander", "Small requests beside others' large ones", machine, parameters, tables, Map.of(),
                List.of("Requests come at a fixed rate, and one that had to wait for the one before it counts from when it was due. All programs"
                        + " share the processors, those who attack too: the last attack asks the server for nothing."));
    }
}
