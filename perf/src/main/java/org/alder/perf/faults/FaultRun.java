package org.alder.perf.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** One run: clients ask, faults come and are mended, and all answers are held against each other. One thread; used once. */
final class FaultRun {
    /** Far beyond what it takes: a start waits two minutes for the others. */
    private static final int WAIT_SECONDS = 240;
    private static final int POLL_MILLIS = 100;
    private static final int PAGE = 500;
    private static final int LAST_LINES = 15;
    private static final int SHORT_MILLIS = 1_500;
    private static final int LONG_MILLIS = 6_000;
    /** With less than 256 free a store takes no updates. */
    private static final int DISK_MEBIBYTES = 448;

    /**
     * What is to be done.
     *
     * @param work     an empty folder
     * @param failures where a difference is written to
     * @param kinds    what may go wrong; empty for all
     * @param inLab    whether networks and disks are made, which needs the name spaces of {@link Lab#prefix}
     */
    record Settings(int faults, long seed, Path home, Path work, Path failures, List<Faults.Kind> kinds, boolean inLab) {
    }

    private final Settings settings;
    private final Consumer<String> progress;
    private final Random random;
    private final History history = new History();
    private final List<String> restarts = new ArrayList<>();
    private Cluster cluster;
    private Clients clients;
    private Faults faults;

    FaultRun(Settings settings, Consumer<String> progress) {
        this.settings = settings;
        this.progress = progress;
        this.random = new Random(settings.seed);
    }

    /** @return what differs; null where nothing does */
    String run() throws IOException, InterruptedException {
        List<Path> disks = new ArrayList<>();
        for (int i = 0; i < Cluster.MEMBERS; i++) {
            disks.add(Files.createDirectories(settings.work.resolve("disk" + (i + 1))));
        }
        Lab lab = settings.inLab ? Lab.make(disks, DISK_MEBIBYTES) : null;
        if (lab == null || !lab.hasFilter()) {
            progress.accept("this system does not let this user make networks" + (lab == null ? " and disks" : "") + " that fail: these faults are left out");
        }
        MachineLibrary library = MachineLibrary.make(settings.work);
        if (library == null) {
            progress.accept("there is no C compiler (cc) here, or the folder's name has a space: wrong clocks and failing disks are left out");
        }
        List<Faults.Kind> kinds = new ArrayList<>(Faults.possible(lab, library));
        if (!settings.kinds.isEmpty()) {
            kinds.retainAll(settings.kinds);
        }
        if (kinds.isEmpty()) {
            throw new IOException("none of " + settings.kinds + " can be done here");
        }
        try (Cluster made = new Cluster(settings.home, settings.work, disks, lab, library)) {
            cluster = made;
            clients = new Clients(cluster.members(), history, new Random(random.nextLong()));
            faults = new Faults(cluster, lab, kinds, clients::leader, random);
            try {
                work();
            } catch (IOException e) {
                history.differs("" + e.getMessage());
            }
            if (history.difference() != null) {
                keep();
            }
            return history.difference();
        }
    }

    private void work() throws IOException, InterruptedException {
        faults.mend();
        clients.start();
        progress.accept("all members take part");
        int done = 0;
        while (done < settings.faults && history.difference() == null) {
            done += round(settings.faults - done);
        }
        if (history.difference() == null) {
            end();
        }
    }

    private void note(String difference) {
        if (difference != null) {
            history.differs(difference);
        }
    }

