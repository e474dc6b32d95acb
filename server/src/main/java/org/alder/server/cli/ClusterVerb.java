package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.Replica;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the members of a cluster, and has another one lead. */
@Command(name = "cluster", mixinStandardHelpOptions = true, description = "Show the members of a cluster, compare what they hold, have another one"
        + " lead, have the log wait no more for one that is gone for good, or make the keys by which members know each other. Asks ZooKeeper, not the servers: they"
        + " need not run.",
        footer = {"  alder cluster keys --to keys --cluster node1.conf", "  alder cluster status --cluster node1.conf",
            "  alder cluster members --cluster node1.conf", "  alder cluster digest --cluster node1.conf",
            "  alder cluster move-leader node2 --cluster node1.conf", "  alder cluster forget node3 --cluster node1.conf"})
final class ClusterVerb implements Verb {
    private static final long POLL_MILLIS = 200;
    private static final long MOVE_SECONDS = 60;
    private static final long DIGEST_HOURS = 6;
    /** In bits. */
    private static final int MIB = 20;

    @Mixin
    private DataOptions data;

    @Mixin
    private JsonOption json;

    @Parameters(index = "0", paramLabel = "ACTION", arity = "0..1", defaultValue = "status", description = "status: the members, who leads, and"
            + " how far each is. members: the bookie of each, whether it is there, and how many parts of logs miss a copy, of all partitions."
            + " digest: have the leader compare what the members hold now, which may take minutes, and show what was found; 1 is"
            + " returned where they differ. move-leader: have MEMBER lead; waits until it does. forget: have the log wait no more for MEMBER, which is gone"
            + " for good; it needs a copy of another one if it comes back. keys: make an authority in the folder of --to, and for each member that"
            + " has none yet a key with its certificate. Default: status.")
    private String action;

    @Parameters(index = "1", paramLabel = "MEMBER", arity = "0..1", description = "The name of a member.")
    private String member;

    @Option(names = "--cluster", paramLabel = "FILE", required = true, description = "The file that the server was started with.")
    private Path file;

    @Option(names = "--to", paramLabel = "FOLDER", description = "Of keys: where they are made. The folder NAME in it is for the member NAME alone;"
            + " ca.key issues others, and no member needs it.")
    private Path to;

    @Option(names = "--partition", paramLabel = "NAME", description = "The name of the partition in the configuration. Default: the first one.")
    private String partition;

    /** What makes a server a member of a cluster. @throws CommandException where it is not on the class path */
    static ClusterService service() throws CommandException {
        return ServiceLoader.load(ClusterService.class).findFirst().orElseThrow(() -> new CommandException(
                "what a cluster needs is not on the class path: lib/cluster/*, which bin/alder adds where it is given --cluster"));
    }

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException, InterruptedException {
        check();
        if (action.equals("keys")) {
            service().makeKeys(file, to).forEach(made -> System.out.println(TerminalText.shown("made " + made)));
            return 0;
        }
        if (action.equals("members")) {
            showMachines(service().machines(file));
            return 0;
        }
        partition = partition == null ? data.configuration().partitions().get(0).name() : partition;
        ClusterService service = service();
        if (action.equals("digest")) {
            return digest(service);
        }
        if (action.equals("status")) {
            show(service.status(file, partition));
            return 0;
        }
        requireMember(service.status(file, partition));
        if (action.equals("forget")) {
            service.forget(file, partition, member);
            return 0;
        }
        service.moveLeader(file, partition, member);
        return awaitLeader(service);
    }

    private void check() throws WrongCallException {
        boolean isKeys = action.equals("keys");
        boolean isOfAll = isKeys || action.equals("status") || action.equals("members") || action.equals("digest");
        if (!isOfAll && !action.equals("move-leader") && !action.equals("forget")) {
            throw new WrongCallException("\"" + action + "\" is not status, members, digest, move-leader, forget or keys");
        }
        if (isOfAll != (member == null)) {
            throw new WrongCallException(action + (isOfAll ? " takes no member" : ": expected the name of a member behind it"));
        }
        if (isKeys != (to != null)) {
            throw new WrongCallException(isKeys ? "keys: expected --to, the folder in which they are made" : action + " takes no --to");
        }
    }

