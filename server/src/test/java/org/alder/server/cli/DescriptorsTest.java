package org.alder.server.cli;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchScope;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A server that runs out of file descriptors. */
public class DescriptorsTest {
    private static final int DESCRIPTORS = 300;
    private static final String SUFFIX = "dc=example,dc=com";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** The configuration lets in more clients than there are descriptors: none is left for anybody. */
    @Test(timeout = Await.MILLIS)
    public void acceptingPausesAndAllElseGoesOnAndItComesBack() throws Exception {
        Path configuration = folder.getRoot().toPath().resolve("config.ldif");
        Files.writeString(configuration, "dn: cn=config\nobjectClass: alderServer\nmaxConnections: 5000\nmaxConnectionsBeforeBind: 5000\n\n"
                + "dn: cn=main,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\n");
        List<Socket> idle = new ArrayList<>();
        try (ServerProcess server = ServerProcess.startWithDescriptors(DESCRIPTORS, folder.getRoot().toPath().resolve("data"),
                "--conf", configuration, "--sample", 100)) {
            try (LDAPConnection admin = server.admin()) {
                for (int i = 0; i < DESCRIPTORS; i++) {
                    idle.add(new Socket("127.0.0.1", server.port()));
                }
                Await.until("accepting to pause", () -> pauses(admin) > 0);
                Await.until("that to be shown as overload", () -> overload(admin).startsWith("file descriptors, no connection is accepted: "));
                assertEquals(1, admin.search(SUFFIX, SearchScope.BASE, "(objectClass=*)").getEntryCount());
                admin.add("ou=while," + SUFFIX, new Attribute("objectClass", "organizationalUnit"),
                        new Attribute("ou", "while"));
                for (Socket socket : idle) {
                    socket.close();
                }
                try (LDAPConnection later = server.admin()) {
                    Await.until("the overload to end", () -> overload(admin).isEmpty());
                    assertEquals(1, later.search("ou=while," + SUFFIX, SearchScope.BASE, "(objectClass=*)").getEntryCount());
                }
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    private static String overload(LDAPConnection admin) {
        try {
            String[] all = admin.getEntry("cn=Monitor").getAttributeValues("alderOverload");
            return all == null ? "" : all[0];
        } catch (LDAPException e) {
            throw new AssertionError(e);
        }
    }

    private static int pauses(LDAPConnection admin) {
        try {
            return admin.getEntry("cn=connections,cn=Monitor").getAttributeValueAsInteger("alderAcceptPauses");
        } catch (LDAPException e) {
            throw new AssertionError(e);
        }
    }
}
