package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.LogFolder;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A store is opened for reading while its server does something between each two reads. */
public class ReadBesideServerTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final StoreSettings SETTINGS = StoreSettings.defaults().withBackgroundCompaction(false);

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** @param before done before a log file is opened */
    private Disk disk(Runnable before) {
        return (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("open") && LogFolder.firstSequenceOf((Path) arguments[0]) >= 0) {
                before.run();
            }
            try {
                return method.invoke(SystemDisk.INSTANCE, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private Store openReadOnly(Runnable beforeLog) {
        return ReadOnlyStore.open(new StoreFolder(disk(beforeLog), temporary.getRoot().toPath()), SETTINGS, INDEXER);
    }

    /** On a busy machine a server with a small memory layer flushed more than ten times while an export was about to begin. */
    @Test
    public void aServerThatFlushesBeforeEachReadIsReadWhenItPauses() {
        try (JdbmStore server = JdbmStore.open(temporary.getRoot().toPath(), SETTINGS, INDEXER)) {
            StoreTests.add(server, 0, "top", "red");
            AtomicInteger flushes = new AtomicInteger();
            try (Store reader = openReadOnly(() -> {
                if (flushes.incrementAndGet() <= 35) {
                    StoreTests.add(server, 1, "n" + flushes, "red");
                    server.flush();
                }
            }); Snapshot snapshot = reader.snapshot()) {
                assertTrue("the log was opened " + flushes + " times", flushes.get() > 35);
                assertEquals(36, snapshot.cardinality(1, StoreTests.utf8("red")));
            }
        }
    }

    @Test
    public void aLogThatNobodyHasReplacedIsMissingAtOnce() throws IOException {
        Path folder = temporary.getRoot().toPath();
        try (JdbmStore server = JdbmStore.open(folder, SETTINGS, INDEXER)) {
            StoreTests.add(server, 0, "top", "red");
        }
        Path log = new LogFolder(SystemDisk.INSTANCE, folder).files().get(0);
        Files.delete(log);
        AtomicInteger looks = new AtomicInteger();
        StoreException refused = assertThrows(StoreException.class, () -> openReadOnly(looks::incrementAndGet));
        assertEquals(StoreException.Kind.IO, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains(log.toString()));
        assertEquals(10, looks.get());
    }
}
