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

    /** On the thread of the log, which has time. */
    void write(AuditLine line);
}
