package org.alder.ldif.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class DnIdMapTest {
    @Test
    public void keepsWhatIsPutInAsItGrows() {
        DnIdMap map = new DnIdMap();
        int entries = 300_000;
        for (int i = 1; i <= entries; i++) {
            assertTrue(map.putIfAbsent(dn(i), i));
        }
        for (int i = 1; i <= entries; i++) {
            assertEquals(i, map.get(dn(i)));
        }
        assertEquals(0, map.get(dn(entries + 1)));
    }

    @Test
    public void theFirstIdStays() {
        DnIdMap map = new DnIdMap();
        assertTrue(map.putIfAbsent(dn(1), 5));
        assertFalse(map.putIfAbsent(dn(1), 6));
        assertEquals(5, map.get(dn(1)));
    }

    private static byte[] dn(int i) {
        return ("uid=user." + i).getBytes(UTF_8);
    }
}
