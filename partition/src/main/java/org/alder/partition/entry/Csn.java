package org.alder.partition.entry;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A change sequence number: names a commit by a text that sorts as commits follow each other, in the form OpenLDAP gives them
 * (draft-zeilenga-ldap-csn), so that its clients and scripts can read them. Immutable.
 *
 * <pre>
 *   20261121142243.123000Z#000000#000#0001a7      40 bytes
 *   time of the commit     |      |   |
 *   in microseconds        |      |   the commit sequence number modulo 2^24
 *                          |      server ID, always 000
 *                          the commit sequence number divided by 2^24
 * </pre>
 *
 * <p>Servers that count changes within a microsecond have small numbers where the sequence number is here; the time decides
 * first.
 *
 * @param timeMillis of the commit, since 1970-01-01 UTC
 * @param sequence 0 for a bulk load, and below 2^48
 */
public record Csn(long timeMillis, long sequence) {
    /** The attribute that every entry carries its last change's number in. */
    public static final String ENTRY_CSN = "entryCSN";
    public static final int BYTES = 40;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int SECONDS_DIGITS = 14;
    private static final int FRACTION = 15;
    private static final int HIGH = 23;
    private static final int SERVER = 30;
    private static final int LOW = 34;
    private static final int HALF_BITS = 24;

    /**
     * One number for the newest commits of several stores, which grows with each commit of any: the time of the newest, and the sum of
     * their sequence numbers. No number of a commit of theirs is greater.
     */
    public static Csn together(List<Csn> commits) {
        long timeMillis = Long.MIN_VALUE;
        long sequence = 0;
        for (Csn each : commits) {
            timeMillis = Math.max(timeMillis, each.timeMillis);
            sequence += each.sequence;
        }
        return new Csn(timeMillis, sequence);
    }

    /** The text, a new array. */
    public byte[] bytes() {
        byte[] text = new byte[BYTES];
        byte[] seconds = Second.of(Math.floorDiv(timeMillis, 1000L)).text;
        System.arraycopy(seconds, 0, text, 0, SECONDS_DIGITS);
        text[FRACTION - 1] = '.';
        long millis = Math.floorMod(timeMillis, 1000L);
        for (int i = 2; i >= 0; i--) {
            text[FRACTION + i] = (byte) ('0' + millis % 10);
            text[FRACTION + 3 + i] = '0';
            millis /= 10;
        }
        text[FRACTION + 6] = 'Z';
        hex(text, HIGH, 6, sequence >>> HALF_BITS);
        hex(text, SERVER, 3, 0);
        hex(text, LOW, 6, sequence);
        return text;
    }

    /** Writes the digits and the # before them. */
    private static void hex(byte[] text, int at, int digits, long value) {
        text[at - 1] = '#';
        for (int i = digits - 1, shift = 0; i >= 0; i--, shift += 4) {
            text[at + i] = HEX[(int) (value >>> shift) & 0xF];
        }
    }

    /** Reads a number that may be this server's; null if it cannot be one. */
    public static Csn parse(byte[] text) {
        if (text.length != BYTES) {
            return null;
        }
        long sequence = number(text, HIGH, 6, 16) << HALF_BITS | number(text, LOW, 6, 16);
        try {
            LocalDateTime time = LocalDateTime.of((int) number(text, 0, 4, 10), (int) number(text, 4, 2, 10),
                    (int) number(text, 6, 2, 10), (int) number(text, 8, 2, 10), (int) number(text, 10, 2, 10),
                    (int) number(text, 12, 2, 10));
            long millis = time.toEpochSecond(ZoneOffset.UTC) * 1000 + number(text, FRACTION, 3, 10);
            Csn csn = new Csn(millis, sequence);
            return Arrays.equals(csn.bytes(), text) ? csn : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static long number(byte[] text, int from, int digits, int radix) {
        long number = 0;
        for (int i = 0; i < digits; i++) {
            number = number * radix + Character.digit(text[from + i], radix);
        }
        return number;
    }

    /** The text in an entry's record, or null if it has none. */
    public static byte[] in(EntryRecord record) {
        return record.operationalValue(ENTRY_CSN);
    }

    /**
     * The commit that changed the entry last, 0 if that was none of its store: entryUSN. The entry may also be what the next
     * commit makes of it.
     *
     * @param newest the store's newest commit
     */
    public static long sequenceIn(EntryRecord record, long newest) {
        byte[] text = in(record);
        Csn csn = text == null ? null : parse(text);
        return csn == null || csn.sequence > newest + 1 ? 0 : csn.sequence;
    }

    @Override
    public String toString() {
        return new String(bytes(), StandardCharsets.US_ASCII);
    }

    /** The text of the last second is kept, because a busy server writes the same one thousands of times. */
    private record Second(long epochSecond, byte[] text) {
        private static volatile Second last = new Second(Long.MIN_VALUE, new byte[0]);

        static Second of(long epochSecond) {
            Second known = last;
            if (known.epochSecond != epochSecond) {
                known = new Second(epochSecond,
                        SECONDS.format(Instant.ofEpochSecond(epochSecond)).getBytes(StandardCharsets.US_ASCII));
                last = known;
            }
            return known;
        }
    }
}
