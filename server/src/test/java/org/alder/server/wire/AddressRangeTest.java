package org.alder.server.wire;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.net.InetAddress;
import java.util.List;
import org.junit.Test;

public class AddressRangeTest {
    private static boolean contains(String range, String address) throws Exception {
        return AddressRange.parse(range).contains(InetAddress.getByName(address));
    }

    @Test
    public void aRangeHasTheAddressesThatBeginLikeIt() throws Exception {
        assertEquals(true, contains("10.0.0.0/8", "10.255.1.2"));
        assertEquals(false, contains("10.0.0.0/8", "11.0.0.1"));
        assertEquals(true, contains("192.0.2.0/25", "192.0.2.127"));
        assertEquals(false, contains("192.0.2.0/25", "192.0.2.128"));
        assertEquals(true, contains("192.0.2.9", "192.0.2.9"));
        assertEquals(false, contains("192.0.2.9", "192.0.2.8"));
        assertEquals(true, contains("0.0.0.0/0", "203.0.113.9"));
        assertEquals(false, contains("0.0.0.0/0", "2001:db8::1"));
        assertEquals(true, contains("2001:db8::/33", "2001:db8:7fff::1"));
        assertEquals(false, contains("2001:db8::/33", "2001:db8:8000::1"));
        assertEquals("an IPv4 address in the form of IPv6", true, contains("192.0.2.0/24", "::ffff:192.0.2.7"));
    }

    @Test
    public void namesAndNonsenseAreRefusedWithoutAskingAnybody() {
        for (String wrong : List.of("", "localhost", "1", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::1/129", "10.0.0.256", "/8",
                "fe80::1%lo", "a.b.c.d", "::g")) {
            assertThrows(wrong, IllegalArgumentException.class, () -> AddressRange.parse(wrong));
        }
        assertEquals(AddressRange.parse("::1"), AddressRange.parse("0:0:0:0:0:0:0:1/128"));
    }
}
