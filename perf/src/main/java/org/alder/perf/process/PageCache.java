package org.alder.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The operating system's page cache, which a cold measurement has to empty and only an administrator may. */
public final class PageCache {
    private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

    private PageCache() {
    }

    /** Writes everything to disk and drops the cached pages. Returns false, having done nothing, where that is not allowed. */
    public static boolean drop() throws InterruptedException {
        if (!Files.isWritable(DROP)) {
            return false;
        }
        try {
            if (!new ProcessBuilder("sync").start().waitFor(120, TimeUnit.SECONDS)) {
                return false;
            }
            Files.writeString(DROP, "3\n");
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
