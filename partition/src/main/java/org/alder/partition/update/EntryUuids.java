package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.SplittableRandom;

/**
 * Gives out entryUUID values (RFC 4530): version 7 of RFC 9562, whose leading bits are the time, so that values given out one
 * after another sort in that order and their index grows at one end. Thread safe; no two values are the same, also within a
 * millisecond.
 *
 * <p>The 48 bits of milliseconds and the 12 bits behind them count up as one number (RFC 9562 6.2, method 1: at more than 4,096
 * values a millisecond the time runs ahead). The 62 other bits come from a fast generator seeded by the operating system:
 * entryUUIDs identify, they are no secrets.
 */
final class EntryUuids {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int TEXT_BYTES = 36;

    private final SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
    private long lastTick;

    /** The next value as RFC 4122 text in lower case, a new array. */
    byte[] next(long epochMillis) {
        long tick;
        long tail;
        synchronized (this) {
            tick = Math.max(lastTick + 1, epochMillis << 12);
            lastTick = tick;
            tail = random.nextLong();
        }
        long high = tick >>> 12 << 16 | 0x7000 | tick & 0xFFF;
        long low = tail >>> 2 | 0x8000_0000_0000_0000L;
        return format(high, low);
    }

    private static byte[] format(long high, long low) {
        byte[] text = new byte[TEXT_BYTES];
        int at = 0;
        for (int nibble = 0; nibble < 32; nibble++) {
            if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20) {
                text[at++] = '-';
            }
            long half = nibble < 16 ? high : low;
            text[at++] = HEX[(int) (half >>> 60 - 4 * (nibble & 15)) & 0xF];
        }
        return text;
    }
}
