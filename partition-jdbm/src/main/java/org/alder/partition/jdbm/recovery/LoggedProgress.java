package org.alder.partition.jdbm.recovery;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/** Says in the log every few seconds how far the building of a folder's indexes is. One thread. */
final class LoggedProgress {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Logger log;
    private final Path folder;
    private long lastNanos = System.nanoTime();

    LoggedProgress(Logger log, Path folder) {
        this.log = log;
        this.folder = folder;
    }

    /** @param total negative if it is not known */
    void update(String phase, long done, long total) {
        long now = System.nanoTime();
        if (now - lastNanos > INTERVAL_NANOS) {
            lastNanos = now;
            log.info("Building indexes of {}: {}, {} of {}", folder, phase, done, total < 0 ? "?" : total);
        }
    }
}
