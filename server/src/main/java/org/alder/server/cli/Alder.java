package org.alder.server.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.server.cli.client.AccountVerb;
import org.alder.server.cli.client.CompactVerb;
import org.alder.server.cli.client.ConfigVerb;
import org.alder.server.cli.client.ConnectionsVerb;
import org.alder.server.cli.client.FollowVerb;
import org.alder.server.cli.client.IndexVerb;
import org.alder.server.cli.client.PasswdVerb;
import org.alder.server.cli.client.SearchVerb;
import org.alder.server.cli.client.StatusVerb;
import org.alder.server.cli.data.BackupVerb;
import org.alder.server.cli.data.ExplainVerb;
import org.alder.server.cli.data.ExportVerb;
import org.alder.server.cli.data.GenerateVerb;
import org.alder.server.cli.data.ImportVerb;
import org.alder.server.cli.data.RestoreVerb;
import org.alder.server.cli.data.VerifyVerb;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.Faults;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.StandardOutput;
import org.alder.server.config.ConfigurationException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line: {@code bin/alder VERB}. Exit status 0 is success, 1 a failure that was reported, 2 a wrong call, {@value #ENDED_BY_PIPE} that
 * nobody reads its results any more.
 */
@Command(name = "alder", mixinStandardHelpOptions = true, version = Alder.VERSION, synopsisSubcommandLabel = "VERB",
        description = "An LDAPv3 directory server.")
public final class Alder {
    /** What a shell says of a program that the system has ended for that: 128 and SIGPIPE. */
    private static final int ENDED_BY_PIPE = 141;
    static final String VERSION = "Alder 0.1.0";
    /** Whether the process is being stopped: what fails from then on fails because of that. */
    private static volatile boolean stopping;

    public static void main(String[] arguments) {
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            // Scripts ask it, and all that reads options is six times as much to load.
            System.out.println(VERSION);
            return;
        }
        System.exit(commandLineFor(arguments).execute(arguments));
    }

    /** With the verbs of all modules on the class path, and all their options. */
    public static CommandLine commandLine() {
        return commandLine(verbs(), name -> true);
    }

    /**
     * For one call. To read the options of all verbs takes longer than most calls, so those of verbs that are not called are left out,
     * where the first argument says which one is.
     */
    public static CommandLine commandLineFor(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        boolean isListed = arguments.length < 2 && (first.isEmpty() || first.startsWith("-"));
        List<Class<? extends Verb>> verbs = verbs();
        boolean isCalled = verbs.stream().anyMatch(verb -> words(verb).name().equals(first));
        return commandLine(verbs, isListed || isCalled ? first::equals : name -> true);
    }

    /** @param isWhole of the name of a verb: with its options, not only as the list of verbs shows it */
    static CommandLine commandLine(List<Class<? extends Verb>> verbs, Predicate<String> isWhole) {
        CommandLine line = new CommandLine(new Alder());
        for (Class<? extends Verb> verb : verbs) {
            Command words = words(verb);
            line.addSubcommand(words.name(), isWhole.test(words.name()) ? verb : listed(words));
        }
        line.addSubcommand(new CommandLine.HelpCommand());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        offerWords(line);
        showExamples(line);
        line.setExecutionExceptionHandler((exception, command, parsed) -> report(exception, command));
        line.setParameterExceptionHandler((exception, arguments) -> wrongCall(exception));
        line.setExecutionStrategy(Alder::run);
        return line;
    }

    /** Of this module, in the order of the help. */
    static List<Class<? extends Verb>> ownVerbs() {
        return List.of(StartVerb.class, GenerateVerb.class, ImportVerb.class, ExportVerb.class, BackupVerb.class, RestoreVerb.class,
                VerifyVerb.class, StatusVerb.class, SearchVerb.class, ExplainVerb.class, AccountVerb.class, PasswdVerb.class,
                ConnectionsVerb.class, ConfigVerb.class, IndexVerb.class, FollowVerb.class, ClusterVerb.class, LogVerb.class, CompactVerb.class, SchemaVerb.class, MigrateVerb.class, CalibrateVerb.class,
                CompletionVerb.class, ManVerb.class);
    }

    private static List<Class<? extends Verb>> verbs() {
        List<Class<? extends Verb>> verbs = new ArrayList<>(ownVerbs());
        ServiceLoader.load(Verb.class).stream().forEach(provider -> verbs.add(provider.type()));
        return verbs;
    }

    private static Command words(Class<? extends Verb> verb) {
        return verb.getAnnotation(Command.class);
    }

    private static CommandSpec listed(Command words) {
        CommandSpec spec = CommandSpec.create().name(words.name());
        spec.usageMessage().description(words.description());
        return spec;
    }

    /** Where one of several words is expected, completion and messages offer them as they are written here: in lower case. */
    private static void offerWords(CommandLine line) {
        for (CommandLine each : line.getSubcommands().values()) {
            CommandSpec spec = each.getCommandSpec();
            for (ArgSpec argument : List.copyOf(spec.args())) {
                if (argument.type().isEnum()) {
                    List<String> words = Arrays.stream(argument.type().getEnumConstants()).map(word -> word.toString().toLowerCase(Locale.ROOT)).toList();
                    spec.remove(argument);
                    spec.add(argument instanceof OptionSpec option ? OptionSpec.builder(option).completionCandidates(words).build()
                            : PositionalParamSpec.builder((PositionalParamSpec) argument).completionCandidates(words).build());
                }
            }
            offerWords(each);
        }
    }

    /** The last lines of a verb's help are examples. */
    private static void showExamples(CommandLine line) {
        for (CommandLine each : line.getSubcommands().values()) {
            CommandSpec spec = each.getCommandSpec();
            if (spec.usageMessage().footer().length > 0 && !List.of(spec.usageMessage().footer()).contains("Examples:")) {
                spec.usageMessage().footerHeading("%nExamples:%n");
            }
            spec.usageMessage().abbreviateSynopsis(true);
            showExamples(each);
        }
    }

    /** The verb; one that is stopped before its end says so. */
    private static int run(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        int status = last.commandSpec().userObject() instanceof Verb verb ? run(verb, parsed) : new CommandLine.RunLast().execute(parsed);
        last.commandSpec().commandLine().getOut().flush();
        return status == 0 && StandardOutput.hasFailed() ? unwritable(StandardOutput.UNWRITABLE, StandardOutput.hasReader(), last.commandSpec().commandLine()) : status;
    }

    private static int run(Verb verb, ParseResult parsed) {
        Thread hook = new Thread(() -> {
            stopping = true;
            String message = verb.whenInterrupted();
            if (message != null) {
                System.err.println("\nalder: " + message);
            }
        }, "alder-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return new CommandLine.RunLast().execute(parsed);
        } finally {
            withdraw(hook);
        }
    }

    private static void withdraw(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LoggerFactory.getLogger(Alder.class).debug("The program is being stopped", e);
        }
    }

    /** Whoever reads no more knows that; a full disk has to be told. */
    private static int unwritable(String message, boolean hasReader, CommandLine command) {
        if (hasReader) {
            return ENDED_BY_PIPE;
        }
        command.getErr().println("alder: " + message);
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** One line, and where to read more: the whole page of help would hide it. */
    private static int wrongCall(ParameterException exception) {
        CommandLine command = exception.getCommandLine();
        ArgSpec argument = exception.getArgSpec();
        List<String> unknown = command.getUnmatchedArguments();
        if (exception instanceof MissingParameterException && !unknown.isEmpty()) {
            // Whoever mistyped an option may have said what is missing behind it.
            String first = unknown.stream().filter(each -> each.startsWith("-")).findFirst().orElse(unknown.get(0));
            return wrongCall(new UnmatchedArgumentException(command, List.of(first)));
        }
        String message = argument != null && argument.type().isEnum() && exception.getValue() != null
                ? (argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel()) + " " + exception.getValue()
                        + ": expected one of " + String.join(", ", argument.completionCandidates())
                : exception instanceof UnmatchedArgumentException unmatched && !command.getSubcommands().isEmpty() && !unmatched.isUnknownOption()
                ? "there is no verb " + (command.getParent() == null ? "" : command.getCommandName() + " ") + unmatched.getUnmatched().get(0)
                : exception.getMessage().lines().findFirst().orElse("a wrong call");
        return wrongCall(message, command);
    }

    private static int wrongCall(String message, CommandLine command) {
        command.getErr().println("alder: " + message + " (see " + command.getCommandSpec().qualifiedName() + " --help)");
        return CommandLine.ExitCode.USAGE;
    }

    private static int report(Exception exception, CommandLine command) {
        if (exception instanceof StandardOutput.UnwritableException fault) {
            return unwritable(fault.getMessage(), fault.hasReader(), command);
        } else if (exception instanceof WrongCallException) {
            return wrongCall(exception.getMessage(), command);
        }
        boolean expected = exception instanceof CommandException || exception instanceof ConfigurationException
                || exception instanceof DirectoryException || exception instanceof StoreException
                        || exception instanceof IOException;
        String message = exception instanceof IOException fault ? Faults.describe(fault)
                : exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        if (stopping) {
            LoggerFactory.getLogger(Alder.class).debug("The program is being stopped", exception);
            return CommandLine.ExitCode.SOFTWARE;
        }
        command.getErr().println("alder: " + message);
        if (!expected) {
            LoggerFactory.getLogger(Alder.class).error("unexpected fault", exception);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
