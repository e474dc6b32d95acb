package org.alder.partition.x509;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.ber.BerWriter;

/**
 * A key of the curve P-256 with its certificate (RFC 5280 4.1): one that it signs for itself, that of an authority, or one that an
 * authority has issued. The JDK has no public way to make them. Immutable.
 */
public final class CertifiedKey {
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int EXPLICIT_VERSION = 0xA0;
    private static final int EXPLICIT_EXTENSIONS = 0xA3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final int EXPLICIT_PUBLIC_KEY = 0xA1;
    private static final int X509_V3 = 2;
    /** Of the curve P-256. */
    private static final int KEY_BYTES = 32;
    /** Where the algorithm and the bits stand in what Java writes of a public key of this curve (RFC 5480 2). */
    private static final int PUBLIC_ALGORITHM = 2;
    private static final int PUBLIC_BITS = 23;
    private static final int LAST_YEAR_OF_UTC_TIME = 2049;
    private static final int SERIAL_BITS = 127;

    private static final String BEGIN_CERTIFICATE = "-----BEGIN CERTIFICATE-----";
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final byte[] ECDSA_WITH_SHA256 = {0x06, 0x08, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x04, 0x03, 0x02};
    private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};
    private static final byte[] BASIC_CONSTRAINTS = {0x06, 0x03, 0x55, 0x1D, 0x13};
    private static final byte[] KEY_USAGE = {0x06, 0x03, 0x55, 0x1D, 0x0F};
    private static final byte[] EXTENDED_KEY_USAGE = {0x06, 0x03, 0x55, 0x1D, 0x25};
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = {0x06, 0x03, 0x55, 0x1D, 0x11};
    /** No authority. */
    private static final byte[] END_ENTITY = {0x30, 0x00};
    /** One that has no other authorities below it. */
    private static final byte[] AUTHORITY = {0x30, 0x06, 0x01, 0x01, (byte) 0xFF, 0x02, 0x01, 0x00};
    private static final byte[] DIGITAL_SIGNATURE = {0x03, 0x02, 0x07, (byte) 0x80};
    private static final byte[] CERTIFICATE_SIGNATURE = {0x03, 0x02, 0x02, 0x04};
    private static final byte[] SERVERS = {0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01};
    private static final byte[] SERVERS_AND_CLIENTS = {0x30, 0x14, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01,
        0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02};

    private final PrivateKey key;
    private final X509Certificate certificate;

    private CertifiedKey(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    /** A new key of a server, for this machine's name and its own addresses, and for these hosts. */
    public static CertifiedKey selfSigned(List<String> hosts, Instant from, int days) {
        Set<String> names = ownNames();
        names.addAll(hosts);
        List<String> subjects = subjects(names);
        KeyPair pair = pair();
        byte[] name = name(subjects.get(0));
        return signed(pair, pair.getPrivate(), name, new Body(name, subjects, SERVERS, from, from.plus(days, ChronoUnit.DAYS)));
    }

    /** A new key of an authority, which issues others. */
    public static CertifiedKey authority(String commonName, Instant from, int days) {
        KeyPair pair = pair();
        byte[] name = name(commonName);
        return signed(pair, pair.getPrivate(), name, new Body(name, null, null, from, from.plus(days, ChronoUnit.DAYS)));
    }

    /** A new key that this authority certifies, for a server that is a client of others too; at most as long as the authority is valid. */
    public CertifiedKey issue(String commonName, List<String> hosts, Instant from, int days) {
        Instant end = certificate.getNotAfter().toInstant();
        Instant until = from.plus(days, ChronoUnit.DAYS);
        return signed(pair(), key, certificate.getSubjectX500Principal().getEncoded(),
                new Body(name(commonName), subjects(hosts), SERVERS_AND_CLIENTS, from, until.isBefore(end) ? until : end));
    }

    /**
     * One that was made here before.
     *
     * @param key         as of {@link #keyPem}
     * @param certificate as of {@link #certificatePem}; text may stand before
     * @throws GeneralSecurityException where they cannot be read, or are not of one another
     */
    public static CertifiedKey ofPem(String key, String certificate) throws GeneralSecurityException {
        byte[] content;
        try {
            content = Base64.getMimeDecoder().decode(key.replaceAll("(?s).*-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----.*", "$1"));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("there is no PRIVATE KEY in PEM: " + e.getMessage(), e);
        }
        PrivateKey read = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(content));
        X509Certificate of = certificateOfPem(certificate);
        byte[] probe = {1};
        Signature verifier = Signature.getInstance(SIGNATURE);
        verifier.initVerify(of.getPublicKey());
        verifier.update(probe);
        if (!verifier.verify(signature(read, probe))) {
            throw new GeneralSecurityException("the key is not that of the certificate");
        }
        return new CertifiedKey(read, of);
    }

    /** The first certificate of a file. */
    public static X509Certificate certificateOfPem(String text) throws GeneralSecurityException {
        return certificatesOfPem(text).get(0);
    }

    /** All certificates of a file, one at least. */
    public static List<X509Certificate> certificatesOfPem(String text) throws GeneralSecurityException {
        List<X509Certificate> found = new ArrayList<>();
        for (int at = text.indexOf(BEGIN_CERTIFICATE); at >= 0; at = text.indexOf(BEGIN_CERTIFICATE, at + 1)) {
            found.add(certificate(text.substring(at).getBytes(StandardCharsets.ISO_8859_1)));
        }
        if (found.isEmpty()) {
            throw new GeneralSecurityException("there is no CERTIFICATE in PEM");
        }
        return found;
    }

    private static KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    private static CertifiedKey signed(KeyPair pair, PrivateKey signer, byte[] issuer, Body body) {
        try {
            byte[] encoded = body.encoded(pair.getPublic(), issuer);
            BerWriter out = new BerWriter(1024);
            int outer = out.begin(BerWriter.SEQUENCE);
            out.raw(encoded, 0, encoded.length);
            algorithm(out);
            bits(out, signature(signer, encoded));
            out.end(outer);
            return new CertifiedKey(pair.getPrivate(), certificate(out.toByteArray()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    private static byte[] signature(PrivateKey key, byte[] content) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(SIGNATURE);
        signature.initSign(key);
        signature.update(content);
        return signature.sign();
    }

    private static X509Certificate certificate(byte[] encoded) throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    /** The key in PKCS#8 (RFC 5958). */
    public String keyPem() {
        byte[] publicKey = certificate.getPublicKey().getEncoded();
        BerWriter out = new BerWriter(256);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, 0);
        out.raw(publicKey, PUBLIC_ALGORITHM, PUBLIC_BITS - PUBLIC_ALGORITHM);
        int octets = out.begin(BerWriter.OCTET_STRING);
        int inner = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, 1);
        out.octets(BerWriter.OCTET_STRING, unsigned(((ECPrivateKey) key).getS()));
        // Java leaves out the public key, which RFC 5915 lets it; GnuTLS reads no key without it.
        int explicit = out.begin(EXPLICIT_PUBLIC_KEY);
        out.raw(publicKey, PUBLIC_BITS, publicKey.length - PUBLIC_BITS);
        out.end(explicit);
        out.end(inner);
        out.end(octets);
        out.end(outer);
        return pem("PRIVATE KEY", out.toByteArray());
    }

    /** Of so many bytes as the numbers of the curve have. */
    private static byte[] unsigned(BigInteger number) {
        byte[] bytes = number.toByteArray();
        byte[] fixed = new byte[KEY_BYTES];
        int length = Math.min(bytes.length, KEY_BYTES);
        System.arraycopy(bytes, bytes.length - length, fixed, KEY_BYTES - length, length);
        return fixed;
    }

    public String certificatePem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("it was read of that", e);
        }
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public PrivateKey key() {
        return key;
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + label + "-----\n";
    }

    private static Set<String> ownNames() {
        Set<String> names = new LinkedHashSet<>();
        try {
            names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
        } catch (UnknownHostException e) {
            // It is known as localhost at least.
        }
        names.addAll(List.of("localhost", "127.0.0.1", "::1"));
        return names;
    }

    /** Those that a certificate can be for. */
    private static List<String> subjects(Collection<String> names) {
        return names.stream().filter(name -> name.matches("[0-9A-Za-z._:-]+") && !name.equals("0.0.0.0") && !name.equals("::")).distinct().toList();
    }

    /**
     * What is signed.
     *
     * @param subject its name, encoded
     * @param names   hosts that it is for; null for an authority
     * @param usages  what it is for, encoded
     */
    private record Body(byte[] subject, List<String> names, byte[] usages, Instant from, Instant until) {
        byte[] encoded(PublicKey key, byte[] issuer) {
            BerWriter out = new BerWriter(512);
            int body = out.begin(BerWriter.SEQUENCE);
            int version = out.begin(EXPLICIT_VERSION);
            out.integer(BerWriter.INTEGER, X509_V3);
            out.end(version);
            out.octets(BerWriter.INTEGER, new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS - 1).toByteArray());
            algorithm(out);
            out.raw(issuer, 0, issuer.length);
            int validity = out.begin(BerWriter.SEQUENCE);
            time(out, from);
            time(out, until);
            out.end(validity);
            out.raw(subject, 0, subject.length);
            byte[] encodedKey = key.getEncoded();
            out.raw(encodedKey, 0, encodedKey.length);
            int explicit = out.begin(EXPLICIT_EXTENSIONS);
            int extensions = out.begin(BerWriter.SEQUENCE);
            extension(out, BASIC_CONSTRAINTS, true, names == null ? AUTHORITY : END_ENTITY);
            extension(out, KEY_USAGE, true, names == null ? CERTIFICATE_SIGNATURE : DIGITAL_SIGNATURE);
            if (names != null) {
                extension(out, EXTENDED_KEY_USAGE, false, usages);
                extension(out, SUBJECT_ALTERNATIVE_NAME, false, alternativeNames(names));
            }
            out.end(extensions);
            out.end(explicit);
            out.end(body);
            return out.toByteArray();
        }
    }

    private static void algorithm(BerWriter out) {
        int algorithm = out.begin(BerWriter.SEQUENCE);
        out.raw(ECDSA_WITH_SHA256, 0, ECDSA_WITH_SHA256.length);
        out.end(algorithm);
    }

    /** A name of one common name. */
    private static byte[] name(String commonName) {
        BerWriter out = new BerWriter(128);
        int name = out.begin(BerWriter.SEQUENCE);
        int rdn = out.begin(BerWriter.SET);
        int part = out.begin(BerWriter.SEQUENCE);
        out.raw(COMMON_NAME, 0, COMMON_NAME.length);
        // At most 64 characters (RFC 5280 A.1); the alternative names have it whole.
        out.string(UTF8_STRING, commonName.substring(0, Math.min(commonName.length(), 64)));
        out.end(part);
        out.end(rdn);
        out.end(name);
        return out.toByteArray();
    }

    private static void time(BerWriter out, Instant instant) {
        ZonedDateTime time = instant.atZone(ZoneOffset.UTC);
        boolean early = time.getYear() <= LAST_YEAR_OF_UTC_TIME;
        String text = DateTimeFormatter.ofPattern((early ? "yy" : "yyyy") + "MMddHHmmss'Z'", Locale.ROOT).format(time);
        out.octets(early ? UTC_TIME : GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void extension(BerWriter out, byte[] identifier, boolean critical, byte[] value) {
        int extension = out.begin(BerWriter.SEQUENCE);
        out.raw(identifier, 0, identifier.length);
        if (critical) {
            out.bool(BerWriter.BOOLEAN, true);
        }
        out.octets(BerWriter.OCTET_STRING, value);
        out.end(extension);
    }

    private static byte[] alternativeNames(List<String> names) {
        BerWriter out = new BerWriter(128);
        int all = out.begin(BerWriter.SEQUENCE);
        for (String name : names) {
            byte[] address = address(name);
            if (address == null) {
                out.octets(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII));
            } else {
                out.octets(IP_ADDRESS, address);
            }
        }
        out.end(all);
        return out.toByteArray();
    }

    /** Null for what is a name; asks nobody. */
    private static byte[] address(String name) {
        if (!name.contains(":") && !name.matches("[0-9.]+")) {
            return null;
        }
        try {
            return InetAddress.getByName(name).getAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** A string of whole bytes. */
    private static void bits(BerWriter out, byte[] value) {
        out.header(BIT_STRING, value.length + 1);
        out.raw(new byte[1], 0, 1);
        out.raw(value, 0, value.length);
    }
}
