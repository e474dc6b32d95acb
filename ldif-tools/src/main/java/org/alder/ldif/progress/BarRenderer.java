package org.alder.ldif.progress;

import java.util.Locale;

/** {@code import  42% [=====>      ] 420/1,000 entries, 37/s, ETA 0:16}; the bar takes what width is left, never more. */
public final class BarRenderer implements ProgressRenderer {

    private static final int MIN_BAR = 5;
    private static final int MAX_BAR = 40;

    @Override
    public String render(ProgressState state, int columns) {
        String head = state.phase();
        String tail = Quantities.summary(state);
        if (state.isTotalKnown()) {
            head += String.format(Locale.ROOT, " %3.0f%%", Math.floor(state.fraction() * 100));
            int room = Math.min(MAX_BAR, columns - head.length() - tail.length() - 4);
            head += room >= MIN_BAR ? " " + bar(state.fraction(), room) : "";
        }
        String line = head + " " + tail;
        return line.length() <= columns ? line : line.substring(0, Math.max(0, columns));
    }

    private static String bar(double fraction, int width) {
        int filled = (int) (fraction * width);
        String done = filled == 0 ? "" : "=".repeat(filled - 1) + (filled == width ? "=" : ">");
        return "[" + done + " ".repeat(width - filled) + "]";
    }
}
