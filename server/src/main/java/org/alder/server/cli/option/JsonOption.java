package org.alder.server.cli.option;

import picocli.CommandLine.Option;

/** {@code --json}, for verbs whose results programs read. */
public final class JsonOption {
    @Option(names = "--json", description = "Results as JSON: one object a line, for programs.")
    private boolean json;

    public boolean isOn() {
        return json;
    }
}
