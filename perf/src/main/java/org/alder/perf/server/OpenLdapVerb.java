package org.alder.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.Pair;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.SampleValues;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.SideBySide;
import org.alder.perf.bench.SideBySide.Outcomes;
import org.alder.perf.bench.Turns;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Load;
import org.alder.perf.process.Machine;
import org.alder.perf.process.NetscapeServer;
import org.alder.perf.process.OpenDj;
import org.alder.perf.process.OpenLdap;
import org.alder.perf.process.Peer;
import org.alder.perf.process.ProcessRun;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetFigure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Alder beside OpenLDAP in one run: the same LDIF, the same indexes, both on loopback, both syncing each change to disk. The
 * servers take five turns for each figure. Every answer of both is counted against the data set, and every value of some, so a server that
 * answers less or something else is not measured but ends the benchmark. Where OpenLDAP is not installed, its figures of an earlier day stand in.
 * In the same way beside other servers, one after the other; targets are ratios to OpenLDAP alone.
 */
@Command(name = "openldap", mixinStandardHelpOptions = true,
        description = "Alder beside OpenLDAP (slapd and slapadd of this machine), against the targets; or beside other servers.")
public final class OpenLdapVerb extends BenchmarkVerb {
    private static final List<String> SYNC = List.of("durability: sync");
    private static final List<String> SYNC_WITHOUT_CACHES = List.of("durability: sync", "indexCacheBytes: 0");
    private static final double MIB = 1 << 20;
    private static final int WARM_UP_CONNECTIONS = 8;
    private static final String INITIALS = "aa";
    private static final String OPENLDAP_NAME = "OpenLDAP";
    private static final String OPENLDAP = "openldap";
    private static final String NETSCAPE = "389ds";
    private static final String OPENDJ = "opendj";

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each server for each figure, in five turns, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 5;

    @Option(names = "--warm-up-seconds", paramLabel = "S", description = "The most warm-up of each server for each kind of request: it ends when"
            + " an operation needs no less CPU than before. Default: ${DEFAULT-VALUE}.")
    private double warmUpSeconds = 90;

    @Option(names = "--rate", paramLabel = "R",
            description = "Searches per second of the rows at a fixed rate. Default: ${DEFAULT-VALUE}.")
    private double rate = 4000;

    @Option(names = "--write-rate", paramLabel = "R",
            description = "Modifies per second of the writer beside the searches. Default: ${DEFAULT-VALUE}.")
    private double writeRate = 500;

    @Option(names = "--peer", paramLabel = "NAME", split = ",", description = "Beside which servers, one after the other: openldap, 389ds, opendj."
            + " Default: openldap.")
    private List<String> peers = List.of(OPENLDAP);

    @Option(names = "--slapd", paramLabel = "FILE", description = "Another slapd than the one that is found, in sbin or libexec of the folder it is installed in.")
    private Path slapd;

    @Option(names = "--opendj", paramLabel = "DIR", description = "The folder opendj of OpenDJ's zip file, as it comes out of it. Needed for opendj.")
    private Path openDj;

