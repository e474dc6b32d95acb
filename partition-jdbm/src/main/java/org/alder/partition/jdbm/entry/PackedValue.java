package org.alder.partition.jdbm.entry;

/**
 * Values of some common makes in fewer octets: decimal digits, generalized times, UUIDs and change sequence numbers as text (RFC 4517
 * 3.3.13, RFC 4530, and X.500's DSA information as OpenLDAP writes it). A make is a number: the count of digits &lt;&lt; 2 | what it is. Part of
 * the format of an {@link EntryFile}: do not change. Stateless.
 *
 * <pre>
 *   DIGITS  n digits, 4 to 18                                        as a number
 *   TIME    n digits, then "Z"                                       as a number
 *   UUID    8-4-4-4-12 hexadecimal digits, letters small             as 16 bytes
 *   CSN     "20261127130501.383000Z#000000#000#000000", letters small: 14 digits in 6 bytes, 6 in 3, hexadecimal digits 6 in 3, 3 in 2, 6 in 3
 * </pre>
 */
final class PackedValue {
    /** The value is not of any make. */
    static final int NONE = -1;

    static final int DIGITS = 0;
    static final int TIME = 1;
    static final int UUID = 2;
    static final int CSN = 3;

    private static final int LEAST_DIGITS = 4;
    private static final int MOST_DIGITS = 18;
    private static final int UUID_LENGTH = 36;
    private static final int CSN_LENGTH = 40;
    private static final int UUID_BYTES = 16;
    private static final int CSN_BYTES = 17;
    private static final int CSN_SECONDS = 14;
    private static final int CSN_MICROS = 6;
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    /** How many bytes a number of so many digits takes. */
    private static final int[] NUMBER_BYTES = new int[MOST_DIGITS + 1];
    private static final long[] POWERS = new long[MOST_DIGITS + 1];

    static {
        POWERS[0] = 1;
        for (int digits = 1; digits <= MOST_DIGITS; digits++) {
            POWERS[digits] = POWERS[digits - 1] * 10;
            NUMBER_BYTES[digits] = (Long.SIZE - Long.numberOfLeadingZeros(POWERS[digits] - 1) + Byte.SIZE - 1) / Byte.SIZE;
        }
    }

    private PackedValue() {
    }

