package org.alder.perf.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/** One run: clients ask, faults come and are mended, and all answers are held against each other. One thread; used once. */
final class FaultRun {
    private static final int LAST_LINES = 15;
    private static final int SHORT_MILLIS = 1_500;
    private static final int LONG_MILLIS = 6_000;
    /** With less than 256 free a store takes no updates. */
    private static final int DISK_MEBIBYTES = 448;
    private static final int DISK_MEBIBYTES_OF_A_SHARD = 64;

    /**
     * What is to be done.
     *
     * @param work     an empty folder
     * @param failures where a difference is written to
     * @param kinds    what may go wrong; empty for all
     * @param inLab    whether networks and disks are made, which needs the name spaces of {@link Lab#prefix}
     */
    record Settings(int faults, long seed, Cluster.Builds builds, Layout.Numbers layout, Path work, Path failures, List<Faults.Kind> kinds, boolean inLab) {
    }

    private final Settings settings;
    private final Consumer<String> progress;
    private final Random random;
    private final History history;
    private final List<String> restarts = new ArrayList<>();
    private Cluster cluster;
    private Clients clients;
    private ClusterCheck check;
    private Faults faults;

    FaultRun(Settings settings, Consumer<String> progress) {
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
        Lab lab = settings.inLab ? Lab.make(disks, DISK_MEBIBYTES + DISK_MEBIBYTES_OF_A_SHARD * (settings.layout.shards() - 1)) : null;
        if (lab == null || !lab.hasFilter()) {
            progress.accept("this system does not let this user make networks" + (lab == null ? " and disks" : "") + " that fail: these faults are left out");
        }
        MachineLibrary library = MachineLibrary.make(settings.work);
        if (library == null) {
            progress.accept("there is no C compiler (cc) here, or the folder's name has a space: wrong clocks and failing disks are left out");
        }
        try (Cluster made = new Cluster(settings.builds, settings.layout, settings.work, disks, lab, library)) {
            List<Faults.Kind> kinds = new ArrayList<>(Faults.possible(made, lab, library));
            if (!settings.kinds.isEmpty()) {
                kinds.retainAll(settings.kinds);
            }
            if (kinds.isEmpty()) {
                throw new IOException("none of " + settings.kinds + " can be done here");
            }
            cluster = made;
            Registers registers = Registers.of(settings.layout.shards());
            clients = new Clients(cluster.members(), registers, history, new Random(random.nextLong()), cluster.asksWriters());
            check = new ClusterCheck(cluster, registers, history, member -> ended(member, List.of("its start")));
            faults = new Faults(cluster, lab, kinds, random);
            try {
                work();
            } catch (IOException e) {
                history.differs("" + e.getMessage());
            }
            if (history.difference() != null) {
                progress.accept("what was asked and told, and the members' messages, are in " + check.keep(settings.work, settings.failures.resolve("seed" + settings.seed)));
            }
            return history.difference();
        }
    }

    private void work() throws IOException, InterruptedException {
        faults.mend();
        clients.start();
        cluster.spread();
        progress.accept("all members take part");
        int done = 0;
        while (done < settings.faults && history.difference() == null) {
            done += round(settings.faults - done);
        }
        if (history.difference() == null) {
            faults.mend();
            upgrade();
            check.end(clients);
        }
    }

    /** In the end all have this build, and write as it does. */
    private void upgrade() throws IOException, InterruptedException {
        if (settings.builds.other() == null) {
            return;
        }
        for (Member member : cluster.members()) {
            check.awaitAll();
            if (!member.home().equals(settings.builds.home())) {
                member.stop();
                member.setHome(settings.builds.home());
                member.start();
            }
        }
        check.awaitAll();
        Cluster.Told told = cluster.tell(cluster.members().get(0), "upgrade");
        progress.accept("all members have the build of " + settings.builds.home() + ": " + told.text().strip());
        if (told.status() != 0) {
            history.differs("all members have the same build, and the feature level cannot be raised: " + told.text());
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
        check.await("an update that is acknowledged in each shard after " + what + " was mended", () -> history.isAcknowledgedSince(mended));
        double seconds = (System.nanoTime() - mended) / 1e9;
        if (waitsForAll) {
            check.awaitAll();
            faults.forgetBroken();
        }
        progress.accept(String.format(Locale.ROOT, "%s; acknowledged again %.1f s after it was mended; %s", String.join(", ", what), seconds,
                history.summary()));
        return count;
    }

    /** Who is not there, but was not killed, has ended by itself. With a full or failing disk it may. */
    private void requireAlive(List<String> what) throws IOException {
        for (Member member : cluster.members()) {
            boolean wasEnded = what.stream().anyMatch(each -> each.matches("(KILL|RESTART|OTHER_BUILD|WIPE|CLOCK).*" + member.name() + ".*|KILL_ALL.*"));
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

    String summary() {
        return faults.counts().values().stream().mapToInt(Integer::intValue).sum() + " faults " + faults.counts() + "; " + history.summary()
                + (restarts.isEmpty() ? "" : "; " + restarts.size() + " times a member with a full or failing disk ended by itself");
    }
}
