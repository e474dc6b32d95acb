package org.alder.perf.stress;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/** The last things somebody did, as lines of text, for who has to find out what went wrong. Thread safe. */
final class History {
    private static final int KEPT = 3000;
    private static final int MOST_CHARACTERS = 600;

    private final ArrayDeque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
        if (lines.size() == KEPT) {
            lines.remove();
        }
        lines.add(Instant.now() + " " + (line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "..." : line));
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
