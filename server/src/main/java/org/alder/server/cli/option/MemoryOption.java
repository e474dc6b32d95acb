package org.alder.server.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** {@code --memory}, the heap a bulk load may take. */
public final class MemoryOption {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmg]?)(i?b)?");
    private static final long LEAST_BYTES = 1L << 20;
    private static final long MOST_DEFAULT_BYTES = 256L << 20;

    @Option(names = "--memory", paramLabel = "BYTES",
            description = "Heap for sorting index keys, such as 512m, at most half of the heap (ALDER_JAVA_OPTS=-Xmx4g for a larger one). It "
                    + "does not have to grow with the number of entries. Default: a quarter of the heap, at most 256m.")
    private String size;

    public static long defaultBytes() {
        return Math.min(MOST_DEFAULT_BYTES, Runtime.getRuntime().maxMemory() / 4);
    }

    /** @throws CommandException if the size cannot be read or is out of its range */
    public long bytes() throws CommandException {
        return size == null ? defaultBytes() : bytes(size, Runtime.getRuntime().maxMemory());
    }

    static long bytes(String size, long heapBytes) throws CommandException {
        Matcher matcher = SIZE.matcher(size.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new WrongCallException("--memory " + size + ": expected a number of bytes, or one with k, m or g behind it");
        }
        int shift = matcher.group(2).isEmpty() ? 0 : 10 * (1 + "kmg".indexOf(matcher.group(2)));
        long number = Long.parseLong(matcher.group(1));
        if (number > heapBytes / 2 >> shift || number << shift < LEAST_BYTES) {
            throw new CommandException("--memory " + size + ": expected at least 1m and at most half of the heap of "
                    + (heapBytes >> 20) + "m, which ALDER_JAVA_OPTS=-Xmx... makes larger");
        }
        return number << shift;
    }
}
