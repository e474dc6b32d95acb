package org.alder.partition.schema;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.alder.partition.error.DirectoryException;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * The normal form of certificateExactMatch (RFC 4523 2.5): a certificate is told by its serial number and its issuer's name. The
 * form, version 1: the serial number in decimal, a {@code $}, and the issuer as distinguishedNameMatch has it; or in X.500's
 * canonical text where that rule does not know an attribute type in it. A value that is no certificate is its own form.
 */
final class CertificateForm {
    private static final String DN_MATCH = "2.5.13.1";
    private static final Map<String, String> EMAIL = Map.of("1.2.840.113549.1.9.1", "email");
    private static final int DER_SEQUENCE = 0x30;
    /** GSER (RFC 3641) of CertificateExactAssertion, whose fields come in either order. */
    private static final Pattern SERIAL = Pattern.compile("[{,]\\s*serialNumber\\s+(-?\\d+|'([0-9A-Fa-f]+)'H)\\s*[,}]");
    private static final Pattern ISSUER =
            Pattern.compile("[{,]\\s*issuer\\s+(?:rdnSequence\\s*:\\s*)?\"((?:[^\"]|\"\")*)\"\\s*[,}]");
    /** As before RFC 4523. */
    private static final Pattern PLAIN = Pattern.compile("\\s*(-?\\d+)\\s*\\$(.*)", Pattern.DOTALL);

    private CertificateForm() {
    }

    static byte[] ofValue(Schema schema, byte[] value) {
        try {
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(value));
            return form(schema, certificate.getSerialNumber(), certificate.getIssuerX500Principal());
        } catch (CertificateException e) {
            return value;
        }
    }

    /** @throws DirectoryException invalidAttributeSyntax for what is neither an assertion nor a certificate */
    static byte[] ofAssertion(Schema schema, byte[] assertion) throws DirectoryException {
        if (assertion.length > 0 && assertion[0] == DER_SEQUENCE) {
            return ofValue(schema, assertion);
        }
        String text = StringPreparation.decode(assertion);
        Matcher serial = SERIAL.matcher(text);
        Matcher issuer = ISSUER.matcher(text);
        Matcher plain = PLAIN.matcher(text);
        if (serial.find() && issuer.find()) {
            BigInteger number = serial.group(2) == null ? new BigInteger(serial.group(1)) : new BigInteger(serial.group(2), 16);
            return form(schema, number, issuer.group(1).replace("\"\"", "\""));
        } else if (plain.matches()) {
            return form(schema, new BigInteger(plain.group(1)), plain.group(2).trim());
        }
        throw invalid(text);
    }

    private static DirectoryException invalid(String text) {
        return new DirectoryException(ResultCodeEnum.INVALID_ATTRIBUTE_SYNTAX, "the value " + ValueText.of(text)
                + " is not an assertion such as { serialNumber 1, issuer rdnSequence:\"cn=ca\" }");
    }

    private static byte[] form(Schema schema, BigInteger serial, X500Principal issuer) {
        byte[] name = name(schema, issuer.getName(X500Principal.RFC2253, EMAIL));
        return form(serial, name == null ? canonical(issuer) : name);
    }

    private static byte[] form(Schema schema, BigInteger serial, String issuer) throws DirectoryException {
        byte[] name = name(schema, issuer);
        try {
            return form(serial, name == null ? canonical(new X500Principal(issuer)) : name);
        } catch (IllegalArgumentException e) {
            throw invalid(issuer);
        }
    }

    private static byte[] name(Schema schema, String text) {
        try {
            return schema.matchingRule(DN_MATCH).normalize(text.getBytes(StandardCharsets.UTF_8));
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
