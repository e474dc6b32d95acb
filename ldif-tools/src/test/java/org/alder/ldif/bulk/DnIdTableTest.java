package org.alder.ldif.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.security.MessageDigest;
import org.alder.partition.id.IdSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DnIdTableTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final MessageDigest digest = DnHash.newDigest();

    private DnHash dn(int i) {
        byte[] form = ("uid=user." + i).getBytes(UTF_8);
        return DnHash.of(digest, form, form.length);
    }

    @Test
    public void keepsWhatIsPutInAsItGrows() throws IOException {
        try (DnIdTable table = new DnIdTable(folder.getRoot().toPath(), "dn")) {
            int entries = 300_000;
            for (int i = 1; i <= entries; i++) {
                assertTrue(table.putIfAbsent(dn(i), i));
            }
            for (int i = 1; i <= entries; i++) {
                assertEquals(i, table.get(dn(i)));
            }
            assertEquals(0, table.get(dn(entries + 1)));
        }
        assertEquals("its files are removed", 0, folder.getRoot().list().length);
    }

    @Test
    public void theFirstIdStays() throws IOException {
        try (DnIdTable table = new DnIdTable(folder.getRoot().toPath(), "dn")) {
            assertTrue(table.putIfAbsent(dn(1), IdSet.MAX_ID));
            assertFalse(table.putIfAbsent(dn(1), 6));
            assertEquals(IdSet.MAX_ID, table.get(dn(1)));
        }
    }

    /** Hashes that want the last slot go on at the first one, and growing keeps them apart by all their bits. */
    @Test
    public void hashesThatCollideAreToldApart() throws IOException {
        try (DnIdTable table = new DnIdTable(folder.getRoot().toPath(), "dn", 4)) {
            for (int i = 1; i <= 40; i++) {
                assertTrue(table.putIfAbsent(new DnHash(-1L, i), i));
                assertTrue(table.putIfAbsent(new DnHash(-1L - i, 7), 100 + i));
            }
            for (int i = 1; i <= 40; i++) {
                assertEquals(i, table.get(new DnHash(-1L, i)));
                assertEquals(100 + i, table.get(new DnHash(-1L - i, 7)));
            }
            assertEquals(0, table.get(new DnHash(-1L, 41)));
        }
    }

    @Test
    public void aFolderThatIsNotThereIsReported() {
        assertThrows(IOException.class, () -> new DnIdTable(folder.getRoot().toPath().resolve("missing"), "dn"));
    }
}
