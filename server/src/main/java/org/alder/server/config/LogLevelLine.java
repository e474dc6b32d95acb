package org.alder.server.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.event.Level;

/**
 * One {@code logLevel:} line.
 *
 * @param logger of what it speaks: {@value #ALL}, a package below it, or a class
 */
public record LogLevelLine(Level level, String logger) {
    static final String FORM = "error, warn, info, debug or trace, perhaps with a package or a class of org.alder behind it";
    private static final String ALL = "org.alder";
    /** Libraries may show what clients send, passwords too. */
    private static final Pattern LINE = Pattern.compile("(error|warn|info|debug|trace)(?:\\s+(org\\.alder(?:\\.\\w+)*))?", Pattern.CASE_INSENSITIVE);

    /** @throws IllegalArgumentException if it is not of the form */
    static LogLevelLine parse(String text) {
        Matcher line = LINE.matcher(text);
        ValueType.require(line.matches());
        return new LogLevelLine(Level.valueOf(line.group(1).toUpperCase(Locale.ROOT)), line.group(2) == null ? ALL : line.group(2));
    }
}
