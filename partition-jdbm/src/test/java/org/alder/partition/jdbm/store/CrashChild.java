package org.alder.partition.jdbm.store;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;

/** The process that the crash test kills. Arguments: folder, seed. Prints "writer steps" after each acknowledged transaction. */
public final class CrashChild {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private CrashChild() {
    }

    public static void main(String[] arguments) {
        Store store = JdbmStore.open(Path.of(arguments[0]), settings(), CrashScript.INDEXER);
        long seed = Long.parseLong(arguments[1]);
        for (int i = 0; i < CrashScript.WRITERS; i++) {
            int writer = i;
            new Thread(() -> write(store, new CrashScript(seed, writer), writer)).start();
        }
    }

    /** So small that logs are changed, layers flushed and segments merged all the time. */
    static StoreSettings settings() {
        return StoreSettings.defaults().withMemoryLayerBytes(48 << 10).withCacheBytes(1 << 20, 1 << 16)
                .withChangeHistory(100_000);
    }

    private static void write(Store store, CrashScript script, int writer) {
        try (Snapshot snapshot = store.snapshot()) {
            script.load(snapshot);
        }
        while (true) {
            script.submit(store).join();
            script.advance();
            print(writer + " " + script.steps() + "\n");
        }
    }

    private static void print(String line) {
        try {
            OUT.write(line.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
