package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.Replica;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.server.assembly.DataFolder;
import org.alder.server.cli.option.ClusterServices;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.cluster.Rebalance;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the members of a cluster, and has another one lead. */
@Command(name = "cluster", mixinStandardHelpOptions = true, description = "Show the members of a cluster, compare what they hold, have another one"
        + " lead, say who holds which shards, spread them and their leaders, remove one that is gone for good, invite one more, let members write as only newer builds read, or make the keys by which members know each other."
        + " Asks ZooKeeper, not the servers: they need not run.",
        footer = {"  alder cluster keys --to keys --cluster node1.conf", "  alder cluster status --cluster node1.conf",
            "  alder cluster members --cluster node1.conf", "  alder cluster digest --cluster node1.conf",
            "  alder cluster move-leader node2 --cluster node1.conf", "  alder cluster rebalance --cluster node1.conf", "  alder cluster rebalance --copies 3 --cluster node1.conf",
            "  alder cluster place node1,node2,node4 --partition people.shard-3-of-4 --cluster node1.conf", "  alder cluster forget node3 --cluster node1.conf",
            "  alder cluster remove node3 --cluster node1.conf", "  alder cluster upgrade --cluster node1.conf",
            "  alder cluster invite node4 --cluster node1.conf --keys keys --host 192.0.2.4 --url ldap://node4.example.com:10389"})
final class ClusterVerb implements Verb {
    private static final long POLL_MILLIS = 200;
    private static final long MOVE_SECONDS = 60;
    private static final long DIGEST_HOURS = 6;
    /** In bits. */
    private static final int MIB = 20;
    /** Members are added by an invitation. */
    private static final List<String> INVITING = List.of("invite", "add");

    @Mixin
    private DataOptions data;

    @Mixin
    private JsonOption json;

    @Parameters(index = "0", paramLabel = "ACTION", arity = "0..1", defaultValue = "status", description = "status: the members, who leads, and"
            + " how far each is. members: the bookie of each, whether it is there, how many parts of logs miss a copy, of all partitions, and whether its ZooKeeper is there."
            + " digest: have the leader compare what the members hold now, which may take minutes, and show what was found; 1 is"
            + " returned where they differ. move-leader: have MEMBER lead; waits until it does. rebalance: have each"
            + " member lead about as many of the shards of distributed partitions as others, one move after the other, each a moment without updates to that shard;"
            + " with --copies, have so many members hold each shard before, and each member about as many as others, which takes as long as the copies."
            + " place: have these members hold the partition, or the shard, and no others, who read it from them: names with commas between them, or \"all\". Who comes takes a copy before anybody leaves."
            + " forget: have the log wait no more for MEMBER, which is gone"
            + " for good; it needs a copy of another one if it comes back. remove: take MEMBER, which is gone for good, out of all partitions, and have other"
            + " bookies take copies of what its own had, which may take minutes; refused where it is here, or less than two others are. invite, or add: keep what another machine needs to become MEMBER, of a new"
            + " name or that of one that is gone, and print the token with which it is started (start --join). upgrade: raise the feature level to the newest that this build knows; refused where not all"
            + " members have a build that knows it, and no older build goes with them afterwards. keys: make an authority in the folder of --to, and for each member that"
            + " has none yet a key with its certificate. Default: status.")
    private String action;

    @Parameters(index = "1", paramLabel = "MEMBER", arity = "0..1", description = "The name of a member; of place, the names of all that are to hold it.")
    private String member;

    @Option(names = "--cluster", paramLabel = "FILE", required = true, description = "The file that the server was started with.")
    private Path file;

    @Option(names = "--to", paramLabel = "FOLDER", description = "Of keys: where they are made. The folder NAME in it is for the member NAME alone;"
            + " ca.key issues others, and no member needs it.")
    private Path to;

    @Option(names = "--partition", paramLabel = "NAME", description = "The name of the partition in the configuration, which stands for all of its shards"
            + " where it is distributed; or of one shard, as people.shard-0-of-4. Default: the first one; of rebalance, all that are distributed.")
    private String partition;

    @Option(names = "--copies", paramLabel = "N", description = "Of rebalance: how many members hold each shard, 2 or more. Default: as they do now.")
    private Integer copies;

    @Mixin
    private InviteOptions invitation;

