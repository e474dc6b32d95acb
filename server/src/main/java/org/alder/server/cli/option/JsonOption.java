package org.alder.server.cli.option;

import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** {@code --json}, for verbs whose results programs read. */
public final class JsonOption {
    @Option(names = "--json", description = "Results as JSON: one object a line, for programs.")
    private boolean json;

    public boolean isOn() {
        return json;
    }

    /** How long ago that was, with three decimals. @param nanos as System.nanoTime() was */
    public static double secondsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos) / 1e3;
    }
}
