package org.alder.server.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a proxy sends ahead of all else to say for whom it connects: the PROXY protocol, version 2 (haproxy.org,
 * proxy-protocol.txt, 2.2). Takes the bytes as they come, and no more than the header has. One thread.
 *
 * <pre>
 * 0   12  0D 0A 0D 0A 00 0D 0A 51 55 49 54 0A
 * 12   1  4 bits version, 2; 4 bits command: 0 = LOCAL, the proxy's own connection, 1 = PROXY
 * 13   1  4 bits family: 0 = unknown, 1 = IPv4, 2 = IPv6, 3 = unix; 4 bits transport: 0 = unknown, 1 = stream, 2 = datagram
 * 14   2  length of what follows, the most significant byte first
 * 16      addresses: source and target, 4, 16 or 108 bytes each, and but for unix two ports; then further fields, which are skipped
 * </pre>
 */
final class ProxyHeader {
    /** So much is skipped at most: what proxies are known to send is a few hundred bytes. */
    static final int MOST_BYTES = 4096;
    private static final byte[] SIGNATURE = {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A};
    private static final byte[] VERSION_1 = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final int FIXED_BYTES = 16;
    private static final int VERSION = 2;
    private static final int LOCAL = 0;
    private static final int PROXY = 1;
    private static final int UNKNOWN = 0;
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final int UNIX = 3;
    private static final int UNIX_BYTES = 216;
    private static final int STREAM = 1;

    private byte[] bytes = new byte[FIXED_BYTES];
    private int length;
    /** All of the header, once its length is known. */
    private int expected = FIXED_BYTES;
    private boolean complete;

    /** Whether a client begins as a proxy does; neither LDAP nor TLS begin so. */
    static boolean begins(byte[] bytes, int offset, int length) {
        return length > 0 && bytes[offset] == SIGNATURE[0] || isVersion1(bytes, offset, length);
    }

    private static boolean isVersion1(byte[] bytes, int offset, int length) {
        return length >= VERSION_1.length
                && Arrays.equals(bytes, offset, offset + VERSION_1.length, VERSION_1, 0, VERSION_1.length);
    }

    /**
     * Takes what belongs to the header.
     *
     * @return how many bytes that were
     * @throws ProtocolException if it is no header, or one that is not understood; nothing more may be given then
     */
    int accept(byte[] in, int offset, int count) throws ProtocolException {
        int used = 0;
        while (used < count && length < expected) {
            int part = Math.min(expected - length, count - used);
            System.arraycopy(in, offset + used, bytes, length, part);
            length += part;
            used += part;
            check();
            complete = length == expected;
        }
        return used;
    }

    boolean isComplete() {
        return complete;
    }

    private void check() throws ProtocolException {
        int same = Math.min(length, SIGNATURE.length);
        if (length < VERSION_1.length && Arrays.equals(bytes, 0, length, VERSION_1, 0, length)) {
            // It is refused when its name is whole.
            return;
        }
        if (!Arrays.equals(bytes, 0, same, SIGNATURE, 0, same)) {
            throw new ProtocolException(isVersion1(bytes, 0, length)
                    ? "version 1 of the PROXY protocol, expected version 2 (haproxy: send-proxy-v2)"
                    : "no header of the PROXY protocol, expected version 2 of it (haproxy: send-proxy-v2)");
        }
        if (length == FIXED_BYTES && expected == FIXED_BYTES) {
            checkFixed();
            expected += (bytes[14] & 0xFF) << Byte.SIZE | bytes[15] & 0xFF;
            if (expected > MOST_BYTES) {
                throw new ProtocolException("a header of " + expected + " bytes, expected at most " + MOST_BYTES);
            }
            if (isAddressed() && expected < FIXED_BYTES + addressBytes()) {
                throw new ProtocolException("a header of " + expected + " bytes, which its addresses do not fit into");
            }
            bytes = Arrays.copyOf(bytes, expected);
        }
    }

    private void checkFixed() throws ProtocolException {
        if ((bytes[12] & 0xF0) >> 4 != VERSION) {
            throw new ProtocolException("version " + ((bytes[12] & 0xF0) >> 4) + " of the PROXY protocol, expected version 2");
        }
        if (command() != LOCAL && command() != PROXY) {
            throw new ProtocolException("command " + command() + ", expected 0 (LOCAL) or 1 (PROXY)");
        }
        if (command() == PROXY && (family() > UNIX || transport() > STREAM)) {
            throw new ProtocolException("family and transport 0x" + Integer.toHexString(bytes[13] & 0xFF)
                    + ", expected a stream (0x11, 0x21, 0x31), or 0 if it is not known");
        }
    }

    private int command() {
        return bytes[12] & 0x0F;
    }

    private int family() {
        return (bytes[13] & 0xF0) >> 4;
    }

    private int transport() {
        return bytes[13] & 0x0F;
    }

    private boolean isAddressed() {
        return command() == PROXY && family() != UNKNOWN && transport() != UNKNOWN;
    }

    private int addressBytes() {
        return switch (family()) {
            case IPV4 -> 2 * (4 + 2);
            case IPV6 -> 2 * (16 + 2);
            default -> UNIX_BYTES;
        };
    }

    /** Whose connection it is, once the header is complete. @param proxy who has sent it */
    Remote remote(Remote proxy) {
        if (command() == LOCAL) {
            return proxy;
        }
        if (!isAddressed() || family() == UNIX) {
            return proxy.behind(null);
        }
        int size = family() == IPV4 ? 4 : 16;
        int port = FIXED_BYTES + 2 * size;
        try {
            InetAddress address = InetAddress.getByAddress(Arrays.copyOfRange(bytes, FIXED_BYTES, FIXED_BYTES + size));
            return proxy.behind(new InetSocketAddress(address, (bytes[port] & 0xFF) << Byte.SIZE | bytes[port + 1] & 0xFF));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + size + " bytes", e);
        }
    }
}