    /** One or two faults, for a while. @return how many */
    private int round(int most) throws IOException, InterruptedException {
        int count = Math.min(most, random.nextInt(5) < 3 ? 1 : 2);
        List<String> what = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            what.add(faults.begin());
            Thread.sleep(random.nextInt(SHORT_MILLIS));
        }
        Thread.sleep(random.nextInt(random.nextInt(3) == 0 ? LONG_MILLIS : SHORT_MILLIS));
        requireAlive(what);
        long mended = System.nanoTime();
        faults.mend();
        boolean waitsForAll = random.nextInt(4) > 0;
        await("an update that is acknowledged after " + what + " was mended", () -> history.isAcknowledgedSince(mended) || history.difference() != null);
        double seconds = (System.nanoTime() - mended) / 1e9;
        if (waitsForAll) {
            awaitAll();
            faults.forgetBroken();
        }
        progress.accept(String.format(Locale.ROOT, "%s; acknowledged again %.1f s after it was mended; %s", String.join(", ", what), seconds,
                history.summary()));
        return count;
    }

    /** Who is not there, but was not killed, has ended by itself. With a full or failing disk it may. */
    private void requireAlive(List<String> what) throws IOException {
        for (Member member : cluster.members()) {
            boolean wasEnded = what.stream().anyMatch(each -> each.matches("(KILL|RESTART|WIPE|CLOCK).*" + member.name() + ".*|KILL_ALL.*"));
            if (!member.isAlive() && !wasEnded) {
                ended(member, what);
            }
        }
    }

    private void ended(Member member, List<String> what) throws IOException {
        String text = member.name() + " ended by itself with status " + member.status() + (faults.isBroken(member) ? ", its disk was full or failing" : "") + ", after " + what
                + ": " + member.lastWords(LAST_LINES);
        restarts.add(text);
        progress.accept(text);
        if (!faults.isBroken(member)) {
            history.differs(text);
        }
    }

    private void awaitAll() throws IOException, InterruptedException {
        for (Member member : cluster.members()) {
            await("answers of " + member.name(), () -> answers(member) || history.difference() != null);
        }
    }

    private boolean answers(Member member) throws IOException {
        if (!member.isAlive()) {
            ended(member, List.of("its start"));
            member.start();
        }
        try (LdapClient client = member.connect(WAIT_SECONDS * 1000)) {
            return client.send(Registers.search("")).code() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** All is mended, clients stop, and all members have the same. */
    private void end() throws IOException, InterruptedException {
        faults.mend();
        awaitAll();
        clients.end();
        await("the same entries on all members", () -> history.difference() != null || areSame());
        if (history.difference() != null) {
            return;
        }
        Map<String, Map<String, SortedSet<String>>> all = content(cluster.members().get(0));
        long nanos = System.nanoTime();
        Set<String> there = new TreeSet<>();
        Map<String, String> values = new HashMap<>();
        for (Map.Entry<String, Map<String, SortedSet<String>>> entry : all.entrySet()) {
            String name = entry.getKey().startsWith("cn=") ? entry.getKey().substring(3, entry.getKey().indexOf(',')) : "";
            if (Registers.EXCHANGED.contains(name) || Registers.COUNTERS.contains(name)) {
                values.put(name, Registers.value(entry.getValue()));
            } else if (!name.isEmpty()) {
                there.add(name);
            }
        }
        note(history.checkEnd(there, nanos, values));
        note(history.check(Registers.INITIAL));
        String digests = cluster.difference();
        if (digests != null) {
            history.differs("the members do not hold the same: " + digests);
        }
        for (Member member : cluster.members()) {
            member.stop();
        }
    }

    private boolean areSame() throws IOException {
        try {
            Map<String, Map<String, SortedSet<String>>> first = content(cluster.members().get(0));
            for (Member member : cluster.members().subList(1, Cluster.MEMBERS)) {
                if (!content(member).equals(first)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Map<String, Map<String, SortedSet<String>>> content(Member member) throws IOException {
        Map<String, Map<String, SortedSet<String>>> content = new TreeMap<>();
        try (LdapClient client = member.connect(WAIT_SECONDS * 1000)) {
            Request.Search all = new Request.Search(Registers.SUFFIX, Request.Scope.SUBTREE, new SearchFilter.Present("objectClass"), List.of("*", "+"));
            LdapClient.Answer answer = client.sendPaged(all, PAGE);
            answer.expect(0);
            for (Message entry : answer.entries()) {
                content.put(entry.text(), entry.attributes());
            }
        }
        return content;
    }

    /** Something that is waited for. */
    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(String what, Condition condition) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - began > WAIT_SECONDS * 1_000_000_000L) {
                throw new IOException("waited " + WAIT_SECONDS + " s for " + what);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** For who looks for the reason: what clients were told, what members have logged, and their disks. */
    private void keep() throws IOException, InterruptedException {
        for (Member member : cluster.members()) {
            if (member.isAlive()) {
                member.resume();
                member.printThreads();
            }
        }
        Path folder = settings.failures.resolve("seed" + settings.seed);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("difference.txt"), history.difference() + "\n");
        Files.write(folder.resolve("calls.txt"), history.lines());
        try (Stream<Path> logs = Files.list(settings.work)) {
            for (Path each : (Iterable<Path>) logs.filter(Files::isRegularFile)::iterator) {
                Files.copy(each, folder.resolve(each.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        progress.accept("what was asked and told, and the members' messages, are in " + folder.toAbsolutePath());
    }

    String summary() {
        return faults.counts().values().stream().mapToInt(Integer::intValue).sum() + " faults " + faults.counts() + "; " + history.summary()
                + (restarts.isEmpty() ? "" : "; " + restarts.size() + " times a member with a full or failing disk ended by itself");
    }
}