    /** What makes a server a member of a cluster. @throws CommandException where it is not on the class path */
    static ClusterService service() throws CommandException {
        return ClusterServices.find(ClusterService.class);
    }

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException, InterruptedException {
        check();
        if (action.equals("keys")) {
            service().makeKeys(file, to).forEach(made -> System.out.println(TerminalText.shown("made " + made)));
            return 0;
        }
        if (INVITING.contains(action)) {
            invitation.run(file, member, json.isOn());
            return 0;
        }
        if (action.equals("upgrade")) {
            showLevel(service().raiseLevel(file));
            return 0;
        }
        if (action.equals("members")) {
            showMachines(service().machines(file), service().zooKeepers(file));
            return 0;
        }
        if (action.equals("remove")) {
            show(service().remove(file, member));
            return 0;
        }
        ClusterService service = service();
        List<String> logs = logs();
        int result = 0;
        switch (action) {
            case "status" -> show(statuses(service, logs));
            case "digest" -> result = digest(service, logs);
            case "rebalance" -> rebalance(service, logs);
            case "place" -> {
                List<String> names = member.equals("all") ? null : Placing.names(member);
                for (String log : logs) {
                    placing(service).place(log, names);
                }
                show(statuses(service, logs));
            }
            case "forget" -> {
                requireMember(statuses(service, logs));
                for (String log : logs) {
                    service.forget(file, log, member);
                }
            }
            default -> {
                requireMember(statuses(service, logs));
                for (String log : logs) {
                    service.moveLeader(file, log, member);
                    awaitLeader(service, log, member);
                }
                show(statuses(service, logs));
            }
        }
        return result;
    }

    /** Those of the partition, of which there is one for each shard. */
    private List<String> logs() throws IOException, ConfigurationException {
        List<PartitionConfiguration> all = data.configuration().partitions();
        if (partition == null && action.equals("rebalance")) {
            return all.stream().filter(each -> each.shards() > 1).flatMap(each -> DataFolder.storeNames(each).stream()).toList();
        }
        partition = partition == null ? all.get(0).name() : partition;
        return all.stream().filter(each -> each.name().equalsIgnoreCase(partition)).findFirst().map(DataFolder::storeNames).orElse(List.of(partition));
    }

    private Map<String, ClusterService.Status> statuses(ClusterService service, List<String> logs) throws IOException {
        Map<String, ClusterService.Status> statuses = new LinkedHashMap<>();
        for (String log : logs) {
            statuses.put(log, service.status(file, log));
        }
        return statuses;
    }

    private void check() throws WrongCallException {
        boolean isKeys = action.equals("keys");
        boolean isOfAll = isKeys || List.of("status", "members", "digest", "rebalance", "upgrade").contains(action);
        if (!isOfAll && !INVITING.contains(action) && !List.of("move-leader", "place", "forget", "remove").contains(action)) {
            throw new WrongCallException("\"" + action + "\" is not status, members, digest, move-leader, rebalance, place, forget, remove, invite, add, upgrade or keys");
        }
        if (isOfAll != (member == null)) {
            throw new WrongCallException(action + (isOfAll ? " takes no member" : ": expected the name of a member behind it"));
        }
        if (copies != null && (!action.equals("rebalance") || copies < 2)) {
            throw new WrongCallException("--copies is of rebalance, and 2 or more");
        }
        if (INVITING.contains(action)) {
            invitation.check();
        } else if (invitation.isGiven()) {
            throw new WrongCallException("--keys, --host, --url, --ports and --minutes are of invite: " + action + " takes none of them");
        }
        if (isKeys != (to != null)) {
            throw new WrongCallException(isKeys ? "keys: expected --to, the folder in which they are made" : action + " takes no --to");
        }
    }

    /** All of them, one after the other. */
    private int digest(ClusterService service, List<String> logs) throws IOException, CommandException, InterruptedException {
        Map<String, Comparison> comparisons = new LinkedHashMap<>();
        for (String log : logs) {
            comparisons.put(log, digest(service, log));
        }
        show(comparisons, ComparisonText::facts, ComparisonText::lines);
        return comparisons.values().stream().allMatch(Comparison::isEqual) ? 0 : 1;
    }

    private Comparison digest(ClusterService service, String log) throws IOException, CommandException, InterruptedException {
        ClusterService.Status status = service.status(file, log);
        long wanted = service.compare(file, log);
        long end = System.nanoTime() + TimeUnit.HOURS.toNanos(DIGEST_HOURS);
        while (pass(status) < wanted) {
            long here = status.members().stream().filter(each -> each.url() != null && each.problem() == null).count();
            if (here < 2) {
                throw new CommandException("there are no two members that apply the log now, so there is nothing to compare");
            }
            if (System.nanoTime() - end > 0) {
                throw new CommandException("no comparison has ended in " + DIGEST_HOURS + " hours. The leader's log says more");
            }
            Thread.sleep(POLL_MILLIS);
            status = service.status(file, log);
        }
        return status.comparison();
    }

