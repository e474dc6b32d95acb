package org.alder.server.cli;

import java.util.Locale;
import org.alder.server.cli.option.Verb;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what makes a shell complete verbs and options. */
@Command(name = "completion", mixinStandardHelpOptions = true,
        description = "Print the completion script for bash or zsh.",
        footer = {"  source <(alder completion bash)", "  alder completion zsh > ~/.alder-completion && echo 'source ~/.alder-completion' >> ~/.zshrc"})
final class CompletionVerb implements Verb {
    private enum Shell {
        BASH, ZSH
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        command.commandLine().getOut().print(script());
        command.commandLine().getOut().flush();
        return 0;
    }

    /** One for both: where it finds zsh, it has it understand bash's completions. Picocli numbers in the digits of the locale, which no shell reads. */
    private String script() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.ROOT);
        try {
            return AutoComplete.bash(command.root().name(), Alder.commandLine());
        } finally {
            Locale.setDefault(before);
        }
    }

    @Override
    public String whenInterrupted() {
        return null;
    }
}
