package org.alder.server.resource;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/** A warning that clients can provoke as often as they like: it is logged once a minute, with how many there were. Thread safe. */
public final class RareWarning {
    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Logger log;
    private long lastNanos;
    private boolean logged;
    private long unsaid;

    public RareWarning(Logger log) {
        this.log = log;
    }

    /** @param nowNanos as System.nanoTime says it */
    public void say(String text, long nowNanos) {
        long before;
        synchronized (this) {
            if (logged && nowNanos - lastNanos < INTERVAL_NANOS) {
                unsaid++;
                log.debug(text);
                return;
            }
            before = unsaid;
            unsaid = 0;
            lastNanos = nowNanos;
            logged = true;
        }
        log.warn("{}{}", text, before == 0 ? "" : " (and " + before + " more since the last such line)");
    }
}
