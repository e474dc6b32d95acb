package org.alder.server.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alder.partition.text.Counted;
import org.alder.server.assembly.ServerAssembly;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.JsonLines;
import org.alder.server.cli.output.JsonLines.Line;
import org.alder.server.cli.output.StandardOutput;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows lines of the audit log or the access log, those of older files first, and those that are still to come. */
@Command(name = "log", mixinStandardHelpOptions = true,
        description = "Show the audit log: who logged in, was refused, or changed what; or the access log: every operation, and what it cost. "
                + "Reads the files; the server may run or not. docs/security.md and docs/access-log.md describe them.",
        footer = {"  alder log --since 1h --result failed", "  alder log --who uid=alice --since 2026-11-01 --until 2026-11-02",
                "  alder log --follow --kind bind", "  alder log access --follow --kind search",
                "  alder log --json | jq -r .address"})
final class LogVerb implements Verb {
    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([smhd])");
    private static final Map<String, Duration> UNITS = Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final long POLL_MILLIS = 250;
    /** What stands first on a line, and what need not be shown at all. */
    private static final Set<String> SHOWN_FIRST = Set.of("time", "kind", "event", "result", "code", "identity", "target", "message");

    private enum Log {
        AUDIT, ACCESS
    }

    @Mixin
    private DataOptions data;

    @Parameters(arity = "0..1", paramLabel = "LOG", defaultValue = "audit", description = "audit or access. Default: ${DEFAULT-VALUE}.")
    private Log log;

    @Option(names = "--since", paramLabel = "TIME", description = "From this time on: such as 2026-11-22T08:00:00Z, 2026-11-22 (its beginning, in"
            + " UTC), or so long ago: 90s, 15m, 2h, 7d.")
    private String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Before this time.")
    private String until;