    /** What the value is made like, or {@link #NONE}. */
    static int make(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < LEAST_DIGITS || length > CSN_LENGTH) {
            return NONE;
        }
        if (length == UUID_LENGTH) {
            return isUuid(bytes, from) ? UUID : NONE;
        }
        if (length == CSN_LENGTH) {
            return isCsn(bytes, from) ? CSN : NONE;
        }
        int digits = bytes[to - 1] == 'Z' ? length - 1 : length;
        if (digits < LEAST_DIGITS || digits > MOST_DIGITS || !areDigits(bytes, from, from + digits)) {
            return NONE;
        }
        return digits << 2 | (digits == length ? DIGITS : TIME);
    }

    private static boolean areDigits(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return false;
            }
        }
        return true;
    }

    private static boolean areHex(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (nibble(bytes[i]) < 0) {
                return false;
            }
        }
        return true;
    }

    private static int nibble(byte digit) {
        return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
    }

    private static boolean isHyphen(int position) {
        return position == 8 || position == 13 || position == 18 || position == 23;
    }

    private static boolean isUuid(byte[] bytes, int from) {
        for (int i = 0; i < UUID_LENGTH; i++) {
            if (isHyphen(i) ? bytes[from + i] != '-' : nibble(bytes[from + i]) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCsn(byte[] bytes, int from) {
        return bytes[from + 14] == '.' && bytes[from + 21] == 'Z' && bytes[from + 22] == '#' && bytes[from + 29] == '#'
                && bytes[from + 33] == '#' && areDigits(bytes, from, from + 14) && areDigits(bytes, from + 15, from + 21)
                && areHex(bytes, from + 23, from + 29) && areHex(bytes, from + 30, from + 33) && areHex(bytes, from + 34, from + 40);
    }

    /** How many octets the value has; -1 where there is no such make. */
    static int length(int make) {
        int digits = make >>> 2;
        return switch (make & 3) {
            case UUID -> digits == 0 ? UUID_LENGTH : -1;
            case CSN -> digits == 0 ? CSN_LENGTH : -1;
            default -> digits < LEAST_DIGITS || digits > MOST_DIGITS ? -1 : (make & 3) == DIGITS ? digits : digits + 1;
        };
    }

    /** How many it takes when it is packed; of a make that {@link #length} knows. */
    static int packedLength(int make) {
        return switch (make & 3) {
            case UUID -> UUID_BYTES;
            case CSN -> CSN_BYTES;
            default -> NUMBER_BYTES[make >>> 2];
        };
    }

    /** @param make of the value that begins there  @return the position behind what was written */
    static int pack(int make, byte[] value, int from, byte[] target, int position) {
        switch (make & 3) {
            case UUID:
                int at = position;
                for (int i = 0; i < UUID_LENGTH; i += 2) {
                    i += isHyphen(i) ? 1 : 0;
                    target[at++] = (byte) (nibble(value[from + i]) << 4 | nibble(value[from + i + 1]));
                }
                return at;
            case CSN:
                int micros = packDigits(value, from, CSN_SECONDS, target, position);
                int count = packDigits(value, from + 15, CSN_MICROS, target, micros);
                int replica = packHex(value, from + 23, 6, target, count, 3);
                return packHex(value, from + 34, 6, target, packHex(value, from + 30, 3, target, replica, 2), 3);
            default:
                return packDigits(value, from, make >>> 2, target, position);
        }
    }

    private static int packDigits(byte[] value, int from, int digits, byte[] target, int position) {
        long number = 0;
        for (int i = from; i < from + digits; i++) {
            number = number * 10 + value[i] - '0';
        }
        return putNumber(number, NUMBER_BYTES[digits], target, position);
    }

    private static int packHex(byte[] value, int from, int digits, byte[] target, int position, int bytes) {
        long number = 0;
        for (int i = from; i < from + digits; i++) {
            number = number << 4 | nibble(value[i]);
        }
        return putNumber(number, bytes, target, position);
    }

    private static int putNumber(long number, int bytes, byte[] target, int position) {
        for (int i = 0; i < bytes; i++) {
            target[position + i] = (byte) (number >>> Byte.SIZE * (bytes - 1 - i));
        }
        return position + bytes;
    }

    private static long number(byte[] source, int position, int bytes) {
        long number = 0;
        for (int i = position; i < position + bytes; i++) {
            number = number << Byte.SIZE | source[i] & 0xFF;
        }
        return number;
    }

    /**
     * Writes the value.
     *
     * @return false where no value is packed so
     */
    static boolean unpack(int make, byte[] source, int from, byte[] target, int position) {
        switch (make & 3) {
            case UUID:
                int at = from;
                for (int i = 0; i < UUID_LENGTH; i += 2) {
                    if (isHyphen(i)) {
                        target[position + i++] = '-';
                    }
                    byte both = source[at++];
                    target[position + i] = HEX[both >>> 4 & 0xF];
                    target[position + i + 1] = HEX[both & 0xF];
                }
                return true;
            case CSN:
                return unpackCsn(source, from, target, position);
            case TIME:
                target[position + (make >>> 2)] = 'Z';
                return unpackDigits(source, from, make >>> 2, target, position);
            default:
                return unpackDigits(source, from, make >>> 2, target, position);
        }
    }

    private static boolean unpackCsn(byte[] source, int from, byte[] target, int position) {
        target[position + 14] = '.';
        target[position + 21] = 'Z';
        target[position + 22] = '#';
        target[position + 29] = '#';
        target[position + 33] = '#';
        return unpackDigits(source, from, CSN_SECONDS, target, position)
                && unpackDigits(source, from + 6, CSN_MICROS, target, position + 15)
                && unpackHex(number(source, from + 9, 3), 6, target, position + 23)
                && unpackHex(number(source, from + 12, 2), 3, target, position + 30)
                && unpackHex(number(source, from + 14, 3), 6, target, position + 34);
    }

    private static boolean unpackDigits(byte[] source, int from, int digits, byte[] target, int position) {
        long rest = number(source, from, NUMBER_BYTES[digits]);
        if (rest < 0 || rest >= POWERS[digits]) {
            return false;
        }
        for (int i = position + digits - 1; i >= position; i--) {
            long tenth = rest / 10;
            target[i] = (byte) ('0' + rest - tenth * 10);
            rest = tenth;
        }
        return true;
    }

    private static boolean unpackHex(long number, int digits, byte[] target, int position) {
        long rest = number;
        for (int i = position + digits - 1; i >= position; i--) {
            target[i] = HEX[(int) rest & 0xF];
            rest >>>= 4;
        }
        return rest == 0;
    }
}
