package org.alder.perf.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster whose members go over from an older build to this one, one after the other, back and forth, as an administrator does it, while clients ask it. One
 * thread; used once.
 */
final class UpgradeRun {
    private static final int LAST_LINES = 15;
    private static final long MOST_LAG = 1_000;
    private static final Pattern LEVEL = Pattern.compile("\"level\":([0-9]+),\"knownLevel\":([0-9]+)");
    private static final Pattern REFUSED = Pattern.compile("start this member with (the|a) newer build");

    /**
     * What is to be done.
     *
     * @param shards   over which the entries are spread
     * @param work     an empty folder
     * @param failures where a difference is written to
     */
    record Settings(long seed, Cluster.Builds builds, Layout.Numbers layout, Path work, Path failures) {
    }

    private final Settings settings;
    private final Consumer<String> progress;
    private final Random random;
    private final History history;
    private Cluster cluster;
    private ClusterCheck check;

    UpgradeRun(Settings settings, Consumer<String> progress) {
        this.settings = settings;
        this.progress = progress;
        this.random = new Random(settings.seed);
        this.history = new History(settings.layout.shards());
    }

    /** @return what differs; null where nothing does */
    String run() throws IOException, InterruptedException {
        List<Path> disks = new ArrayList<>();
        for (int i = 0; i < settings.layout.members(); i++) {
            disks.add(Files.createDirectories(settings.work.resolve("disk" + (i + 1))));
        }
        try (Cluster made = new Cluster(settings.builds, settings.layout, settings.work, disks, null, null)) {
            cluster = made;
            Registers registers = Registers.of(settings.layout.shards());
            check = new ClusterCheck(cluster, registers, history, this::ended);
            try {
                work(new Clients(cluster.members(), registers, history, new Random(random.nextLong()), cluster.asksWriters()));
            } catch (IOException e) {
                history.differs("" + e.getMessage());
            }
            if (history.difference() != null) {
                progress.accept("what was asked and told, and the members' messages, are in " + check.keep(settings.work, settings.failures.resolve("upgrade" + settings.seed)));
            }
            return history.difference();
        }
    }

    private void work(Clients clients) throws IOException, InterruptedException {
        for (Member member : cluster.members()) {
            member.start();
        }
        clients.start();
        check.awaitAll();
        cluster.spread();
        progress.accept("all members have the build in " + settings.builds.other());
        Path own = settings.builds.home();
        goOver(0, own, false);
        goOver(1, own, false);
        // What it lacks an older one gets of newer ones, and of them back.
        goOver(0, settings.builds.other(), true);
        goOver(2, own, false);
        requireRefusedUpgrade();
        goOver(0, own, true);
        upgrade();
        goOver(1, own, false);
        check.end(clients);
        refuseOther();
    }

    private void ended(Member member) throws IOException {
        history.differs(member.name() + " ended by itself with status " + member.status() + ": " + member.lastWords(LAST_LINES));
    }

    /**
     * A member leads nothing any more, is stopped, and is started with a build, while others take updates.
     *
     * @param wiped whether it has nothing of the partitions then
     */
    private void goOver(int number, Path build, boolean wiped) throws IOException, InterruptedException {
        if (history.difference() != null) {
            return;
        }
        Member member = cluster.members().get(number);
        long began = System.nanoTime();
        for (int shard : cluster.led(member)) {
            if (!cluster.moveLeader(cluster.members().get((number + 1) % cluster.members().size()), shard)) {
                history.differs("the lead of " + member.name() + " cannot be moved to another member");
            }
        }
        awaitAcknowledged("after the lead was moved from " + member.name());
        member.stop();
        if (wiped) {
            member.wipe("data/partitions");
        }
        awaitAcknowledged("while " + member.name() + " is stopped");
        member.setHome(build);
        member.start();
        check.awaitAnswers(member);
        check.await("that " + member.name() + " has what the others have", () -> cluster.lag(member) >= 0 && cluster.lag(member) <= MOST_LAG);
        awaitAcknowledged("after " + member.name() + " has come back");
        long now = System.nanoTime();
        progress.accept(String.format(Locale.ROOT, "%s has the build in %s%s, %.1f s after it was to hand over, with at most %.1f s in which no update was acknowledged; %s", member.name(), build,
                wiped ? ", and got the entries of others" : "", (now - began) / 1e9, history.longestPauseNanos(began, now) / 1e9, history.summary()));
    }

    private void awaitAcknowledged(String when) throws IOException, InterruptedException {
        long now = System.nanoTime();
        check.await("an update of each shard that is acknowledged " + when, () -> history.isAcknowledgedSince(now));
    }

    /** One member has the older build still. */
    private void requireRefusedUpgrade() throws IOException, InterruptedException {
        Cluster.Told told = cluster.tell(cluster.members().get(0), "upgrade");
        boolean isNeeded = level(2) > level(1);
        progress.accept("while " + cluster.members().get(0).name() + " has the other build: " + told.text().strip());
        if (told.status() == 0 && isNeeded) {
            history.differs("the feature level was raised while a member had the older build: " + told.text());
        }
    }

    /** @param group 1 for that of the cluster, 2 for the one that all members know */
    private int level(int group) throws IOException, InterruptedException {
        Cluster.Told told = cluster.tell(cluster.members().get(0), "status", "--json");
        Matcher found = LEVEL.matcher(told.text());
        if (!found.find()) {
            throw new IOException("the status has no levels: " + told.text());
        }
        return Integer.parseInt(found.group(group));
    }

    private void upgrade() throws IOException, InterruptedException {
        int before = level(1);
        Cluster.Told told = cluster.tell(cluster.members().get(0), "upgrade");
        int after = level(1);
        progress.accept("all members have this build: " + told.text().strip() + ", before it was " + before);
        if (told.status() != 0 || after != level(2)) {
            history.differs("all members have the same build, and the feature level is " + after + ": " + told.text());
        }
        awaitAcknowledged("after the level was raised");
    }

    /** The older build goes no more with what the others have written, where they write in another way. */
    private void refuseOther() throws IOException, InterruptedException {
        if (history.difference() != null) {
            return;
        }
        for (Member member : cluster.members()) {
            member.start();
        }
        check.awaitAll();
        Member member = cluster.members().get(0);
        member.stop();
        member.setHome(settings.builds.other());
        member.start();
        check.await("the end, or answers, of " + member.name(), () -> !member.isAlive() || cluster.lag(member) >= 0);
        if (member.isAlive()) {
            progress.accept("the other build goes with the level, too");
            member.stop();
        } else if (!REFUSED.matcher(member.lastWords(LAST_LINES)).find()) {
            history.differs("the other build does not go with the level, and does not say so: " + member.lastWords(LAST_LINES));
        } else {
            progress.accept("the other build is refused: " + member.lastWords(1));
        }
    }

    String summary() {
        return history.summary();
    }
}
