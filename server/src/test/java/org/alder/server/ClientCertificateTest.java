package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.alder.partition.testing.Await;
import org.alder.server.tls.TlsFileException;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.ClientCertificates;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Certificates that clients show: asked for or not, valid or not, and void. */
public class ClientCertificateTest {
    private static final String PASSWORD = "password";

    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();

    private static Path root;

    /** An authority, a client with a certificate of it, and another one that nobody has signed. */
    @BeforeClass
    public static void makeCertificates() throws Exception {
        root = FOLDER.getRoot().toPath();
        pair("ca", "-ext", "bc:critical=ca:true", "-ext", "ku:critical=keyCertSign,cRLSign");
        pair("client");
        pair("stranger");
        keytool("client", "-certreq", "-alias", "client", "-file", root.resolve("client.csr"));
        keytool("ca", "-gencert", "-alias", "ca", "-infile", root.resolve("client.csr"), "-outfile", root.resolve("client.pem"), "-rfc");
        keytool("ca", "-exportcert", "-alias", "ca", "-file", root.resolve("ca.pem"), "-rfc");
        keytool("client", "-importcert", "-alias", "ca", "-file", root.resolve("ca.pem"), "-noprompt");
        keytool("client", "-importcert", "-alias", "client", "-file", root.resolve("client.pem"));
        keytool("ca", "-gencrl", "-alias", "ca", "-id", "4711", "-file", root.resolve("ca.crl"), "-rfc");
    }

    private static void pair(String name, String... more) throws Exception {
        List<Object> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name));
        arguments.addAll(List.of(more));
        keytool(name, arguments.toArray());
    }

    private static void keytool(String store, Object... arguments) throws Exception {
        Object[] all = new Object[arguments.length + 4];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(new Object[] {"-keystore", root.resolve(store + ".p12"), "-storepass", PASSWORD}, 0, all, arguments.length, 4);
        ToolRun.keytool(all);
    }

    private static TestTls server(ClientCertificates clients, List<Path> revocations) throws Exception {
        TlsFiles files = TlsFiles.of(root.resolve("tls.crt"), root.resolve("tls.key")).withAuthorities(root.resolve("ca.pem"), revocations);
        return new TestTls(root, files, settings -> settings, listener -> listener.withClients(clients));
    }

    private static KeyManager[] keys(String name) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(root.resolve(name + ".p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, PASSWORD.toCharArray());
        return factory.getKeyManagers();
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
                    assertTrue(which, connects(tls, tls.clientContext(protocol, keys("client"))));
                    assertEquals(which, clients != ClientCertificates.REQUIRED, connects(tls, tls.clientContext(protocol)));
                    // The JDK's client keeps a certificate to itself whose authority the server does not name.
                    assertEquals(which, clients != ClientCertificates.REQUIRED, connects(tls, tls.clientContext(protocol, keys("stranger"))));
                }
            }
        }
    }

    @Test
    public void aVoidCertificateIsRefusedAsSoonAsTheListSaysSo() throws Exception {
        Path list = root.resolve("ca.crl");
        try (TestTls tls = server(ClientCertificates.OPTIONAL, List.of(list))) {
            SSLContext context = tls.clientContext("TLSv1.3", keys("client"));
            assertTrue(connects(tls, context));
            try (LDAPConnection open = tls.ldaps(context)) {
                KeyStore store = KeyStore.getInstance("PKCS12");
                try (InputStream in = Files.newInputStream(root.resolve("client.p12"))) {
                    store.load(in, PASSWORD.toCharArray());
                }
                String serial = ((X509Certificate) store.getCertificate("client")).getSerialNumber().toString();
                keytool("ca", "-gencrl", "-alias", "ca", "-id", serial, "-file", list, "-rfc");
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
