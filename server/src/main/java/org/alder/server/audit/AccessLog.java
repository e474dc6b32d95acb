package org.alder.server.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.alder.server.resource.Counters;

/**
 * The access log: a line for each operation, or for each that took long, with what it cost (docs/access-log.md). Nobody waits for it:
 * what there is no room for in its queue is lost, and counted. It may begin, end, and go on in another file while operations are told.
 * Thread safe; one change at a time.
 */
public final class AccessLog implements AutoCloseable {
    private static final String NAME = "access";
    private static final String GROUP = "access-log";

    private final Predicate<String> isSecret;
    private final Counters counters;
    private volatile Open open;

    /** @param lines null if there is no log now */
    private record Open(AccessLogSettings settings, LineLog lines) {
    }

    private AccessLog(Predicate<String> isSecret, Counters counters) {
        this.isSecret = isSecret;
        this.counters = counters;
        this.open = new Open(AccessLogSettings.OFF, null);
    }

    /**
     * @param settings what holds first: perhaps that there is none
     * @param isSecret whether the values of an attribute description must not be written, whatever the settings say
     * @param counters gets what is written and what is lost
     * @throws IOException naming the file, if it cannot be written
     */
    public static AccessLog open(AccessLogSettings settings, Predicate<String> isSecret, Counters counters) throws IOException {
        AccessLog log = new AccessLog(isSecret, counters);
        log.prepare(settings).take();
        return log;
    }

    /** One that is never told anything. */
    public static AccessLog none() {
        return new AccessLog(description -> true, new Counters());
    }

    /** Another file is open: one of the two comes next. */
    public final class Prepared {
        private final Open next;

        private Prepared(Open next) {
            this.next = next;
        }

        /** What is told from now on goes by it; what was told before is written where it was to be, before this returns. */
        public void take() {
            Open last = open;
            open = next;
            if (last.lines != null && last.lines != next.lines) {
                last.lines.close();
            } else if (next.lines != null) {
                next.lines.bound(next.settings.files());
            }
        }

        /** All is as before. */
        public void giveUp() {
            if (next.lines != null && next.lines != open.lines) {
                next.lines.close();
            }
        }
    }

    /** @throws IOException naming the file, if it cannot be written; nothing has changed */
    public Prepared prepare(AccessLogSettings settings) throws IOException {
        Open now = open;
        if (settings.told() == AccessLogSettings.Told.OFF) {
            return new Prepared(new Open(settings, null));
        }
        boolean goesOn = now.lines != null && isSame(now.settings.files().file(), settings.files().file());
        return new Prepared(new Open(settings, goesOn ? now.lines : open(settings.files())));
    }

    private LineLog open(LogFiles files) throws IOException {
        return LineLog.open(NAME, files, false, isSecret, counters.counter(GROUP, "alderAccessLines"),
                counters.counter(GROUP, "alderAccessLinesLost"));
    }

    /** Two that write to one file would write over each other's lines. */
    private static boolean isSame(Path one, Path other) throws IOException {
        Path first = one.toAbsolutePath().normalize();
        Path second = other.toAbsolutePath().normalize();
        return first.equals(second) || Files.exists(first) && Files.exists(second) && Files.isSameFile(first, second);
    }

    /** Whether there is one now. */
    public boolean isOn() {
        return open.lines != null;
    }

    /** Whether an operation is written. @param remarkable whether it took long, or was a search that no index answered */
    public boolean isTold(boolean remarkable) {
        Open now = open;
        return now.lines != null && (remarkable || now.settings.told() == AccessLogSettings.Told.ALL);
    }

    /** What is shown of the values that clients send. */
    public ShownValues values() {
        return open.settings.values();
    }

    /** Tells an operation; never waits. */
    public void tell(AccessEvent event) {
        for (Open now = open; now.lines != null && !now.lines.tell(event); now = open) {
            if (now == open) {
                now.lines.lose();
                return;
            }
        }
    }

    /** Writes what was told, and ends. Idempotent. */
    @Override
    public void close() {
        LineLog lines = open.lines;
        if (lines != null) {
            lines.close();
        }
    }
}
