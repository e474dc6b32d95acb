package org.alder.server.audit;

import java.io.IOException;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.alder.server.resource.Counters;

/**
 * The audit log: what is told of it, and of which level on. When it cannot be written as fast as it is told, whoever tells waits, or
 * events are lost, as the settings say. Thread safe.
 */
public final class AuditLog implements AuditTrail, AutoCloseable {
    private static final String NAME = "audit";

    private final Supplier<AuditLevel> level;
    private final Predicate<String> isSecret;
    private final Counters counters;
    /** Null as long as nothing was ever to be told. */
    private volatile LineLog lines;

    private AuditLog(Supplier<AuditLevel> level, Predicate<String> isSecret, Counters counters) {
        this.level = level;
        this.isSecret = isSecret;
        this.counters = counters;
    }

    /**
     * @param settings what holds first
     * @param level how much it is told, asked for each event: what the settings say may change, after {@link #prepare}
     * @param isSecret whether the values of an attribute description must not be written
     * @param counters gets what is written and what is lost
     * @throws IOException naming the file, if it cannot be written
     */
    public static AuditLog open(AuditSettings settings, Supplier<AuditLevel> level, Predicate<String> isSecret, Counters counters)
            throws IOException {
        AuditLog log = new AuditLog(level, isSecret, counters);
        log.prepare(settings);
        return log;
    }

    /** One that is never told anything. */
    public static AuditLog none() {
        return new AuditLog(() -> AuditLevel.OFF, description -> true, new Counters());
    }

    /**
     * Opens the file if something is to be told, and it is not open; what else was said of it first stays. Not after {@link #close}.
     *
     * @throws IOException naming the file, if it cannot be written
     */
    public synchronized void prepare(AuditSettings settings) throws IOException {
        if (lines == null && settings.level() != AuditLevel.OFF) {
            lines = LineLog.open(NAME, settings.files(), settings.block(), isSecret,
                    counters.counter(NAME, "alderAuditEvents"), counters.counter(NAME, "alderAuditEventsLost"));
        }
    }

    /** Whether anything is told. */
    public boolean isOn() {
        return isTold(AuditLevel.SECURITY);
    }

    /** Whether what is told from this level on is written. */
    public boolean isTold(AuditLevel from) {
        return from.compareTo(level.get()) <= 0;
    }

    /** Tells what no request stands for. */
    @Override
    public void tell(Kind kind, String event, String target, String detail) {
        if (isOn()) {
            tell(AuditEvent.of(kind.name().toLowerCase(Locale.ROOT), event, target, detail));
        }
    }

    /**
     * Tells an event, whatever the level: one of a request that began when it was to be told, such as that which turns the log off.
     * Waits only where the settings say so.
     */
    public void tell(AuditEvent event) {
        LineLog open = lines;
        if (open != null && !open.tell(event)) {
            open.lose();
        }
    }

    /** Writes what was told, and ends. Idempotent. */
    @Override
    public synchronized void close() {
        if (lines != null) {
            lines.close();
        }
    }
}
