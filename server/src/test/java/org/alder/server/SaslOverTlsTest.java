package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.EXTERNALBindRequest;
import com.unboundid.ldap.sdk.GenericSASLBindRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.PLAINBindRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SASLBindInProgressException;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.AlgorithmParameters;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.alder.partition.testing.Requirement;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.login.IdentityRule;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.login.SaslSettings;
import org.alder.server.login.ScramClient;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.layer.ClientCertificates;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What SASL takes from TLS: the client's certificate, the server's for channel binding, and that nobody reads what is sent. */
public class SaslOverTlsTest {
    private static final String END_POINT = "p=tls-server-end-point,,";

    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();

    private static Path root;
    private static TestAuthority authority;

    @BeforeClass
    public static void makeCertificates() throws Exception {
        root = FOLDER.getRoot().toPath();
        authority = new TestAuthority(root);
        authority.signedPair("entry", TestServer.userDn(5).replace("uid=", "UID=").replace("dc=", "DC=").replace("ou=", "OU="));
        authority.signedPair("mapped", "CN=user.6, O=Somewhere");
        authority.signedPair("nobody", "CN=nobody");
    }

    private static TestTls server(Path folder, IdentityRule... rules) throws Exception {
        TlsFiles files = TlsFiles.of(folder.resolve("tls.crt"), folder.resolve("tls.key")).withAuthorities(authority.file(), List.of());
        return new TestTls(folder, files, settings -> settings
                .with(draft -> draft.sasl = new SaslSettings(SaslMechanisms.NAMES, List.of(rules), false, null))
                .with(draft -> draft.passwords = TestServer.QUICK_PASSWORDS.withScheme(NewPasswordScheme.SCRAM_SHA256).withPbkdf2Rounds(4096)),
                listener -> listener.withClients(ClientCertificates.OPTIONAL));
    }

    private static String whoAmI(LDAPConnection connection) throws LDAPException {
        return ((WhoAmIExtendedResult) connection.processExtendedOperation(new WhoAmIExtendedRequest())).getAuthorizationID();
    }

