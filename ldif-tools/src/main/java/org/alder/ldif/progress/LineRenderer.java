package org.alder.ldif.progress;

import java.util.Locale;

/** {@code import: 42%, 420/1,000 entries, 37/s, ETA 0:16}, for logs and pipes. */
public final class LineRenderer implements ProgressRenderer {

    @Override
    public String render(ProgressState state, int columns) {
        String share = state.isTotalKnown() ? String.format(Locale.ROOT, "%.0f%%, ", Math.floor(state.fraction() * 100)) : "";
        return state.phase() + ": " + share + Quantities.summary(state);
    }
}
