package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.FaultyDisk.Fault;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A store that cannot be made, because the disk is full or fails at whichever of its changes, leaves nothing behind. */
public class UnfinishedStoreTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private static Set<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    private static JdbmStore open(Path folder, FaultyDisk disk) {
        return JdbmStore.open(folder, StoreSettings.defaults(), INDEXER, disk);
    }

    /** @return whether it could be opened */
    private static boolean tryAt(long change, Fault fault, Path folder) {
        try (JdbmStore store = open(folder, new FaultyDisk(change, fault))) {
            assertEquals(0, store.status().entries());
            return true;
        } catch (StoreException e) {
            assertTrue(e.getMessage(), e.getMessage().contains(folder.toString()));
            return false;
        }
    }

    @Test
    public void nothingStaysAndASecondTryWorks() throws IOException {
        for (Fault fault : List.of(Fault.ONCE, Fault.NO_SPACE)) {
            int faults = 0;
            boolean opened = false;
            for (int change = 1; !opened; change++) {
                Path above = temporary.newFolder().toPath();
                Path folder = above.resolve("partitions/new");
                opened = tryAt(change, fault, folder);
                if (!opened) {
                    faults++;
                    assertEquals(fault + " at change " + change, Set.of(), names(above));
                    open(folder, FaultyDisk.sound()).close();
                }
            }
            assertTrue(fault + ": " + faults, faults >= 5);
        }
    }

    /** Neither what was in the folder before, nor the folder. */
    @Test
    public void whatWasThereBeforeStays() throws IOException {
        boolean opened = false;
        for (int change = 1; !opened; change++) {
            Path folder = temporary.newFolder().toPath();
            Files.writeString(folder.resolve("README"), "mine");
            Files.createFile(folder.resolve("LOCK"));
            opened = tryAt(change, Fault.ONCE, folder);
            if (!opened) {
                assertEquals(Set.of("README", "LOCK"), names(folder));
            }
        }
    }

    @Test
    public void aDiskThatFailsForEverIsNoObstacleLater() throws IOException {
        boolean opened = false;
        for (int change = 1; !opened; change++) {
            Path folder = temporary.newFolder().toPath().resolve("new");
            opened = tryAt(change, Fault.FOR_EVER, folder);
            open(folder, FaultyDisk.sound()).close();
            StoreTests.assertFilesSound(folder);
        }
    }

    /** Only what was made is taken away: never a store that could not be opened this time. */
    @Test
    public void aStoreThatIsThereStaysWhateverFails() throws IOException {
        Path folder = temporary.newFolder().toPath().resolve("new");
        try (JdbmStore store = open(folder, FaultyDisk.sound())) {
            StoreTests.add(store, 0, "top", "red");
        }
        boolean opened = false;
        for (int change = 1; !opened; change++) {
            try (JdbmStore store = open(folder, new FaultyDisk(change, Fault.ONCE))) {
                opened = true;
            } catch (StoreException e) {
                assertTrue(e.getMessage(), e.getMessage().contains(folder.toString()));
            }
            try (JdbmStore store = open(folder, FaultyDisk.sound())) {
                assertEquals(1, store.status().entries());
            }
        }
        Path other = temporary.newFolder().toPath().resolve("held");
        try (JdbmStore store = open(other, FaultyDisk.sound())) {
            assertFalse("held", tryAt(Long.MAX_VALUE, Fault.ONCE, other));
            StoreTests.add(store, 0, "top", "red");
        }
        try (JdbmStore store = open(other, FaultyDisk.sound())) {
            assertEquals(1, store.status().entries());
        }
    }
}
