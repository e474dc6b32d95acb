package org.alder.server.warmup;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which parts of the files of a folder are worth reading before they are asked for, in units of {@value #UNIT_BYTES} bytes. Immutable: the sets are
 * not to be changed. The format (docs/format/hot-pages.md; do not change without another first line), UTF-8:
 * <pre>
 *   file  = "alder hot pages 1" LF, line*, "end" LF
 *   line  = unit ["-" unit] *("," unit ["-" unit]) SP path LF      units from 0, ascending; the path from the folder, with "/"
 * </pre>
 *
 * @param units by the path
 */
record HotPages(Map<String, BitSet> units) {
    static final int UNIT_BYTES = 1 << 16;
    static final HotPages NONE = new HotPages(Map.of());
    private static final String FIRST_LINE = "alder hot pages 1";
    private static final String LAST_LINE = "end";
    /** Of a file; a list of these is never longer than it. */
    private static final long MOST_UNITS = 1 << 30;

    /** All of both. */
    HotPages plus(HotPages other) {
        Map<String, BitSet> both = new TreeMap<>();
        units.forEach((path, set) -> both.put(path, (BitSet) set.clone()));
        other.units.forEach((path, set) -> both.computeIfAbsent(path, none -> new BitSet()).or(set));
        return new HotPages(both);
    }

    /** Those of files that are there. */
    HotPages in(Path folder) {
        Map<String, BitSet> there = new TreeMap<>(units);
        there.keySet().removeIf(path -> !Files.isRegularFile(folder.resolve(path), LinkOption.NOFOLLOW_LINKS));
        return new HotPages(there);
    }

    String encode() {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        units.forEach((path, set) -> {
            if (!set.isEmpty() && path.indexOf('\n') < 0) {
                appendRuns(text, set);
                text.append(' ').append(path).append('\n');
            }
        });
        return text.append(LAST_LINE).append('\n').toString();
    }

    private static void appendRuns(StringBuilder text, BitSet set) {
        for (int first = set.nextSetBit(0); first >= 0;) {
            int end = set.nextClearBit(first);
            text.append(first);
            if (end - first > 1) {
                text.append('-').append(end - 1);
            }
            first = set.nextSetBit(end);
            if (first >= 0) {
                text.append(',');
            }
        }
    }

    /** @throws IllegalArgumentException naming the line, where the text is another one than {@link #encode} makes */
    static HotPages parse(String text) {
        String[] lines = text.split("\n", -1);
        int last = lines.length - 2;
        if (last < 1 || !lines[0].equals(FIRST_LINE) || !lines[last].equals(LAST_LINE) || !lines[last + 1].isEmpty()) {
            throw new IllegalArgumentException("expected \"" + FIRST_LINE + "\" in the first line and \"" + LAST_LINE + "\" in the last one");
        }
        Map<String, BitSet> units = new TreeMap<>();
        for (int i = 1; i < last; i++) {
            int space = lines[i].indexOf(' ');
            BitSet set = space < 0 ? null : runs(lines[i].substring(0, space));
            if (set == null || isOutside(lines[i].substring(space + 1)) || units.put(lines[i].substring(space + 1), set) != null) {
                throw new IllegalArgumentException("line " + (i + 1) + ": expected units and the path of another file in the folder");
            }
        }
        return new HotPages(units);
    }

    private static boolean isOutside(String path) {
        Path relative = Path.of(path);
        return path.isEmpty() || relative.isAbsolute() || !relative.normalize().equals(relative) || relative.startsWith("..");
    }

    /** Null where the text is none. */
    private static BitSet runs(String text) {
        BitSet set = new BitSet();
        long next = 0;
        for (String run : text.split(",", -1)) {
            int dash = run.indexOf('-');
            long first = number(dash < 0 ? run : run.substring(0, dash));
            long last = dash < 0 ? first : number(run.substring(dash + 1));
            if (first < next || last < first || last >= MOST_UNITS) {
                return null;
            }
            set.set((int) first, (int) last + 1);
            next = last + 1;
        }
        return set;
    }

    /** -1 where the text is none. */
    private static long number(String digits) {
        boolean isNumber = !digits.isEmpty() && digits.length() <= 10 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Long.parseLong(digits) : -1;
    }
}
