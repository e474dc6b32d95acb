package org.alder.server.wire;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class ProxyHeaderTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    private static final String IPV4 = "21" + "11" + "000c" + "c0000207" + "0a000001" + "1f90" + "0185";
    private static final int FIXED_BYTES = 16;

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static Remote proxy(String address) throws Exception {
        return Remote.of(new InetSocketAddress(InetAddress.getByName(address), 4711));
    }

    private static Remote remote(String hex, String proxy) throws Exception {
        ProxyHeader header = new ProxyHeader();
        byte[] all = bytes(SIGNATURE + hex);
        assertEquals(all.length, header.accept(all, 0, all.length));
        assertTrue(header.isComplete());
        return header.remote(proxy(proxy));
    }

    private static void isRefused(byte[] all, String problem) {
        ProtocolException refusal = assertThrows(problem, ProtocolException.class, () -> new ProxyHeader().accept(all, 0, all.length));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(problem));
    }

    @Test
    public void theClientIsWhomTheProxyNames() throws Exception {
        Remote remote = remote(IPV4, "10.0.0.9");
        assertEquals(new InetSocketAddress("192.0.2.7", 8080), remote.address());
        assertEquals(InetAddress.getByName("192.0.2.7"), remote.source());
        assertEquals("192.0.2.7:8080 by 10.0.0.9", remote.toString());
        String ipv6 = "21" + "21" + "0024" + "20010db8" + "0".repeat(22) + "07" + "0".repeat(32) + "1f900185";
        assertEquals(new InetSocketAddress("2001:db8::7", 8080), remote(ipv6, "::1").address());
    }

    @Test
    public void aProxysOwnConnectionIsItsOwn() throws Exception {
        Remote remote = remote("20" + "00" + "0000", "127.0.0.1");
        assertEquals(proxy("127.0.0.1"), remote);
        assertTrue(remote.isLocal());
        assertEquals("whatever else it says", proxy("10.0.0.9"), remote("20" + "f7" + "0003" + "ffffff", "10.0.0.9"));
    }

    /** The proxy on this machine does not make its clients elsewhere local, and one elsewhere has other loopback addresses. */
    @Test
    public void localIsWhoseWholeWayIsOnThisMachine() throws Exception {
        assertFalse(remote(IPV4, "127.0.0.1").isLocal());
        String loopback = "21" + "11" + "000c" + "7f000001" + "7f000001" + "1f90" + "0185";
        assertTrue(remote(loopback, "127.0.0.1").isLocal());
        assertFalse(remote(loopback, "10.0.0.9").isLocal());
        String unknown = "21" + "00" + "0000";
        assertFalse("a client of whom nothing is known", remote(unknown, "127.0.0.1").isLocal());
        assertEquals(InetAddress.getByName("127.0.0.1"), remote(unknown, "127.0.0.1").source());
        assertFalse(remote("21" + "31" + "00d8" + "00".repeat(216), "127.0.0.1").isLocal());
    }

    @Test
    public void furtherFieldsAreSkippedAsFarAsThereAreNotTooMany() throws Exception {
        String fields = "04" + "0004" + "00000000" + "ff".repeat(100);
        assertEquals(new InetSocketAddress("192.0.2.7", 8080),
                remote(IPV4.replace("000c", HexFormat.of().toHexDigits((short) (12 + fields.length() / 2))) + fields, "10.0.0.9").address());
        isRefused(bytes(SIGNATURE + "21" + "11" + "ffff"), "a header of 65551 bytes, expected at most 4096");
    }

    @Test
    public void whatIsNoHeaderOfVersion2IsRefused() {
        isRefused("PROXY TCP4 192.0.2.7 10.0.0.1 8080 389\r\n".getBytes(StandardCharsets.US_ASCII), "version 1 of the PROXY protocol");
        isRefused(bytes("300c0201016007020103040080"), "no header");
        isRefused(bytes("1603010200010001fc0303"), "no header");
        isRefused(bytes("0d0a0d0a000d0a515549540b2111"), "no header");
        isRefused(bytes(SIGNATURE + "31" + "11" + "000c"), "version 3");
        isRefused(bytes(SIGNATURE + "22" + "11" + "000c"), "command 2");
        for (String family : List.of("12", "41", "f1", "13", "1f")) {
            isRefused(bytes(SIGNATURE + "21" + family + "000c"), "0x" + family);
        }
        isRefused(bytes(SIGNATURE + "21" + "11" + "000b"), "do not fit");
        isRefused(bytes(SIGNATURE + "21" + "21" + "0023"), "do not fit");
        isRefused(bytes(SIGNATURE + "21" + "31" + "00d7"), "do not fit");
    }

    @Test
    public void neitherLdapNorTlsBeginsAsAProxyDoes() {
        assertTrue(ProxyHeader.begins(bytes(SIGNATURE), 0, 1));
        assertTrue(ProxyHeader.begins("PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII), 0, 15));
        assertFalse(ProxyHeader.begins(bytes("300c0201016007020103040080"), 0, 13));
        assertFalse(ProxyHeader.begins(bytes("1603010200010001fc0303"), 0, 11));
        assertFalse(ProxyHeader.begins(new byte[0], 0, 0));
    }

    /** Random bytes behind a beginning that is right for a random while, in pieces: a header takes its own bytes alone, or is refused. */
    @Test
    public void whateverComesTakesNoMoreThanAHeader() throws Exception {
        Random random = Seed.random(getClass());
        byte[] start = bytes(SIGNATURE + IPV4);
        int complete = 0;
        int refused = 0;
        for (int run = 0; run < 20_000; run++) {
            byte[] all = new byte[ProxyHeader.MOST_BYTES + random.nextInt(1000)];
            random.nextBytes(all);
            System.arraycopy(start, 0, all, 0, random.nextInt(start.length));
            if (random.nextBoolean()) {
                // Most lengths are too large.
                all[14] = (byte) random.nextInt(16);
            }
            ProxyHeader header = new ProxyHeader();
            int used = 0;
            try {
                while (used < all.length && !header.isComplete()) {
                    int piece = Math.min(1 + random.nextInt(random.nextBoolean() ? 8 : 3000), all.length - used);
                    int taken = header.accept(all, used, piece);
                    assertTrue("all of a piece, unless it is complete", taken == piece || header.isComplete());
                    used += taken;
                }
                assertTrue(header.isComplete());
                int length = ByteBuffer.wrap(all).getShort(14) & 0xFFFF;
                assertEquals(FIXED_BYTES + length, used);
                assertTrue(used <= ProxyHeader.MOST_BYTES);
                assertTrue(Arrays.equals(all, 0, 12, start, 0, 12));
                header.remote(proxy("10.0.0.9")).source();
                complete++;
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertTrue(complete + " complete, " + refused + " refused", complete > 100 && refused > 100);
    }
}
