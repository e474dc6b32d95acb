package org.alder.server.follow;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.alder.partition.text.Utf8;
import org.alder.partition.update.copy.CopiedEntries;

/** How far a partition is that follows a server: told by its thread, asked by whoever wants to know. Thread safe. */
final class FollowProgress {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** What its thread is about. */
    enum State {
        CONNECTING, REFRESHING, FOLLOWING, WAITING, HALTED;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private State state = State.CONNECTING;
    private String reason;
    private boolean refreshed;
    private long refreshes;
    private long told;
    private long beganNanos = System.nanoTime();
    private long endedNanos;
    private long added;
    private long modified;
    private long renamed;
    private long deleted;
    private Instant last;
    private byte[] cookie;

    /** @param why null for none */
    synchronized void become(State next, String why) {
        state = next;
        reason = why;
    }

    synchronized void beginRefresh() {
        become(State.REFRESHING, null);
        told = 0;
        beganNanos = System.nanoTime();
        endedNanos = 0;
    }

    synchronized void endRefresh() {
        become(State.FOLLOWING, null);
        refreshed = true;
        refreshes++;
        endedNanos = System.nanoTime();
    }

    /** The server has said something of so many entries. */
    synchronized void told(int entries) {
        told += entries;
    }

    /** @param to null for none */
    synchronized void made(CopiedEntries.Outcome outcome, byte[] to) {
        added += outcome.added();
        modified += outcome.modified();
        renamed += outcome.renamed();
        deleted += outcome.deleted();
        cookie = to == null ? cookie : to;
        if (outcome.added() + outcome.modified() + outcome.renamed() + outcome.deleted() > 0) {
            last = Instant.now();
        }
    }

    synchronized void startFrom(byte[] known) {
        cookie = known;
        refreshed = known != null;
    }

    synchronized boolean isRefreshed() {
        return refreshed;
    }

    synchronized State state() {
        return state;
    }

    /** Null for none. */
    synchronized String reason() {
        return reason;
    }

    /** Entries a second, of the refresh. */
    private long rate() {
        long nanos = (endedNanos == 0 ? System.nanoTime() : endedNanos) - beganNanos;
        return told * TimeUnit.SECONDS.toNanos(1) / Math.max(1, nanos);
    }

    synchronized String line() {
        return String.format(Locale.ROOT, "%,d entries told, %,d a second; since the start %,d added, %,d modified, %,d renamed, %,d deleted", told, rate(), added,
                modified, renamed, deleted);
    }

    synchronized Map<String, String> figures() {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("alderFollowState", state.text());
        if (reason != null) {
            figures.put("alderFollowReason", reason);
        }
        figures.put("alderFollowRefreshed", refreshed ? "TRUE" : "FALSE");
        figures.put("alderFollowRefreshes", Long.toString(refreshes));
        figures.put("alderFollowTold", Long.toString(told));
        figures.put("alderFollowRate", Long.toString(rate()));
        figures.put("alderFollowAdded", Long.toString(added));
        figures.put("alderFollowModified", Long.toString(modified));
        figures.put("alderFollowRenamed", Long.toString(renamed));
        figures.put("alderFollowDeleted", Long.toString(deleted));
        if (last != null) {
            figures.put("alderFollowLastTime", TIME.format(last));
        }
        if (cookie != null && cookie.length > 0) {
            figures.put("alderFollowPosition", Utf8.shown(cookie));
        }
        return figures;
    }
}
