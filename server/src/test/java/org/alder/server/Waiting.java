package org.alder.server;

import static org.junit.Assert.fail;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do, and not for ever. */
final class Waiting {
    private static final long MOST_SECONDS = 60;

    private Waiting() {
    }

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                fail("not within " + MOST_SECONDS + " s: " + what);
            }
            Thread.onSpinWait();
        }
    }
}
