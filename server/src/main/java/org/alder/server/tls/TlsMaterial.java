package org.alder.server.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.text.Utf8;

/**
 * A key with its certificates, and what those of clients are held against, as the files have it at one moment; checked. Immutable.
 *
 * @param chain the certificate of the key first, then each that signed the one before it
 * @param authorities empty if clients show no certificates
 */
record TlsMaterial(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities, List<CRL> revocations) {
    private static final int MAX_BYTES = 16 << 20;

    /** What the files hold now. Keys and certificates are few: what changed is found by comparing it all. */
    record Contents(TlsFiles files, Map<Path, byte[]> bytes) {
        static Contents read(TlsFiles files) throws TlsFileException {
            Map<Path, byte[]> bytes = new HashMap<>();
            for (Path file : files.all()) {
                bytes.put(file, bytes(file));
            }
            return new Contents(files, bytes);
        }

        private static byte[] bytes(Path file) throws TlsFileException {
            try {
                if (Files.isRegularFile(file) && Files.size(file) > MAX_BYTES) {
                    throw new TlsFileException(file, "has " + Files.size(file) + " bytes, expected at most " + MAX_BYTES);
                }
                return Files.readAllBytes(file);
            } catch (NoSuchFileException e) {
                throw new TlsFileException(file, "there is no such file", e);
            } catch (IOException e) {
                throw new TlsFileException(file, "cannot be read: " + e, e);
            }
        }

        boolean sameAs(Contents other) {
            return other != null && bytes.keySet().equals(other.bytes.keySet())
                    && bytes.keySet().stream().allMatch(file -> Arrays.equals(bytes.get(file), other.bytes.get(file)));
        }

        byte[] of(Path file) {
            return bytes.get(file);
        }
    }

    static TlsMaterial load(Contents contents) throws TlsFileException {
        TlsFiles files = contents.files();
        char[] password = files.password() == null ? null : password(files.password(), contents);
        List<X509Certificate> authorities = files.authorities() == null ? List.of()
                : certificates(files.authorities(), contents.of(files.authorities()));
        List<CRL> revocations = new ArrayList<>();
        for (Path file : files.revocations()) {
            revocations.addAll(revocations(file, contents.of(file)));
        }
        if (files.keyStore() != null) {
            return ofKeyStore(files.keyStore(), contents.of(files.keyStore()), password, authorities, revocations);
        }
        Path keyFile = files.key() == null ? files.certificates() : files.key();
        PrivateKey key = key(keyFile, contents.of(keyFile), password);
        List<X509Certificate> certificates = certificates(files.certificates(), contents.of(files.certificates()));
        return new TlsMaterial(key, chain(files.certificates(), certificates, key, keyFile), authorities, revocations);
    }

    private static char[] password(TlsFiles.Password password, Contents contents) throws TlsFileException {
        if (password.file() == null) {
            return System.getenv(password.variable()).toCharArray();
        }
        String text = Utf8.decodeOrNull(contents.of(password.file()));
        if (text == null) {
            throw new TlsFileException(password.file(), "is not UTF-8, expected a password as one line of text");
        }
        return text.stripTrailing().toCharArray();
    }

    private static PrivateKey key(Path file, byte[] bytes, char[] password) throws TlsFileException {
        List<Pem.Part> keys = Pem.parts(file, bytes).stream().filter(PrivateKeys::isKey).toList();
        if (keys.size() != 1) {
            throw new TlsFileException(file, "has " + keys.size() + " private keys, expected one, in PEM (-----BEGIN PRIVATE KEY-----)");
        }
        return PrivateKeys.read(file, keys.get(0), password);
    }

