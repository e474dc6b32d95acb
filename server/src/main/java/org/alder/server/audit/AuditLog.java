package org.alder.server.audit;

import java.io.IOException;
import java.util.Locale;
import java.util.function.Predicate;
import org.alder.server.resource.Counters;

/**
 * The audit log: what is told of it, and of which level on. When it cannot be written as fast as it is told, whoever tells waits, or
 * events are lost, as the settings say. Thread safe.
 */
public final class AuditLog implements AuditTrail, AutoCloseable {
    private static final String NAME = "audit";

    private final AuditLevel level;
    private final LineLog lines;

    private AuditLog(AuditLevel level, LineLog lines) {
        this.level = level;
        this.lines = lines;
    }

    /**
     * @param isSecret whether the values of an attribute description must not be written
     * @param counters gets what is written and what is lost
     * @return null if the settings say that there is none
     * @throws IOException naming the file, if it cannot be written
     */
    public static AuditLog open(AuditSettings settings, Predicate<String> isSecret, Counters counters) throws IOException {
        if (settings.level() == AuditLevel.OFF) {
            return null;
        }
        return new AuditLog(settings.level(), LineLog.open(NAME, settings.files(), settings.block(),
                () -> new AuditLine(isSecret, ShownValues.ALL), counters.counter(NAME, "alderAuditEvents"),
                counters.counter(NAME, "alderAuditEventsLost")));
    }

    /** Whether what is told from this level on is written. */
    public boolean isTold(AuditLevel from) {
        return from.compareTo(level) <= 0;
    }

    /** Tells what no request stands for. */
    @Override
    public void tell(Kind kind, String event, String target, String detail) {
        tell(AuditEvent.of(kind.name().toLowerCase(Locale.ROOT), event, target, detail));
    }

    /** Tells an event; waits only where the settings say so. */
    public void tell(AuditEvent event) {
        lines.tell(event);
    }

    /** Writes what was told, and ends. Idempotent. */
    @Override
    public void close() {
        lines.close();
    }
}
