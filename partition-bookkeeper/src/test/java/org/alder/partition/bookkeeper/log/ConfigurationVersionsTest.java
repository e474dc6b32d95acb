package org.alder.partition.bookkeeper.log;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SharedConfiguration.Version;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Versions of what members are configured with in common. */
public class ConfigurationVersionsTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static Version version(long number, String by) {
        return new Version(number, by, "dn: cn=config\nobjectClass: alderServer\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    public void theFirstWhoMakesTheNextOneMakesIt() throws Exception {
        try (TestCluster bookies = new TestCluster(folder.getRoot().toPath()); LogCluster one = LogCluster.connect(bookies.settings());
                LogCluster two = LogCluster.connect(bookies.settings())) {
            assertNull(one.configuration().newest());
            assertNull(one.configuration().next(0));
            assertTrue(one.configuration().publish(version(1, "one")));
            assertTrue("the answer was lost", one.configuration().publish(version(1, "one")));
            assertFalse("somebody was faster", two.configuration().publish(version(1, "two")));
            assertEquals("one", two.configuration().next(0).by());
            assertNull(two.configuration().next(1));
            for (int i = 2; i <= NumberedNodes.MOST_KEPT + 2; i++) {
                assertTrue(two.configuration().publish(version(i, "two")));
            }
            assertEquals(NumberedNodes.MOST_KEPT + 2, one.configuration().newest().number());
            assertEquals("older ones are not kept", 3, one.configuration().next(1).number());
            assertFalse("one that is not kept any more", one.configuration().publish(version(2, "one")));
            StoreException e = assertThrows(StoreException.class, () -> one.configuration().publish(
                    new Version(NumberedNodes.MOST_KEPT + 3, "one", new byte[NumberedNodes.MOST_BYTES])));
            assertEquals(StoreException.Kind.TOO_LARGE, e.kind());
        }
    }

    @Test
    public void theTextIsAsDescribed() throws IOException {
        byte[] text = "alder-configuration-version 1\nnumber 5\nby node2\nsettings\ndn: cn=config\nobjectClass: alderServer\n".getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(text, ConfigurationVersionText.bytes(version(5, "node2")));
        Version read = ConfigurationVersionText.parse(text, "/alder/configuration/0000000005");
        assertEquals(5, read.number());
        assertEquals("node2", read.by());
        assertArrayEquals(version(5, "node2").settings(), read.settings());
        assertEquals(StoreException.Kind.REFUSED, assertThrows(StoreException.class, () -> ConfigurationVersionText.parse(
                "alder-configuration-version 2\n".getBytes(StandardCharsets.UTF_8), "node")).kind());
        for (String wrong : new String[] {"", "alder-configuration-version 1\nnumber 5\nby node2\n", "alder-configuration-version 1\nnumber x\nby a\nsettings\n"}) {
            assertEquals(StoreException.Kind.CORRUPT, assertThrows(StoreException.class, () -> ConfigurationVersionText.parse(
                    wrong.getBytes(StandardCharsets.UTF_8), "node")).kind());
        }
    }
}
