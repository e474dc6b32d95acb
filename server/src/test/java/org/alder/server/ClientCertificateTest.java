package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.alder.partition.testing.Await;
import org.alder.server.tls.TlsFileException;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.layer.ClientCertificates;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Certificates that clients show: asked for or not, valid or not, and void. */
public class ClientCertificateTest {
    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();

    private static Path root;
    private static TestAuthority authority;

    /** An authority, a client with a certificate of it, and another one that nobody has signed. */
    @BeforeClass
    public static void makeCertificates() throws Exception {
        root = FOLDER.getRoot().toPath();
        authority = new TestAuthority(root);
        authority.signedPair("client", "CN=client");
        authority.pair("stranger", "CN=stranger", "-keyalg", "EC");
        authority.revoke("4711", root.resolve("ca.crl"));
    }

    private static TestTls server(ClientCertificates clients, List<Path> revocations) throws Exception {
        TlsFiles files = TlsFiles.of(root.resolve("tls.crt"), root.resolve("tls.key")).withAuthorities(authority.file(), revocations);
        return new TestTls(root, files, settings -> settings, listener -> listener.withClients(clients));
    }

    private static boolean connects(TestTls tls, SSLContext context) {
        try (LDAPConnection connection = tls.ldaps(context); LDAPConnection second = tls.startTls(context)) {
            return connection.getRootDSE() != null && second.getRootDSE() != null;
        } catch (LDAPException e) {
            return false;
        }
    }

    @Test
    public void certificatesAreAskedForAsTheListenerSays() throws Exception {
        for (String protocol : TestTls.PROTOCOLS) {
            for (ClientCertificates clients : ClientCertificates.values()) {
                try (TestTls tls = server(clients, List.of())) {
                    String which = protocol + " " + clients;
                    assertTrue(which, connects(tls, tls.clientContext(protocol, authority.keys("client"))));
                    assertEquals(which, clients != ClientCertificates.REQUIRED, connects(tls, tls.clientContext(protocol)));
                    // The JDK's client keeps a certificate to itself whose authority the server does not name.
                    assertEquals(which, clients != ClientCertificates.REQUIRED, connects(tls, tls.clientContext(protocol, authority.keys("stranger"))));
                }
            }
        }
    }

    @Test
    public void aVoidCertificateIsRefusedAsSoonAsTheListSaysSo() throws Exception {
        Path list = root.resolve("ca.crl");
        try (TestTls tls = server(ClientCertificates.OPTIONAL, List.of(list))) {
            SSLContext context = tls.clientContext("TLSv1.3", authority.keys("client"));
            assertTrue(connects(tls, context));
            try (LDAPConnection open = tls.ldaps(context)) {
                authority.revoke(authority.certificate("client").getSerialNumber().toString(), list);
                Await.until("the certificate to be refused", () -> !connects(tls, context));
                assertTrue("others come in", connects(tls, tls.clientContext("TLSv1.3")));
                assertNotNull("who is in stays", open.getRootDSE());
            }
        }
    }

    @Test
    public void aListThatIsNoneIsRefused() throws Exception {
        Path file = Files.writeString(root.resolve("no.crl"), "nothing");
        TlsFileException refusal = assertThrows(TlsFileException.class, () -> server(ClientCertificates.OPTIONAL, List.of(file)));
        assertEquals(file, refusal.file());
        assertFalse(refusal.getMessage().isEmpty());
    }
}
