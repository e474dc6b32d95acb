package org.alder.ldif.progress;

import java.util.Locale;

/** Numbers as people read them. */
final class Quantities {

    private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Quantities() {
    }

    static String amount(double value, Progress.Unit unit) {
        return unit == Progress.Unit.BYTES ? bytes(value) : String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String bytes(double value) {
        double scaled = value;
        int unit = 0;
        while (scaled >= 1024 && unit < BYTE_UNITS.length - 1) {
            scaled /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", scaled, BYTE_UNITS[unit]);
    }

    /** As {@code 0:05}, {@code 12:34} or {@code 1:02:03}. */
    static String duration(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600 ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
            : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    /** The part behind the phase's name that bar and line have in common. */
    static String summary(ProgressState state) {
        StringBuilder text = new StringBuilder(amount(state.done(), state.unit()));
        if (state.isTotalKnown()) {
            text.append('/').append(amount(state.total(), state.unit()));
        }
        if (state.unit() == Progress.Unit.ENTRIES) {
            boolean isOne = state.isTotalKnown() ? state.total() == 1 : state.done() == 1;
            text.append(isOne ? " entry" : " entries");
        }
        text.append(", ").append(amount(state.ratePerSecond(), state.unit())).append("/s");
        if (state.finished()) {
            text.append(", took ").append(duration(state.elapsedSeconds()));
        } else if (state.etaSeconds() >= 0) {
            text.append(", ETA ").append(duration(state.etaSeconds()));
        }
        return text.toString();
    }
}
