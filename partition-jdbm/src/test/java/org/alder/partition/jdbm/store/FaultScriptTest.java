package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.disk.VolatileDisk;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;

/**
 * Lets each change of a run that does everything ({@link FaultScript}) fail, and the power fail before each. With the system
 * property {@code alder.test.faults=all} every fault is tried at every place; without, at every few, others in each run.
 */
public class FaultScriptTest {
    private static final boolean ALL = "all".equals(System.getProperty("alder.test.faults"));
    private static final int STRIDE = ALL ? 1 : 3;
    private static final int RARE_STRIDE = ALL ? 1 : 11;
    private static final int MAX_CHANGES = 2000;

    @Rule
    public final FaultFolder temporary = new FaultFolder();

    private final FaultScript script = new FaultScript();

    @Test
    public void eachChangeFailsOnce() throws IOException {
        failEach(FaultyDisk.Fault.ONCE, STRIDE);
    }

    @Test
    public void eachChangeAndAllBehindItFail() throws IOException {
        failEach(FaultyDisk.Fault.FOR_EVER, RARE_STRIDE);
    }

    @Test
    public void theDiskIsFullAtEachChange() throws IOException {
        failEach(FaultyDisk.Fault.NO_SPACE, RARE_STRIDE);
    }

    private void failEach(FaultyDisk.Fault fault, int stride) throws IOException {
        boolean undisturbed = false;
        for (int n = 1 + Seed.random(FaultScriptTest.class).nextInt(stride); !undisturbed; n += stride) {
            Path folder = temporary.newFolder().toPath();
            FaultyDisk disk = new FaultyDisk(n, fault);
            int acknowledged = runUntilFault(folder, disk);
            undisturbed = disk.changes() < n;
            script.assertWhole(fault + " at " + n, folder, acknowledged);
            SystemDisk.INSTANCE.deleteTree(folder);
            assertTrue("the run does not end", n < MAX_CHANGES);
        }
    }

    private int runUntilFault(Path folder, FaultyDisk disk) {
        AtomicInteger acknowledged = new AtomicInteger();
        try {
            script.run(folder, disk, acknowledged::set);
        } catch (CompletionException e) {
            assertEquals(e.toString(), StoreException.class, e.getCause().getClass());
        } catch (StoreException e) {
            assertTrue(e.toString(), e.kind() != StoreException.Kind.CORRUPT && e.kind() != StoreException.Kind.CLOSED);
        }
        return acknowledged.get();
    }

    @Test
    public void thePowerFailsBeforeEachChange() throws IOException {
        failPower(null);
    }

    @Test
    public void thePowerFailsAndSomeOfWhatWasNotSyncedSurvives() throws IOException {
        long seed = Seed.of(FaultScriptTest.class);
        failPower(new Random(seed));
    }

    private void failPower(Random random) throws IOException {
        Path root = temporary.newFolder().toPath();
        AtomicInteger acknowledged = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        VolatileDisk disk = new VolatileDisk(root, image -> {
            if (failures.incrementAndGet() % (random == null || ALL ? 1 : 3) == 0) {
                check(image, random, acknowledged.get(), failures.get());
            }
        });
        script.run(root, disk, acknowledged::set);
        assertTrue("changes: " + failures, failures.get() > 200);
    }

    private void check(VolatileDisk.Image image, Random random, int acknowledged, int change) {
        try {
            Path folder = temporary.newFolder().toPath();
            image.writeTo(folder, random);
            script.assertWhole("power failure before change " + change, folder, acknowledged);
            SystemDisk.INSTANCE.deleteTree(folder);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