    private static List<X509Certificate> certificates(Path file, byte[] bytes) throws TlsFileException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Pem.Part part : Pem.parts(file, bytes)) {
            if (part.label().equals("CERTIFICATE")) {
                try {
                    certificates.add((X509Certificate) factory().generateCertificate(new ByteArrayInputStream(part.content())));
                } catch (CertificateException e) {
                    throw new TlsFileException(file, "certificate " + (certificates.size() + 1) + " is damaged: " + e.getMessage(), e);
                }
            }
        }
        if (certificates.isEmpty()) {
            throw new TlsFileException(file, "has no certificates, expected one or more in PEM (-----BEGIN CERTIFICATE-----)");
        }
        return certificates;
    }

    private static List<CRL> revocations(Path file, byte[] bytes) throws TlsFileException {
        try {
            List<CRL> lists = List.copyOf(factory().generateCRLs(new ByteArrayInputStream(bytes)));
            if (!lists.isEmpty()) {
                return lists;
            }
        } catch (CRLException e) {
            throw new TlsFileException(file, "is damaged, expected a list of revoked certificates (CRL): " + e.getMessage(), e);
        }
        throw new TlsFileException(file, "has no list of revoked certificates, expected a CRL in PEM (-----BEGIN X509 CRL-----) or DER");
    }

    private static CertificateFactory factory() {
        try {
            return CertificateFactory.getInstance("X.509");
        } catch (CertificateException e) {
            throw new IllegalStateException("every Java has X.509", e);
        }
    }

    private static TlsMaterial ofKeyStore(Path file, byte[] bytes, char[] password, List<X509Certificate> authorities,
            List<CRL> revocations) throws TlsFileException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            char[] secret = password == null ? new char[0] : password;
            store.load(new ByteArrayInputStream(bytes), secret);
            List<String> aliases = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    aliases.add(alias);
                }
            }
            if (aliases.size() != 1) {
                throw new TlsFileException(file, "has " + aliases.size() + " private keys, expected one");
            }
            Key key = store.getKey(aliases.get(0), secret);
            Certificate[] stored = store.getCertificateChain(aliases.get(0));
            if (!(key instanceof PrivateKey privateKey) || stored == null || stored.length == 0) {
                throw new TlsFileException(file, "has a key without a certificate, expected both");
            }
            List<X509Certificate> all = Arrays.stream(stored).map(X509Certificate.class::cast).toList();
            return new TlsMaterial(privateKey, chain(file, all, privateKey, file), authorities, revocations);
        } catch (IOException | GeneralSecurityException e) {
            throw new TlsFileException(file, "is no PKCS#12 file, or its password (tlsPasswordFile) is another: " + e.getMessage(), e);
        }
    }

    /** The certificates in the order in which each has signed the one before it. */
    private static List<X509Certificate> chain(Path file, List<X509Certificate> certificates, PrivateKey key, Path keyFile)
            throws TlsFileException {
        List<X509Certificate> left = new ArrayList<>(certificates);
        X509Certificate own = left.stream().filter(each -> belong(each.getPublicKey(), key)).findFirst().orElse(null);
        if (own == null) {
            throw new TlsFileException(file, "the key in " + keyFile + " belongs to none of its certificates ("
                    + certificates.get(0).getSubjectX500Principal() + ")");
        }
        check(file, own);
        List<X509Certificate> chain = new ArrayList<>();
        for (X509Certificate next = own; next != null; next = issuer(next, left)) {
            left.remove(next);
            chain.add(next);
        }
        return chain;
    }

    private static void check(Path file, X509Certificate own) throws TlsFileException {
        String whose = "the certificate of " + own.getSubjectX500Principal();
        try {
            own.checkValidity();
        } catch (CertificateExpiredException e) {
            throw new TlsFileException(file, whose + " has expired on " + own.getNotAfter().toInstant(), e);
        } catch (CertificateNotYetValidException e) {
            throw new TlsFileException(file, whose + " is not valid before " + own.getNotBefore().toInstant(), e);
        }
    }

    private static X509Certificate issuer(X509Certificate certificate, List<X509Certificate> others) {
        return others.stream().filter(each -> each.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()))
                .findFirst().orElse(null);
    }

    /** Whether what the one signs, the other finds signed. */
    private static boolean belong(PublicKey publicKey, PrivateKey key) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        byte[] probe = "a probe".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signature = Signature.getInstance(algorithm);
            if ("RSASSA-PSS".equals(algorithm)) {
                signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
            }
            signature.initSign(key);
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(probe);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
