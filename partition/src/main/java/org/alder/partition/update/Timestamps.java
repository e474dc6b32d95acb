package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes instants as generalizedTime values with whole seconds in UTC, such as {@code 20261121074300Z} (RFC 4517 3.3.13). Thread
 * safe. The text of the last second is kept, because a busy server writes the same one thousands of times.
 */
final class Timestamps {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private record Second(long epochSecond, byte[] text) {
    }

    private volatile Second last = new Second(Long.MIN_VALUE, new byte[0]);

    /** Shared: the caller must not change it. */
    byte[] format(Instant time) {
        Second second = last;
        if (second.epochSecond() != time.getEpochSecond()) {
            second = new Second(time.getEpochSecond(), FORMAT.format(time).getBytes(StandardCharsets.US_ASCII));
            last = second;
        }
        return second.text();
    }
}
