package org.alder.server.wire.layer;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** What a TLS connection says of its two ends. Stateless. */
public final class TlsFacts {
    private static final Pattern KEY_BITS = Pattern.compile("_(?:AES|ARIA|CAMELLIA)_(\\d{3})_");
    private static final int STREAM_BITS = 256;
    /** Of a cipher that is not known by its name: it protects, and nothing more is promised. */
    private static final int LEAST_BITS = 56;
    private static final Pattern HASH = Pattern.compile("(MD5|SHA-?1|SHA-?(?:224|256|384|512))(?:WITH.*)?");

    private TlsFacts() {
    }

    /** Of the names that cipher suites have, such as TLS_AES_128_GCM_SHA256 and TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256. */
    public static int keyBits(String cipherSuite) {
        Matcher matcher = KEY_BITS.matcher(cipherSuite);
        return cipherSuite.contains("CHACHA20") ? STREAM_BITS : matcher.find() ? Integer.parseInt(matcher.group(1)) : LEAST_BITS;
    }

    /** Those that the client has shown, its own first; empty if it has shown none. */
    public static List<X509Certificate> peerCertificates(SSLSession session) {
        try {
            return Arrays.stream(session.getPeerCertificates()).map(X509Certificate.class::cast).toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    /** The server's certificate by the hash of its signature, or by SHA-256 for a weaker one (RFC 5929 4.1); null if there is none. */
    public static byte[] serverEndPoint(SSLSession session) {
        Certificate[] local = session.getLocalCertificates();
        try {
            return local == null ? null : serverEndPoint((X509Certificate) local[0]);
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    public static byte[] serverEndPoint(X509Certificate certificate) throws GeneralSecurityException {
        String hash = hash(certificate);
        return hash == null ? null : MessageDigest.getInstance(hash).digest(certificate.getEncoded());
    }

    /** Null for a signature that has no hash of its own, as of Ed25519: the RFC does not say what to take then. */
    private static String hash(X509Certificate certificate) throws GeneralSecurityException {
        String name = certificate.getSigAlgName();
        if ("RSASSA-PSS".equals(name)) {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance(name);
            try {
                parameters.init(certificate.getSigAlgParams());
            } catch (IOException e) {
                throw new GeneralSecurityException(e);
            }
            name = parameters.getParameterSpec(PSSParameterSpec.class).getDigestAlgorithm();
        }
        Matcher matcher = HASH.matcher(name.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            return null;
        }
        String bits = matcher.group(1).replaceAll("^SHA-?", "");
        return bits.equals("MD5") || bits.equals("1") ? "SHA-256" : "SHA-" + bits;
    }
}
