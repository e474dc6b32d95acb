package org.alder.server.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** OpenLDAP's {@code sizelimit}, {@code timelimit} and {@code limits}: a soft limit for searches that ask for none, and a hard one. */
final class SlapdLimits {
    /** slapd's own, where nothing is said. */
    static final long SIZE = 500;
    static final long TIME_SECONDS = 3600;
    private static final long NONE = -1;

    private Long softSize;
    private Long hardSize;
    private Long softTime;
    private Long hardTime;
    private Long examined;
    private Bounds sizeOfAll;
    private Bounds timeOfAll;
    private final List<String> open = new ArrayList<>();

    SlapdLimits() {
    }

    /** Those of somebody, where these hold for all. */
    SlapdLimits(SlapdLimits all) {
        Bounds size = all.size();
        Bounds time = all.time();
        sizeOfAll = size;
        timeOfAll = time;
    }

    /** What has no counterpart, of words that were taken. */
    List<String> open() {
        return open;
    }

    /** Takes words such as {@code size.soft=500}; a number alone is the given kind. */
    void take(List<String> words, String kind) {
        for (String word : words) {
            int equals = word.indexOf('=');
            String name = equals < 0 ? kind : word.substring(0, equals).toLowerCase(Locale.ROOT);
            Long value = number(equals < 0 ? word : word.substring(equals + 1));
            if (value == null || !set(name, value)) {
                open.add(word + " has no counterpart");
            }
        }
    }

    private boolean set(String name, long value) {
        switch (name) {
            case "size" -> {
                softSize = value;
                hardSize = value;
            }
            case "size.soft" -> softSize = value;
            case "size.hard" -> hardSize = value == 0 ? softSize : Long.valueOf(value);
            case "size.unchecked" -> examined = value;
            case "time" -> {
                softTime = value;
                hardTime = value;
            }
            case "time.soft" -> softTime = value;
            case "time.hard" -> hardTime = value == 0 ? softTime : Long.valueOf(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Null if it is none. */
    private static Long number(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (List.of("unlimited", "none", "-1").contains(lower)) {
            return NONE;
        } else if (lower.equals("soft")) {
            return 0L;
        }
        return lower.matches("\\d{1,9}") ? Long.valueOf(lower) : null;
    }

    /** A size or time of a key of the server: hard, and soft if it is another; 0 is no limit. */
    record Bounds(long hard, long soft) {
    }

    Bounds size() {
        return bounds(softSize, hardSize, SIZE);
    }

    Bounds time() {
        return bounds(softTime, hardTime, TIME_SECONDS);
    }

    private static Bounds bounds(Long soft, Long hard, long byDefault) {
        long softer = soft == null ? byDefault : soft;
        long harder = hard == null ? softer : hard;
        long unasked = softer == NONE || harder != NONE && softer >= harder ? 0 : softer;
        return new Bounds(harder == NONE ? 0 : harder, harder == NONE && softer == NONE ? 0 : unasked);
    }

    /** As the beginning of a limitRule; empty if there is nothing to say. */
    String rule() {
        List<String> parts = new ArrayList<>();
        add(parts, "size", softSize, hardSize, sizeOfAll);
        add(parts, "time", softTime, hardTime, timeOfAll);
        if (examined != null && examined != 0) {
            parts.add("examined=" + text(examined));
        }
        return String.join(" ", parts);
    }

    private static void add(List<String> parts, String kind, Long soft, Long hard, Bounds all) {
        if (soft == null && hard == null) {
            return;
        }
        long hardOfAll = all.hard() == 0 ? NONE : all.hard();
        long harder = hard != null ? hard : soft == NONE || hardOfAll == NONE ? NONE : Math.max(soft, hardOfAll);
        long asked = soft != null ? soft : all.soft() == 0 ? hardOfAll : all.soft();
        long softer = asked == NONE || harder != NONE && asked > harder ? harder : asked;
        parts.add(kind + "=" + (softer == harder ? "" : text(softer) + "/") + text(harder));
    }

    private static String text(long value) {
        return value == NONE || value == 0 ? "none" : Long.toString(value);
    }
}
