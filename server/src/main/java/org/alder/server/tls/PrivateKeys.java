package org.alder.server.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/**
 * Reads private keys as PEM files have them: PKCS#8 (RFC 5958), encrypted or not, PKCS#1 (RFC 8017 A.1.2), and of elliptic curves
 * (RFC 5915). The JDK reads PKCS#8 alone; the other two are what stands inside of that, with the algorithm's name outside. Stateless.
 */
final class PrivateKeys {
    /** RSA, and the elliptic curves without the name of the curve: identifiers of algorithms, in DER. */
    private static final byte[] RSA = {0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00};
    private static final byte[] EC = {0x06, 0x07, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01};
    private static final int EC_PARAMETERS = 0xA0;
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

    private PrivateKeys() {
    }

    static boolean isKey(Pem.Part part) {
        return part.label().endsWith("PRIVATE KEY");
    }

    /** @param password of an encrypted key, or null */
    static PrivateKey read(Path file, Pem.Part part, char[] password) throws TlsFileException {
        if (part.headers()) {
            throw new TlsFileException(file, "the key is encrypted in a way that only OpenSSL knows (Proc-Type: 4,ENCRYPTED), expected"
                    + " PKCS#8: openssl pkcs8 -topk8 -in OLD -out NEW");
        }
        try {
            return switch (part.label()) {
                case "PRIVATE KEY" -> fromPkcs8(file, part.content());
                case "ENCRYPTED PRIVATE KEY" -> fromPkcs8(file, decrypted(file, part.content(), password));
                case "RSA PRIVATE KEY" -> fromPkcs8(file, wrapped(RSA, new byte[0], part.content()));
                case "EC PRIVATE KEY" -> fromPkcs8(file, wrapped(EC, curve(file, part.content()), part.content()));
                default -> throw new TlsFileException(file, "a key of the form " + part.label() + ", expected PRIVATE KEY, ENCRYPTED"
                        + " PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY");
            };
        } catch (BerException e) {
            throw new TlsFileException(file, "the content of " + part.label() + " is damaged: " + e.getMessage(), e);
        }
    }

    private static PrivateKey fromPkcs8(Path file, byte[] encoded) throws TlsFileException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (InvalidKeySpecException e) {
                // It may be one of another algorithm.
            } catch (GeneralSecurityException e) {
                throw new TlsFileException(file, "this Java cannot read keys of " + algorithm, e);
            }
        }
        throw new TlsFileException(file, "the key is damaged or of an algorithm that is not known, expected one of " + ALGORITHMS);
    }

    private static byte[] decrypted(Path file, byte[] content, char[] password) throws TlsFileException {
        if (password == null) {
            throw new TlsFileException(file, "the key is encrypted, expected tlsPasswordFile to name a file with its password");
        }
        EncryptedPrivateKeyInfo info;
        String algorithm;
        try {
            info = new EncryptedPrivateKeyInfo(content);
            // PBES2 has its parts in its parameters, of which the JDK makes the name that it knows the whole by.
            algorithm = "PBES2".equals(info.getAlgName()) ? info.getAlgParameters().toString() : info.getAlgName();
        } catch (IOException | IllegalArgumentException e) {
            throw new TlsFileException(file, "the encrypted key is damaged, or encrypted in a way that is not known: " + e.getMessage(),
                    e);
        }
        PBEKeySpec spec = new PBEKeySpec(password);
        try {
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(Cipher.DECRYPT_MODE, SecretKeyFactory.getInstance(algorithm).generateSecret(spec), info.getAlgParameters());
            return info.getKeySpec(cipher).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new TlsFileException(file, "the key cannot be decrypted with the password given (" + algorithm + ")", e);
        } finally {
            spec.clearPassword();
        }
    }

    /** PKCS#8 around a key. @param parameters of the algorithm, in DER */
    private static byte[] wrapped(byte[] algorithm, byte[] parameters, byte[] key) {
        BerWriter out = new BerWriter(key.length + 64);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, 0);
        int identifier = out.begin(BerWriter.SEQUENCE);
        out.raw(algorithm, 0, algorithm.length);
        out.raw(parameters, 0, parameters.length);
        out.end(identifier);
        out.octets(BerWriter.OCTET_STRING, key);
        out.end(outer);
        return out.toByteArray();
    }

    /** The name of the curve, in DER: {@code SEQUENCE { version INTEGER, privateKey OCTET STRING, parameters [0] OPTIONAL, ...}}. */
    private static byte[] curve(Path file, byte[] key) throws BerException, TlsFileException {
        BerReader reader = new BerReader(key);
        reader.enter(BerWriter.SEQUENCE);
        reader.skip();
        reader.readBytes(BerWriter.OCTET_STRING);
        if (reader.peekTag() != EC_PARAMETERS) {
            throw new TlsFileException(file, "the key does not say of which elliptic curve it is, expected PKCS#8: openssl pkcs8 -topk8"
                    + " -nocrypt -in OLD -out NEW");
        }
        return reader.readBytes(EC_PARAMETERS);
    }
}
