package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.server.cli.help.ManPage;
import org.alder.server.cli.help.Manual;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;

/**
 * docs/commands.md and the manual pages of packages (distribution/src/man) are made of what the verbs say of themselves, as are the help and
 * the completion. After a change of a verb:
 * {@code mvn -pl server -am test -Dtest=CommandsPageTest -Dalder.test.args=-Dalder.commands.write=true}.
 */
public class CommandsPageTest {
    private static final Path PAGE = Path.of("../docs/commands.md");
    private static final Path MAN = Path.of("../distribution/src/man");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** The verbs of this module: others bring their own pages. */
    private static List<Manual> manuals() {
        return Manual.all(ownVerbs());
    }

    private static CommandLine ownVerbs() {
        return Alder.commandLine(Alder.ownVerbs(), name -> true);
    }

    @Test
    public void thePageNamesEveryVerbWithItsOptions() throws IOException {
        Map<Manual.Item, Integer> uses = new LinkedHashMap<>();
        manuals().forEach(manual -> manual.options().forEach(option -> uses.merge(option, 1, Integer::sum)));
        Map<String, Manual.Item> common = new TreeMap<>();
        uses.forEach((option, count) -> {
            if (count > 2) {
                common.put(option.names().replaceAll("^(-.,? )?-*", ""), option);
            }
        });
        List<String> lines = new ArrayList<>(List.of("# Commands", "",
                "`bin/alder VERB` does one thing and ends; `bin/alder start` is the server itself. `bin/alder VERB --help` says what stands here, `bin/alder"
                        + " man VERB` too.",
                "Results go to standard output, all else to standard error. The exit status is 0 if it is done, 1 if it is not, for the reason that is"
                        + " printed,",
                "2 after a wrong call, and 130 where Ctrl-C stopped it, which then says what was done and what was not. Where nobody reads its results",
                "to the end, as in `bin/alder export | head`, it ends with 141 and says nothing; a full disk ends it with 1. With `--json` results are one JSON"
                        + " object a line, for programs.",
                "", "This page is made of the verbs' own help. The benchmarks are verbs too: `bin/alder perf --help`.", ""));
        manuals().forEach(each -> lines.add("- [" + verb(each) + "](#" + verb(each).replace(' ', '-') + "): " + escaped(sentence(each))));
        lines.addAll(List.of("", "## Options that mean the same everywhere", "", "| option | |", "| --- | --- |"));
        common.values().forEach(option -> row(lines, option));
        manuals().forEach(each -> describe(lines, each, common));
        compare(lines);
    }

    private static String verb(Manual manual) {
        return manual.name().substring("alder ".length());
    }

    private static String sentence(Manual manual) {
        int end = manual.description().indexOf(". ");
        return end < 0 ? manual.description() : manual.description().substring(0, end + 1);
    }

    private static void describe(List<String> lines, Manual manual, Map<String, Manual.Item> common) {
        lines.addAll(List.of("", "## " + verb(manual), "", escaped(manual.description()), "", "    " + manual.synopsis(), ""));
        List<Manual.Item> own = new ArrayList<>(manual.parameters());
        manual.options().stream().filter(option -> !common.containsValue(option)).forEach(own::add);
        if (!own.isEmpty()) {
            lines.addAll(List.of("| | |", "| --- | --- |"));
            own.forEach(each -> row(lines, each));
            lines.add("");
        }
        List<String> shared = manual.options().stream().filter(common::containsValue).map(option -> "`" + longest(option) + "`")
                .filter(name -> !name.equals("`--help`") && !name.equals("`--version`")).toList();
        if (!shared.isEmpty()) {
            lines.addAll(List.of("Options as everywhere: " + String.join(", ", shared) + ".", ""));
        }
        if (!manual.examples().isEmpty()) {
            lines.add("```");
            manual.examples().forEach(line -> lines.add(line.replaceAll("(^|[ (])alder ", "$1bin/alder ")));
            lines.add("```");
        }
    }

    private static String longest(Manual.Item option) {
        return option.names().replaceFirst("^-., ", "").replaceFirst(" .*", "");
    }

    private static void row(List<String> lines, Manual.Item item) {
        lines.add("| `" + item.names() + "` | " + escaped(item.text()) + " |");
    }

    private static String escaped(String text) {
        return text.replaceAll("([<>*|])", "\\\\$1");
    }

    private static void compare(List<String> lines) throws IOException {
        compare(PAGE, String.join("\n", lines) + "\n");
    }

    private static void compare(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("alder.commands.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, expected);
        }
        assertTrue(file + " is missing: make it as the comment of this test says", Files.exists(file));
        assertEquals(file + " is not what the verbs say: make it anew as the comment of this test says", expected, Files.readString(file));
    }

