package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alder.server.cli.help.ManPage;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints or writes manual pages, which say what the help says. Packages have them as files, made when they are built. */
@Command(name = "man", mixinStandardHelpOptions = true, description = "Print the manual page of a verb, or write those of all verbs as files.",
        footer = {"  alder man search | man -l -", "  alder man --output /usr/local/share/man/man1"})
final class ManVerb implements Verb {
    @Option(names = "--output", paramLabel = "DIR", description = "Write the pages of all verbs into this folder, which is created.")
    private Path output;

    @Parameters(arity = "0..*", paramLabel = "VERB", description = "Such as search. Default: the program.")
    private List<String> verb = List.of();

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException, CommandException {
        Map<String, String> pages = ManPage.all(Alder.commandLine().getCommandSpec());
        if (output == null) {
            String page = pages.get(ManPage.fileName((command.root().name() + ' ' + String.join(" ", verb)).strip()));
            if (page == null) {
                throw new WrongCallException("there is no verb " + String.join(" ", verb) + ": alder --help lists them");
            }
            command.commandLine().getOut().print(page);
            command.commandLine().getOut().flush();
            return 0;
        }
        Files.createDirectories(output);
        for (Map.Entry<String, String> page : pages.entrySet()) {
            Files.writeString(output.resolve(page.getKey()), page.getValue());
        }
        return 0;
    }

    @Override
    public String whenInterrupted() {
        return null;
    }
}
