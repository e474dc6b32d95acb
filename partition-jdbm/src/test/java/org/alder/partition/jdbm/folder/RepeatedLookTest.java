package org.alder.partition.jdbm.folder;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.store.TestIndexer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class RepeatedLookTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder;
    private int looks;
    private long seconds;

    @Before
    public void make() throws IOException {
        folder = temporary.getRoot().toPath();
        replace();
    }

    private void replace() throws IOException {
        ManifestFile.write(SystemDisk.INSTANCE, folder, Manifest.empty(UUID.randomUUID(), new TestIndexer()));
    }

    private <T> T look(RepeatedLook.Look<T> look) throws IOException {
        return RepeatedLook.at(folder, () -> {
            looks++;
            return look.take();
        }, () -> TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    public void whatWasReplacedMeanwhileIsLookedAtAgainForAMinute() throws IOException {
        assertEquals("found", look(() -> {
            seconds++;
            if (looks < RepeatedLook.MOST_SECONDS) {
                replace();
                throw new IOException("gone");
            }
            return "found";
        }));
        assertEquals(RepeatedLook.MOST_SECONDS, looks);
    }

    @Test
    public void afterAMinuteTheReasonIsTold() {
        StoreException failure = assertThrows(StoreException.class, () -> look(() -> {
            seconds += 2;
            replace();
            throw new IOException("log-1 is gone");
        }));
        assertEquals(StoreException.Kind.IO, failure.kind());
        assertEquals(RepeatedLook.MOST_SECONDS / 2 + 2, looks);
        assertTrue(failure.getMessage(), failure.getMessage().contains(folder + ": its server has replaced what was being read " + looks
                + " times, for more than 60 seconds") && failure.getMessage().endsWith("log-1 is gone"));
    }

    /** The segments of a large store take minutes to check. */
    @Test
    public void slowLooksAreTakenTenTimesInAnyCase() throws IOException {
        assertEquals("found", look(() -> {
            seconds += 1000;
            if (looks <= RepeatedLook.ATTEMPTS) {
                replace();
                throw new IOException("merged");
            }
            return "found";
        }));
    }

    @Test
    public void whatFailsThoughNothingWasReplacedFailsAfterTenLooks() {
        assertEquals("gone", assertThrows(IOException.class, () -> look(() -> {
            throw new IOException("gone");
        })).getMessage());
        assertEquals(RepeatedLook.ATTEMPTS, looks);
    }

    @Test
    public void onlyLooksThatNothingDisturbedCountAmongTheTen() {
        assertThrows(IOException.class, () -> look(() -> {
            if (looks % 2 == 0) {
                replace();
            }
            throw new IOException("gone");
        }));
        assertEquals(2 * RepeatedLook.ATTEMPTS - 1, looks);
    }

    @Test
    public void aRefusalIsOneAtOnceUnlessItsReasonWasReplaced() {
        StoreException refused = new StoreException(StoreException.Kind.REFUSED, "other indexes");
        assertEquals(refused, assertThrows(StoreException.class, () -> look(() -> {
            if (looks == 1) {
                replace();
            }
            throw refused;
        })));
        assertEquals(2, looks);
    }
}