    @Test
    public void everyVerbShowsExamplesThatItsOptionsAllow() {
        CommandLine line = Alder.commandLine();
        for (Manual manual : manuals()) {
            assertTrue(manual.name() + " describes itself", manual.description().endsWith("."));
            assertFalse(manual.name() + " shows no example", manual.examples().isEmpty());
            CommandRun help = CommandRun.of((Object[]) (verb(manual) + " --help").split(" "));
            assertTrue(help.toString(), help.succeeds().out().contains("Examples:\n"));
            for (String example : manual.examples()) {
                parse(line, example);
            }
        }
    }

    /** As a shell would read it, with the first call of alder alone. */
    private static void parse(CommandLine line, String example) {
        String call = example.substring(example.indexOf("alder ") + "alder ".length()).replaceFirst("\\)$", "");
        List<String> words = new ArrayList<>();
        Matcher word = Pattern.compile("'([^']*)'|(\\S+)").matcher(call);
        while (word.find() && !List.of("|", ">", "&&").contains(word.group())) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        line.parseArgs(words.toArray(String[]::new));
    }

    @Test
    public void packagesHaveManualPagesOfEveryVerb() throws IOException {
        CommandLine line = ownVerbs();
        Map<String, String> pages = ManPage.all(line.getCommandSpec());
        for (Map.Entry<String, String> page : pages.entrySet()) {
            compare(MAN.resolve(page.getKey()), page.getValue());
            assertTrue(page.getValue(), page.getValue().lines().noneMatch(each -> each.startsWith("'")));
        }
        try (Stream<Path> files = Files.list(MAN)) {
            assertEquals("no page of a verb that is gone", pages.keySet(), files.map(file -> file.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    @Test
    public void manualPagesArePrintedAndWritten() throws IOException {
        Path folder = temporary.getRoot().toPath().resolve("man1");
        CommandRun.of("man", "--output", folder).succeeds();
        String search = CommandRun.of("man", "search").succeeds().out();
        assertEquals(search, Files.readString(folder.resolve("alder-search.1")));
        assertTrue(search, search.startsWith(".TH ALDER\\-SEARCH 1 ") && search.contains("\n.B \\-s, \\-\\-scope SCOPE\nbase: this entry."));
        assertTrue(CommandRun.of("man").succeeds().out().contains(".B alder search\nSearch the running server, over LDAP, and write"));
        CommandRun.of("man", "dance").fails(2, "there is no verb dance");
    }

    /** What a call prints, and its status. */
    private static String said(CommandLine line, String... arguments) {
        StringWriter said = new StringWriter();
        int status = line.setOut(new PrintWriter(said)).setErr(new PrintWriter(said)).execute(arguments);
        return said + " status " + status;
    }

    @Test
    public void aCallIsAnsweredAsIfTheOptionsOfAllVerbsWereRead() throws IOException {
        Path words = Files.writeString(temporary.getRoot().toPath().resolve("words"), "search --help\n");
        for (String call : List.of("", "--help", "--version", "-V", "--nothing", "help", "help search", "help dance", "search --help", "search --nothing",
                "serch", "backup list --help", "--help search --scope base", "--version search --nothing", "@" + words, "log --result", "help backup list")) {
            String[] arguments = call.isEmpty() ? new String[0] : call.split(" ");
            String expected = said(Alder.commandLine(), arguments);
            assertTrue(call + ": " + expected, expected.length() > 15);
            assertEquals(call, expected, said(Alder.commandLineFor(arguments), arguments));
        }
        assertTrue(said(Alder.commandLineFor(), "--help").contains("  migrate "));
        assertEquals("of the verbs that are not called, only the words are there", 0,
                Alder.commandLineFor("search", "--help").getSubcommands().get("start").getCommandSpec().options().size());
    }

    private String completed(String words, int at) throws Exception {
        Path script = temporary.getRoot().toPath().resolve("completion");
        Files.writeString(script, CommandRun.of("completion", "bash").succeeds().out());
        Path out = temporary.newFile("out" + at + words.length()).toPath();
        Process bash = new ProcessBuilder("bash", "-c", "source " + script + "; COMP_WORDS=(" + words + "); COMP_CWORD=" + at
                + "; _complete_alder; echo \"${COMPREPLY[@]}\"").redirectError(ProcessBuilder.Redirect.DISCARD).redirectOutput(out.toFile()).start();
        assertEquals(0, Await.end("bash", bash));
        return Files.readString(out).strip();
    }

    @Test
    public void bashCompletesVerbsAndOptionsAndValues() throws Exception {
        assertEquals("search", completed("alder sea", 1));
        assertEquals("--scope", completed("alder search --sco", 2));
        assertEquals("table", completed("alder search --format ta", 3));
        assertTrue(CommandRun.of("completion", "zsh").succeeds().out().contains("bashcompinit"));
        CommandRun.of("completion", "fish").fails(2, "fish");
    }
}
