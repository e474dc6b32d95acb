package org.alder.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads the lines of a partition that say what holds between its entries. One thread. */
final class RuleReader {
    private static final Pattern UNIQUE = Pattern.compile("(\\S+)(?:\\s+base=(.+?))?(?:\\s+filter=(\\(.*\\)))?");
    private static final String UNIQUE_LINE = "ATTRIBUTE[,...] [base=DN] [filter=(FILTER)]";
    private static final Pattern CONSTRAINT = Pattern.compile("(\\S+)\\s+(\\S+)\\s+(.+)");
    private static final String CONSTRAINT_LINE =
            "ATTRIBUTE[,...] regex PATTERN | negregex PATTERN | size BYTES | count VALUES | set VALUE ...";
    private static final Pattern NUMBER =
            Pattern.compile("(\\S+)\\s+(\\d{1,18})-(\\d{1,18})(?:\\s+class=(\\S+))?(?:\\s+magic=(-?\\d{1,18}))?");
    private static final String NUMBER_LINE =
            "ATTRIBUTE FIRST-LAST [class=OBJECTCLASS] [magic=NUMBER], FIRST not above LAST, the magic number outside of them";

    private final Keys keys;

    RuleReader(Keys keys) {
        this.keys = keys;
    }

    RuleConfiguration read(Set<String> references) throws ConfigurationException {
        return new RuleConfiguration(references, keys.text("referencePlaceholder", ""), keys.flag("referencesMustExist", false),
                unique(), constraints(), numbers());
    }

    private List<RuleConfiguration.Unique> unique() throws ConfigurationException {
        List<RuleConfiguration.Unique> rules = new ArrayList<>();
        for (String line : keys.all("unique")) {
            Matcher matcher = match("unique", UNIQUE, line, UNIQUE_LINE);
            rules.add(new RuleConfiguration.Unique(List.of(matcher.group(1).split(",")), matcher.group(2), matcher.group(3)));
        }
        return List.copyOf(rules);
    }

    private List<RuleConfiguration.Constraint> constraints() throws ConfigurationException {
        List<RuleConfiguration.Constraint> rules = new ArrayList<>();
        for (String line : keys.all("constraint")) {
            Matcher matcher = match("constraint", CONSTRAINT, line, CONSTRAINT_LINE);
            try {
                RuleConfiguration.Kind kind = RuleConfiguration.Kind.valueOf(matcher.group(2).toUpperCase(Locale.ROOT));
                check(kind, matcher.group(3));
                rules.add(new RuleConfiguration.Constraint(List.of(matcher.group(1).split(",")), kind, matcher.group(3)));
            } catch (PatternSyntaxException e) {
                throw new ConfigurationException(keys.wrong("constraint", line, "a regular expression of Java: "
                        + e.getDescription() + " at character " + e.getIndex()), e);
            } catch (IllegalArgumentException e) {
                throw new ConfigurationException(keys.wrong("constraint", line, CONSTRAINT_LINE), e);
            }
        }
        return List.copyOf(rules);
    }

    /** @throws IllegalArgumentException for an argument that cannot be used */
    private static void check(RuleConfiguration.Kind kind, String argument) {
        switch (kind) {
            case REGEX, NEGREGEX -> Pattern.compile(argument);
            case SIZE, COUNT -> {
                if (Integer.parseInt(argument) < 0) {
                    throw new IllegalArgumentException(argument);
                }
            }
            default -> {
                // Any words will do.
            }
        }
    }

    private List<RuleConfiguration.AutoNumber> numbers() throws ConfigurationException {
        List<RuleConfiguration.AutoNumber> ranges = new ArrayList<>();
        for (String line : keys.all("autoNumber")) {
            Matcher matcher = match("autoNumber", NUMBER, line, NUMBER_LINE);
            long first = Long.parseLong(matcher.group(2));
            long last = Long.parseLong(matcher.group(3));
            String magic = matcher.group(5) == null ? "-1" : matcher.group(5);
            long magicNumber = Long.parseLong(magic);
            if (first > last || magicNumber >= first && magicNumber <= last) {
                throw new ConfigurationException(keys.wrong("autoNumber", line, NUMBER_LINE));
            }
            ranges.add(new RuleConfiguration.AutoNumber(matcher.group(1), first, last, matcher.group(4), magic));
        }
        return List.copyOf(ranges);
    }

    private Matcher match(String key, Pattern pattern, String line, String expected) throws ConfigurationException {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.matches()) {
            throw new ConfigurationException(keys.wrong(key, line, expected));
        }
        return matcher;
    }
}
