package org.alder.partition.jdbm.simulation;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.alder.partition.Host;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SparseDisk;
import org.alder.partition.jdbm.disk.VolatileDisk;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.ShardedDirectory;
import org.alder.partition.testing.Simulation;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.testing.Transfers;

/**
 * The shards of one process in one {@link Simulation}: clients that transfer between them, and rename from one to another ({@link Transfers}), and what finishes
 * transactions that were left, on a disk that may fail, and whose power fails at some changes, for all shards at once. Everything follows from the seed.
 */
final class ShardedRun {
    private static final int MOST_IMAGES = 4;
    private static final int MOST_CHANGES = 700;
    private static final long MILLI = 1_000_000;
    private static final int MOST_TRIES = 1000;

    private final Path folder;
    private final Simulation simulation;
    private final SplittableRandom random;
    private final Tasks tasks;
    private final Transfers transfers = new Transfers();
    private final FaultyDisk faults;
    private final Disk disk;
    private final StoreSettings settings;
    private final int shards;
    private final int[] imageAt;
    private final List<Image> images = new ArrayList<>();
    private boolean isPrepared;
    private boolean isOver;

    /** What a failure of power left, and what had been promised by then; null where the accounts were not there. */
    private record Image(Path folder, Transfers.Promises promises) {
    }

    /** @param parent where folders are made */
    ShardedRun(long seed, Path parent) throws IOException {
        folder = Files.createTempDirectory(parent, "run");
        simulation = new Simulation(seed, 800, 300, 60);
        tasks = new SimulatedTasks(simulation);
        random = simulation.random().split();
        shards = 2 + random.nextInt(2);
        boolean isSound = random.nextInt(3) > 0;
        FaultyDisk.Fault fault = FaultyDisk.Fault.values()[random.nextInt(3)];
        long from = isSound ? Long.MAX_VALUE : MOST_CHANGES / 4 + random.nextInt(MOST_CHANGES / 2);
        imageAt = IntStream.range(0, MOST_IMAGES).map(i -> MOST_CHANGES / 8 + random.nextInt(MOST_CHANGES)).toArray();
        Path root = Files.createDirectory(folder.resolve("shards"));
        faults = new FaultyDisk(new VolatileDisk(root, now -> beforeChange(now, seed)), from, fault, from + 1 + random.nextInt(60));
        disk = new SimulatedDisk(simulation, faults);
        settings = StoreSettings.defaults().withMemoryLayerBytes(1L << 13 + random.nextInt(5)).withCacheBytes(0, 0).withChangeHistory(0).withDiskLow(1000, 1)
                .withBackgroundCompaction(random.nextBoolean()).withDurability(random.nextInt(3) == 0 ? Durability.NONE : Durability.SYNC, 1);
    }

    private boolean promisesAll() {
        return settings.writing().durability() == Durability.SYNC;
    }

    Path folder() {
        return folder;
    }

    String trace() {
        return simulation.trace();
    }

    long traceHash() {
        return simulation.traceHash();
    }

    int acknowledged() {
        return transfers.acknowledged();
    }

    int moves() {
        return transfers.moves();
    }

    int images() {
        return images.size();
    }