    private void rebalance(ClusterService service, List<String> logs) throws IOException, CommandException, InterruptedException {
        if (logs.isEmpty()) {
            throw new CommandException("the configuration that is read here has no partition with shards: name the member's data folder with --data, or the partition"
                    + " with --partition");
        }
        if (copies != null) {
            placeCopies(service, logs);
        }
        Map<String, ClusterService.Status> statuses = statuses(service, logs);
        for (Rebalance.Move move = Rebalance.next(statuses); move != null; move = Rebalance.next(statuses)) {
            service.moveLeader(file, move.log(), move.to());
            awaitLeader(service, move.log(), move.to());
            statuses = statuses(service, logs);
        }
        show(statuses);
    }

    private void placeCopies(ClusterService service, List<String> logs) throws IOException, CommandException, InterruptedException {
        List<String> here = service.machines(file).stream().filter(ClusterService.Machine::isHere).map(ClusterService.Machine::name).toList();
        if (here.size() < copies) {
            throw new CommandException("--copies " + copies + ": " + Counted.of(here.size(), "member") + " with a bookie are here, expected as many or more");
        }
        for (Map.Entry<String, List<String>> each : CopyTargets.of(statuses(service, logs), here, copies).entrySet()) {
            placing(service).place(each.getKey(), each.getValue());
        }
    }

    private Placing placing(ClusterService service) {
        return new Placing(service, file, (log, next) -> {
            service.moveLeader(file, log, next);
            awaitLeader(service, log, next);
        }, line -> System.err.println(TerminalText.shown(line)));
    }

    private static long pass(ClusterService.Status status) {
        return status.comparison() == null ? 0 : status.comparison().pass();
    }

    private void requireMember(Map<String, ClusterService.Status> statuses) throws CommandException {
        List<String> names = statuses.values().stream().flatMap(status -> status.members().stream()).map(ClusterService.Member::name).distinct().toList();
        if (!names.contains(member)) {
            throw new CommandException("\"" + member + "\" is no member: they are " + String.join(", ", names));
        }
    }

