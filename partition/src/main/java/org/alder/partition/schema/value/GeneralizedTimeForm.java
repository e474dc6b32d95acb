package org.alder.partition.schema.value;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Oids;

/**
 * Generalized Time (RFC 4517 3.3.13) as text that sorts as time does: {@code YYYYMMDDHHMMSS} in UTC, then a dot and the fraction
 * of the second without trailing zeros if there is one. No zone letter follows, since it would sort behind the dot. Part of the
 * on-disk format (docs/format/normal-forms.md, version 1).
 */
public final class GeneralizedTimeForm {
    private static final Pattern SYNTAX = Pattern.compile(
            "(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(?:(\\d\\d)(\\d\\d)?)?(?:[.,](\\d{1,100}))?(Z|[+-]\\d\\d(?:\\d\\d)?)");
    private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("uuuuMMddHHmm", Locale.ROOT);
    private static final DateTimeFormatter MICROSECONDS = DateTimeFormatter.ofPattern("uuuuMMddHHmmss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int MINUTES_LENGTH = 12;
    private static final int PLAIN_LENGTH = 15;
    private static final int LEAP_SECOND = 60;

    private GeneralizedTimeForm() {
    }

    /** @throws DirectoryException invalidAttributeSyntax if this is no Generalized Time, or none of the years 0 to 9999 in UTC */
    static byte[] of(byte[] value) throws DirectoryException {
        if (isPlain(value)) {
            return Arrays.copyOf(value, PLAIN_LENGTH - 1);
        }
        Matcher parts = SYNTAX.matcher(new String(value, StandardCharsets.ISO_8859_1));
        if (!parts.matches()) {
            throw invalid(value);
        }
        try {
            return form(parts).getBytes(StandardCharsets.US_ASCII);
        } catch (DateTimeException e) {
            throw invalid(value);
        }
    }

    /**
     * The time that a value means, to the nanosecond.
     *
     * @throws DirectoryException as {@link #of}
     */
    public static Instant instant(byte[] value) throws DirectoryException {
        String form = new String(of(value), StandardCharsets.US_ASCII);
        LocalDateTime minute = LocalDateTime.parse(form.substring(0, MINUTES_LENGTH), MINUTES);
        BigDecimal seconds = new BigDecimal(form.substring(MINUTES_LENGTH));
        return minute.toInstant(ZoneOffset.UTC).plusNanos(seconds.movePointRight(9).longValue());
    }

    /** A value that means this time, to the microsecond. */
    public static byte[] value(Instant time) {
        return MICROSECONDS.format(time).getBytes(StandardCharsets.US_ASCII);
    }

    /** The usual spelling, YYYYMMDDHHMMSSZ, with a day every month has and no leap second: already in form. */
    private static boolean isPlain(byte[] value) {
        if (value.length != PLAIN_LENGTH || value[PLAIN_LENGTH - 1] != 'Z') {
            return false;
        }
        for (int i = 0; i < PLAIN_LENGTH - 1; i++) {
            if (!Oids.isDigit(value[i])) {
                return false;
            }
        }
        return in(value, 4, 1, 12) && in(value, 6, 1, 28) && in(value, 8, 0, 23) && in(value, 10, 0, 59) && in(value, 12, 0, 59);
    }

    private static boolean in(byte[] value, int at, int least, int most) {
        int number = (value[at] - '0') * 10 + value[at + 1] - '0';
        return number >= least && number <= most;
    }

    private static String form(Matcher parts) {
        LocalDateTime hour = LocalDateTime.of(number(parts, 1), number(parts, 2), number(parts, 3), number(parts, 4), 0);
        LocalDateTime minute = hour.withMinute(number(parts, 5));
        int second = number(parts, 6);
        BigDecimal rest = BigDecimal.valueOf(second);
        if (second > LEAP_SECOND) {
            throw new DateTimeException("second " + second);
        }
        if (parts.group(7) != null) {
            int unitSeconds = parts.group(6) != null ? 1 : parts.group(5) != null ? 60 : 3600;
            rest = rest.add(new BigDecimal("0." + parts.group(7)).multiply(BigDecimal.valueOf(unitSeconds)));
        }
        if (parts.group(6) == null) {
            int minutes = rest.intValue() / 60;
            minute = minute.plusMinutes(minutes);
            rest = rest.subtract(BigDecimal.valueOf(minutes * 60L));
        }
        LocalDateTime utc = minute.minusMinutes(offsetMinutes(parts.group(8)));
        int lastYear = utc.plusSeconds(rest.longValue()).getYear();
        if (utc.getYear() < 0 || lastYear > 9999) {
            throw new DateTimeException("year " + lastYear);
        }
        return utc.format(MINUTES) + seconds(rest);
    }

    private static String seconds(BigDecimal rest) {
        BigDecimal whole = rest.setScale(0, RoundingMode.DOWN);
        BigDecimal fraction = rest.subtract(whole).stripTrailingZeros();
        String seconds = (whole.intValue() < 10 ? "0" : "") + whole.intValue();
        return fraction.signum() == 0 ? seconds : seconds + fraction.toPlainString().substring(1);
    }

    private static int number(Matcher parts, int group) {
        return parts.group(group) == null ? 0 : Integer.parseInt(parts.group(group));
    }

    private static int offsetMinutes(String zone) {
        if (zone.equals("Z")) {
            return 0;
        }
        int hours = Integer.parseInt(zone.substring(1, 3));
        int minutes = zone.length() > 3 ? Integer.parseInt(zone.substring(3)) : 0;
        if (hours > 23 || minutes > 59) {
            throw new DateTimeException("zone " + zone);
        }
        return (zone.charAt(0) == '-' ? -1 : 1) * (hours * 60 + minutes);
    }

    private static DirectoryException invalid(byte[] value) {
        return new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "the value " + ValueText.of(value)
                + " is not a Generalized Time such as 20261121080000Z");
    }
}
