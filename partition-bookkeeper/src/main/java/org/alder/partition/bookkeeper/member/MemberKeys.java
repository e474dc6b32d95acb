package org.alder.partition.bookkeeper.member;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.OwnerOnly;
import org.alder.partition.x509.CertifiedKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member of a cluster shows the others, and what it holds theirs against: the files of a folder (docs/cluster.md). Immutable.
 */
public final class MemberKeys {
    /** The certificate of the cluster's authority; of two while one takes the place of the other. */
    public static final String AUTHORITY_FILE = "ca.crt";
    /** Key and certificate of the member. */
    public static final String MEMBER_FILE = "member.pem";
    /** Of the ledgers, the same for all members. */
    public static final String PASSWORD_FILE = "ledger.password";
    private static final Logger LOG = LoggerFactory.getLogger(MemberKeys.class);
    private static final int MOST_BYTES = 64 << 10;
    private static final int LEAST_PASSWORD = 16;
    private static final int WARNING_DAYS = 30;
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private final Path folder;
    private final List<X509Certificate> authorities;
    private final CertifiedKey member;
    private final byte[] password;

    private MemberKeys(Path folder, List<X509Certificate> authorities, CertifiedKey member, byte[] password) {
        this.folder = folder;
        this.authorities = List.copyOf(authorities);
        this.member = member;
        this.password = password;
    }

    /** @throws StoreException of kind REFUSED, naming the file, where one is not there, or not as it has to be today */
    public static MemberKeys read(Path folder) throws IOException {
        Path file = folder.resolve(MEMBER_FILE);
        String pem = text(file, true);
        List<X509Certificate> authorities = authorities(folder.resolve(AUTHORITY_FILE));
        CertifiedKey member = certifiedKey(file, pem, pem);
        checkDates(file, member.certificate());
        checkIssued(file, member.certificate(), folder.resolve(AUTHORITY_FILE), authorities);
        Path passwordFile = folder.resolve(PASSWORD_FILE);
        String password = text(passwordFile, true).strip();
        if (password.length() < LEAST_PASSWORD) {
            throw fault(passwordFile, "is shorter than " + LEAST_PASSWORD + " characters; \"alder cluster keys\" makes one");
        }
        return new MemberKeys(folder.toAbsolutePath().normalize(), authorities, member, password.getBytes(StandardCharsets.UTF_8));
    }

    private static List<X509Certificate> authorities(Path file) throws IOException {
        try {
            List<X509Certificate> authorities = CertifiedKey.certificatesOfPem(text(file, false));
            for (X509Certificate authority : authorities) {
                checkDates(file, authority);
                if (authority.getBasicConstraints() < 0) {
                    throw fault(file, "has the certificate of " + authority.getSubjectX500Principal() + ", which is no authority");
                }
            }
            if (authorities.size() > 1) {
                LOG.info("{} has {} authorities: members with certificates of any of them are let in", file, authorities.size());
            }
            return authorities;
        } catch (GeneralSecurityException e) {
            throw fault(file, "cannot be read: " + e.getMessage());
        }
    }

    public static CertifiedKey certifiedKey(Path file, String key, String certificate) {
        try {
            return CertifiedKey.ofPem(key, certificate);
        } catch (GeneralSecurityException e) {
            throw fault(file, "cannot be read as a key and its certificate: " + e.getMessage());
        }
    }

    /** @param isSecret whether it is refused where other users of the machine may read it */
    static String text(Path file, boolean isSecret) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
            throw fault(file, "is no file of at most " + MOST_BYTES / 1024 + " KiB; \"alder cluster keys\" makes the keys of a cluster");
        }
        if (isSecret && OwnerOnly.isOpenToOthers(file)) {
            throw fault(file, "can be read by other users of this machine: chmod 600 " + file);
        }
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private static void checkDates(Path file, X509Certificate certificate) {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException e) {
            throw fault(file, "has expired on " + certificate.getNotAfter().toInstant() + "; \"alder cluster keys\" makes another one");
        } catch (CertificateNotYetValidException e) {
            throw fault(file, "is valid from " + certificate.getNotBefore().toInstant() + " on alone; the clock of this machine says "
                    + Instant.now().truncatedTo(ChronoUnit.SECONDS));
        }
        if (certificate.getNotAfter().toInstant().isBefore(Instant.now().plus(WARNING_DAYS, ChronoUnit.DAYS))) {
            LOG.warn("{} expires on {}: the others refuse this member then", file, certificate.getNotAfter().toInstant());
        }
    }

    static void checkIssued(Path file, X509Certificate certificate, Path authorityFile, List<X509Certificate> authorities) {
        if (authorities.stream().noneMatch(each -> isIssued(certificate, each))) {
            throw fault(file, "is not issued by the authority of " + authorityFile);
        }
    }

    private static boolean isIssued(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** @throws StoreException where the others would not take it for the member at this host */
    public void checkHost(String host) {
        checkHost(folder.resolve(MEMBER_FILE), member.certificate(), host);
    }

    static void checkHost(Path file, X509Certificate certificate, String host) {
        if (!names(certificate, host)) {
            throw fault(file, "is not for host=" + host + ", but for " + hosts(certificate));
        }
    }

    /** Whether a certificate is for whom was connected to. */
    public static boolean isFor(X509Certificate certificate, InetSocketAddress address) {
        return names(certificate, address.getHostString()) || names(certificate, address.getAddress().getHostAddress());
    }

    private static boolean names(X509Certificate certificate, String host) {
        return hosts(certificate).stream().anyMatch(each -> each.equalsIgnoreCase(host) || isSameAddress(each, host));
    }

    private static boolean isSameAddress(String one, String other) {
        try {
            return isAddress(one) && isAddress(other) && InetAddress.getByName(one).equals(InetAddress.getByName(other));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Of these nobody is asked what they are. */
    private static boolean isAddress(String host) {
        return host.contains(":") || host.matches("[0-9.]+");
    }

    private static List<String> hosts(X509Certificate certificate) {
        try {
            return certificate.getSubjectAlternativeNames() == null ? List.of() : certificate.getSubjectAlternativeNames().stream()
                    .filter(each -> each.get(0).equals(DNS_NAME) || each.get(0).equals(IP_ADDRESS)).map(each -> (String) each.get(1)).toList();
        } catch (GeneralSecurityException e) {
            return List.of();
        }
    }

    static StoreException fault(Path file, String what) {
        return new StoreException(StoreException.Kind.REFUSED, file + " " + what);
    }

    public Path folder() {
        return folder;
    }

    /** Those whose certificates are taken: one, or more while one takes the place of another. */
    public List<X509Certificate> authorities() {
        return authorities;
    }

    public PrivateKey key() {
        return member.key();
    }

    public X509Certificate certificate() {
        return member.certificate();
    }

    public byte[] ledgerPassword() {
        return password.clone();
    }
}
