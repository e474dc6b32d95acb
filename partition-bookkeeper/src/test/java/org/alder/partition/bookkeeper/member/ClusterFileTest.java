package org.alder.partition.bookkeeper.member;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The file of a cluster, and what is refused in it with its line. */
public class ClusterFileTest {
    private static final String FILE = """
            # three of them
            name: node2
            member: node1 url=ldap://127.0.0.1:10391 host=127.0.0.1 zookeeper=12181,12281,12381 bookie=12481
            member: node2 url=ldap://127.0.0.1:10392 host=127.0.0.1 zookeeper=12182,12282,12382 bookie=12482 copy=12582
            member: node3 url=ldap://127.0.0.1:10393 host=localhost
            """;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ClusterFile read(String text) throws IOException {
        Path file = folder.newFile().toPath();
        Files.writeString(file, text);
        return ClusterFile.read(file);
    }

    private void assertRefused(String text, String part) {
        StoreException e = assertThrows(text, StoreException.class, () -> read(text));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(part));
    }

    @Test
    public void membersAreAsTheirLinesSay() throws IOException {
        ClusterFile file = read(FILE);
        assertEquals(3, file.members().size());
        assertEquals(new ClusterFile.Node("node2", "ldap://127.0.0.1:10392", "127.0.0.1", List.of(12182, 12282, 12382), 12482, 12582, 0),
                file.own());
        assertEquals("127.0.0.1:12181,127.0.0.1:12182", file.zooKeeperAddresses());
        assertEquals(0, file.members().get(2).bookiePort());
        assertEquals(0, file.members().get(2).copyPort());
        assertEquals(64L << 20, file.copyBytesPerSecond());
        assertEquals(5L << 20, read(FILE + "copy-mib-per-second: 5\n").copyBytesPerSecond());
        assertEquals(60, file.compareMinutes());
        assertEquals(8L << 20, file.compareBytesPerSecond());
        assertEquals(0, read(FILE + "compare-minutes: 0\n").compareMinutes());
        assertEquals(2L << 20, read(FILE + "compare-mib-per-second: 2\n").compareBytesPerSecond());
        assertEquals(ClusterFile.Updates.FORWARD, file.updates());
        assertNull(file.zooKeeper());
        assertEquals(ClusterFile.Updates.UNAVAILABLE, read(FILE + "updates: unavailable\n").updates());
        assertEquals("127.0.0.1:2181,localhost:2182", read(FILE + "zookeeper: 127.0.0.1:2181,localhost:2182\n").zooKeeperAddresses());
    }

    @Test
    public void whatIsWrongIsNamedWithItsLine() {
        assertRefused(FILE + "colour: red\n", "line 6");
        assertRefused(FILE + "nonsense\n", "line 6");
        assertRefused(FILE + "name: node3\n", "line 6");
        assertRefused(FILE + "updates: maybe\n", "updates");
        assertRefused(FILE.replace("bookie=12481", "bookie=0"), "line 3");
        assertRefused(FILE.replace("bookie=12481", "bookie=1,2"), "line 3");
        assertRefused(FILE.replace("12181,12281,12381", "12181"), "line 3");
        assertRefused(FILE.replace("copy=12582", "copy=1,2"), "line 4");
        assertRefused(FILE + "copy-mib-per-second: 0\n", "copy-mib-per-second");
        assertRefused(FILE + "compare-mib-per-second: 0\n", "compare-mib-per-second");
        assertRefused(FILE + "compare-minutes: 07\n", "compare-minutes");
        assertRefused(FILE.replace("12181,12281,12381", "12181,x,70000"), "line 3");
        assertRefused(FILE.replace("url=ldap://127.0.0.1:10392", ""), "line 4");
        assertRefused(FILE.replace("member: node3", "member: no/de"), "line 5");
        assertRefused(FILE.replace("member: node3", "member: node1"), "differ");
        assertRefused(FILE.replace("name: node2", "name: node9"), "node9");
        assertRefused(FILE.replace("name: node2\n", ""), "name");
        assertRefused("name: a\nmember: a url=ldap://127.0.0.1:1 host=127.0.0.1 bookie=2\n", "no member has zookeeper");
        assertThrows(StoreException.class, () -> ClusterFile.read(folder.getRoot().toPath().resolve("none")));
    }

    /** What members say to each other anybody could say. */
    @Test
    public void otherAddressesThanLoopbackAreRefusedUnlessTheFileSaysThatItIsInsecure() throws IOException {
        String open = FILE.replace("bookie=12481", "bookie=12481").replace("host=localhost", "host=192.0.2.7");
        assertRefused(open, "insecure: true");
        assertRefused(open + "insecure: false\n", "192.0.2.7");
        assertRefused(FILE + "zookeeper: 192.0.2.8:2181\n", "192.0.2.8");
        assertRefused(FILE.replace("host=localhost", "host=0.0.0.0"), "0.0.0.0");
        assertEquals("192.0.2.7", read(open + "insecure: true\n").members().get(2).host());
    }

    @Test
    public void withKeysOtherAddressesAreNoRiskAndTheirFolderIsRelativeToTheFile() throws IOException {
        String open = FILE.replace("host=localhost", "host=192.0.2.7");
        assertEquals(folder.getRoot().toPath().toAbsolutePath().resolve("keys/node2"), read(open + "tls: keys/node2\n").keys());
        assertEquals(Path.of("/etc/keys"), read(open + "tls: /etc/keys\n").keys());
        assertNull(read(FILE).keys());
        assertRefused(open + "tls: keys\ninsecure: true\n", "one of the two");
        assertRefused(open + "tls: keys\ntls: keys\n", "line 7");
        assertRefused(open + "tls: \0\n", "no path");
    }
}
