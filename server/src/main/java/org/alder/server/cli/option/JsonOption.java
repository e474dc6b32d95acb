package org.alder.server.cli.option;

import picocli.CommandLine.Option;

/** {@code --json}, for verbs whose results programs read. */
public final class JsonOption {
    @Option(names = "--json", description = "One JSON object a line on standard output, one for each partition or account.")
    private boolean json;

    public boolean isOn() {
        return json;
    }
}
