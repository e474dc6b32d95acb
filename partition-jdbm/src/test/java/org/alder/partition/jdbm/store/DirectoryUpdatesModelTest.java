package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.testing.RandomUpdates;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * LDAP updates on this engine against a plain oracle, with flushes, compactions and restarts in between.
 * {@code -Dalder.test.seed} repeats a run, {@code -Dalder.test.rounds} makes it longer.
 */
public final class DirectoryUpdatesModelTest {
    private static final int OPERATIONS_PER_ROUND = 100;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path data;
    private JdbmStore store;

    @Test
    public void updatesDoWhatThePlainOracleDoes() throws DirectoryException, IOException {
        long seed = Seed.of(DirectoryUpdatesModelTest.class);
        data = folder.newFolder().toPath();
        store = open();
        TextDirectory directory = new TextDirectory(store);
        RandomUpdates updates = new RandomUpdates(directory, seed);
        Random random = new Random(~seed);
        for (int round = Integer.getInteger("alder.test.rounds", 15); round > 0; round--) {
            updates.run(OPERATIONS_PER_ROUND);
            disturb(directory, random.nextInt(5));
            updates.verify();
        }
        store.close();
        assertTrue(updates.toString(), updates.largeSeen() > 20);
        System.out.println("DirectoryUpdatesModelTest " + updates);
    }

    private void disturb(TextDirectory directory, int what) {
        switch (what) {
            case 0 -> store.flush();
            case 1 -> store.compact();
            case 2 -> store.clearCaches();
            case 3 -> {
                store.close();
                store = open();
                directory.reopen(store);
            }
            default -> { }
        }
    }

    private JdbmStore open() {
        StoreSettings settings = StoreSettings.defaults().withDurability(Durability.NONE, 100);
        return JdbmStore.open(data, settings, TextDirectory.INDEXER);
    }
}
