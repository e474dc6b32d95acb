package org.alder.server.tls;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.ber.BerWriter;

/**
 * A key, and the certificate that it signs for itself (RFC 5280 4.1), for a server that has been given none. The JDK has no public
 * way to make one. Immutable.
 */
public final class SelfSigned {
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

    private static final byte[] ECDSA_WITH_SHA256 = {0x06, 0x08, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x04, 0x03, 0x02};
    private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};
    private static final byte[] BASIC_CONSTRAINTS = {0x06, 0x03, 0x55, 0x1D, 0x13};
    private static final byte[] KEY_USAGE = {0x06, 0x03, 0x55, 0x1D, 0x0F};
    private static final byte[] EXTENDED_KEY_USAGE = {0x06, 0x03, 0x55, 0x1D, 0x25};
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = {0x06, 0x03, 0x55, 0x1D, 0x11};
    /** No authority. */
    private static final byte[] END_ENTITY = {0x30, 0x00};
    private static final byte[] DIGITAL_SIGNATURE = {0x03, 0x02, 0x07, (byte) 0x80};
    private static final byte[] SERVERS = {0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01};

    private final KeyPair pair;
    private final byte[] certificate;

    private SelfSigned(KeyPair pair, byte[] certificate) {
        this.pair = pair;
        this.certificate = certificate;
    }

    /** With a new key of the curve P-256, for this machine's name and its own addresses, and for these hosts. */
    public static SelfSigned make(List<String> hosts, Instant from, int days) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            byte[] body = body(pair, names(hosts), from, from.plus(days, ChronoUnit.DAYS));
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(body);
            BerWriter out = new BerWriter(1024);
            int outer = out.begin(BerWriter.SEQUENCE);
            out.raw(body, 0, body.length);
            algorithm(out);
            bits(out, signature.sign());
            out.end(outer);
            return new SelfSigned(pair, out.toByteArray());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    /** The key in PKCS#8 (RFC 5958). */
    public String keyPem() {
        byte[] publicKey = pair.getPublic().getEncoded();
        BerWriter out = new BerWriter(256);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, 0);
        out.raw(publicKey, PUBLIC_ALGORITHM, PUBLIC_BITS - PUBLIC_ALGORITHM);
        int octets = out.begin(BerWriter.OCTET_STRING);
        int key = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, 1);
        out.octets(BerWriter.OCTET_STRING, unsigned(((ECPrivateKey) pair.getPrivate()).getS()));
        // Java leaves out the public key, which RFC 5915 lets it; GnuTLS reads no key without it.
        int explicit = out.begin(EXPLICIT_PUBLIC_KEY);
        out.raw(publicKey, PUBLIC_BITS, publicKey.length - PUBLIC_BITS);
        out.end(explicit);
        out.end(key);
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
        return pem("CERTIFICATE", certificate);
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + label + "-----\n";
    }

    private static Set<String> names(List<String> hosts) {
        Set<String> names = new LinkedHashSet<>();
        try {
            names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
        } catch (UnknownHostException e) {
            // It is known as localhost at least.
        }
        names.add("localhost");
        names.add("127.0.0.1");
        names.add("::1");
        names.addAll(hosts);
        names.removeIf(name -> !name.matches("[0-9A-Za-z._:-]+") || name.equals("0.0.0.0") || name.equals("::"));
        return names;
    }

    private static byte[] body(KeyPair pair, Set<String> names, Instant from, Instant until) {
        BerWriter out = new BerWriter(512);
        int body = out.begin(BerWriter.SEQUENCE);
        int version = out.begin(EXPLICIT_VERSION);
        out.integer(BerWriter.INTEGER, X509_V3);
        out.end(version);
        out.octets(BerWriter.INTEGER, new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS - 1).toByteArray());
        algorithm(out);
        String commonName = names.iterator().next();
        name(out, commonName);
        int validity = out.begin(BerWriter.SEQUENCE);
        time(out, from);
        time(out, until);
        out.end(validity);
        name(out, commonName);
        byte[] key = pair.getPublic().getEncoded();
        out.raw(key, 0, key.length);
        int explicit = out.begin(EXPLICIT_EXTENSIONS);
        int extensions = out.begin(BerWriter.SEQUENCE);
        extension(out, BASIC_CONSTRAINTS, true, END_ENTITY);
        extension(out, KEY_USAGE, true, DIGITAL_SIGNATURE);
        extension(out, EXTENDED_KEY_USAGE, false, SERVERS);
        extension(out, SUBJECT_ALTERNATIVE_NAME, false, alternativeNames(names));
        out.end(extensions);
        out.end(explicit);
        out.end(body);
        return out.toByteArray();
    }

    private static void algorithm(BerWriter out) {
        int algorithm = out.begin(BerWriter.SEQUENCE);
        out.raw(ECDSA_WITH_SHA256, 0, ECDSA_WITH_SHA256.length);
        out.end(algorithm);
    }

    /** A name of one common name. */
    private static void name(BerWriter out, String commonName) {
        int name = out.begin(BerWriter.SEQUENCE);
        int rdn = out.begin(BerWriter.SET);
        int part = out.begin(BerWriter.SEQUENCE);
        out.raw(COMMON_NAME, 0, COMMON_NAME.length);
        // At most 64 characters (RFC 5280 A.1); the alternative names have it whole.
        out.string(UTF8_STRING, commonName.substring(0, Math.min(commonName.length(), 64)));
        out.end(part);
        out.end(rdn);
        out.end(name);
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

    private static byte[] alternativeNames(Set<String> names) {
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
