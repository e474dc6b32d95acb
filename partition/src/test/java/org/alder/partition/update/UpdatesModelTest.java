package org.alder.partition.update;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.testing.RandomUpdates;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.junit.Test;

/** {@code -Dalder.test.seed} repeats a run, {@code -Dalder.test.rounds} makes it longer. */
public final class UpdatesModelTest {
    private static final int OPERATIONS_PER_ROUND = 200;

    @Test
    public void updatesDoWhatThePlainOracleDoes() throws DirectoryException {
        RandomUpdates updates = new RandomUpdates(new TextDirectory(), Seed.of(UpdatesModelTest.class));
        for (int round = Integer.getInteger("alder.test.rounds", 20); round > 0; round--) {
            updates.run(OPERATIONS_PER_ROUND);
            updates.verify();
        }
        System.out.println("UpdatesModelTest " + updates);
    }
}
