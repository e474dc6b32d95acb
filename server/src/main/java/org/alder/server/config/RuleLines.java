package org.alder.server.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a partition that say what holds between its entries. Names are not looked up yet. Immutable. */
public final class RuleLines {
    private RuleLines() {
    }

    private static Matcher match(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        ValueType.require(matcher.matches());
        return matcher;
    }

    /** @param base a DN, or null  @param filter or null */
    public record Unique(List<String> attributes, String base, String filter) {
        static final String FORM = "ATTRIBUTE[,...] [base=DN] [filter=(FILTER)]";
        private static final Pattern PATTERN = Pattern.compile("(\\S+)(?:\\s+base=(.+?))?(?:\\s+filter=(\\(.*\\)))?");

        static Unique parse(String line) {
            Matcher matcher = match(PATTERN, line);
            return new Unique(List.of(matcher.group(1).split(",")), matcher.group(2), matcher.group(3));
        }
    }

    /** One {@code constraint:} line. */
    public record Constraint(List<String> attributes, Kind kind, String argument) {
        static final String FORM = "ATTRIBUTE[,...] regex PATTERN | negregex PATTERN | size BYTES | count VALUES | set VALUE ...";
        private static final Pattern PATTERN = Pattern.compile("(\\S+)\\s+(\\S+)\\s+(.+)");

        /** The kinds a constraint line may name. */
        public enum Kind {
            REGEX, NEGREGEX, SIZE, COUNT, SET
        }

        static Constraint parse(String line) {
            Matcher matcher = match(PATTERN, line);
            Kind kind = Kind.valueOf(matcher.group(2).toUpperCase(Locale.ROOT));
            String argument = matcher.group(3);
            switch (kind) {
                case REGEX, NEGREGEX -> Pattern.compile(argument);
                case SIZE, COUNT -> ValueType.require(Integer.parseInt(argument) >= 0);
                case SET -> {
                    // Any words will do.
                }
            }
            return new Constraint(List.of(matcher.group(1).split(",")), kind, argument);
        }
    }

    /** @param objectClass or null */
    public record AutoNumber(String attribute, long first, long last, String objectClass, String magic) {
        static final String FORM =
                "ATTRIBUTE FIRST-LAST [class=OBJECTCLASS] [magic=NUMBER], FIRST not above LAST, the magic number outside of them";
        private static final Pattern PATTERN =
                Pattern.compile("(\\S+)\\s+(\\d{1,18})-(\\d{1,18})(?:\\s+class=(\\S+))?(?:\\s+magic=(-?\\d{1,18}))?");

        static AutoNumber parse(String line) {
            Matcher matcher = match(PATTERN, line);
            long first = Long.parseLong(matcher.group(2));
            long last = Long.parseLong(matcher.group(3));
            String magic = matcher.group(5) == null ? "-1" : matcher.group(5);
            long magicNumber = Long.parseLong(magic);
            ValueType.require(first <= last && (magicNumber < first || magicNumber > last));
            return new AutoNumber(matcher.group(1), first, last, matcher.group(4), magic);
        }
    }
}