    private int digest(ClusterService service) throws IOException, CommandException, InterruptedException {
        ClusterService.Status status = service.status(file, partition);
        long wanted = service.compare(file, partition);
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
            status = service.status(file, partition);
        }
        Comparison comparison = status.comparison();
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("partition", partition);
            facts.putAll(ComparisonText.facts(comparison));
            System.out.println(JsonText.of(facts));
        } else {
            ComparisonText.lines(comparison).forEach(line -> System.out.println(TerminalText.shown(line)));
        }
        return comparison.isEqual() ? 0 : 1;
    }

    private static long pass(ClusterService.Status status) {
        return status.comparison() == null ? 0 : status.comparison().pass();
    }

    private void requireMember(ClusterService.Status status) throws CommandException {
        List<String> names = status.members().stream().map(ClusterService.Member::name).toList();
        if (!names.contains(member)) {
            throw new CommandException("\"" + member + "\" is no member: they are " + String.join(", ", names));
        }
    }

    private int awaitLeader(ClusterService service) throws IOException, CommandException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOVE_SECONDS);
        ClusterService.Status status = service.status(file, partition);
        while (!leads(status)) {
            if (System.nanoTime() - end > 0) {
                throw new CommandException(member + " does not lead after " + MOVE_SECONDS + " s: " + (status.leader() == null ? "nobody" : status.leader())
                        + " does. The leader's log says why");
            }
            Thread.sleep(POLL_MILLIS);
            status = service.status(file, partition);
        }
        show(status);
        return 0;
    }

    private boolean leads(ClusterService.Status status) {
        return member.equals(status.leader()) && status.members().stream()
                .anyMatch(each -> each.name().equals(member) && each.role() == Replica.Role.LEADER);
    }

    private void show(ClusterService.Status status) {
        if (json.isOn()) {
            System.out.println(JsonText.of(facts(status)));
            return;
        }
        System.out.println("leader " + (status.leader() == null ? "nobody" : status.leader()) + ", epoch " + status.epoch() + ", log from "
                + status.firstSequence() + " on in " + Counted.of(status.logParts(), "part"));
        for (ClusterService.Member each : status.members()) {
            System.out.println(TerminalText.shown(line(each)));
        }
        if (status.comparison() != null) {
            System.out.println(TerminalText.shown(ComparisonText.summary(status.comparison())));
        }
    }

    private void showMachines(List<ClusterService.Machine> machines) {
        if (json.isOn()) {
            List<Object> all = new ArrayList<>();
            for (ClusterService.Machine each : machines) {
                Map<String, Object> facts = new LinkedHashMap<>();
                facts.put("name", each.name());
                facts.put("bookie", each.bookie());
                facts.put("here", each.isHere());
                facts.put("partsWithoutCopy", each.missing() < 0 ? null : each.missing());
                all.add(facts);
            }
            System.out.println(JsonText.of(Map.of("members", all)));
            return;
        }
        for (ClusterService.Machine each : machines) {
            System.out.println(TerminalText.shown(each.name() + " bookie " + each.bookie() + (each.isHere() ? " here" : " away")
                    + (each.missing() == 0 ? "" : each.missing() < 0 ? ", what it lacks is not counted yet" : ", " + Counted.of(each.missing(), "part") + " of logs without its copy")));
        }
    }

    private static String line(ClusterService.Member each) {
        String state = each.copying() != null ? copying(each.copying()) : each.url() == null ? "away"
                : each.role().name().toLowerCase(Locale.ROOT) + " sequence " + each.sequence() + " lag " + each.lag() + " at " + each.url();
        return each.name() + " " + state + (each.flushed() < 0 ? "" : ", on its disk up to " + each.flushed())
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
            facts.put("flushed", each.flushed());
            facts.put("dropped", each.dropped());
            facts.put("copying", each.copying() == null ? null : facts(each.copying()));
            members.add(facts);
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", partition);
        facts.put("leader", status.leader());
        facts.put("epoch", status.epoch());
        facts.put("firstSequence", status.firstSequence());
        facts.put("logParts", status.logParts());
        facts.put("members", members);
        facts.put("comparison", status.comparison() == null ? null : ComparisonText.facts(status.comparison()));
        return facts;
    }
}
