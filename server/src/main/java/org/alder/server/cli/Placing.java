package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.alder.partition.store.ClusterService.Member;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.ClusterService;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cluster.Rebalance;

/**
 * Has members hold a partition's store, and others not, while clients read and write it: those who come take copies before anybody leaves, and who leads leaves it to one that
 * stays. Cut off in between, more members hold it than are to. One thread.
 */
final class Placing {
    private static final long POLL_MILLIS = 200;
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** So long may a member be away, or apply nothing, that is to have a copy, and may who is to leave stay. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final ClusterService service;
    private final Path file;
    private final Consumer<String> progress;
    private final Moving moving;
    private long toldNanos = System.nanoTime();

    /** Has another one lead, and waits until it does. */
    @FunctionalInterface
    interface Moving {
        void lead(String log, String member) throws IOException, CommandException, InterruptedException;
    }

    /** @param file of the cluster  @param progress told, line by line, what is waited for */
    Placing(ClusterService service, Path file, Moving moving, Consumer<String> progress) {
        this.service = service;
        this.file = file;
        this.moving = moving;
        this.progress = progress;
    }

    /** Returns when it is so. @param wanted null for all members, which take their copies behind this */
    void place(String log, List<String> wanted) throws IOException, CommandException, InterruptedException {
        if (wanted == null) {
            service.place(file, log, null);
            return;
        }
        Status status = service.status(file, log);
        List<String> before = status.toHold();
        if (status.holders() != null && !before.containsAll(wanted)) {
            TreeSet<String> both = new TreeSet<>(before);
            both.addAll(wanted);
            service.place(file, log, List.copyOf(both));
        }
        for (String member : wanted) {
            awaitInStep(log, member);
        }
        leadBy(log, wanted);
        service.place(file, log, wanted);
        for (String member : before) {
            if (!wanted.contains(member)) {
                awaitLeft(log, member);
            }
        }
    }

    private static Member member(Status status, String name) {
        return status.members().stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    }

    private void awaitInStep(String log, String name) throws IOException, CommandException, InterruptedException {
        long lastNanos = System.nanoTime();
        while (true) {
            Status status = service.status(file, log);
            Member member = member(status, name);
            if (isInStep(member)) {
                return;
            }
            boolean isComing = member != null && (member.copying() != null || member.url() != null && member.problem() == null);
            lastNanos = isComing ? System.nanoTime() : lastNanos;
            if (System.nanoTime() - lastNanos > SILENCE_NANOS) {
                throw new CommandException(name + " takes no copy of " + log + ": " + (member == null || member.url() == null ? "it is not here" : member.problem())
                        + ". Nobody has left it yet");
            }
            tell(member == null || member.copying() == null ? log + ": waiting for " + name + " to hold it" : log + ": " + name + " copies from " + member.copying().from() + ", "
                    + (member.copying().doneBytes() >> 20) + " of " + (member.copying().totalBytes() >> 20) + " MiB");
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static boolean isInStep(Member member) {
        return member != null && member.isInStep() && member.lag() <= Rebalance.MOST_LAG;
    }

    private void leadBy(String log, List<String> wanted) throws IOException, CommandException, InterruptedException {
        Status status = service.status(file, log);
        if (status.leader() != null && !wanted.contains(status.leader())) {
            moving.lead(log, wanted.get(0));
        }
    }

    /** Of one that is away the log is kept no more: it deletes what it has when it is back. */
    private void awaitLeft(String log, String name) throws IOException, CommandException, InterruptedException {
        long beganNanos = System.nanoTime();
        while (true) {
            Member member = member(service.status(file, log), name);
            if (member == null) {
                return;
            } else if (member.url() == null && System.nanoTime() - beganNanos > TELL_NANOS) {
                service.forget(file, log, name);
                return;
            } else if (System.nanoTime() - beganNanos > SILENCE_NANOS) {
                throw new CommandException(name + " still holds " + log + ": it waits for those that are to hold it to show as much. Its log file says more, and it goes on trying");
            }
            tell(log + ": waiting for " + name + " to leave it");
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void tell(String what) {
        if (System.nanoTime() - toldNanos > TELL_NANOS) {
            toldNanos = System.nanoTime();
            progress.accept(what);
        }
    }

    /** The names in a list of a command line. @throws CommandException for less than two, which one disk less would lose */
    static List<String> names(String list) throws CommandException {
        List<String> names = new ArrayList<>(new TreeSet<>(List.of(list.split(","))));
        names.removeIf(String::isBlank);
        if (names.size() < 2) {
            throw new CommandException("\"" + list + "\": expected the names of two members or more, with commas between them, or \"all\"");
        }
        return names;
    }
}
