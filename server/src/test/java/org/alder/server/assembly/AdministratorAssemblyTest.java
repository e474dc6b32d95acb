package org.alder.server.assembly;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.server.TestServer;
import org.alder.server.auth.Administrator;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A configuration by which nobody could administer, or nobody could know who does, is refused. */
public class AdministratorAssemblyTest {
    private static final String GROUP = "cn=administrators," + TestServer.SUFFIX;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Administrator administrator(String lines, byte[] password, Partition partition) throws Exception {
        Path file = temporary.getRoot().toPath().resolve("test.ldif");
        return AdministratorAssembly.administrator(ConfigurationReader.read(Files.writeString(file,
                "dn: cn=config\nobjectClass: alderServer\n" + lines)), TestServer.SCHEMA, List.of(partition), password);
    }

    private static Partition partition(Set<IndexKind> kinds) {
        List<IndexDefinition> indexes = List.of(new IndexDefinition(TestServer.SCHEMA.attributeType("member"), kinds, 10));
        return new Partition(TestServer.SCHEMA, TestServer.dn(TestServer.SUFFIX), indexes,
                new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes)));
    }

    private void refused(String expected, String lines, byte[] password, Partition partition) {
        String message = assertThrows(ConfigurationException.class, () -> administrator(lines, password, partition)).getMessage();
        assertTrue(message, message.contains(expected));
    }

    @Test
    public void theGroupIsOneThatTheServerCanHave() throws Exception {
        try (Partition partition = partition(EnumSet.of(IndexKind.EQUALITY)); Partition bare = partition(EnumSet.of(IndexKind.PRESENCE))) {
            byte[] password = {'a'};
            assertNull(administrator("", password, partition).group());
            assertEquals(TestServer.dn(GROUP), administrator("administrators: " + GROUP + "\n", password, partition).group());
            refused("test.ldif, line 3, administrators: ", "administrators: no name\n", password, partition);
            refused("is under no suffix", "administrators: cn=g,dc=elsewhere\n", password, partition);
            refused("has no groups", "administrators: " + GROUP + "\n", password, bare);
        }
    }

    @Test
    public void theLastAdministratorIsNotTurnedOff() throws Exception {
        String lines = "administrators: " + GROUP + "\nadministratorPassword: none\n";
        try (TestServer server = new TestServer()) {
            Partition partition = server.partitions().get(0);
            refused("test.ldif, line 4, administratorPassword: none, and the group \"" + GROUP + "\" names nobody", lines, null, partition);
            server.add(GROUP, "objectClass: groupOfNames", "cn: administrators", "member: " + TestServer.userDn(1));
            Administrator found = administrator(lines, null, partition);
            assertTrue(found.isTurnedOff());
            assertEquals(TestServer.dn(TestServer.ADMIN), found.dn());
            assertEquals(Dn.parse(TestServer.SCHEMA, GROUP), found.group());
        }
    }
}
