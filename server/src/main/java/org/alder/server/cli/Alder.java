package org.alder.server.cli;

import java.io.IOException;
import java.util.ServiceLoader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.server.config.ConfigurationException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: {@code bin/alder VERB}. Exit status 0 is success, 1 a failure that was reported, 2 a wrong call. */
@Command(name = "alder", mixinStandardHelpOptions = true, version = "Alder 0.1.0", synopsisSubcommandLabel = "VERB",
        description = "An LDAPv3 directory server.",
        subcommands = {StartVerb.class, GenerateVerb.class, ImportVerb.class, ExportVerb.class, VerifyVerb.class,
                StatusVerb.class, ExplainVerb.class, SchemaVerb.class})
public final class Alder {
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** With the verbs of all modules on the class path. */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Alder());
        ServiceLoader.load(Verb.class).forEach(line::addSubcommand);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((exception, command, parsed) -> report(exception, command));
        return line;
    }

    private static int report(Exception exception, CommandLine command) {
        boolean expected = exception instanceof CommandException || exception instanceof ConfigurationException
                || exception instanceof DirectoryException || exception instanceof StoreException
                        || exception instanceof IOException;
        String message = exception instanceof IOException fault ? Faults.describe(fault)
                : exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        command.getErr().println("alder: " + message);
        if (!expected) {
            LoggerFactory.getLogger(Alder.class).error("unexpected fault", exception);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