    @Option(names = "--who", paramLabel = "TEXT", description = "Only lines with this text in the user's name, the address or the target entry; "
            + "upper or lower case.")
    private String who;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only lines of this kind: bind, search, modify and so on, or policy, denial, "
            + "configuration; may be repeated.")
    private List<String> kinds = List.of();

    @Option(names = "--result", paramLabel = "RESULT", description = "Only lines with this result: its name or number, or failed for all but "
            + "success.")
    private String result;

    @Option(names = {"-F", "--follow"}, description = "Keep showing new lines, until Ctrl-C.")
    private boolean follow;

    @Mixin
    private JsonOption json;

    private Instant from;
    private Instant to;
    private long unreadable;

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException, InterruptedException {
        from = since == null ? Instant.MIN : time("--since", since);
        to = until == null ? Instant.MAX : time("--until", until);
        Path file = log == Log.AUDIT ? ServerAssembly.auditFile(data.configuration(), data.data())
                : ServerAssembly.accessFile(data.configuration(), data.data());
        if (!Files.exists(file) && !follow) {
            throw new CommandException("there is no " + file + ": the server has not been started with these data, or its key "
                    + (log == Log.AUDIT ? "audit" : "accessLog") + " is off");
        }
        try (OutputStream out = new StandardOutput()) {
            for (Path older : older(file)) {
                try (JsonLines lines = new JsonLines(older)) {
                    copy(lines, out);
                }
            }
            if (follow) {
                follow(file, out);
            } else {
                try (JsonLines lines = new JsonLines(file)) {
                    copy(lines, out);
                }
            }
        }
        if (unreadable > 0) {
            System.err.println("alder: " + Counted.of(unreadable, "line") + (unreadable == 1 ? " is" : " are") + " no JSON, such as what a crash has cut");
        }
        return 0;
    }

    private static Instant time(String option, String text) throws CommandException {
        Matcher ago = AGO.matcher(text);
        try {
            return ago.matches() ? Instant.now().minus(UNITS.get(ago.group(2)).multipliedBy(Long.parseLong(ago.group(1))))
                    : text.indexOf('T') < 0 ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant() : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new WrongCallException(option + ' ' + text + ": expected a time such as 2026-11-22T08:00:00Z or 2026-11-22, or 90s, 15m, 2h or 7d"
                    + " for so long ago", e);
        }
    }

    /** Those that were written before this one and may have what is asked for, the oldest first. */
    private List<Path> older(Path file) throws IOException {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.') <= 0 ? name.length() : name.lastIndexOf('.');
        Pattern pattern = Pattern.compile(Pattern.quote(name.substring(0, dot)) + "-([0-9]{1,18})" + Pattern.quote(name.substring(dot)));
        if (!Files.isDirectory(file.toAbsolutePath().getParent())) {
            return List.of();
        }
        try (Stream<Path> beside = Files.list(file.toAbsolutePath().getParent())) {
            return beside.filter(each -> pattern.matcher(each.getFileName().toString()).matches() && !isBefore(each))
                    .sorted(Comparator.comparingLong(each -> {
                        Matcher matcher = pattern.matcher(each.getFileName().toString());
                        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
                    })).toList();
        }
    }

    private boolean isBefore(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(from);
        } catch (IOException e) {
            // Then reading it will say why.
            return false;
        }
    }

    private void copy(JsonLines lines, OutputStream out) throws IOException {
        for (Line line = lines.next(); line != null; line = lines.next()) {
            if (isWanted(line)) {
                out.write(((json.isOn() ? TerminalText.shown(line.text()) : words(line)) + '\n').getBytes(StandardCharsets.UTF_8));
            }
        }
        unreadable += lines.unreadable();
    }

    /** Until the program is stopped: goes on in the next file when this one has got another name. */
    private void follow(Path file, OutputStream out) throws IOException, InterruptedException {
        while (true) {
            while (!Files.exists(file)) {
                Thread.sleep(POLL_MILLIS);
            }
            Object key = key(file);
            try (JsonLines lines = new JsonLines(file)) {
                boolean isNewest = true;
                while (isNewest) {
                    isNewest = Objects.equals(key, key(file));
                    copy(lines, out);
                    out.close();
                    Thread.sleep(isNewest ? POLL_MILLIS : 0);
                }
            }
        }
    }

    /** Which file it is; null while there is none. */
    private static Object key(Path file) throws IOException {
        return Files.exists(file) ? Files.readAttributes(file, BasicFileAttributes.class).fileKey() : null;
    }

    private boolean isWanted(Line line) {
        return isInTime(line) && (kinds.isEmpty() || kinds.stream().anyMatch(line.get("kind")::equalsIgnoreCase))
                && (result == null || hasResult(line)) && (who == null || isOf(line));
    }

    private boolean isInTime(Line line) {
        if (from.equals(Instant.MIN) && to.equals(Instant.MAX)) {
            return true;
        }
        try {
            Instant time = Instant.parse(line.get("time"));
            return !time.isBefore(from) && time.isBefore(to);
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private boolean hasResult(Line line) {
        String name = line.get("result");
        return result.equalsIgnoreCase("failed") ? !name.isEmpty() && !line.get("code").equals("0")
                : result.equalsIgnoreCase(name) || result.equals(line.get("code"));
    }

    private boolean isOf(Line line) {
        String wanted = who.toLowerCase(Locale.ROOT);
        return Stream.of("identity", "authenticated", "address", "target").anyMatch(name -> line.get(name).toLowerCase(Locale.ROOT).contains(wanted));
    }

    /** A line for people. */
    private static String words(Line line) {
        StringBuilder words = new StringBuilder(160);
        String identity = line.get("identity");
        words.append(line.get("time")).append("  ").append(line.get("kind"));
        Stream.of(line.get("event"), line.get("result")).filter(text -> !text.isEmpty()).forEach(text -> words.append(' ').append(text));
        if (line.members().containsKey("identity")) {
            words.append("  ").append(identity.isEmpty() ? "anonymous" : identity.replaceFirst("^dn:", ""));
        }
        if (!line.get("target").isEmpty()) {
            words.append(" -> ").append(line.get("target"));
        }
        line.members().forEach((name, value) -> {
            if (!SHOWN_FIRST.contains(name.toString())) {
                words.append("  ").append(name).append('=').append(shown(value));
            }
        });
        return TerminalText.shown(words.toString());
    }

    private static String shown(Object value) {
        if (value instanceof Map<?, ?> map) {
            return String.join(" ", map.entrySet().stream().map(entry -> entry.getKey() + ":" + shown(entry.getValue())).toList());
        }
        return value instanceof List<?> list ? '[' + String.join(", ", list.stream().map(LogVerb::shown).toList()) + ']' : Line.text(value);
    }

    @Override
    public String whenInterrupted() {
        return null;
    }
}
