package org.alder.perf.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ProcessRun;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Backups of a folder that is served: the first one, another one when some entries spread over all have changed, and one when these
 * changes were merged with the rest; searches at a fixed rate beside them, against the same searches when nothing else happens. Then what
 * brings it back: the comparison of the checksums, a restore into a new folder, and the start of a server on it.
 */
@Command(name = "backup", mixinStandardHelpOptions = true,
        description = "Times and bytes of backups of a serving folder, with the latency of searches beside them, and of a restore.")
public final class BackupTimesVerb extends BenchmarkVerb {
    private static final int CONNECTIONS = 2;
    private static final double MIB = 1 << 20;

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--changed", paramLabel = "PERCENT",
            description = "How many of the entries change between the backups, at equal distances. Default: ${DEFAULT-VALUE}.")
    private double changedPercent = 1;

    @Option(names = "--rate", paramLabel = "N", description = "Searches per second beside. Default: ${DEFAULT-VALUE}.")
    private double rate = 1000;

    @Option(names = "--seconds", paramLabel = "S", description = "Measured time without a backup, after as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 10;

    /** @param bytes by which the folder of backups has grown @param p99Millis of searches beside, NaN without any */
    private record Backup(String what, ProcessRun run, long bytes, double p99Millis) {
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        List<Backup> backups = new ArrayList<>();
        double idle;
        long dataBytes;
        long changed = Math.max(1, Math.round(entries * changedPercent / 100));
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), new LdifGenerator(options().seed()), entries, List.of("durability: sync"));
            Path target = work.path().resolve("backups");
            try (ServerProcess server = data.serve()) {
                System.err.println("searches without a backup");
                beside(server, data, () -> Thread.sleep((long) (seconds * 1e3)));
                idle = beside(server, data, () -> Thread.sleep((long) (seconds * 1e3)));
                backups.add(backup("first", data, target, server));
                System.err.println("changing " + changed + " entries");
                change(server, changed);
                backups.add(backup(changed + " entries changed", data, target, server));
            }
            ServerProcess.run(List.of("compact", "--data", data.folder().toString()));
            try (ServerProcess server = data.serve()) {
                beside(server, data, () -> Thread.sleep((long) (seconds * 1e3)));
                backups.add(backup("these merged (compact)", data, target, server));
                dataBytes = WorkFolder.sizeBytes(data.folder());
            }
            return report(machine, idle, dataBytes, backups, restored(work, data, target));
        }
    }

    /** What happens while searches are measured. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** @return the p99 of the searches, in milliseconds */
    private double beside(ServerProcess server, LoadedData data, Work work) throws IOException, InterruptedException {
        List<LdapConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(new LdapConnection("127.0.0.1", server.port()));
            }
            PacedLoad load = PacedLoad.start(connections, rate, options().seed(), new SampleSearches(data.users())::byUid);
            List<PacedLoad.Sample> samples;
            try {
                work.run();
            } finally {
                samples = load.stop();
            }
            Latencies latencies = new Latencies();
            samples.forEach(sample -> latencies.add(sample.nanos()));
            return latencies.percentileMillis(0.99);
        } finally {
            for (LdapConnection connection : connections) {
                connection.close();
            }
        }
    }

    private Backup backup(String what, LoadedData data, Path target, ServerProcess server) throws IOException, InterruptedException {
        System.err.println("backup: " + what);
        long before = target.toFile().exists() ? WorkFolder.sizeBytes(target) : 0;
        ProcessRun[] run = new ProcessRun[1];
        double p99 = beside(server, data, () -> run[0] = ServerProcess.run(List.of("backup", "--data", data.folder().toString(), "--to", target.toString())));
        return new Backup(what, run[0], WorkFolder.sizeBytes(target) - before, p99);
    }

    /** Each of so many users, at equal distances, gets another description. */
    private void change(ServerProcess server, long changed) throws IOException {
        LdifGenerator generator = new LdifGenerator(options().seed());
        try (LdapConnection client = LoadedData.ADMINISTRATOR.connect(server.port())) {
            for (long i = 0; i < changed; i++) {
                client.replace(generator.entry(1 + i * entries / changed).dn(), "description", "changed " + i).expect(0);
            }
        }
    }

    /** Verified, restored, and started until it has answered a search. */
    private List<ReportRow> restored(WorkFolder work, LoadedData data, Path target) throws IOException, InterruptedException {
        System.err.println("verifying and restoring");
        ProcessRun verify = ServerProcess.run(List.of("backup", "verify", "--from", target.toString()));
        Path folder = work.path().resolve("restored");
        ProcessRun restore = ServerProcess.run(List.of("restore", "--from", target.toString(), "--data", folder.toString()));
        long begin = System.nanoTime();
        try (ServerProcess server = ServerProcess.start(folder, data.configuration());
                LdapConnection client = new LdapConnection("127.0.0.1", server.port())) {
            new SampleSearches(data.users()).byUid(client, new SplittableRandom(options().seed()));
            double start = (System.nanoTime() - begin) / 1e9;
            return List.of(ReportRow.of("backup verify", "", verify.wallSeconds(), verify.cpuSeconds()),
                    ReportRow.of("restore", "", restore.wallSeconds(), restore.cpuSeconds()),
                    ReportRow.of("start, to the first answer", "", start, Double.NaN));
        }
    }

    private Report report(Machine machine, double idle, long dataBytes, List<Backup> backups, List<ReportRow> restored) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("searches beside", rate + "/s over " + CONNECTIONS + " connections");
        parameters.put("data folder", Math.round(dataBytes / MIB) + " MiB");
        parameters.put("seed", Long.toString(options().seed()));
        List<ReportRow> rows = new ArrayList<>();
        rows.add(ReportRow.of("none", "", Double.NaN, Double.NaN, Double.NaN, idle, 1));
        for (Backup backup : backups) {
            rows.add(ReportRow.of(backup.what(), "", backup.run().wallSeconds(), backup.run().cpuSeconds(), backup.bytes() / MIB, backup.p99Millis(),
                    backup.p99Millis() / idle));
        }
        ReportTable made = new ReportTable("Backups of a folder that is served, each to the same folder", List.of("backup"),
                List.of("seconds", "CPU seconds", "MiB more", "p99 ms of searches", "ratio to none"), "target", rows);
        ReportTable back = new ReportTable("Brought back", List.of("what"), List.of("seconds", "CPU seconds"), "target", restored);
        return new Report("backup", "Backup and restore", machine, parameters, List.of(made, back), Map.of(), List.of());
    }
}
