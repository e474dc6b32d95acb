package org.alder.perf.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Request;

/**
 * A mixed load on a server that is killed and started again, and what it says held against a plain model. Whoever works or
 * compares takes what to do from the seed; how they meet is the machine's affair. One thread, {@link #run} once.
 */
final class StressRun {
    private static final long CATCH_UP_SECONDS = 120;
    private static final int READING_MILLIS = 200;
    private static final int MOST_KIBIBYTES_LEFT = 4096;

    /**
     * What to do.
     *
     * @param seconds how long to go on; the last round is brought to its end
     * @param roundSeconds the longest from one start of the server to the next
     * @param diskMebibytes the size of a disk in memory that gets full now and then; 0 for the disk that the work folder is on
     * @param home of the installation
     * @param work an empty folder, for the data and what the server says
     * @param failures where a history that shows a difference is kept
     */
    record Settings(double seconds, double roundSeconds, long seed, int workers, int diskMebibytes, Path home, Path work,
            Path failures) {
    }

    private final Settings settings;
    private final Consumer<String> progress;
    private final Counts counts = new Counts();
    private final SplittableRandom random;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Follower> followers = List.of(new SyncFollower(), new SyncFollower(), new PersistentSearchFollower());
    private SmallDisk disk;
    private StressServer server;
    private int rounds;
    private long beginNanos;

    /** @param progress is given a line now and then */
    StressRun(Settings settings, Consumer<String> progress) {
        this.settings = settings;
        this.progress = progress;
        random = new SplittableRandom(settings.seed());
        for (int i = 0; i < settings.workers(); i++) {
            workers.add(new Worker(i, random.split(), counts));
        }
    }

    /** @return null if nothing differed, else what did and where its history is */
    String run() throws IOException, InterruptedException {
        beginNanos = System.nanoTime();
        disk = settings.diskMebibytes() == 0 ? null : SmallDisk.mount(settings.work().resolve("disk"), settings.diskMebibytes());
        if (disk == null && settings.diskMebibytes() > 0) {
            progress.accept("this system lets nobody but root mount a disk in memory: no disk gets full");
        }
        try {
            server = new StressServer(settings.home(), settings.work(), disk);
            while (elapsedSeconds() < settings.seconds()) {
                rounds++;
                round();
            }
            return null;
        } catch (DifferenceException e) {
            return e.getMessage() + "\nthe history is in " + keep(e);
        } finally {
            if (disk != null) {
                disk.close();
            }
        }
    }

    /** What was done. */
    String summary() {
        return String.format(Locale.ROOT, "%d s, seed %d, %d rounds: %s", Math.round(elapsedSeconds()), settings.seed(), rounds, counts);
    }

    Counts counts() {
        return counts;
    }

    /** Of the server that runs now. */
    int port() {
        return server.port();
    }

    private double elapsedSeconds() {
        return (System.nanoTime() - beginNanos) / 1e9;
    }

    private void round() throws IOException, InterruptedException, DifferenceException {
        RandomSettings.write(server.configuration(), random.split());
        server.start();
        boolean fillsDisk = disk != null && random.nextInt(3) == 0;
        boolean isFull = false;
        Round round = new Round();
        List<Thread> threads = new ArrayList<>();
        try {
            settle();
            startAll(round, threads);
            long end = System.nanoTime() + (long) (settings.roundSeconds() * (0.3 + 0.7 * random.nextDouble()) * 1e9);
            do {
                round.sleep(Math.min(remainingMillis(end), 500 + random.nextInt(3000)));
                report();
                compare(round);
                if (fillsDisk && !round.isOver() && random.nextInt(2) == 0) {
                    fillDiskForAWhile(round);
                }
            } while (remainingMillis(end) > 0 && !round.isOver());
            isFull = fillsDisk && !round.isOver() && random.nextBoolean();
            if (isFull) {
                fillDisk(round);
            }
            round.sleep(random.nextInt(isFull ? 2000 : 500));
        } finally {
            end(round, threads);
            if (isFull) {
                disk.makeRoom();
            }
        }
        round.check();
        server.requireNoFault();
        server.verify();
        counts.verifications.increment();
    }

    private static long remainingMillis(long end) {
        return TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }

