package org.alder.partition.jdbm.disk;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class AtomicFileTest {
    private static final byte[] OLD = new byte[3000];
    private static final byte[] NEW = new byte[5000];

    static {
        Arrays.fill(OLD, (byte) 1);
        Arrays.fill(NEW, (byte) 2);
    }

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Test
    public void aFailureAtAnyStepLeavesOneOfTheTwoWhole() throws IOException {
        for (FaultyDisk.Fault fault : FaultyDisk.Fault.values()) {
            Path file = temporary.newFolder(fault.name()).toPath().resolve("a");
            int failures = 0;
            boolean failed = true;
            while (failed) {
                new AtomicFile(SystemDisk.INSTANCE).replace(file, OLD);
                try {
                    new AtomicFile(new FaultyDisk(failures + 1, fault)).replace(file, NEW);
                    failed = false;
                } catch (IOException e) {
                    failures++;
                }
                byte[] found = Files.readAllBytes(file);
                assertTrue(Arrays.equals(found, NEW) || failed && Arrays.equals(found, OLD));
            }
            assertTrue(fault + " " + failures, failures >= 2);
        }
    }

    @Test
    public void aPowerFailureAtAnyStepLeavesOneOfTheTwoWhole() throws IOException {
        Path root = temporary.newFolder("root").toPath();
        Random random = new Random(Seed.of(AtomicFileTest.class));
        int[] images = {0, 0};
        VolatileDisk disk = new VolatileDisk(root, image -> {
            try {
                for (int i = 0; i < 20; i++) {
                    Path target = temporary.newFolder().toPath();
                    image.writeTo(target, i == 0 ? null : random);
                    images[0]++;
                    if (images[1] > 0) {
                        byte[] found = Files.readAllBytes(target.resolve("a"));
                        assertTrue(Arrays.equals(found, OLD) || Arrays.equals(found, NEW));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        AtomicFile atomic = new AtomicFile(disk);
        atomic.replace(root.resolve("a"), OLD);
        images[1] = 1;
        int before = images[0];
        atomic.replace(root.resolve("a"), NEW);
        assertArrayEquals(NEW, Files.readAllBytes(root.resolve("a")));
        assertEquals("the steps: create, write, sync, rename, sync", 100, images[0] - before);
    }
}
