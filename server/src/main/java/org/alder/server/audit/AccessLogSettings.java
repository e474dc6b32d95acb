package org.alder.server.audit;

import java.nio.file.Path;

/**
 * What the access log is told, and where it is. Immutable.
 *
 * @param values what it shows of those that clients send
 * @param slowMicros how long an operation takes at least that is a slow one
 */
public record AccessLogSettings(Told told, LogFiles files, ShownValues values, long slowMicros) {
    private static final long SLOW_MICROS = 500_000;

    /** No access log. */
    public static final AccessLogSettings OFF = new AccessLogSettings(Told.OFF, new LogFiles(Path.of("access.jsonl"), 1, 0, 0), ShownValues.CUT,
            SLOW_MICROS);

    /** Which operations are told. */
    public enum Told {
        /** None: there is no access log. */
        OFF,
        /** Those that took long, and searches that no index answered. */
        SLOW,
        /** Each. */
        ALL
    }
}