    private LdapClient connect() throws IOException {
        LdapClient client = new LdapClient("127.0.0.1", server.port());
        client.send(new Request.Bind(StressServer.ADMINISTRATOR, StressServer.PASSWORD)).expect(0);
        return client;
    }

    /** Everything that was acknowledged is there; what was not is there whole or not at all. */
    private void settle() throws IOException, DifferenceException {
        try (LdapClient client = connect()) {
            if (rounds == 1) {
                for (Request request : StressData.first()) {
                    client.send(request).expect(0);
                }
                for (Worker worker : workers) {
                    worker.begin(client);
                }
            }
            Contents contents = Contents.read(client, workers.size());
            boolean isDefined = isTypeDefined(client);
            for (Worker worker : workers) {
                worker.settle(contents.tree(worker.number()), worker.number() == 0 && isDefined);
            }
        }
    }

    private static boolean isTypeDefined(LdapClient client) throws IOException {
        return SchemaRequests.isDefined(client.send(SchemaRequests.read()).expect(0).entries().get(0).attributes().get(SchemaRequests.TYPES));
    }

    private interface Task {
        void run() throws IOException, InterruptedException, DifferenceException;
    }

    private void start(Round round, List<Thread> threads, String name, Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                round.connectionBroke(e);
            } catch (DifferenceException e) {
                round.differs(e);
            } catch (InterruptedException e) {
                round.differs(new DifferenceException(name + " was interrupted"));
            } catch (RuntimeException e) {
                round.differs(new DifferenceException(name + " failed: " + e + " at " + e.getStackTrace()[0]));
            }
        }, name);
        threads.add(thread);
        thread.start();
    }

    private void startAll(Round round, List<Thread> threads) {
        int port = server.port();
        for (Worker worker : workers) {
            start(round, threads, "worker " + worker.number(), () -> worker.work(port, StressServer.PASSWORD, round));
        }
        for (Follower follower : followers) {
            start(round, threads, "follower", () -> {
                try (LdapClient client = connect()) {
                    follower.follow(client);
                }
            });
        }
        start(round, threads, "reader", () -> readAgainAndAgain(round));
        SplittableRandom exporting = random.split();
        start(round, threads, "exporter", () -> exportAgainAndAgain(round, exporting));
    }

    private interface Reading {
        Contents read() throws IOException, InterruptedException, DifferenceException;
    }

    /** One reading sees one state of each subtree: not older than what was acknowledged when it began. */
    private void readUnderLoad(String what, Reading reading) throws IOException, InterruptedException, DifferenceException {
        List<Versions> versions = workers.stream().map(Worker::versions).toList();
        long[] from = versions.stream().mapToLong(Versions::acknowledged).toArray();
        Contents contents = reading.read();
        for (int i = 0; i < from.length; i++) {
            if (!versions.get(i).contains(from[i], contents.tree(i).fingerprint())) {
                throw new DifferenceException(what + " under load saw " + StressData.root(i) + " as it never was meanwhile: against its"
                        + " newest state,\n  " + Contents.differences(contents.tree(i), workers.get(i).tree()));
            }
        }
    }

    private void readAgainAndAgain(Round round) throws IOException, InterruptedException, DifferenceException {
        try (LdapClient client = connect()) {
            while (!round.sleep(READING_MILLIS)) {
                readUnderLoad("a search", () -> Contents.read(client, workers.size()));
                counts.readings.increment();
            }
        }
    }

    /** A backup, or a look at all files and indexes, beside the running server. */
    private void exportAgainAndAgain(Round round, SplittableRandom which) throws IOException, InterruptedException, DifferenceException {
        while (!round.sleep(500 + which.nextInt(4000))) {
            try {
                if (which.nextInt(3) > 0) {
                    readUnderLoad("an export", () -> {
                        Path ldif = server.export();
                        Contents contents = Contents.read(ldif, workers.size());
                        Files.delete(ldif);
                        return contents;
                    });
                    counts.exports.increment();
                } else {
                    server.verify();
                    counts.verifications.increment();
                }
            } catch (DifferenceException e) {
                if (!round.mayRefuse()) {
                    throw e;
                }
            }
        }
    }

    /** Everything against the model, with nobody at work; then each copy. */
    private void compare(Round round) throws IOException, InterruptedException, DifferenceException {
        var lock = round.lockToCompare();
        try (LdapClient client = connect()) {
            round.check();
            requireModel("a search at rest", Contents.read(client, workers.size()));
            counts.comparisons.increment();
            for (Follower follower : followers) {
                awaitCopy(round, follower);
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireModel(String what, Contents contents) throws DifferenceException {
        for (Worker worker : workers) {
            Tree found = contents.tree(worker.number());
            if (!worker.isInDoubt() && found.fingerprint() != worker.tree().fingerprint()) {
                throw new DifferenceException(what + " differs in " + found.root() + ":\n  "
                        + Contents.differences(found, worker.tree()));
            }
        }
    }

    private void awaitCopy(Round round, Follower follower) throws InterruptedException, DifferenceException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CATCH_UP_SECONDS);
        while (true) {
            try {
                requireModel("a follower's copy", follower.copy(workers.size()));
                counts.copies.increment();
                return;
            } catch (DifferenceException e) {
                if (System.nanoTime() - end > 0) {
                    throw new DifferenceException("for " + CATCH_UP_SECONDS + " s, " + e.getMessage());
                } else if (round.sleep(5)) {
                    return;
                }
            }
        }
    }

    /** Now and then there is some room left: for records of the log, but not for what is flushed or merged. */
    private void fillDisk(Round round) throws IOException, InterruptedException {
        round.setMayRefuse(true);
        disk.fill(random.nextBoolean() ? 0 : random.nextInt(MOST_KIBIBYTES_LEFT));
        counts.fullDisks.increment();
    }

    /** Updates are refused while there is no room, searches are not; when there is room again, both go on by themselves. */
    private void fillDiskForAWhile(Round round) throws IOException, InterruptedException, DifferenceException {
        fillDisk(round);
        try {
            round.sleep(500 + random.nextInt(2000));
            compare(round);
        } finally {
            disk.makeRoom();
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CATCH_UP_SECONDS);
        long refused;
        do {
            refused = counts.refused.sum();
            if (System.nanoTime() - end > 0) {
                throw new DifferenceException("for " + CATCH_UP_SECONDS + " s after there was room again, updates were refused");
            }
        } while (!round.sleep(1500) && counts.refused.sum() > refused);
        var lock = round.lockToCompare();
        round.setMayRefuse(false);
        lock.unlock();
    }

    /** Kills the server at work or stops it, at work or at rest. */
    private void end(Round round, List<Thread> threads) throws InterruptedException {
        int way = random.nextInt(4);
        if (way == 0) {
            round.finish();
            round.sleep(0);
        }
        round.end();
        if (way <= 1) {
            server.stop();
            counts.stops.increment();
        } else {
            server.kill();
            counts.kills.increment();
        }
        round.finish();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void report() {
        double elapsed = elapsedSeconds();
        double left = Math.max(0, settings.seconds() - elapsed);
        progress.accept(String.format(Locale.ROOT, "%.0f s of %.0f, about %.0f s left: round %d, %,d operations (%,.0f/s), %d kills,"
                + " %d full disks, %d comparisons, no difference", elapsed, settings.seconds(), left, rounds, counts.operations.sum(),
                counts.operations.sum() / elapsed, counts.kills.sum(), counts.fullDisks.sum(), counts.comparisons.sum()));
    }

    /** Writes down what led to a difference, and copies the data folder. */
    private Path keep(DifferenceException difference) throws IOException, InterruptedException {
        Path folder = settings.failures().resolve("seed" + settings.seed() + "-round" + rounds).toAbsolutePath();
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("difference.txt"), difference.getMessage() + "\n\n" + summary() + "\n");
        for (Worker worker : workers) {
            Files.write(folder.resolve("worker" + worker.number() + ".txt"), worker.history().lines());
        }
        for (int i = 0; i < followers.size(); i++) {
            Files.write(folder.resolve("follower" + i + ".txt"), followers.get(i).history().lines());
        }
        try (var files = Files.list(settings.work())) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
        server.copyData(folder.resolve("data"));
        return folder;
    }
}
