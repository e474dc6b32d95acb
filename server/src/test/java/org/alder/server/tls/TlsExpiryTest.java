package org.alder.server.tls;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import org.alder.partition.x509.CertifiedKey;
import org.alder.server.LoggedMessages;
import org.alder.server.TestAuthority;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What the log says of a certificate as its end comes near. */
public class TlsExpiryTest {
    private static final int WARNING_DAYS = 14;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TlsContexts open(Instant from, int days) throws Exception {
        return open(from, days, files -> files);
    }

    private TlsContexts open(Instant from, int days, UnaryOperator<TlsFiles> more) throws Exception {
        Path certificate = folder.getRoot().toPath().resolve("tls.crt");
        Path key = folder.getRoot().toPath().resolve("tls.key");
        CertifiedKey pair = CertifiedKey.selfSigned(List.of("127.0.0.1"), from, days);
        Files.writeString(certificate, pair.certificatePem());
        Files.writeString(key, pair.keyPem());
        return TlsContexts.open(TlsContexts.Use.of(more.apply(TlsFiles.of(certificate, key)), List.of("TLSv1.3"), List.of(), WARNING_DAYS), 60_000);
    }

    @Test
    public void theEndIsWarnedOfWhenItIsNear() throws Exception {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        try (LoggedMessages log = new LoggedMessages(TlsContexts.class.getName()); TlsContexts contexts = open(now, 30)) {
            assertEquals(now.plus(Duration.ofDays(30)), contexts.notAfter());
            contexts.warnOfExpiry(now.plus(Duration.ofDays(30 - WARNING_DAYS)));
            assertFalse(log.has("expires on"));
            contexts.warnOfExpiry(now.plus(Duration.ofDays(30 - WARNING_DAYS)).plusSeconds(1));
            assertTrue(log.has("expires on " + contexts.notAfter() + ", in 13 days"));
            assertFalse(log.has("has expired"));
            contexts.warnOfExpiry(now.plus(Duration.ofDays(31)));
            assertTrue(log.has("has expired on " + contexts.notAfter()));
        }
    }

    /** From then on no client gets in with a certificate. */
    @Test
    public void theEndOfAListOfRevocationsIsWarnedOf() throws Exception {
        TestAuthority authority = new TestAuthority(folder.getRoot().toPath());
        Path list = folder.getRoot().toPath().resolve("ca.crl");
        authority.revoke("4711", list);
        Instant end;
        try (InputStream in = Files.newInputStream(list)) {
            end = ((X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in)).getNextUpdate().toInstant();
        }
        try (LoggedMessages log = new LoggedMessages(TlsContexts.class.getName());
                TlsContexts contexts = open(Instant.now(), 1000, files -> files.withAuthorities(authority.file(), List.of(list)))) {
            contexts.warnOfExpiry(end);
            assertFalse(log.has("list of revocations"));
            contexts.warnOfExpiry(end.plusSeconds(1));
            assertTrue(log.has("the list of revocations of CN=ca has run out on " + end));
        }
    }

    @Test
    public void theStartSaysItToo() throws Exception {
        try (LoggedMessages log = new LoggedMessages(TlsContexts.class.getName());
                TlsContexts contexts = open(Instant.now().minus(Duration.ofDays(1)), 4)) {
            assertTrue(log.has("expires on " + contexts.notAfter() + ", in 2 days"));
        }
    }
}
