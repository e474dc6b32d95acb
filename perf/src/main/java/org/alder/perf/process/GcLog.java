package org.alder.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Java process's log of garbage collections says of its heap. Immutable.
 *
 * @param peakBytes the most in use when a collection began, garbage included; 0 if there was none
 * @param keptBytes the most in use when a collection had ended
 */
public record GcLog(long peakBytes, long keptBytes) {
    private static final Pattern COLLECTION = Pattern.compile("Pause .* (\\d+)M->(\\d+)M\\(\\d+M\\)");
    private static final int MIB_SHIFT = 20;

    /** Options of a Java virtual machine that writes such a log. */
    public static List<String> options(Path file) {
        return List.of("-Xlog:gc:file=" + file);
    }

    public static GcLog read(Path file) throws IOException {
        return parse(Files.readAllLines(file));
    }

    static GcLog parse(List<String> lines) {
        long peak = 0;
        long kept = 0;
        for (String line : lines) {
            Matcher matcher = COLLECTION.matcher(line);
            if (matcher.find()) {
                peak = Math.max(peak, Long.parseLong(matcher.group(1)) << MIB_SHIFT);
                kept = Math.max(kept, Long.parseLong(matcher.group(2)) << MIB_SHIFT);
            }
        }
        return new GcLog(peak, kept);
    }
}
