package org.alder.partition.schema.value;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Oids;

/**
 * Integers as bytes that sort as the numbers do. Part of the on-disk format (docs/format/normal-forms.md, version 1).
 *
 * <p>With n the number of bytes of the magnitude without leading zeros (0 for zero): not negative = {@code 0x80 + n} and the
 * magnitude, big endian; negative = {@code 0x7F - n} and the complement of the magnitude. From n = 126 on n is written as 126
 * and follows in four bytes (complemented for negative numbers).
 */
public final class IntegerForm {
    /** Reading and writing digits takes time quadratic in their number, so a client is held to this many. */
    public static final int MAX_DIGITS = 4096;
    private static final int LONG_COUNT = 126;
    private static final int LONG_DIGITS = 18;

    private IntegerForm() {
    }

    /** @throws DirectoryException invalidAttributeSyntax if this is no decimal integer of at most {@value #MAX_DIGITS} digits */
    static byte[] of(byte[] value) throws DirectoryException {
        return encode(number(value));
    }

    /**
     * The number itself.
     *
     * @throws DirectoryException as {@link #of}
     */
    public static BigInteger number(byte[] value) throws DirectoryException {
        if (!isInteger(value, true)) {
            throw invalid(ValueText.of(value));
        }
        return value.length <= LONG_DIGITS ? BigInteger.valueOf(parseShort(value))
                : new BigInteger(new String(value, StandardCharsets.US_ASCII));
    }

    /** @throws DirectoryException invalidAttributeSyntax if these are no hexadecimal digits, or more than {@value #MAX_DIGITS} */
    static BigInteger hexNumber(String digits) throws DirectoryException {
        boolean fits = !digits.isEmpty() && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0);
        if (!fits) {
            throw invalid(ValueText.of(digits));
        }
        return new BigInteger(digits, 16);
    }

    private static DirectoryException invalid(String quoted) {
        return new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                "the value " + quoted + " is not an integer of at most " + MAX_DIGITS + " digits");
    }

    private static long parseShort(byte[] value) {
        long number = 0;
        for (byte b : value) {
            number = b == '-' ? 0 : number * 10 + (b - '0');
        }
        return value[0] == '-' ? -number : number;
    }

    private static byte[] encode(BigInteger number) {
        byte[] magnitude = magnitude(number.abs());
        boolean isLong = magnitude.length >= LONG_COUNT;
        ByteBuffer out = ByteBuffer.allocate(1 + (isLong ? 4 : 0) + magnitude.length);
        out.put((byte) (0x80 + Math.min(magnitude.length, LONG_COUNT)));
        if (isLong) {
            out.putInt(magnitude.length);
        }
        byte[] form = out.put(magnitude).array();
        if (number.signum() < 0) {
            for (int i = 0; i < form.length; i++) {
                form[i] = (byte) ~form[i];
            }
        }
        return form;
    }

    private static byte[] magnitude(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    /** RFC 4517 3.3.16; leading zeros and "-0" are no INTEGER but can be asked for. */
    static boolean isInteger(byte[] value, boolean lenient) {
        int start = value.length > 0 && value[0] == '-' ? 1 : 0;
        if (value.length == start || value.length - start > MAX_DIGITS) {
            return false;
        }
        for (int i = start; i < value.length; i++) {
            if (!Oids.isDigit(value[i])) {
                return false;
            }
        }
        return lenient || value[start] != '0' || value.length == 1;
    }
}
