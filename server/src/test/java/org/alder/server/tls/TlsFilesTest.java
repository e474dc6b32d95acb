package org.alder.server.tls;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.x509.CertifiedKey;
import org.alder.server.ToolRun;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Keys and certificates in all forms that are read, and what is said of those that cannot be used. */
public class TlsFilesTest {
    private static final String PASSWORD = "a pass word";
    private static final int VERSION_OF_EC_KEY = 1;
    private static final byte[] PBES2 = {0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x05, 0x0D};
    private static final byte[] P256 = {0x06, 0x08, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x03, 0x01, 0x07};

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final CertifiedKey pair = CertifiedKey.selfSigned(List.of("ldap.example.com"), Instant.now().minus(1, ChronoUnit.HOURS), 30);
    private Path certificate;
    private Path key;
    private TlsFiles.Password password;

    @Before
    public void write() throws IOException {
        certificate = write("tls.crt", pair.certificatePem());
        key = write("tls.key", pair.keyPem());
        password = new TlsFiles.Password(write("password", PASSWORD + "\n"), null);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.getRoot().toPath().resolve(name), text);
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + label + "-----\n";
    }

    private static byte[] pkcs8(String pem) {
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
    }

    /** What stands inside of PKCS#8. */
    private static byte[] inner(byte[] pkcs8) throws Exception {
        BerReader reader = new BerReader(pkcs8);
        reader.enter(BerWriter.SEQUENCE);
        reader.skip();
        reader.skip();
        return reader.readBytes(BerWriter.OCTET_STRING);
    }

    private static void isUsed(TlsFiles files) throws Exception {
        TlsContexts.open(TlsContexts.Use.of(files, List.of("TLSv1.3"), List.of(), 14), 60_000).close();
    }

    private static void isRefused(TlsFiles files, Path named, String... parts) {
        TlsFileException refusal = assertThrows(TlsFileException.class, () -> isUsed(files));
        assertEquals(named, refusal.file());
        for (String part : parts) {
            assertTrue(refusal.getMessage(), refusal.getMessage().contains(part));
        }
        assertTrue(refusal.getMessage(), refusal.getMessage().startsWith(named + ": "));
    }

    private TlsFiles withPassword(Path keyFile) {
        return new TlsFiles(certificate, keyFile, null, password, null, List.of());
    }

    /** GnuTLS, and so Debian's slapd, reads no key without it. One key of 256 has a number that begins with a zero. */
    @Test
    public void theKeyOfItsOwnMakingHasThePublicKeyInIt() throws Exception {
        for (int i = 0; i < 300; i++) {
            CertifiedKey made = CertifiedKey.selfSigned(List.of(), Instant.now(), 1);
            byte[] key = pkcs8(made.keyPem());
            X509Certificate read = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(made.certificatePem().getBytes(StandardCharsets.US_ASCII)));
            byte[] publicKey = read.getPublicKey().getEncoded();
            assertEquals("as OpenSSL writes it", 138, key.length);
            assertArrayEquals("the point", Arrays.copyOfRange(publicKey, publicKey.length - 65, publicKey.length),
                    Arrays.copyOfRange(key, key.length - 65, key.length));
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)));
            byte[] signed = signature.sign();
            signature.initVerify(read.getPublicKey());
            assertTrue(signature.verify(signed));
        }
    }

    @Test
    public void theCertificateOfItsOwnMakingIsOneThatJavaReads() throws Exception {
        X509Certificate read = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pair.certificatePem().getBytes(StandardCharsets.US_ASCII)));
        read.verify(read.getPublicKey());
        assertEquals(-1, read.getBasicConstraints());
        assertTrue(read.getSubjectAlternativeNames().toString(), read.getSubjectAlternativeNames().stream()
                .map(each -> each.get(1)).toList().containsAll(List.of("localhost", "127.0.0.1", "ldap.example.com")));
        CertifiedKey late = CertifiedKey.selfSigned(List.of(), Instant.parse("2049-12-31T00:00:00Z"), 2);
        read = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(late.certificatePem().getBytes(StandardCharsets.US_ASCII)));
        assertEquals(Instant.parse("2049-12-31T00:00:00Z"), read.getNotBefore().toInstant());
        assertEquals(Instant.parse("2050-01-02T00:00:00Z"), read.getNotAfter().toInstant());
    }

    @Test
    public void keysOfEllipticCurvesAreRead() throws Exception {
        isUsed(TlsFiles.of(certificate, key));
        isUsed(TlsFiles.of(write("both.pem", "a comment\n" + pair.keyPem() + "another\n" + pair.certificatePem()), null));
        BerReader reader = new BerReader(inner(pkcs8(pair.keyPem())));
        reader.enter(BerWriter.SEQUENCE);
        reader.skip();
        byte[] secret = reader.readBytes(BerWriter.OCTET_STRING);
        BerWriter out = new BerWriter(100);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, VERSION_OF_EC_KEY);
        out.octets(BerWriter.OCTET_STRING, secret);
        out.octets(0xA0, P256);
        out.end(outer);
        isUsed(TlsFiles.of(certificate, write("sec1.key", pem("EC PRIVATE KEY", out.toByteArray()))));
        isRefused(TlsFiles.of(certificate, write("curve.key", pem("EC PRIVATE KEY", inner(pkcs8(pair.keyPem()))))),
                folder.getRoot().toPath().resolve("curve.key"), "of which elliptic curve", "openssl pkcs8");
    }

    @Test
    public void encryptedKeysAreRead() throws Exception {
        for (String algorithm : List.of("PBEWithHmacSHA256AndAES_256", "PBEWithHmacSHA512AndAES_128", "PBEWithSHA1AndDESede")) {
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(Cipher.ENCRYPT_MODE, SecretKeyFactory.getInstance(algorithm)
                    .generateSecret(new PBEKeySpec(PASSWORD.toCharArray())));
            AlgorithmParameters parameters = cipher.getParameters();
            byte[] encrypted = cipher.doFinal(pkcs8(pair.keyPem()));
            byte[] all = algorithm.contains("Hmac") ? pbes2(parameters.getEncoded(), encrypted)
                    : new EncryptedPrivateKeyInfo(parameters, encrypted).getEncoded();
            Path file = write("encrypted.key", pem("ENCRYPTED PRIVATE KEY", all));
            isUsed(withPassword(file));
            isRefused(TlsFiles.of(certificate, file), file, "is encrypted, expected tlsPasswordFile");
            write("password", "another");
            isRefused(withPassword(file), file, "cannot be decrypted with the password given");
            Files.write(password.file(), new byte[] {'p', (byte) 0xE9});
            isRefused(withPassword(file), password.file(), "is not UTF-8");
            write("password", PASSWORD);
        }
    }

    /** Java 17 reads it, and does not write it. */
    private static byte[] pbes2(byte[] parameters, byte[] encrypted) {
        BerWriter out = new BerWriter(200);
        int outer = out.begin(BerWriter.SEQUENCE);
        int algorithm = out.begin(BerWriter.SEQUENCE);
        out.raw(PBES2, 0, PBES2.length);
        out.raw(parameters, 0, parameters.length);
        out.end(algorithm);
        out.octets(BerWriter.OCTET_STRING, encrypted);
        out.end(outer);
        return out.toByteArray();
    }

    @Test
    public void keysOfRsaAndKeyStoresAreRead() throws Exception {
        Path store = folder.getRoot().toPath().resolve("server.p12");
        ToolRun.keytool("-genkeypair", "-keystore", store, "-storetype", "PKCS12", "-storepass", PASSWORD, "-alias", "x", "-keyalg", "RSA",
                "-keysize", 2048, "-dname", "CN=rsa");
        isUsed(new TlsFiles(null, null, store, password, null, List.of()));
        isRefused(new TlsFiles(null, null, store, null, null, List.of()), store, "its password (tlsPasswordFile)");
        isRefused(new TlsFiles(null, null, store, new TlsFiles.Password(null, "PATH"), null, List.of()), store, "its password (tlsPasswordFile)");
        KeyStore read = KeyStore.getInstance("PKCS12");
        read.load(Files.newInputStream(store), PASSWORD.toCharArray());
        PrivateKey rsa = (PrivateKey) read.getKey("x", PASSWORD.toCharArray());
        Certificate own = read.getCertificate("x");
        Path another = folder.getRoot().toPath().resolve("another.p12");
        char[] variable = System.getenv("PATH").toCharArray();
        KeyStore written = KeyStore.getInstance("PKCS12");
        written.load(null, null);
        written.setKeyEntry("x", rsa, variable, new Certificate[] {own});
        try (OutputStream out = Files.newOutputStream(another)) {
            written.store(out, variable);
        }
        isUsed(new TlsFiles(null, null, another, new TlsFiles.Password(null, "PATH"), null, List.of()));
        Path rsaCertificate = write("rsa.crt", pair.certificatePem() + pem("CERTIFICATE", own.getEncoded()));
        isUsed(TlsFiles.of(rsaCertificate, write("rsa.key", pem("PRIVATE KEY", rsa.getEncoded()))));
        isUsed(TlsFiles.of(rsaCertificate, write("pkcs1.key", pem("RSA PRIVATE KEY", inner(rsa.getEncoded())))));
        isRefused(TlsFiles.of(certificate, folder.getRoot().toPath().resolve("rsa.key")), certificate, "the key in", "rsa.key",
                "belongs to none of its certificates");
        try (OutputStream out = Files.newOutputStream(store)) {
            KeyStore empty = KeyStore.getInstance("PKCS12");
            empty.load(null, null);
            empty.store(out, PASSWORD.toCharArray());
        }
        isRefused(new TlsFiles(null, null, store, password, null, List.of()), store, "has 0 private keys, expected one");
    }

    @Test
    public void filesThatCannotBeUsedAreNamedWithWhatIsWrong() throws Exception {
        Path missing = folder.getRoot().toPath().resolve("missing");
        isRefused(TlsFiles.of(missing, key), missing, "there is no such file");
        isRefused(TlsFiles.of(key, key), key, "has no certificates");
        isRefused(TlsFiles.of(certificate, certificate), certificate, "has 0 private keys");
        Path file = write("damaged.crt", pem("CERTIFICATE", new byte[] {0x30, 3, 1, 2, 3}));
        isRefused(TlsFiles.of(file, key), file, "certificate 1 is damaged");
        file = write("damaged.key", pem("PRIVATE KEY", new byte[] {0x30, 3, 1, 2, 3}));
        isRefused(TlsFiles.of(certificate, file), file, "damaged or of an algorithm that is not known");
        file = write("cut.key", pem("EC PRIVATE KEY", new byte[] {0x30, 30, 2, 1}));
        isRefused(TlsFiles.of(certificate, file), file, "is damaged");
        file = write("base64.key", "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----\n");
        isRefused(TlsFiles.of(certificate, file), file, "is not Base64");
        file = write("old.key", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n"
                + "-----END RSA PRIVATE KEY-----\n");
        isRefused(TlsFiles.of(certificate, file), file, "openssl pkcs8 -topk8");
        CertifiedKey old = CertifiedKey.selfSigned(List.of(), Instant.parse("2020-01-01T00:00:00Z"), 1);
        file = write("expired.crt", old.certificatePem());
        isRefused(TlsFiles.of(file, write("expired.key", old.keyPem())), file, "has expired on 2020-01-02T00:00:00Z");
        CertifiedKey future = CertifiedKey.selfSigned(List.of(), Instant.now().plus(5, ChronoUnit.DAYS), 1);
        file = write("future.crt", future.certificatePem());
        isRefused(TlsFiles.of(file, write("future.key", future.keyPem())), file, "is not valid before");
        isRefused(TlsFiles.of(certificate, key).withAuthorities(key, List.of()), key, "has no certificates");
        isRefused(TlsFiles.of(certificate, key).withAuthorities(certificate, List.of(key)), key, "expected a");
    }

    @Test
    public void cipherSuitesThatJavaDoesNotHaveAreRefusedByName() {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                () -> TlsContexts.open(TlsContexts.Use.of(TlsFiles.of(certificate, key), List.of("TLSv1.3"), List.of("TLS_NO_SUCH"), 14), 60_000));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("TLS_NO_SUCH"));
    }
}
