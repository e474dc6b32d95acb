package org.alder.partition.schema.value;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * The normal form of certificateExactMatch (RFC 4523 2.5): a certificate is told by its serial number and its issuer's name. The
 * form, version 1: the serial number in decimal, a {@code $}, and the issuer as distinguishedNameMatch has it; or in X.500's
 * canonical text where that rule does not know an attribute type in it. A value that is no certificate is its own form.
 */
final class CertificateForm {
    private static final Map<String, String> EMAIL = Map.of("1.2.840.113549.1.9.1", "email");
    private static final int DER_SEQUENCE = 0x30;
    /** A serial number has at most 20 octets (RFC 5280 4.1.2.2). To write one in decimal takes time quadratic in its length. */
    private static final int MAX_SERIAL_BITS = 4 * IntegerForm.MAX_DIGITS;

    private CertificateForm() {
    }

    static byte[] ofValue(MatchingRule names, byte[] value) {
        try {
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(value));
            BigInteger serial = certificate.getSerialNumber();
            return serial.bitLength() > MAX_SERIAL_BITS ? value : form(names, serial, certificate.getIssuerX500Principal());
        } catch (CertificateException e) {
            return value;
        }
    }

    /** @throws DirectoryException invalidAttributeSyntax for what is neither an assertion nor a certificate */
    static byte[] ofAssertion(MatchingRule names, byte[] assertion) throws DirectoryException {
        if (assertion.length > 0 && assertion[0] == DER_SEQUENCE) {
            return ofValue(names, assertion);
        }
        String text = StringPreparation.decode(assertion).strip();
        if (text.startsWith("{")) {
            return ofFields(names, new GserReader("certificate assertion", text));
        }
        int dollar = text.indexOf('$');
        if (dollar < 0) {
            throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "the value " + ValueText.of(text)
                    + " is not an assertion such as { serialNumber 1, issuer rdnSequence:\"cn=ca\" }");
        }
        return form(names, number(text.substring(0, dollar).strip()), text.substring(dollar + 1).strip());
    }

    /** CertificateExactAssertion (RFC 4523 A.1), whose fields come in either order. */
    private static byte[] ofFields(MatchingRule names, GserReader in) throws DirectoryException {
        BigInteger serial = null;
        String issuer = null;
        in.expect('{');
        do {
            switch (in.word()) {
                case "serialnumber" -> serial = number(in.word());
                case "issuer" -> issuer = issuer(in);
                default -> throw in.malformed("serialNumber or issuer");
            }
        } while (in.takes(','));
        in.expect('}');
        in.expectEnd();
        if (serial == null || issuer == null) {
            throw in.malformed("serialNumber and issuer");
        }
        return form(names, serial, issuer);
    }

    /** A name in quotes; before it, that it is one. */
    private static String issuer(GserReader in) throws DirectoryException {
        String first = in.string();
        if (!in.takes(':')) {
            return first;
        } else if (!first.equals("rdnSequence")) {
            throw in.malformed("rdnSequence:\"NAME\"");
        }
        return in.string();
    }

    /** In decimal; or in hexadecimal as {@code '0A'H}, in whatever case, since words come in lower case. */
    private static BigInteger number(String text) throws DirectoryException {
        boolean isHex = text.length() > 3 && text.startsWith("'") && text.endsWith("'h");
        return isHex ? IntegerForm.hexNumber(text.substring(1, text.length() - 2))
                : IntegerForm.number(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] form(MatchingRule names, BigInteger serial, X500Principal issuer) {
        byte[] name = name(names, issuer.getName(X500Principal.RFC2253, EMAIL));
        return form(serial, name == null ? canonical(issuer) : name);
    }

    private static byte[] form(MatchingRule names, BigInteger serial, String issuer) throws DirectoryException {
        byte[] name = name(names, issuer);
        try {
            return form(serial, name == null ? canonical(new X500Principal(issuer)) : name);
        } catch (IllegalArgumentException e) {
            throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, ValueText.of(issuer) + " is not a name");
        }
    }

    private static byte[] name(MatchingRule names, String text) {
        try {
            return names.normalize(text.getBytes(StandardCharsets.UTF_8));
        } catch (DirectoryException e) {
            return null;
        }
    }

    private static byte[] canonical(X500Principal name) {
        return name.getName(X500Principal.CANONICAL).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] form(BigInteger serial, byte[] issuer) {
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        form.writeBytes((serial + "$").getBytes(StandardCharsets.US_ASCII));
        form.writeBytes(issuer);
        return form.toByteArray();
    }
}
