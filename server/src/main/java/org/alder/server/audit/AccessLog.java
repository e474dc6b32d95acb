package org.alder.server.audit;

import java.io.IOException;
import java.util.function.Predicate;
import org.alder.server.resource.Counters;

/**
 * The access log: a line for each operation, or for each that took long, with what it cost (docs/access-log.md). Nobody waits for it:
 * what there is no room for in its queue is lost, and counted. Thread safe.
 */
public final class AccessLog implements AutoCloseable {
    private static final String NAME = "access";
    private static final String GROUP = "access-log";

    private final AccessLogSettings settings;
    private final LineLog lines;

    private AccessLog(AccessLogSettings settings, LineLog lines) {
        this.settings = settings;
        this.lines = lines;
    }

    /**
     * @param isSecret whether the values of an attribute description must not be written, whatever the settings say
     * @param counters gets what is written and what is lost
     * @return null if the settings say that there is none
     * @throws IOException naming the file, if it cannot be written
     */
    public static AccessLog open(AccessLogSettings settings, Predicate<String> isSecret, Counters counters) throws IOException {
        if (settings.told() == AccessLogSettings.Told.OFF) {
            return null;
        }
        return new AccessLog(settings, LineLog.open(NAME, settings.files(), false, () -> new AuditLine(isSecret, settings.values()),
                counters.counter(GROUP, "alderAccessLines"), counters.counter(GROUP, "alderAccessLinesLost")));
    }

    /** Whether an operation is written. @param remarkable whether it took long, or was a search that no index answered */
    public boolean isTold(boolean remarkable) {
        return remarkable || settings.told() == AccessLogSettings.Told.ALL;
    }

    /** Whether what the server says to the client may be written: it may have values in it. */
    public boolean showsDiagnostics() {
        return settings.values() != ShownValues.NONE;
    }

    /** Tells an operation; never waits. */
    public void tell(AccessEvent event) {
        lines.tell(event);
    }

    /** Writes what was told, and ends. Idempotent. */
    @Override
    public void close() {
        lines.close();
    }
}
