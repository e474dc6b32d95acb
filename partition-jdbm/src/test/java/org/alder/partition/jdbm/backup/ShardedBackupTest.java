package org.alder.partition.jdbm.backup;

import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.alder.partition.commit.UnfinishedTransactions;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.ShardedDirectory;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.testing.Transfers;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Shards are backed up, brought back and read while entries of several of them are changed together: each state has all of a transaction or none of it. */
public class ShardedBackupTest {
    private static final int SHARDS = 3;
    private static final int BACKUPS = 3;
    private static final int READS = 5;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final Random random = Seed.random(ShardedBackupTest.class);
    /** Its own lock guards what is told it, and what is asked. */
    private final Transfers transfers = new Transfers();
    /** Small layers, so that stores are flushed meanwhile, and their logs removed where no history is kept. */
    private StoreSettings settings = StoreSettings.defaults().withMemoryLayerBytes(1 << 15).withCacheBytes(0, 0).withChangeHistory(0);
    private volatile boolean isOver;

    /** A state that is brought back later. @param promises what had been acknowledged by then */
    private record Goal(RestoreGoal goal, Transfers.Promises promises) {
    }

    private static Path store(Path root, int shard) {
        return root.resolve("shard" + shard);
    }

    private List<JdbmStore> open(Path root) {
        List<JdbmStore> stores = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            stores.add(JdbmStore.open(store(root, i), settings, TextDirectory.INDEXER));
        }
        return stores;
    }

    /** Until the other thread has done all. */
    private void work(ShardedDirectory directory, Random own) {
        while (!isOver) {
            boolean wanders = own.nextInt(4) == 0;
            int number = own.nextInt(Transfers.wanderers());
            int from = own.nextInt(Transfers.accounts());
            Transfers.Sent sent;
            synchronized (transfers) {
                sent = wanders ? transfers.wander(directory, number)
                        : transfers.transfer(directory, from, (from + 1 + own.nextInt(Transfers.accounts() - 1)) % Transfers.accounts(), null);
            }
            Throwable fault = null;
            try {
                sent.answer().join();
            } catch (CompletionException e) {
                fault = e;
                assertTrue(e.toString(), e.getCause() instanceof DirectoryException);
            }
            synchronized (transfers) {
                if (!wanders) {
                    transfers.told(sent, fault, false);
                } else if (fault == null) {
                    transfers.wandered(number);
                }
            }
        }
    }

    private Transfers.Promises promises() {
        synchronized (transfers) {
            return transfers.promises();
        }
    }

    @Test
    public void noPointHasPartOfATransaction() throws Exception {
        backUpAndRestore(0);
    }

    @Test
    public void noMomentHasPartOfATransaction() throws Exception {
        settings = settings.withChangeHistory(1 << 24);
        backUpAndRestore(2);
    }

    /** @param moments that are brought back, too, behind each backup */
    private void backUpAndRestore(int moments) throws Exception {
        Path root = temporary.newFolder("shards").toPath();
        Path backups = temporary.getRoot().toPath().resolve("backups");
        List<Goal> goals = new ArrayList<>();
        List<JdbmStore> stores = open(root);
        try {
            ShardedDirectory directory = new ShardedDirectory(stores, Transfers.RULES);
            transfers.prepare(directory).get(Await.SECONDS, TimeUnit.SECONDS);
            Random own = new Random(random.nextLong());
            CompletableFuture<Void> work = CompletableFuture.runAsync(() -> work(directory, own));
            for (int i = 0; i < BACKUPS && !work.isDone(); i++) {
                backUp(root, backups, moments, goals);
                for (int read = 0; read < READS; read++) {
                    read(root);
                }
            }
            isOver = true;
            work.get(Await.SECONDS, TimeUnit.SECONDS);
            // A log that ends before a moment does not tell that nothing more was committed until then; a point does.
            backUp(root, backups, 0, goals);
        } finally {
            isOver = true;
            stores.forEach(JdbmStore::close);
        }
        assertTrue("transfers", transfers.acknowledged() > BACKUPS);
        for (Goal each : goals) {
            restore(backups, each);
        }
    }

    /** @param moments behind it, to which the log is copied, too */
    private void backUp(Path root, Path backups, int moments, List<Goal> goals) throws InterruptedException {
        Transfers.Promises promises = promises();
        List<BackupWriter.Source> sources = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            sources.add(new BackupWriter.Source("shard" + i, store(root, i)));
        }
        try (BackupWriter writer = BackupWriter.open(backups)) {
            BackupPoint point = writer.save(sources, Map::of, (phase, done, total) -> { });
            goals.add(new Goal(new RestoreGoal.Point(point.name()), promises));
            for (int i = 0; i < moments; i++) {
                Transfers.Promises then = promises();
                Thread.sleep(5 + random.nextInt(50));
                Instant moment = Instant.now();
                Thread.sleep(5 + random.nextInt(50));
                if (writer.copyLogs(sources)) {
                    goals.add(new Goal(new RestoreGoal.At(moment), then));
                }
            }
        }
    }

    /** As an export does. */
    private void read(Path root) throws DirectoryException {
        Transfers.Promises promises = promises();
        JdbmEngine engine = new JdbmEngine(settings);
        List<Store> opened = new ArrayList<>();
        try {
            for (int i = 0; i < SHARDS; i++) {
                opened.add(engine.openReadOnly(store(root, i), TextDirectory.INDEXER));
            }
            long millis = System.currentTimeMillis();
            boolean all = true;
            for (Store each : opened) {
                all &= engine.goOn(each, millis);
            }
            ShardedDirectory directory = new ShardedDirectory(opened, Transfers.RULES);
            if (all && UnfinishedTransactions.madeInPart(directory.shards()) == null) {
                synchronized (transfers) {
                    transfers.check("read", directory, promises);
                }
            }
        } finally {
            opened.forEach(Store::close);
        }
    }

    private void restore(Path backups, Goal goal) throws Exception {
        Path target = temporary.newFolder().toPath().resolve("restored");
        Restore.run(BackupFolder.open(backups), goal.goal, target, (phase, done, total) -> { });
        List<JdbmStore> stores = open(target.resolve("partitions"));
        try {
            ShardedDirectory directory = new ShardedDirectory(stores, Transfers.RULES);
            settle(directory);
            transfers.check(goal.goal.toString(), directory, goal.promises);
        } finally {
            stores.forEach(JdbmStore::close);
        }
    }

    private static void settle(ShardedDirectory directory) throws Exception {
        Await.until("transactions to be finished", () -> {
            directory.settle().get(Await.SECONDS, TimeUnit.SECONDS);
            return directory.isSettled();
        });
    }
}
