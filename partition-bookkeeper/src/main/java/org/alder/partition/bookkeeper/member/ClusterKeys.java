package org.alder.partition.bookkeeper.member;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.file.Folders;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.x509.CertifiedKey;

/**
 * Makes the keys of a cluster in a folder: an authority, the password of its ledgers, and a folder for each member. What is there stays. One
 * thread.
 */
public final class ClusterKeys {
    private static final String AUTHORITY_KEY_FILE = "ca.key";
    private static final int AUTHORITY_DAYS = 7300;
    private static final int MEMBER_DAYS = 3650;
    private static final int PASSWORD_BYTES = 24;

    private final Path folder;
    private CertifiedKey authority;
    private String password;

    private ClusterKeys(Path folder) {
        this.folder = folder;
    }

    /**
     * @return the folders that were made
     * @throws org.alder.partition.error.StoreException of kind REFUSED, where what is there does not fit
     */
    public static List<Path> make(List<Node> members, Path folder) throws IOException {
        Folders.create(folder);
        ClusterKeys keys = new ClusterKeys(folder);
        keys.authority = keys.authority();
        keys.password = keys.password();
        List<Path> made = new ArrayList<>();
        for (Node member : members) {
            Path own = folder.resolve(member.name());
            if (keys.make(member, own)) {
                made.add(own);
            }
        }
        return made;
    }

    /**
     * A new key of a member, of which nothing is written down.
     *
     * @param folder of the authority
     * @param taken  the authorities that the other members take certificates of
     * @throws org.alder.partition.error.StoreException of kind REFUSED, where there is no authority, or not one of these
     */
    public static CertifiedKey issue(Node member, Path folder, List<X509Certificate> taken) throws IOException {
        Path keyFile = folder.resolve(AUTHORITY_KEY_FILE);
        Path file = folder.resolve(MemberKeys.AUTHORITY_FILE);
        CertifiedKey authority = MemberKeys.certifiedKey(keyFile, MemberKeys.text(keyFile, true), MemberKeys.text(file, false));
        if (!taken.contains(authority.certificate())) {
            throw MemberKeys.fault(file, "is the certificate of another authority than the members have: they would not let the new one in");
        }
        return issue(authority, member);
    }

    private static CertifiedKey issue(CertifiedKey authority, Node member) {
        return authority.issue(member.name(), List.of(member.host()), begin(), MEMBER_DAYS);
    }

    /** The certificate is written last: without it both are made anew. */
    private CertifiedKey authority() throws IOException {
        Path keyFile = folder.resolve(AUTHORITY_KEY_FILE);
        Path file = folder.resolve(MemberKeys.AUTHORITY_FILE);
        if (Files.exists(file)) {
            return MemberKeys.certifiedKey(keyFile, MemberKeys.text(keyFile, true), MemberKeys.text(file, false));
        }
        CertifiedKey made = CertifiedKey.authority("Alder cluster " + randomHex(4), begin(), AUTHORITY_DAYS);
        write(keyFile, made.keyPem());
        write(file, made.certificatePem());
        return made;
    }

    private String password() throws IOException {
        Path file = folder.resolve(MemberKeys.PASSWORD_FILE);
        if (!Files.exists(file)) {
            write(file, randomHex(PASSWORD_BYTES) + "\n");
        }
        return MemberKeys.text(file, true);
    }

    private boolean make(Node member, Path own) throws IOException {
        Path file = own.resolve(MemberKeys.MEMBER_FILE);
        if (Files.exists(file)) {
            String pem = MemberKeys.text(file, true);
            CertifiedKey there = MemberKeys.certifiedKey(file, pem, pem);
            MemberKeys.checkIssued(file, there.certificate(), folder.resolve(MemberKeys.AUTHORITY_FILE), List.of(authority.certificate()));
            MemberKeys.checkHost(file, there.certificate(), member.host());
            return false;
        }
        Folders.create(own);
        CertifiedKey made = issue(authority, member);
        write(own.resolve(MemberKeys.AUTHORITY_FILE), authority.certificatePem());
        write(own.resolve(MemberKeys.PASSWORD_FILE), password);
        write(file, made.certificatePem() + made.keyPem());
        return true;
    }

    /** For machines whose clocks are behind. */
    private static Instant begin() {
        return Instant.now().minus(1, ChronoUnit.DAYS);
    }

    private static String randomHex(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static void write(Path file, String text) throws IOException {
        AtomicFile.onDisk().replace(file, text.getBytes(StandardCharsets.US_ASCII));
    }
}
