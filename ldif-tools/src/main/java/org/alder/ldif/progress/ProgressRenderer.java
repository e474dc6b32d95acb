package org.alder.ldif.progress;

/** Turns a state into one line of text without its line break. Pure: no clock, no output, no state of its own. */
public sealed interface ProgressRenderer permits BarRenderer, LineRenderer, JsonRenderer {

    /** {@code columns} is the width there is; renderers for files ignore it. */
    String render(ProgressState state, int columns);
}