    @Test
    @Requirement(rfc = 4513, section = "5.2.3", text = "SASL EXTERNAL: who a client is follows from its TLS certificate")
    public void theSubjectOfACertificateIsTheEntryOfThatName() throws Exception {
        try (TestTls tls = server(root)) {
            for (String protocol : TestTls.PROTOCOLS) {
                SSLContext context = tls.clientContext(protocol, authority.keys("entry"));
                try (LDAPConnection ldaps = tls.ldaps(context); LDAPConnection started = tls.startTls(context)) {
                    for (LDAPConnection connection : List.of(ldaps, started)) {
                        assertEquals("nobody asked for it yet", "", whoAmI(connection));
                        connection.bind(new EXTERNALBindRequest());
                        assertEquals("dn:" + TestServer.userDn(5), whoAmI(connection));
                        connection.bind(new EXTERNALBindRequest("dn:" + TestServer.userDn(5)));
                        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                                () -> connection.bind(new EXTERNALBindRequest("dn:" + TestServer.userDn(6))));
                        assertEquals("a bind that failed leaves nobody", "", whoAmI(connection));
                    }
                }
                try (LDAPConnection unknown = tls.ldaps(tls.clientContext(protocol, authority.keys("nobody")));
                        LDAPConnection without = tls.ldaps(tls.clientContext(protocol))) {
                    fails(ResultCode.INVALID_CREDENTIALS, () -> unknown.bind(new EXTERNALBindRequest()));
                    fails(ResultCode.AUTH_METHOD_NOT_SUPPORTED, () -> without.bind(new EXTERNALBindRequest()));
                }
            }
        }
    }

    @Test
    public void noCertificateLetsInWhoIsOutOfUse() throws Exception {
        try (TestTls tls = server(root);
                LDAPConnection connection = tls.ldaps(tls.clientContext(TestTls.PROTOCOLS.get(0), authority.keys("entry")));
                LDAPConnection admin = tls.server().admin()) {
            admin.modify(TestServer.userDn(5), new Modification(ModificationType.REPLACE, "nsAccountLock", "TRUE"));
            fails(ResultCode.INVALID_CREDENTIALS, () -> connection.bind(new EXTERNALBindRequest()));
            admin.modify(TestServer.userDn(5), new Modification(ModificationType.REPLACE, "nsAccountLock"));
            connection.bind(new EXTERNALBindRequest());
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.14.1", text = "StartTLS between the binds of a SASL negotiation is refused with operationsError")
    public void tlsDoesNotStartBetweenTwoBindsOfAnAuthentication() throws Exception {
        try (TestTls tls = server(root); LDAPConnection connection = tls.server().anonymous()) {
            SSLContext context = tls.clientContext("TLSv1.3");
            assertEquals(ResultCode.SASL_BIND_IN_PROGRESS, bind(connection, "SCRAM-SHA-256", "n,,n=user.1,r=abc").getResultCode());
            fails(ResultCode.OPERATIONS_ERROR, () -> connection.processExtendedOperation(new StartTLSExtendedRequest(context)));
            fails(ResultCode.INVALID_CREDENTIALS, () -> connection.bind(TestServer.userDn(1), "wrong"));
            connection.processExtendedOperation(new StartTLSExtendedRequest(context));
            connection.bind(new PLAINBindRequest("user.2", TestServer.USER_PASSWORD));
            assertEquals("given up, it can start", "dn:" + TestServer.userDn(2), whoAmI(connection));
        }
    }

    @Test
    public void aRuleSaysWhomACertificateMeans() throws Exception {
        String fingerprint = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256")
                .digest(authority.certificate("nobody").getEncoded()));
        try (TestTls tls = server(root,
                IdentityRule.parse("subject:CN=([^,]+),O=Somewhere uid=$1,ou=users," + TestServer.SUFFIX),
                IdentityRule.parse("sha256:" + fingerprint + " " + TestServer.userDn(7)));
                LDAPConnection bySubject = tls.ldaps(tls.clientContext("TLSv1.3", authority.keys("mapped")));
                LDAPConnection byFingerprint = tls.ldaps(tls.clientContext("TLSv1.3", authority.keys("nobody")))) {
            bySubject.bind(new EXTERNALBindRequest());
            assertEquals("dn:" + TestServer.userDn(6), whoAmI(bySubject));
            byFingerprint.bind(new EXTERNALBindRequest());
            assertEquals("dn:" + TestServer.userDn(7), whoAmI(byFingerprint));
        }
    }

    private static BindResult bind(LDAPConnection connection, String mechanism, String message) throws LDAPException {
        try {
            return connection.bind(new GenericSASLBindRequest("", mechanism, new ASN1OctetString(message)));
        } catch (SASLBindInProgressException e) {
            return e.getBindResult();
        }
    }

    private static void scram(LDAPConnection connection, byte[] binding) throws Exception {
        new ScramClient("user.1", "pencil").authenticate(END_POINT, END_POINT, binding,
                message -> bind(connection, "SCRAM-SHA-256-PLUS", message).getServerSASLCredentials().stringValue());
    }

    /** A server with this certificate takes a proof that is bound to its hash, and no other. */
    private static void bindsTo(String hash, TestTls tls, X509Certificate certificate) throws Exception {
        byte[] endPoint = MessageDigest.getInstance(hash).digest(certificate.getEncoded());
        byte[] another = MessageDigest.getInstance(hash).digest(authority.certificate("nobody").getEncoded());
        try (LDAPConnection admin = tls.server().admin()) {
            admin.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "userPassword", "pencil"));
        }
        for (String protocol : TestTls.PROTOCOLS) {
            SSLContext context = tls.clientContext(protocol);
            try (LDAPConnection ldaps = tls.ldaps(context); LDAPConnection started = tls.startTls(context)) {
                for (LDAPConnection connection : List.of(ldaps, started)) {
                    scram(connection, endPoint);
                    assertEquals("dn:" + TestServer.userDn(1), whoAmI(connection));
                    fails(ResultCode.INVALID_CREDENTIALS, () -> scram(connection, another));
                    assertEquals("", whoAmI(connection));
                    fails(ResultCode.INVALID_CREDENTIALS, () -> bind(connection, "SCRAM-SHA-256", "y,,n=user.1,r=abc"));
                }
            }
        }
    }

    @Test
    @Requirement(rfc = 5929, section = "4.1", text = "tls-server-end-point is the certificate's hash, by the algorithm of its signature")
    @Requirement(rfc = 5802, section = "6", text = "SCRAM-PLUS proves the password on this TLS connection alone; who believes that the"
            + " server has no channel binding is refused")
    public void scramIsBoundToTheServersCertificate() throws Exception {
        try (TestTls tls = server(root)) {
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(root.resolve("tls.crt"))));
            bindsTo("SHA-256", tls, certificate);
        }
        pairOfServer("sha384", "SHA-384", "-keyalg", "EC", "-groupname", "secp384r1", "-sigalg", "SHA384withECDSA");
        pairOfServer("sha512", "SHA-512", "-keyalg", "RSA", "-keysize", "2048", "-sigalg", "SHA512withRSA");
        pairOfServer("sha1", "SHA-256", "-keyalg", "RSA", "-keysize", "2048", "-sigalg", "SHA1withRSA");
        // keytool chooses the hash of this one, other versions of it another one.
        pairOfServer("pss", null, "-keyalg", "RSA", "-keysize", "2048", "-sigalg", "RSASSA-PSS");
    }

    private static void pairOfServer(String name, String hash, String... options) throws Exception {
        Path folder = Files.createDirectory(root.resolve(name));
        authority.pair(name, "CN=127.0.0.1", options);
        write(folder.resolve("tls.crt"), "CERTIFICATE", authority.certificate(name).getEncoded());
        write(folder.resolve("tls.key"), "PRIVATE KEY", authority.privateKey(name));
        try (TestTls tls = server(folder)) {
            bindsTo(hash != null ? hash : hashOfPss(authority.certificate(name)), tls, authority.certificate(name));
        }
    }

    private static String hashOfPss(X509Certificate certificate) throws Exception {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
        parameters.init(certificate.getSigAlgParams());
        return parameters.getParameterSpec(PSSParameterSpec.class).getDigestAlgorithm();
    }

    private static void write(Path file, String what, byte[] bytes) throws Exception {
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + what + "-----\n");
    }

    @Test
    @Requirement(rfc = 4616, section = "4", text = "PLAIN is offered where TLS protects it, and nowhere else")
    public void passwordsAreSentAsTheyAreInsideTls() throws Exception {
        try (TestTls tls = server(root); LDAPConnection clear = tls.server().anonymous();
                LDAPConnection connection = tls.startTls(tls.clientContext("TLSv1.3"))) {
            assertTrue(List.of(connection.getRootDSE().getSupportedSASLMechanismNames()).contains("PLAIN"));
            connection.bind(new PLAINBindRequest("user.2", TestServer.USER_PASSWORD));
            assertEquals("dn:" + TestServer.userDn(2), whoAmI(connection));
            fails(ResultCode.AUTH_METHOD_NOT_SUPPORTED, () -> clear.bind(new PLAINBindRequest("user.2", TestServer.USER_PASSWORD)));
        }
    }
}
