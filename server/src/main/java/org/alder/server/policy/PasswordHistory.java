package org.alder.server.policy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.schema.value.GeneralizedTimeForm;

/**
 * The passwords that an entry had, as pwdHistory keeps them (draft-behera-ldap-password-policy-10 5.3.8):
 * {@code time#syntaxOID#length#data}, the data being the value of userPassword as it was stored. OpenDJ leaves the length out, and
 * 389 has time and data alone, in passwordHistory. The newest come first. Immutable; the arrays are not copied.
 */
public final class PasswordHistory {
    /** The attribute that has them, one of the secret ones. */
    static final String ATTRIBUTE = "pwdHistory";
    /** 389's, secret too: what it has is in {@link #ATTRIBUTE} after the next change. */
    static final String INHERITED = "passwordHistory";
    private static final Pattern INHERITED_FORM = Pattern.compile("(\\d{14}Z)\\{.*", Pattern.DOTALL);
    private static final String OCTET_STRING = "1.3.6.1.4.1.1466.115.121.1.40";

    private final List<Past> all;

    private PasswordHistory(List<Past> all) {
        this.all = all;
    }

    /** @param time as it is written, without the Z: so times in UTC sort, with fractions or without  @param value of pwdHistory */
    private record Past(String time, byte[] data, byte[] value) {
    }

    /** Of the values of pwdHistory and passwordHistory. Those that are not of their forms are none, and go with the next change. */
    public static PasswordHistory of(List<byte[]> values) {
        List<Past> all = new ArrayList<>(values.size());
        Set<ByteBuffer> known = new HashSet<>();
        for (byte[] value : values) {
            Past past = parse(value);
            if (past != null && known.add(ByteBuffer.wrap(past.value))) {
                all.add(past);
            }
        }
        all.sort(Comparator.comparing(Past::time).reversed());
        return new PasswordHistory(all);
    }

    /** @return null if it is none */
    private static Past parse(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        Matcher inherited = INHERITED_FORM.matcher(text);
        if (inherited.matches()) {
            byte[] data = Arrays.copyOfRange(value, inherited.end(1), value.length);
            byte[] time = inherited.group(1).getBytes(StandardCharsets.US_ASCII);
            return new Past(inherited.group(1).replace("Z", ""), data, value(time, data));
        }
        int oid = text.indexOf('#') + 1;
        int third = text.indexOf('#', oid) + 1;
        if (oid <= 1 || third == 0) {
            return null;
        }
        int data = text.indexOf('#', third) + 1;
        boolean isLong = data > 0 && text.substring(third, data - 1).equals(Integer.toString(value.length - data));
        if (!isLong && !text.startsWith("{", third)) {
            return null;
        }
        return new Past(text.substring(0, oid - 1).replace("Z", ""), Arrays.copyOfRange(value, isLong ? data : third, value.length), value);
    }

    /** The values of userPassword in the newest so many. */
    public List<byte[]> passwords(int most) {
        return all.stream().limit(most).map(Past::data).toList();
    }

    /**
     * The values of pwdHistory after passwords went.
     *
     * @param gone stored values of userPassword that the entry had until now
     * @param time when they went
     * @param most that are kept; the oldest go first
     */
    public List<byte[]> with(List<byte[]> gone, Instant time, int most) {
        // The most that are kept may be any number that a policy says.
        List<byte[]> result = new ArrayList<>(gone.size() + all.size());
        for (byte[] data : gone) {
            result.add(value(GeneralizedTimeForm.value(time), data));
        }
        all.forEach(past -> result.add(past.value));
        return result.subList(0, Math.min(most, result.size()));
    }

    private static byte[] value(byte[] time, byte[] data) {
        byte[] head = (new String(time, StandardCharsets.US_ASCII) + '#' + OCTET_STRING + '#' + data.length + '#').getBytes(StandardCharsets.US_ASCII);
        byte[] value = Arrays.copyOf(head, head.length + data.length);
        System.arraycopy(data, 0, value, head.length, data.length);
        return value;
    }
}
