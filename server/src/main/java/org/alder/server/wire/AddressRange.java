package org.alder.server.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Addresses that begin with the same bits, such as 10.0.0.0/8 or one address alone. Immutable. */
public final class AddressRange {
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private final byte[] address;
    private final int bits;

    private AddressRange(byte[] address, int bits) {
        this.address = address;
        this.bits = bits;
    }

    /** @param text ADDRESS or ADDRESS/BITS  @throws IllegalArgumentException if it is not that, or names a host */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        if (!ADDRESS.matcher(address).matches() || !address.contains(":") && !address.matches("(\\d{1,3}\\.){3}\\d{1,3}")) {
            throw new IllegalArgumentException(text);
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            int bits = slash < 0 ? bytes.length * Byte.SIZE : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > bytes.length * Byte.SIZE) {
                throw new IllegalArgumentException(text);
            }
            return new AddressRange(bytes, bits);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** Whether this address is one of them; an IPv4 address never is one of an IPv6 range. */
    public boolean contains(InetAddress other) {
        byte[] bytes = other.getAddress();
        if (bytes.length != address.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        int rest = bits % Byte.SIZE;
        return Arrays.equals(bytes, 0, whole, address, 0, whole)
                && (rest == 0 || (bytes[whole] & 0xFF) >> Byte.SIZE - rest == (address[whole] & 0xFF) >> Byte.SIZE - rest);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRange range && bits == range.bits && Arrays.equals(address, range.address);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(address) + bits;
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(address).getHostAddress() + "/" + bits;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + address.length + " bytes", e);
        }
    }
}