    private final List<ReportRow> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    /** The one that Alder is beside now; null where OpenLDAP is not installed. */
    private Peer installed;

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        notes.clear();
        List<Peer> all = new ArrayList<>();
        for (String name : peers) {
            all.add(peer(name));
        }
        List<ReportTable> tables = new ArrayList<>();
        for (Peer each : all) {
            installed = each;
            rows.clear();
            measureBeside();
            String name = name(each);
            tables.add(TargetFigure.table("Alder beside " + name, each == null ? name + ", 2026-11-20" : name, List.copyOf(rows)));
        }
        return report(machine, all, tables);
    }

    /** @return null where there is no OpenLDAP, whose figures of an earlier day stand in */
    private Peer peer(String name) throws IOException {
        return switch (name) {
            case OPENLDAP -> slapd == null ? OpenLdap.installed().orElse(null) : OpenLdap.at(slapd);
            case NETSCAPE -> NetscapeServer.installed().orElseThrow(() -> new IOException("389 Directory Server is not installed: expected /usr/sbin/ns-slapd"));
            case OPENDJ -> {
                if (openDj == null) {
                    throw new IOException("opendj needs --opendj DIR, the folder opendj of its zip file");
                }
                yield OpenDj.at(openDj);
            }
            default -> throw new IOException("there is no peer " + name + ": expected " + OPENLDAP + ", " + NETSCAPE + " or " + OPENDJ);
        };
    }

    private static String name(Peer peer) {
        return peer == null ? OPENLDAP_NAME : peer.name();
    }

    private void measureBeside() throws IOException, InterruptedException {
        LdifGenerator generator = new LdifGenerator(options().seed());
        try (WorkFolder work = options().workFolder()) {
            Path ldif = work.path().resolve("data.ldif");
            SampleUsers users = SampleUsers.write(generator, entries, ldif);
            System.err.println("loading Alder");
            LoadedData data = LoadedData.load(work.path(), users, ldif, "data", SYNC);
            Path peerFolder = work.path().resolve("peer");
            loads(data, ldif, peerFolder);
            Path rangesFolder = loadRanges(work.path(), ldif);
            Files.delete(ldif);
            double cachesOffMillis = cachesOff(data, work.path());
            try (Side own = Side.start(data::serve, LoadedData.ADMINISTRATOR); Side peer = startPeer(peerFolder)) {
                SideBySide both = new SideBySide(own, peer, name(installed), seconds, options().seed());
                cold(both, users);
                requireValues(both, generator, 1, entries, users);
                searches(both, users, cachesOffMillis);
                if (rangesFolder != null) {
                    searchesOfRanges(own, rangesFolder, new SampleSearches(users));
                }
                updates(both, users, generator);
                memory(both);
            }
        }
    }

    private Side startPeer(Path folder) throws IOException, InterruptedException {
        return installed == null ? null : Side.start(() -> installed.serve(folder), login());
    }

    private Load.Login login() {
        return new Load.Login(installed.administrator(), Peer.PASSWORD);
    }

    private void add(TargetFigure figure, Pair pair) {
        boolean isOther = installed != null && !(installed instanceof OpenLdap);
        rows.add(isOther ? figure.rowOfOther(pair.peer(), pair.own(), pair.lowest(), pair.highest())
                : figure.row(installed == null ? figure.published(entries) : pair.peer(), pair.own(), pair.lowest(), pair.highest()));
    }

    private void add(TargetFigure figure, double own, double peer) {
        add(figure, new Pair(own, peer));
    }

    /** Both have what is in the data set. */
    private static void requireValues(SideBySide both, LdifGenerator generator, long first, long last, SampleUsers users) throws IOException {
        SampleValues values = new SampleValues(generator);
        String initials = first == 1 ? INITIALS : null;
        values.check(both.own().server().port(), first, last, users, initials);
        if (both.peer() != null) {
            values.check(both.peer().server().port(), first, last, users, initials);
        }
    }

    private void loads(LoadedData data, Path ldif, Path folder) throws IOException, InterruptedException {
        ProcessRun own = data.load();
        if (installed == null) {
            addLoad(own, WorkFolder.sizeBytes(data.folder()), null, 0);
            return;
        }
        System.err.println("loading " + installed.name());
        ProcessRun peer = installed.load(folder, ldif, entries);
        addLoad(own, WorkFolder.sizeBytes(data.folder()), peer, WorkFolder.usedBytes(installed.database(folder)));
    }

    /** @return null where there is no OpenLDAP, or so few entries that its sets of IDs are exact in any case */
    private Path loadRanges(Path work, Path ldif) throws IOException, InterruptedException {
        if (!(installed instanceof OpenLdap openLdap) || entries <= OpenLdap.MOST_EXACT_BY_DEFAULT) {
            return null;
        }
        System.err.println("loading OpenLDAP once more, with the idlexp that it has by itself");
        Path folder = work.resolve("ranges");
        openLdap.withDefaultSets().load(folder, ldif, entries);
        return folder;
    }

    private void searchesOfRanges(Side own, Path folder, SampleSearches searches) throws IOException, InterruptedException {
        try (Side peer = startPeer(folder)) {
            SideBySide both = new SideBySide(own, peer, name(installed), seconds, options().seed());
            search(both, TargetFigure.AND_TWO_RANGES, searches.andOfTwo(), OpenLdapVerb::medianMillis);
            search(both, TargetFigure.AND_THREE_RANGES, searches::andOfThree, OpenLdapVerb::medianMillis);
        }
    }

    private void addLoad(ProcessRun own, long ownBytes, ProcessRun peer, long peerBytes) {
        add(TargetFigure.LOAD_RATE, entries / own.wallSeconds(), peer == null ? Double.NaN : entries / peer.wallSeconds());
        add(TargetFigure.LOAD_CPU, own.cpuSeconds() * 1e6 / entries,
                peer == null ? Double.NaN : peer.cpuSeconds() * 1e6 / entries);
        add(TargetFigure.DISK, (double) ownBytes / entries, (double) peerBytes / entries);
    }

    private void cold(SideBySide both, SampleUsers users) throws IOException, InterruptedException {
        if (!options().wantsPageCacheDropped()) {
            notes.add("Nothing was measured with a cold disk: that takes --drop-page-cache, and root.");
            return;
        }
        System.err.println("measuring after restarts with an empty page cache");
        Pair millis = both.cold(new SampleSearches(users).byInitials(INITIALS));
        if (Double.isNaN(millis.own())) {
            notes.add("The page cache could not be dropped, which only root may do: nothing was measured with a cold disk.");
            return;
        }
        add(TargetFigure.COLD, millis);
    }

    /** The median of Alder alone: mdb has no caches that could be switched off. */
    private double cachesOff(LoadedData data, Path work) throws IOException, InterruptedException {
        System.err.println("measuring with Alder's caches off");
        LoadedData uncached = data.with(PerfOptions.configuration(work, "uncached.conf.ldif", SYNC_WITHOUT_CACHES));
        SampleSearches searches = new SampleSearches(data.users());
        try (Side own = Side.start(uncached::serve, LoadedData.ADMINISTRATOR)) {
            own.run(1, 0, seconds / 2, options().seed(), null, searches::byInitials);
            return own.run(1, 0, seconds / 2, options().seed(), null, searches.byInitials(INITIALS)).latencies()
                    .percentileMillis(0.5);
        }
    }

    private void searches(SideBySide both, SampleUsers users, double cachesOffMillis) throws IOException, InterruptedException {
        SampleSearches searches = new SampleSearches(users);
        warmUp(both, searches);
        Outcomes warm = search(both, "(initials=aa), warm", 1, searches.byInitials(INITIALS));
        Pair warmMillis = warm.pair(OpenLdapVerb::medianMillis);
        add(TargetFigure.EMPTY_CACHES, cachesOffMillis, warmMillis.peer());
        add(TargetFigure.WARM, warmMillis);
        byUid(both, searches, 1, TargetFigure.UID_1_RATE, TargetFigure.UID_1_CPU);
        byUid(both, searches, 8, TargetFigure.UID_8_RATE, TargetFigure.UID_8_CPU);
        byUid(both, searches, 32, TargetFigure.UID_32_RATE, TargetFigure.UID_32_CPU);
        atRate(both, searches);
        search(both, TargetFigure.INITIALS_ALL, searches::byInitials, Load.Outcome::serverMicrosPerEntry);
        search(both, TargetFigure.INITIALS_NONE, searches::namesByInitials, Load.Outcome::serverMicrosPerEntry);
        search(both, TargetFigure.AND_TWO, searches.andOfTwo(), OpenLdapVerb::medianMillis);
        search(both, TargetFigure.AND_THREE, searches::andOfThree, OpenLdapVerb::medianMillis);
        search(both, TargetFigure.UNINDEXED, searches::unindexed, OpenLdapVerb::medianMillis);
    }

    /** All kinds of searches, the first ones more than once: what was compiled for the first kind alone is compiled again for the second. */
    private void warmUp(SideBySide both, SampleSearches searches) throws IOException, InterruptedException {
        System.err.println("warming up with searches");
        Map<String, Load.Request> requests = new LinkedHashMap<>();
        requests.put("(initials=xx)", searches::byInitials);
        requests.put("(initials=xx), 1.1", searches::namesByInitials);
        requests.put("AND of two large sets", searches.andOfTwo());
        requests.put("AND of two large sets and a small one", searches::andOfThree);
        requests.put("unindexed searches", searches::unindexed);
        for (Load.Request request : requests.values()) {
            both.searches(1, request);
        }
        for (Map.Entry<String, Load.Request> each : requests.entrySet()) {
            notes.addAll(both.warmUp(each.getKey(), 1, warmUpSeconds, side -> null, side -> each.getValue()));
        }
        notes.addAll(both.warmUp("look-ups", WARM_UP_CONNECTIONS, warmUpSeconds, side -> null, side -> searches::byUid));
    }

    private void byUid(SideBySide both, SampleSearches searches, int connections, TargetFigure rate, TargetFigure cpu)
            throws IOException, InterruptedException {
        Outcomes outcomes = search(both, "(uid=user.i)", connections, searches::byUid);
        add(rate, outcomes.pair(Load.Outcome::operationsPerSecond));
        add(cpu, outcomes.pair(Load.Outcome::serverMicrosPerOperation));
    }

    /** A closed loop waits with its next request while a server is slow, and so leaves out what others would have waited. */
    private void atRate(SideBySide both, SampleSearches searches) throws IOException, InterruptedException {
        System.err.println("measuring (uid=user.i) at " + rate + " a second");
        Outcomes outcomes = both.atRate(searches::byUid, rate);
        add(TargetFigure.OPEN_P50, outcomes.pair(OpenLdapVerb::medianMillis));
        add(TargetFigure.OPEN_P99, outcomes.pair(outcome -> outcome.latencies().percentileMillis(0.99)));
        add(TargetFigure.OPEN_P999, outcomes.pair(outcome -> outcome.latencies().percentileMillis(0.999)));
    }

    private void search(SideBySide both, TargetFigure figure, Load.Request request, ToDoubleFunction<Load.Outcome> value)
            throws IOException, InterruptedException {
        add(figure, search(both, figure.subject(), 1, request).pair(value));
    }

    private static Outcomes search(SideBySide both, String name, int connections, Load.Request request) throws IOException,
            InterruptedException {
        System.err.println("measuring " + name + ", connections: " + connections);
        return both.searches(connections, request);
    }

    private static double medianMillis(Load.Outcome outcome) {
        return outcome.latencies().percentileMillis(0.5);
    }

    private void updates(SideBySide both, SampleUsers users, LdifGenerator generator) throws IOException, InterruptedException {
        SampleUpdates updates = new SampleUpdates(generator);
        Load.Request modifies = updates.modifies(entries);
        System.err.println("warming up with modifies");
        notes.addAll(both.warmUp("modifies", WARM_UP_CONNECTIONS, warmUpSeconds, Side::administrator, side -> modifies));
        System.err.println("measuring searches with a writer beside them");
        add(TargetFigure.WRITER_P99, both.searchesBesideWriter(new SampleSearches(users)::byUid, modifies, writeRate)
                .pair(outcome -> outcome.latencies().percentileMillis(0.99)));
        System.err.println("measuring modifies");
        addUpdates(both.updates(8, modifies), TargetFigure.MODIFY_8_RATE, TargetFigure.MODIFY_8_CPU);
        System.err.println("warming up with adds, and measuring them");
        AtomicLong own = new AtomicLong(entries + 1);
        AtomicLong peer = new AtomicLong(entries + 1);
        notes.addAll(both.warmUp("adds", WARM_UP_CONNECTIONS, warmUpSeconds, Side::administrator, side -> updates.adds(side == both.own() ? own : peer)));
        addUpdates(both.adds(1, updates::adds, own, peer), TargetFigure.ADD_1_RATE, TargetFigure.ADD_1_CPU);
        addUpdates(both.adds(8, updates::adds, own, peer), TargetFigure.ADD_8_RATE, TargetFigure.ADD_8_CPU);
        addUpdates(both.adds(32, updates::adds, own, peer), TargetFigure.ADD_32_RATE, TargetFigure.ADD_32_CPU);
        requireValues(both, generator, entries + 1, (installed == null ? own.get() : Math.min(own.get(), peer.get())) - 1, users);
    }

    private void addUpdates(Outcomes outcomes, TargetFigure rate, TargetFigure cpu) {
        add(rate, outcomes.pair(Load.Outcome::operationsPerSecond));
        add(cpu, outcomes.pair(Load.Outcome::serverMicrosPerOperation));
    }

    private void memory(SideBySide both) throws IOException {
        add(TargetFigure.MEMORY, both.own().server().residentBytes() / MIB,
                both.peer() == null ? Double.NaN : both.peer().server().residentBytes() / MIB);
    }

    private Report report(Machine machine, List<Peer> all, List<ReportTable> tables) throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("turns", Integer.toString(Turns.COUNT));
        parameters.put("searches/s at a fixed rate", Double.toString(rate));
        parameters.put("writer/s", Double.toString(writeRate));
        parameters.put("seed", Long.toString(options().seed()));
        List<String> allNotes = new ArrayList<>(notes);
        for (Peer each : all) {
            parameters.put(name(each), each == null ? "not installed" : each.version());
            allNotes.add(each != null ? each.setUp() : "OpenLDAP is not installed here: its figures are those of 2.5.13 with mdb on the"
                    + " project's measuring machine on 2026-11-20, so no ratio is of one run.");
        }
        allNotes.add("Two servers in one run, in " + Turns.COUNT + " turns; each figure is the median of the turns, and beside the ratio stand the lowest and the highest"
                + " of one turn; times are medians unless they say p99; CPU is user and system time of the server.");
        allNotes.add("Every answer was held against the number of entries of the data set, and every value of 100 users and of all with one pair of initials. At a"
                + " fixed rate an answer's time counts from when its request was due.");
        return new Report("openldap", "Alder beside other servers", machine, parameters, tables, Map.of(), allNotes);
    }
}
