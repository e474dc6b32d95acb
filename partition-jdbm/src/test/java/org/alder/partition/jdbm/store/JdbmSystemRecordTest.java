package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.jdbm.disk.VolatileDisk;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.StoreEngine;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;
import org.alder.partition.testing.SystemRecordConformance;
import org.alder.partition.testing.TextDirectory;
import org.junit.Test;

/** The engine on JDBM files keeps system records. */
public class JdbmSystemRecordTest extends SystemRecordConformance {
    private static final StoreSettings SETTINGS = StoreSettings.defaults().withDurability(Durability.NONE, 100);

    @Override
    protected StoreEngine engine() {
        return new JdbmEngine(SETTINGS);
    }

    /** All that came before is on the disk with it, and what comes behind need not be. */
    @Test
    public void whatIsToBeSyncedIsSyncedWhateverHoldsForOthers() throws IOException {
        Path root = temporary.newFolder().toPath();
        Path image = temporary.newFolder().toPath();
        VolatileDisk.Image[] last = new VolatileDisk.Image[1];
        VolatileDisk disk = new VolatileDisk(root, now -> last[0] = now);
        try (JdbmStore store = JdbmStore.open(root, SETTINGS, TextDirectory.INDEXER, disk)) {
            put(store, "a", false);
            put(store, "b", true);
            put(store, "c", false);
            last[0].writeTo(image, null);
        }
        try (JdbmStore store = JdbmStore.open(image, SETTINGS, TextDirectory.INDEXER); Snapshot snapshot = store.snapshot()) {
            assertEquals(SystemRecords.NONE.with("a", new byte[1]).with("b", new byte[1]), snapshot.systemRecords());
        }
    }

    private static void put(JdbmStore store, String key, boolean isSynced) {
        store.submit(new Transaction<Void>() {
            @Override
            public Void run(WriteContext context) {
                context.putSystemRecord(key, new byte[1]);
                return null;
            }

            @Override
            public boolean isSynced() {
                return isSynced;
            }
        }).join();
    }
}
