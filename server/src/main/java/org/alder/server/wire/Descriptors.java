package org.alder.server.wire;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.Counters;
import org.alder.server.resource.RareWarning;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the process has file descriptors to spare. Where it has not, nothing is accepted for a moment: clients wait in the
 * listeners' backlogs until others have gone, and what is left is for the store and for Java, which reads classes as they are needed.
 * They are counted once a second, and when as many have been accepted as there were to spare. Thread safe.
 */
final class Descriptors {
    private static final Logger LOG = LoggerFactory.getLogger(Descriptors.class);
    private static final long PAUSE_MILLIS = 100;
    private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_RESERVED = 64;
    private static final int RESERVED_SHARE = 8;

    private final RareWarning warning = new RareWarning(LOG);
    private final LongAdder pauses;
    /** Null where they are not counted. */
    private final UnixOperatingSystemMXBean system =
            ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix ? unix : null;
    private long used;
    private long spare;
    private boolean counted;
    private long countedNanos;

    Descriptors(Counters counters) {
        this.pauses = counters.counter("connections", "alderAcceptPauses");
        if (system != null) {
            counters.overload().mark("file descriptors, no connection is accepted", "ulimit -n", this::usedInPause, this::mostUsed);
        }
    }

    /** Asked before each connection that is accepted. Takes a while if there are none: only on a thread that does nothing but accept. */
    boolean areLeft() {
        if (take()) {
            return true;
        }
        pauses.increment();
        warning.say("no connections are accepted until others are closed: of the " + system.getMaxFileDescriptorCount()
                + " file descriptors that the process may have, too few are left; raise ulimit -n, or lower maxConnections", System.nanoTime());
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private synchronized boolean take() {
        if (system == null) {
            return true;
        }
        long now = System.nanoTime();
        if (!counted || spare <= 0 || now - countedNanos > COUNT_NANOS) {
            used = system.getOpenFileDescriptorCount();
            spare = mostUsed() - used;
            counted = true;
            countedNanos = now;
        }
        return spare-- > 0;
    }

    /** How many may be in use while connections are accepted. */
    private long mostUsed() {
        long most = system.getMaxFileDescriptorCount();
        return most - Math.min(MOST_RESERVED, most / RESERVED_SHARE);
    }

    /** As last counted while clients wait to be accepted; 0 else: to count them takes long where there are many. */
    private synchronized long usedInPause() {
        return counted && spare < 0 && System.nanoTime() - countedNanos < COUNT_NANOS ? used : 0;
    }
}
