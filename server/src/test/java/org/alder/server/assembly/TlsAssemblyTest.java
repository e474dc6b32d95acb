package org.alder.server.assembly;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.alder.partition.file.Folders;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.tls.TlsContexts;
import org.alder.server.wire.ClientCertificates;
import org.alder.server.wire.Listener;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TlsAssemblyTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path file;
    private DataFolder data;

    @Before
    public void makeFolder() throws Exception {
        file = folder.getRoot().toPath().resolve("config.ldif");
        data = new DataFolder(folder.getRoot().toPath().resolve("data"));
        Folders.create(data.path());
    }

    private ServerConfiguration configuration(String lines) throws Exception {
        Files.writeString(file, "dn: cn=config\nobjectClass: alderServer\n" + lines);
        return ConfigurationReader.read(file);
    }

    /** @param line the first of the given ones is line 3 */
    private void isRefused(String lines, int line, String key, String problem) throws Exception {
        ConfigurationException refusal = assertThrows(lines, ConfigurationException.class,
                () -> TlsAssembly.open(configuration(lines), data));
        assertTrue(refusal.getMessage(), refusal.getMessage().startsWith(file + ", line " + line + ", " + key + ": "));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(problem));
    }

    @Test
    public void theFirstStartMakesAKeyForItsOwnerAloneAndTheNextOneKeepsIt() throws Exception {
        TlsAssembly.open(configuration(""), data).close();
        byte[] key = Files.readAllBytes(data.tlsKey());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(data.tlsKey())));
        TlsAssembly.open(configuration(""), data).close();
        assertEquals(List.of(new String(key, StandardCharsets.US_ASCII)), List.of(Files.readString(data.tlsKey())));
        Files.delete(data.tlsCertificate());
        TlsAssembly.open(configuration(""), data).close();
        assertFalse(new String(key, StandardCharsets.US_ASCII).equals(Files.readString(data.tlsKey())));
        Files.writeString(data.tlsCertificate(), "nothing");
        ConfigurationException refusal = assertThrows(ConfigurationException.class, () -> TlsAssembly.open(configuration(""), data));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("delete tls.crt there"));
    }

    @Test
    public void withoutTlsNothingIsMade() throws Exception {
        assertNull(TlsAssembly.open(configuration("tls: none\n"), data));
        assertFalse(Files.exists(data.tlsKey()));
        List<Listener> listeners = TlsAssembly.listeners(configuration("tls: none\n"), false);
        assertEquals(List.of(Listener.of(Listener.Scheme.LDAP, "127.0.0.1", 10_389)), listeners);
    }

    @Test
    public void whatCannotBeUsedIsRefusedByFileLineAndKey() throws Exception {
        isRefused("tls: none\nlistener: ldaps://127.0.0.1\n", 4, "listener", "tls: none");
        isRefused("tlsClientCertificate: required\n", 3, "tlsClientCertificate", "expected tlsAuthorityFile");
        isRefused("listener: ldap://127.0.0.1\nlistener: ldaps://127.0.0.1 tlsClientCertificate=optional\n", 4, "listener",
                "expected tlsAuthorityFile");
        isRefused("tlsKeyFile: x\n", 3, "tlsKeyFile", "expected tlsCertificateFile");
        isRefused("tlsCertificateFile: x\ntlsKeyStoreFile: x\n", 4, "tlsKeyStoreFile", "expected one of the two");
        isRefused("tlsCertificateFile: none.crt\n", 3, "tlsCertificateFile",
                folder.getRoot().toPath().resolve("none.crt") + ": there is no such file");
        isRefused("tlsAuthorityFile: none.pem\n", 3, "tlsAuthorityFile", "there is no such file");
        isRefused("tlsRevocationFile: config.ldif\n", 3, "tlsRevocationFile", "expected a");
        isRefused("tlsCipherSuite: TLS_NO_SUCH\n", 3, "tlsCipherSuite", "TLS_NO_SUCH");
        for (String wrong : List.of("http://x", "ldap://", "ldap://a:70000", "ldap://a plaintextBind=no", "ldaps://a what=1")) {
            ConfigurationException refusal = assertThrows(wrong, ConfigurationException.class,
                    () -> configuration("listener: " + wrong + "\n"));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("line 3") && refusal.getMessage().contains("ldap://HOST[:PORT]"));
        }
    }

    @Test
    public void listenersHaveTheirOwnPolicies() throws Exception {
        List<Listener> found = TlsAssembly.listeners(configuration("plaintextBind: all\nlistener: ldap://10.0.0.1:389 plaintextBind=local\n"
                + "listener: LDAPS://[::1] tlsClientCertificate=optional\nlistener: ldaps://host:0\n"), true);
        assertEquals(List.of(Listener.of(Listener.Scheme.LDAP, "10.0.0.1", 389),
                Listener.of(Listener.Scheme.LDAPS, "::1", 10_636).withClients(ClientCertificates.OPTIONAL).withPasswordsInClear(true),
                Listener.of(Listener.Scheme.LDAPS, "host", 0).withPasswordsInClear(true)), found);
        assertEquals(List.of(10_389, 10_636), TlsAssembly.listeners(configuration(""), true).stream().map(Listener::port).toList());
        assertEquals(List.of(389, 636), TlsAssembly.listeners(configuration("listenPort: 389\n"), true).stream().map(Listener::port).toList());
        assertEquals(List.of(0, 0), TlsAssembly.listeners(configuration("listenPort: 0\n"), true).stream().map(Listener::port).toList());
        try (TlsContexts contexts = TlsAssembly.open(configuration("tlsProtocol: TLSv1.3\n"), data)) {
            assertEquals(List.of("TLSv1.3"), List.of(contexts.newEngine(ClientCertificates.OFF).getSSLParameters().getProtocols()));
        }
    }
}
