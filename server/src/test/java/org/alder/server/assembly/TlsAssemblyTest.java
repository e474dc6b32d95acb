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
import java.time.Instant;
import java.util.List;
import org.alder.partition.file.Folders;
import org.alder.partition.x509.CertifiedKey;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.tls.TlsContexts;
import org.alder.server.wire.AddressRange;
import org.alder.server.wire.Listener;
import org.alder.server.wire.PlaintextBind;
import org.alder.server.wire.UnixSocket;
import org.alder.server.wire.layer.ClientCertificates;
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

    private List<Integer> ports(String lines) throws Exception {
        return TlsAssembly.listeners(configuration(lines), data).stream().filter(each -> each.socket() == null).map(Listener::port)
                .toList();
    }

    private Listener ownSocket() {
        return Listener.of(new UnixSocket(data.path().resolve("ldapi"), PosixFilePermissions.fromString("rw-------"), false));
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
        List<Listener> listeners = TlsAssembly.listeners(configuration("tls: none\n"), data);
        assertEquals(List.of(Listener.of(Listener.Scheme.LDAP, "127.0.0.1", 10_389), ownSocket()), listeners);
    }

    @Test
    public void whatCannotBeUsedIsRefusedByFileLineAndKey() throws Exception {
        isRefused("tls: none\nlistener: ldaps://127.0.0.1\n", 4, "listener", "tls: none");
        isRefused("tlsClientCertificate: required\n", 3, "tlsClientCertificate", "expected tlsAuthorityFile");
        isRefused("listener: ldap://127.0.0.1\nlistener: ldaps://127.0.0.1 tlsClientCertificate=optional\n", 4, "listener",
                "expected tlsAuthorityFile");
        isRefused("listener: ldapi://%2F" + "x".repeat(107) + "\n", 3, "listener", "the path of the socket has 108 bytes");
        isRefused("tlsKeyFile: x\n", 3, "tlsKeyFile", "expected tlsCertificateFile");
        isRefused("tlsCertificateFile: x\ntlsKeyStoreFile: x\n", 4, "tlsKeyStoreFile", "expected one of the two");
        isRefused("tlsCertificateFile: none.crt\n", 3, "tlsCertificateFile",
                folder.getRoot().toPath().resolve("none.crt") + ": there is no such file");
        isRefused("tlsPasswordFile: none.txt\n", 3, "tlsPasswordFile", "there is no such file");
        isRefused("tlsPasswordFile: env:ALDER_NO_SUCH_VARIABLE\n", 3, "tlsPasswordFile",
                "the environment has no variable ALDER_NO_SUCH_VARIABLE");
        isRefused("tlsAuthorityFile: none.pem\n", 3, "tlsAuthorityFile", "there is no such file");
        isRefused("tlsRevocationFile: config.ldif\n", 3, "tlsRevocationFile", "expected a");
        isRefused("tlsCipherSuite: TLS_NO_SUCH\n", 3, "tlsCipherSuite", "TLS_NO_SUCH");
        for (String wrong : List.of("http://x", "ldap://", "ldap://a:70000", "ldap://a plaintextBind=no", "ldaps://a what=1",
                "ldaps://a mode=0600", "ldaps://a proxyFrom=", "ldaps://a proxyFrom=localhost", "ldaps://a proxyFrom=10.0.0.0/33",
                "ldaps://a proxyFrom=::1/129", "ldapi://", "ldapi:///run/ldapi", "ldapi://ldapi", "ldapi://%2Fa%zz", "ldapi://%2Fa%00",
                "ldapi://%2Fa mode=0888", "ldapi://%2Fa mode=1777", "ldapi://%2Fa proxyFrom=::1", "ldapi://%2Fa plaintextBind=all")) {
            ConfigurationException refusal = assertThrows(wrong, ConfigurationException.class,
                    () -> configuration("listener: " + wrong + "\n"));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("line 3") && refusal.getMessage().contains("ldap://HOST[:PORT]"));
        }
    }

    @Test
    public void aKeyThatIsMissingOrAnothersAndACertificateThatHasExpiredAreRefused() throws Exception {
        CertifiedKey one = CertifiedKey.selfSigned(List.of(), Instant.now(), 30);
        CertifiedKey old = CertifiedKey.selfSigned(List.of(), Instant.parse("2020-01-01T00:00:00Z"), 1);
        Path root = folder.getRoot().toPath();
        Files.writeString(root.resolve("one.crt"), one.certificatePem());
        Files.writeString(root.resolve("old.crt"), old.certificatePem());
        Files.writeString(root.resolve("old.key"), old.keyPem());
        isRefused("tlsCertificateFile: one.crt\ntlsKeyFile: none.key\n", 4, "tlsKeyFile", "there is no such file");
        isRefused("tlsCertificateFile: one.crt\n", 3, "tlsCertificateFile", "has 0 private keys");
        isRefused("tlsCertificateFile: one.crt\ntlsKeyFile: one.crt\n", 4, "tlsKeyFile", "has 0 private keys");
        isRefused("tlsCertificateFile: one.crt\ntlsKeyFile: old.key\n", 3, "tlsCertificateFile",
                "old.key belongs to none of its certificates");
        isRefused("tlsCertificateFile: old.crt\ntlsKeyFile: old.key\n", 3, "tlsCertificateFile", "has expired on 2020-01-02T00:00:00Z");
        isRefused("tlsKeyStoreFile: one.crt\n", 3, "tlsKeyStoreFile", "is no PKCS#12 file");
    }

    @Test
    public void listenersHaveTheirOwnPolicies() throws Exception {
        List<Listener> found = TlsAssembly.listeners(configuration("plaintextBind: all\nlistener: ldap://10.0.0.1:389 plaintextBind=local\n"
                + "listener: ldap://10.0.0.2:389 plaintextBind=none\nlistener: LDAPS://[::1] tlsClientCertificate=optional\nlistener: ldaps://host:0\n"
                + "listener: ldaps://h proxyFrom=10.0.0.0/8,::1\nlistener: ldapi://%2Frun%2Falder%2fldapi/ mode=0666\n"), data);
        assertEquals(List.of(Listener.of(Listener.Scheme.LDAP, "10.0.0.1", 389),
                Listener.of(Listener.Scheme.LDAP, "10.0.0.2", 389).withPlaintextBind(PlaintextBind.NONE),
                Listener.of(Listener.Scheme.LDAPS, "::1", 10_636).withClients(ClientCertificates.OPTIONAL).withPlaintextBind(PlaintextBind.ALL),
                Listener.of(Listener.Scheme.LDAPS, "host", 0).withPlaintextBind(PlaintextBind.ALL),
                Listener.of(Listener.Scheme.LDAPS, "h", 10_636).withPlaintextBind(PlaintextBind.ALL)
                        .withProxies(List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("::1"))),
                Listener.of(new UnixSocket(Path.of("/run/alder/ldapi"), PosixFilePermissions.fromString("rw-rw-rw-"), true))
                        .withPlaintextBind(PlaintextBind.ALL)), found);
        assertEquals(List.of(10_389, 10_636), ports(""));
        assertEquals(List.of(389, 636), ports("listenPort: 389\n"));
        assertEquals(List.of(0, 0), ports("listenPort: 0\n"));
        try (TlsContexts contexts = TlsAssembly.open(configuration("tlsProtocol: TLSv1.3\n"), data)) {
            assertEquals(List.of("TLSv1.3"), List.of(contexts.newEngine(ClientCertificates.OFF).getSSLParameters().getProtocols()));
        }
    }
}
