package org.alder.ldif.progress;

import java.util.Locale;

/**
 * One JSON object a line: {@code phase}, {@code done}, {@code total} (null when unknown), {@code unit} (entries, bytes or steps),
 * {@code ratePerSecond}, {@code etaSeconds} (null when unknown), {@code elapsedSeconds}, {@code finished}.
 */
public final class JsonRenderer implements ProgressRenderer {

    @Override
    public String render(ProgressState state, int columns) {
        return String.format(Locale.ROOT, "{\"phase\":\"%s\",\"done\":%d,\"total\":%s,\"unit\":\"%s\",\"ratePerSecond\":%.1f,"
                + "\"etaSeconds\":%s,\"elapsedSeconds\":%.1f,\"finished\":%b}",
            escape(state.phase()), state.done(), state.isTotalKnown() ? Long.toString(state.total()) : "null",
            state.unit().name().toLowerCase(Locale.ROOT), state.ratePerSecond(),
            state.etaSeconds() >= 0 ? String.format(Locale.ROOT, "%.1f", state.etaSeconds()) : "null",
            state.elapsedSeconds(), state.finished());
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ') {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