    private void beforeChange(VolatileDisk.Image now, long seed) {
        long change = faults == null ? 0 : faults.changes();
        if (Arrays.stream(imageAt).noneMatch(at -> at == change) || images.size() >= MOST_IMAGES) {
            return;
        }
        try {
            Path target = folder.resolve("image" + images.size());
            now.writeTo(target, random.nextInt(4) == 0 ? null : new Random(seed + change));
            images.add(new Image(target, isPrepared ? transfers.promises() : null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void run() throws Exception {
        simulation.run(this::simulate);
        check("the end", new Image(folder.resolve("shards"), isPrepared ? transfers.promises() : null));
        for (int i = 0; i < images.size(); i++) {
            check("image " + i, images.get(i));
        }
    }

    private List<JdbmStore> open(Path root, Disk on, Tasks in, StoreSettings with) {
        List<JdbmStore> stores = new ArrayList<>();
        boolean complete = false;
        try {
            for (int i = 0; i < shards; i++) {
                stores.add(JdbmStore.open(root.resolve("shard" + i), with, TextDirectory.INDEXER, on, in));
            }
            complete = true;
            return stores;
        } finally {
            if (!complete) {
                stores.forEach(JdbmStore::close);
            }
        }
    }

    private void simulate() {
        List<JdbmStore> stores;
        try {
            stores = open(folder.resolve("shards"), disk, tasks, settings);
        } catch (StoreException e) {
            requireFault(e);
            return;
        }
        List<Simulation.Actor> clients = new ArrayList<>();
        try {
            tasks.join(transfers.prepare(directory(stores)));
            // So that all of it is on the disk, whatever the durability.
            stores.forEach(JdbmStore::close);
            stores = open(folder.resolve("shards"), disk, tasks, settings);
            isPrepared = true;
            ShardedDirectory directory = directory(stores);
            Simulation.Actor settling = simulation.start("settling", () -> settle(directory));
            for (int i = 0; i < 2 + random.nextInt(3); i++) {
                int times = 2 + random.nextInt(8);
                clients.add(simulation.start("client " + i, () -> transfer(directory, times)));
            }
            for (int i = 0; i < Transfers.wanderers(); i++) {
                int number = i;
                int times = random.nextInt(6);
                clients.add(simulation.start("wanderer " + i, () -> wander(directory, number, times)));
            }
            clients.forEach(Simulation.Actor::join);
            isOver = true;
            settling.join();
        } catch (CompletionException | StoreException e) {
            requireFault(e);
        }
        simulation.awaitQuiet(1000 * MILLI);
        stores.forEach(JdbmStore::close);
        simulation.awaitQuiet(1000 * MILLI);
    }

    private ShardedDirectory directory(List<JdbmStore> stores) {
        return new ShardedDirectory(stores, Transfers.RULES, 10_000, new SimulatedHost(simulation));
    }

    private void settle(ShardedDirectory directory) {
        while (!isOver) {
            simulation.pause(250 * MILLI);
            try {
                tasks.join(directory.settle());
            } catch (CompletionException e) {
                requireFault(e);
            }
        }
    }

    private static Throwable cause(Throwable e) {
        return e instanceof CompletionException && e.getCause() != null ? cause(e.getCause()) : e;
    }

    private void requireFault(RuntimeException e) {
        if (!(cause(e) instanceof StoreException) || !faults.hasFailed()) {
            throw e;
        }
    }

    private void transfer(ShardedDirectory directory, int times) {
        for (int i = 0; i < times; i++) {
            int from = random.nextInt(Transfers.accounts());
            int to = (from + 1 + random.nextInt(Transfers.accounts() - 1)) % Transfers.accounts();
            Transfers.Sent sent = transfers.transfer(directory, from, to, random.nextInt(3) == 0 ? "token" + random.nextInt(4) : null);
            simulation.step("sent " + sent.mark());
            try {
                tasks.join(sent.answer());
                transfers.told(sent, null, false);
            } catch (CompletionException e) {
                boolean isUnknown = cause(e) instanceof StoreException store && store.kind() == StoreException.Kind.OUTCOME_UNKNOWN;
                transfers.told(sent, e, isUnknown);
                if (!(cause(e) instanceof DirectoryException)) {
                    requireFault(e);
                    return;
                }
            }
        }
    }

    private void wander(ShardedDirectory directory, int number, int times) {
        for (int i = 0; i < times; i++) {
            Transfers.Sent sent = transfers.wander(directory, number);
            try {
                tasks.join(sent.answer());
                transfers.wandered(number);
            } catch (CompletionException e) {
                requireFault(e);
                return;
            }
        }
    }

    private void check(String when, Image image) throws Exception {
        StoreSettings opened = settings.withMemoryLayerBytes(1 << 20).withBackgroundCompaction(false);
        List<JdbmStore> stores = open(image.folder, SparseDisk.INSTANCE, Threads.INSTANCE, opened);
        try {
            if (image.promises == null) {
                return;
            }
            ShardedDirectory directory = new ShardedDirectory(stores, Transfers.RULES, 10_000, Host.MACHINE);
            for (int tries = 0; !directory.isSettled(); tries++) {
                assertTrue(when + ": transactions are never finished", tries < MOST_TRIES);
                directory.settle().get(Await.SECONDS, TimeUnit.SECONDS);
            }
            transfers.check(when, directory, promisesAll() ? image.promises : Transfers.Promises.NONE);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(when + ": " + e, e);
        } finally {
            stores.forEach(JdbmStore::close);
        }
        for (int i = 0; i < shards; i++) {
            StoreTests.assertFilesSound(image.folder.resolve("shard" + i));
        }
    }
}
