package org.alder.perf.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.alder.partition.text.Counted;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.Pair;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.bench.SampleValues;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.Turns;
import org.alder.perf.bench.WarmUp;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.SpreadLoad;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;

/** Adds and modifies that several deployments take in turns; the first of them is what the others are held against. One thread. */
final class UpdateTurns {
    private static final long PAUSE_MILLIS = 10;
    private static final List<String> FIGURES = List.of("updates/s", "ratio", "lowest", "highest", "p50 ms", "p99 ms", "CPU us", "in step after ms");

    private final List<Subject> subjects = new ArrayList<>();
    private final double seconds;
    private final long seed;
    private final String prefix;
    private final SteadyLeader steady;
    private int marks;

    /**
     * One of the deployments, and the users it gets.
     *
     * @param samples makes them
     * @param entries so many are there before, which are modified
     * @param first   of those that are added
     */
    record Users(Deployment deployment, SampleUpdates samples, long entries, long first) {
    }

    /**
     * @param prefix of the names of entries that are added beside the users, which nobody else uses
     * @param steady counts the turns that are measured again
     */
    UpdateTurns(List<Users> users, double seconds, long seed, String prefix, SteadyLeader steady) {
        users.forEach(each -> subjects.add(new Subject(each)));
        this.seconds = seconds;
        this.seed = seed;
        this.prefix = prefix;
        this.steady = steady;
    }

    private static final class Subject {
        private final Users users;
        private final AtomicLong next;
        /** From here on no user was left out, as where an answer was lost. */
        private long first;
        private WarmUp warmUp;

        Subject(Users users) {
            this.users = users;
            this.next = new AtomicLong(users.first);
            this.first = users.first;
        }

        Deployment deployment() {
            return users.deployment;
        }

        Load.Request adds() {
            return users.samples.adds(next);
        }

        Load.Request modifies() {
            return users.samples.modifies(users.entries);
        }
    }

    /** @param behindMillis from the last answer until all copies had it; NaN where that was not waited for */
    private record Turn(Load.Outcome outcome, double behindMillis) {
    }

    /** Has each deployment take both kinds until it gets no faster. */
    void warmUp(int connections, double mostSeconds) throws IOException, InterruptedException {
        double half = seconds / Turns.COUNT;
        for (Subject subject : subjects) {
            System.err.println("warming up " + subject.deployment().label());
            subject.warmUp = WarmUp.of(2 * half, mostSeconds, window -> {
                Load.Outcome adds = turn(subject, subject.adds(), connections, 0, window / 2, seed).outcome;
                Load.Outcome modifies = turn(subject, subject.modifies(), connections, 0, window / 2, seed).outcome;
                return (adds.operations() + modifies.operations()) / (adds.seconds() + modifies.seconds());
            });
        }
    }

    /** A sentence for each of them. */
    List<String> warmUps() {
        return subjects.stream().map(each -> each.warmUp.told(each.deployment().label(), "updates/s")).toList();
    }

    ReportTable table(String title, List<Integer> connections, String target) throws IOException, InterruptedException {
        List<ReportRow> rows = new ArrayList<>();
        for (int count : connections) {
            rows.addAll(rows("adds", count, Subject::adds, target));
        }
        for (int count : connections) {
            rows.addAll(rows("modifies", count, Subject::modifies, target));
        }
        return new ReportTable(title, List.of("what", "connections", "by"), FIGURES, "target", rows);
    }

    private List<ReportRow> rows(String what, int connections, Function<Subject, Load.Request> requests, String target) throws IOException, InterruptedException {
        System.err.println("measuring " + what + " over " + Counted.of(connections, "connection"));
        List<List<Turn>> all = Turns.of(subjects, seconds, seconds / Turns.COUNT, seed, (subject, warmUp, time, turnSeed) ->
                turn(subject, requests.apply(subject), connections, warmUp, time, turnSeed));
        double[] base = rates(all.get(0));
        List<ReportRow> rows = new ArrayList<>();
        for (int i = 0; i < subjects.size(); i++) {
            List<Turn> turns = all.get(i);
            Pair rate = i == 0 ? Pair.spread(base) : Pair.of(rates(turns), base);
            rows.add(new ReportRow(List.of(what, Integer.toString(connections), subjects.get(i).deployment().label()), ReportRow.boxed(rate.own(),
                    rate.own() / rate.peer(), rate.lowest(), rate.highest(), Turns.median(turns, each -> each.outcome.latencies().percentileMillis(0.5)),
                    Turns.median(turns, each -> each.outcome.latencies().percentileMillis(0.99)),
                    Turns.median(turns, each -> each.outcome.serverMicrosPerOperation()), Turns.median(turns, Turn::behindMillis)), i == 1 && connections == 32 ? target : ""));
        }
        return rows;
    }

    private static double[] rates(List<Turn> turns) {
        return turns.stream().mapToDouble(each -> each.outcome.operationsPerSecond()).toArray();
    }

    private Turn turn(Subject subject, Load.Request request, int connections, double warmUp, double time, long turnSeed)
            throws IOException, InterruptedException {
        return steady.measure(subject.deployment(), ports -> {
            boolean done = false;
            try {
                Turn turn = turn(subject.deployment(), ports, request, connections, warmUp, time, turnSeed);
                done = true;
                return turn;
            } finally {
                if (!done) {
                    subject.first = subject.next.get();
                }
            }
        });
    }

    private Turn turn(Deployment deployment, List<Integer> ports, Load.Request request, int connections, double warmUp, double time, long turnSeed)
            throws IOException, InterruptedException {
        if (warmUp > 0) {
            SpreadLoad.over(ports, connections, 0, Side.nanos(warmUp), turnSeed - 1, deployment.administrator()).run(request);
        }
        double cpu = deployment.cpuSeconds();
        Load.Outcome outcome = SpreadLoad.over(ports, connections, 0, Side.nanos(time), turnSeed, deployment.administrator()).run(request);
        double behind = behindMillis(deployment, ports.get(0));
        return new Turn(outcome.withServerSeconds(deployment.cpuSeconds() - cpu), behind);
    }

    /** Every value of some of the users that were added, on each server. @throws IOException naming what is other than in the data set */
    void check(LdifGenerator generator) throws IOException, InterruptedException {
        for (Subject subject : subjects) {
            List<Integer> holding = subject.deployment().copies().isEmpty() ? subject.deployment().ports() : subject.deployment().copies();
            for (int port : subject.first < subject.next.get() ? holding : List.<Integer>of()) {
                new SampleValues(generator).check(port, subject.first, subject.next.get() - 1, null, null);
            }
        }
    }

    /** How long from now on until all copies show what was acknowledged, as they take it in its order. */
    private double behindMillis(Deployment deployment, int port) throws IOException, InterruptedException {
        if (deployment.copies().isEmpty()) {
            return Double.NaN;
        }
        long begin = System.nanoTime();
        String mark = prefix + marks++;
        try (LdapConnection client = deployment.administrator().connect(port)) {
            ClusterNodes.add(client, mark).expect(0);
        }
        for (int copy : deployment.copies()) {
            try (LdapConnection client = deployment.administrator().connect(copy)) {
                TimeLimit limit = new TimeLimit("the entry " + mark + " at port " + copy);
                while (!ClusterNodes.has(client, mark)) {
                    limit.pause(PAUSE_MILLIS);
                }
            }
        }
        return (System.nanoTime() - begin) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
