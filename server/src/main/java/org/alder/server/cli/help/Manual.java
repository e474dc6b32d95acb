package org.alder.server.cli.help;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine;

/**
 * What there is to say of one verb, as the verb itself says it: its help, its manual page and docs/commands.md are made of the same words.
 * Immutable.
 *
 * @param name with those of the verbs above it, such as {@code alder search}
 * @param synopsis how it is called
 * @param parameters those without names, in their order
 * @param options in the order of their names
 * @param examples lines to type
 */
public record Manual(String name, String synopsis, String description, List<Item> parameters, List<Item> options, List<String> examples) {
    /** One option or parameter: its names, what stands for its value, and what it means. */
    public record Item(String names, String text) {
    }

    /** Of a verb and all verbs below it, the upper ones first. Those that only show help are left out. */
    public static List<Manual> all(CommandLine line) {
        List<Manual> all = new ArrayList<>();
        line.getSubcommands().values().stream().distinct().filter(each -> !(each.getCommandSpec().userObject() instanceof CommandLine.HelpCommand))
                .forEach(each -> {
                    all.add(of(each.getCommandSpec()));
                    all.addAll(all(each));
                });
        return all;
    }

    /** Of one verb. */
    public static Manual of(CommandSpec spec) {
        List<Item> parameters = spec.positionalParameters().stream().filter(each -> !each.hidden())
                .map(each -> new Item(each.paramLabel(), text(each))).toList();
        List<Item> options = spec.options().stream().filter(each -> !each.hidden())
                .sorted(Comparator.comparing(option -> option.longestName().replaceFirst("^-+", "")))
                .map(each -> new Item(names(each), text(each))).toList();
        return new Manual(spec.qualifiedName(), synopsis(spec), joined(spec.usageMessage().description()), parameters, options,
                Arrays.stream(spec.usageMessage().footer()).map(line -> String.format(Locale.ROOT, line).strip()).filter(line -> line.contains("alder "))
                        .toList());
    }

    private static String synopsis(CommandSpec spec) {
        String verb = spec.subcommands().isEmpty() ? "" : " VERB";
        return spec.qualifiedName() + " [OPTION...]" + verb + spec.positionalParameters().stream().filter(each -> !each.hidden())
                .map(each -> ' ' + label(each)).collect(Collectors.joining());
    }

    private static String label(PositionalParamSpec parameter) {
        String label = parameter.paramLabel() + (parameter.arity().max() > 1 || parameter.isMultiValue() ? "..." : "");
        return parameter.arity().min() == 0 ? '[' + label + ']' : label;
    }

    private static String names(OptionSpec option) {
        boolean takesValue = option.arity().max() > 0;
        return Stream.of(option.names()).sorted(Comparator.comparingInt(String::length)).collect(Collectors.joining(", "))
                + (takesValue ? ' ' + option.paramLabel() : "");
    }

    private static String text(ArgSpec argument) {
        return joined(argument.description());
    }

    private static String joined(String[] lines) {
        return Arrays.stream(lines).map(line -> String.format(Locale.ROOT, line)).collect(Collectors.joining(" "));
    }
}
