package org.alder.ldif;

import java.util.Arrays;
import java.util.Objects;

/**
 * A {@code control:} line of a change record. {@code value} is null when the line has none, which differs from an empty
 * value (RFC 4511, 4.1.11). The array is not copied and must not be changed.
 */
public record LdifControl(String oid, boolean critical, byte[] value) {

    @Override
    public boolean equals(Object other) {
        return other instanceof LdifControl that && oid.equals(that.oid) && critical == that.critical
            && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(oid, critical, Arrays.hashCode(value));
    }
}
