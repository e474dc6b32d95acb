package org.alder.server.page;

import java.util.List;
import org.alder.server.cli.Alder;
import picocli.CommandLine;

/** Knows of a call where its verb ends and its options begin. */
final class Verbs {
    private Verbs() {
    }

    /** Where {@code --data} can be added; -1 where it is there already, or the verb has none. */
    static int dataOptionAt(List<String> arguments) {
        CommandLine verb = Alder.commandLineFor(arguments.toArray(String[]::new));
        int at = 0;
        while (at < arguments.size() && verb.getSubcommands().containsKey(arguments.get(at))) {
            verb = verb.getSubcommands().get(arguments.get(at));
            at++;
        }
        return arguments.contains("--data") || verb.getCommandSpec().findOption("--data") == null ? -1 : at;
    }
}
