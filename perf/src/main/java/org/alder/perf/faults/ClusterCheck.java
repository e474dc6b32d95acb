package org.alder.perf.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** What a cluster is held to while clients ask it, and in the end. One thread. */
final class ClusterCheck {
    /** Far beyond what it takes: a start waits two minutes for the others. */
    static final int WAIT_SECONDS = 240;
    private static final int POLL_MILLIS = 100;
    private static final int PAGE = 500;

    private final Cluster cluster;
    private final Registers registers;
    private final History history;
    private final Ended ended;

    /** Told of a member that has ended, though it was to answer; it is started again then. */
    @FunctionalInterface
    interface Ended {
        void member(Member member) throws IOException;
    }

    ClusterCheck(Cluster cluster, Registers registers, History history, Ended ended) {
        this.cluster = cluster;
        this.registers = registers;
        this.history = history;
        this.ended = ended;
    }

    /** Something that is waited for. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Ends early where there is a difference. @throws IOException where it does not come */
    void await(String what, Condition condition) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (history.difference() == null && !condition.holds()) {
            if (System.nanoTime() - began > WAIT_SECONDS * 1_000_000_000L) {
                throw new IOException("waited " + WAIT_SECONDS + " s for " + what);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Until all members answer. */
    void awaitAll() throws IOException, InterruptedException {
        for (Member member : cluster.members()) {
            awaitAnswers(member);
        }
    }

    void awaitAnswers(Member member) throws IOException, InterruptedException {
        await("answers of " + member.name(), () -> answers(member));
    }

    private boolean answers(Member member) throws IOException {
        if (!member.isAlive()) {
            ended.member(member);
            member.start();
        }
        try (LdapClient client = member.connect(WAIT_SECONDS * 1000)) {
            return client.send(Registers.search("")).code() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** All is well, clients stop, and then all members have to have the same, and what was told. They are stopped afterwards. */
    void end(Clients clients) throws IOException, InterruptedException {
        awaitAll();
        clients.end();
        await("the same entries on all members", this::areSame);
        if (history.difference() != null) {
            return;
        }
        Map<String, Map<String, SortedSet<String>>> all = content(cluster.members().get(0));
        long nanos = System.nanoTime();
        Map<String, String> values = new HashMap<>();
        Map<String, String> others = new TreeMap<>();
        Map<String, String> holders = new HashMap<>();
        for (Map.Entry<String, Map<String, SortedSet<String>>> entry : all.entrySet()) {
            String name = entry.getKey().startsWith("cn=") ? entry.getKey().substring(3, entry.getKey().indexOf(',')) : "";
            if (registers.exchanged().contains(name) || registers.counters().contains(name)) {
                values.put(name, Registers.value(entry.getValue()));
            } else if (!name.isEmpty()) {
                others.put(name, Registers.value(entry.getValue()));
                noteHolder(holders, name, entry.getValue().get(Registers.UNIQUE.toLowerCase(Locale.ROOT)));
            }
        }
        note(history.checkEnd(others, nanos, values));
        note(history.check(Registers.INITIAL));
        String digests = cluster.difference();
        if (digests != null) {
            history.differs("the members do not hold the same: " + digests);
        }
        for (Member member : cluster.members()) {
            member.stop();
        }
    }

    /** @param values that only this entry may have; null for none */
    private void noteHolder(Map<String, String> holders, String name, SortedSet<String> values) {
        for (String value : values == null ? Set.<String>of() : values) {
            String other = holders.put(value, name);
            note(other == null ? null : "in the end both " + other + " and " + name + " have " + value + ", which only one entry may have");
        }
    }

    private void note(String difference) {
        if (difference != null) {
            history.differs(difference);
        }
    }

    private boolean areSame() {
        try {
            Map<String, Map<String, SortedSet<String>>> first = content(cluster.members().get(0));
            for (Member member : cluster.members().subList(1, cluster.members().size())) {
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

    /** For who looks for the reason: what clients were told, and what members have logged. @param messages the folder of the latter @return where that is */
    Path keep(Path messages, Path to) throws IOException, InterruptedException {
        for (Member member : cluster.members()) {
            if (member.isAlive()) {
                member.resume();
                member.printThreads();
            }
        }
        Files.createDirectories(to);
        Files.writeString(to.resolve("difference.txt"), history.difference() + "\n");
        Files.write(to.resolve("calls.txt"), history.lines());
        try (Stream<Path> logs = Files.list(messages)) {
            for (Path each : (Iterable<Path>) logs.filter(Files::isRegularFile)::iterator) {
                Files.copy(each, to.resolve(each.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return to.toAbsolutePath();
    }
}