    private void awaitLeader(ClusterService service, String log, String wanted) throws IOException, CommandException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOVE_SECONDS);
        ClusterService.Status status = service.status(file, log);
        while (!leads(status, wanted)) {
            if (System.nanoTime() - end > 0) {
                throw new CommandException(wanted + " does not lead " + log + " after " + MOVE_SECONDS + " s: " + (status.leader() == null ? "nobody"
                        : status.leader()) + " does. The leader's log says why");
            }
            Thread.sleep(POLL_MILLIS);
            status = service.status(file, log);
        }
    }

    private static boolean leads(ClusterService.Status status, String wanted) {
        return wanted.equals(status.leader()) && status.members().stream()
                .anyMatch(each -> each.name().equals(wanted) && each.role() == Replica.Role.LEADER);
    }

    private void show(Map<String, ClusterService.Status> statuses) {
        show(statuses, this::facts, this::lines);
    }

    /** What there is of one log stands for itself; that of several is each behind its name. */
    private <T> void show(Map<String, T> byLog, Function<T, Map<String, Object>> facts, Function<T, List<String>> lines) {
        if (!json.isOn()) {
            byLog.forEach((log, each) -> {
                if (byLog.size() > 1) {
                    System.out.println(TerminalText.shown(log));
                }
                lines.apply(each).forEach(line -> System.out.println(TerminalText.shown(line)));
            });
            return;
        }
        List<Object> all = new ArrayList<>();
        byLog.forEach((log, each) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("partition", log);
            one.putAll(facts.apply(each));
            all.add(one);
        });
        System.out.println(JsonText.of(all.size() == 1 ? all.get(0) : Map.of("shards", all)));
    }

    private List<String> lines(ClusterService.Status status) {
        List<String> lines = new ArrayList<>();
        lines.add("leader " + (status.leader() == null ? "nobody" : status.leader()) + ", epoch " + status.epoch() + ", log from "
                + status.firstSequence() + " on in " + Counted.of(status.logParts(), "part"));
        lines.add("feature level " + status.level() + (status.knownLevel() <= status.level() ? "" : ": all members know level " + status.knownLevel() + ", and \"cluster upgrade\" raises it"));
        if (status.holders() != null) {
            lines.add("held by " + String.join(", ", status.holders()) + "; others read it from them");
        }
        status.members().forEach(each -> lines.add(line(each)));
        if (status.comparison() != null) {
            lines.add(ComparisonText.summary(status.comparison()));
        }
        return lines;
    }

    /** @param zooKeepers by the names of the members that run one, whether it is there */
    private void showMachines(List<ClusterService.Machine> machines, Map<String, Boolean> zooKeepers) {
        if (json.isOn()) {
            List<Object> all = new ArrayList<>();
            for (ClusterService.Machine each : machines) {
                Map<String, Object> facts = new LinkedHashMap<>();
                facts.put("name", each.name());
                facts.put("bookie", each.bookie());
                facts.put("here", each.isHere());
                facts.put("partsWithoutCopy", each.missing() < 0 ? null : each.missing());
                facts.put("zooKeeperHere", zooKeepers.get(each.name()));
                all.add(facts);
            }
            System.out.println(JsonText.of(Map.of("members", all)));
            return;
        }
        for (ClusterService.Machine each : machines) {
            System.out.println(TerminalText.shown(each.name() + " bookie " + each.bookie() + (each.isHere() ? " here" : " away")
                    + (each.missing() == 0 ? "" : each.missing() < 0 ? ", what it lacks is not counted yet" : ", " + Counted.of(each.missing(), "part") + " of logs without its copy")
                    + (!zooKeepers.containsKey(each.name()) ? "" : zooKeepers.get(each.name()) ? ", ZooKeeper here" : ", ZooKeeper away")));
        }
    }

    private void show(ClusterService.Removal removal) {
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("removed", member);
            facts.put("partsCopied", removal.copied());
            facts.put("partsWithoutCopy", removal.left());
            facts.put("why", removal.why());
            System.out.println(JsonText.of(facts));
            return;
        }
        System.out.println(TerminalText.shown(member + " is removed: nothing waits for it any more"));
        if (removal.copied() > 0) {
            System.out.println(Counted.of(removal.copied(), "part") + " of logs got a copy on another bookie");
        }
        if (removal.left() > 0) {
            System.out.println(TerminalText.shown(Counted.of(removal.left(), "part") + " of logs without its copy. " + removal.why() + ". Call this again then"));
        }
    }

    private void showLevel(int level) {
        System.out.println(json.isOn() ? JsonText.of(Map.of("level", level)) : "the cluster has feature level " + level);
    }

    private static String line(ClusterService.Member each) {
        String state = each.copying() != null ? copying(each.copying()) : each.url() == null ? "away"
                : each.role().name().toLowerCase(Locale.ROOT) + " sequence " + each.sequence() + " lag " + each.lag() + " at " + each.url();
        return each.name() + " " + state + (each.flushed() < 0 ? "" : ", on its disk up to " + each.flushed())
                + (each.build() == null ? "" : ", build " + each.build().name())
                + (each.dropped() ? ", dropped: it needs a copy of another one" : "") + (each.problem() == null ? "" : ": " + each.problem());
    }

    private static String copying(ClusterService.Copying copying) {
        return String.format(Locale.ROOT, "copying from %s: %d of %d MiB, %d MiB/s%s", copying.from(), copying.doneBytes() >> MIB,
                copying.totalBytes() >> MIB, copying.bytesPerSecond() >> MIB,
                copying.secondsLeft() < 0 ? "" : ", " + copying.secondsLeft() + " s left");
    }

    private static Map<String, Object> facts(ClusterService.Copying copying) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("from", copying.from());
        facts.put("doneBytes", copying.doneBytes());
        facts.put("totalBytes", copying.totalBytes());
        facts.put("bytesPerSecond", copying.bytesPerSecond());
        facts.put("secondsLeft", copying.secondsLeft() < 0 ? null : copying.secondsLeft());
        return facts;
    }

    private Map<String, Object> facts(ClusterService.Status status) {
        List<Object> members = new ArrayList<>();
        for (ClusterService.Member each : status.members()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("name", each.name());
            facts.put("here", each.url() != null);
            if (each.url() != null) {
                facts.put("url", each.url());
                facts.put("role", each.role().name().toLowerCase(Locale.ROOT));
                facts.put("epoch", each.epoch());
                facts.put("sequence", each.sequence());
                facts.put("lag", each.lag());
                facts.put("problem", each.problem());
            }
            facts.put("build", each.build() == null ? null : each.build().name());
            facts.put("knowsLevel", each.build() == null ? null : each.build().newestLevel());
            facts.put("flushed", each.flushed());
            facts.put("dropped", each.dropped());
            facts.put("copying", each.copying() == null ? null : facts(each.copying()));
            members.add(facts);
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("leader", status.leader());
        facts.put("epoch", status.epoch());
        facts.put("firstSequence", status.firstSequence());
        facts.put("logParts", status.logParts());
        facts.put("level", status.level());
        facts.put("knownLevel", status.knownLevel());
        facts.put("holders", status.holders());
        facts.put("members", members);
        facts.put("comparison", status.comparison() == null ? null : ComparisonText.facts(status.comparison()));
        return facts;
    }
}
