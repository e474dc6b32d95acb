package org.alder.server.audit;

import java.time.Instant;

/** What becomes a line of a log. Immutable. */
interface LoggedEvent {
    /** When it was. */
    Instant time();

    /** What it is about, in a word. */
    String kind();

    /** What it holds in memory until it is written, about. */
    long bytes();

    /** What may be shown of the values that clients send, as it was decided when the event was told. */
    ShownValues values();

    /** On the thread of the log, which has time. */
    void write(AuditLine line);
}
