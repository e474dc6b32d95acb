package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.nio.file.Path;
import java.util.Map;
import org.alder.partition.text.JsonReader;
import org.alder.server.Proves;
import org.alder.server.TestServer;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.alder.server.extended.Compaction;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code alder compact}, with and without a server, and the operation by which the server does it. */
public class CompactVerbTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path data;

    @Before
    public void nameFolder() {
        data = temporary.getRoot().toPath().resolve("data");
    }

    private Map<?, ?> compacted() {
        return (Map<?, ?>) JsonReader.parse(CommandRun.of("compact", "--json", "--data", data).succeeds().out());
    }

    @Test
    public void oneSegmentIsLeftAndNoEntryIsLost() throws Exception {
        try (ServerProcess server = ServerProcess.start(data, "--sample", 20); LDAPConnection connection = server.admin()) {
            connection.add("dn: ou=late,dc=example,dc=com", "objectClass: organizationalUnit", "ou: late");
            Map<?, ?> facts = compacted();
            assertEquals("dc=example,dc=com", facts.get("partition"));
            assertEquals("what was in memory is merged too", 1.0, facts.get("segments"));
            String asked = CommandRun.of("compact", "--data", temporary.getRoot().toPath().resolve("none"), "--password-file", data.resolve("admin.password"),
                    "--url", "ldap://127.0.0.1:" + server.port()).succeeds().out();
            assertTrue("of the server that was asked: " + asked, asked.startsWith("dc=example,dc=com: 1 segment and "));
            connection.delete("ou=late,dc=example,dc=com");
            assertEquals("the server goes on", "user.7", connection.getEntry("uid=user.7,ou=users,dc=example,dc=com").getAttributeValue("uid"));
        }
        Map<?, ?> facts = compacted();
        assertEquals(1.0, facts.get("segments"));
        String said = CommandRun.of("compact", "--data", data).succeeds().out();
        assertTrue(said, said.matches("dc=example,dc=com: 1 segment and [0-9,]+ bytes on disk before, 1 and [0-9,]+ now\n"));
        CommandRun.of("verify", "--data", data).succeeds();
        CommandRun.of("compact", "--data", data, "--suffix", "o=other").fails(1, "no partition has the suffix");
        CommandRun.of("compact", "--data", temporary.getRoot().toPath().resolve("none")).fails(1, "holds no partition");
    }

    private static ResultCode asks(LDAPConnection connection, String suffix) throws LDAPException {
        return connection.processExtendedOperation(suffix == null ? new ExtendedRequest(Compaction.OID)
                : new ExtendedRequest(Compaction.OID, new ASN1OctetString(suffix))).getResultCode();
    }

    @Test
    @Proves(Compaction.OID)
    public void administratorsHaveFilesMerged() throws Exception {
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1)) {
            assertEquals(ResultCode.SUCCESS, asks(admin, null));
            assertEquals(ResultCode.SUCCESS, asks(admin, "DC = example,dc=com"));
            assertEquals(ResultCode.NO_SUCH_OBJECT, asks(admin, "ou=users,dc=example,dc=com"));
            assertEquals(ResultCode.INVALID_DN_SYNTAX, asks(admin, "example"));
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, asks(user, null));
        }
    }
}
