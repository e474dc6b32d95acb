package org.alder.server.cli.option;

import org.alder.ldif.progress.ConsoleProgress;
import org.alder.ldif.progress.Progress;
import picocli.CommandLine.Option;

/** {@code --progress}, for every verb that can take longer than two seconds. */
public final class ProgressOption {
    @Option(names = "--progress", paramLabel = "STYLE", defaultValue = "auto",
            description = "How to show progress on standard error: auto (a bar on a terminal, lines elsewhere), bar, lines,"
                    + " json, none.")
    private ConsoleProgress.Style style;

    public Progress progress() {
        return style == ConsoleProgress.Style.NONE ? Progress.NONE : ConsoleProgress.onStandardError(style);
    }
}
