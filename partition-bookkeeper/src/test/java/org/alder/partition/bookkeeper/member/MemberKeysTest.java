package org.alder.partition.bookkeeper.member;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.error.StoreException;
import org.alder.partition.x509.CertifiedKey;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Keys that are made for members, and keys that are refused, with the file and the reason. */
public class MemberKeysTest {
    private static final Node ONE = new Node("one", "ldap://one.example", "one.example", List.of(1, 2, 3), 4, 5, 0);
    private static final Node TWO = new Node("two", "ldap://192.0.2.7", "192.0.2.7", List.of(1, 2, 3), 4, 5, 0);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path root;
    private Path one;

    @Before
    public void make() throws IOException {
        root = folder.getRoot().toPath().resolve("keys");
        one = root.resolve("one");
        assertEquals(List.of(one, root.resolve("two")), ClusterKeys.make(List.of(ONE, TWO), root));
    }

    private void assertRefused(String part, String file) {
        StoreException e = assertThrows(StoreException.class, () -> MemberKeys.read(one));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().startsWith(one.resolve(file) + " ") && e.getMessage().contains(part));
    }

    private CertifiedKey authority(Path at) throws IOException {
        return MemberKeys.certifiedKey(at, Files.readString(at.resolve("ca.key")), Files.readString(at.resolve("ca.crt")));
    }

    private void write(CertifiedKey key) throws IOException {
        Files.writeString(one.resolve(MemberKeys.MEMBER_FILE), key.certificatePem() + key.keyPem());
    }

    @Test
    public void eachMemberHasItsOwnKeyForItsHostAndAllHaveOnePassword() throws IOException {
        MemberKeys first = MemberKeys.read(one);
        MemberKeys second = MemberKeys.read(root.resolve("two"));
        assertFalse(first.certificate().equals(second.certificate()));
        assertEquals(first.authorities(), second.authorities());
        assertArrayEquals(first.ledgerPassword(), second.ledgerPassword());
        first.checkHost("ONE.example");
        second.checkHost("192.0.2.7");
        StoreException e = assertThrows(StoreException.class, () -> first.checkHost("192.0.2.7"));
        assertTrue(e.getMessage(), e.getMessage().contains(MemberKeys.MEMBER_FILE) && e.getMessage().contains("one.example"));
        InetAddress address = InetAddress.getByAddress("elsewhere.example", new byte[] {(byte) 192, 0, 2, 7});
        assertTrue(MemberKeys.isFor(second.certificate(), new InetSocketAddress(address, 1)));
        assertFalse(MemberKeys.isFor(first.certificate(), new InetSocketAddress(address, 1)));
        for (String secret : List.of("ca.key", "ledger.password", "one/member.pem", "one/ledger.password")) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(secret))));
        }
    }

    @Test
    public void whatIsThereStaysAndMembersAreAdded() throws IOException {
        byte[] before = Files.readAllBytes(one.resolve(MemberKeys.MEMBER_FILE));
        Node three = new Node("three", "ldap://three.example", "three.example", List.of(), 0, 0, 0);
        assertEquals(List.of(root.resolve("three")), ClusterKeys.make(List.of(ONE, TWO, three), root));
        assertArrayEquals(before, Files.readAllBytes(one.resolve(MemberKeys.MEMBER_FILE)));
        assertEquals(MemberKeys.read(one).authorities(), MemberKeys.read(root.resolve("three")).authorities());
        Node moved = new Node("one", "ldap://moved.example", "moved.example", List.of(), 0, 0, 0);
        StoreException e = assertThrows(StoreException.class, () -> ClusterKeys.make(List.of(moved), root));
        assertTrue(e.getMessage(), e.getMessage().contains("one.example"));
    }

    @Test
    public void filesThatOthersCanReadOrThatAreDamagedAreRefused() throws IOException {
        Path secret = one.resolve(MemberKeys.MEMBER_FILE);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        assertRefused("chmod 600", MemberKeys.MEMBER_FILE);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        String whole = Files.readString(secret);
        Files.writeString(secret, "nothing");
        assertRefused("cannot be read", MemberKeys.MEMBER_FILE);
        Files.writeString(secret, whole.replace("PRIVATE", "PUBLIC"));
        assertRefused("cannot be read", MemberKeys.MEMBER_FILE);
        String other = Files.readString(root.resolve("two").resolve(MemberKeys.MEMBER_FILE));
        Files.writeString(secret, whole.substring(0, whole.indexOf("-----BEGIN PRIVATE")) + other.substring(other.indexOf("-----BEGIN PRIVATE")));
        assertRefused("not that of the certificate", MemberKeys.MEMBER_FILE);
        Files.write(secret, new byte[70_000]);
        assertRefused("64 KiB", MemberKeys.MEMBER_FILE);
        Files.writeString(secret, whole);
        Files.writeString(one.resolve(MemberKeys.PASSWORD_FILE), "short");
        assertRefused("16 characters", MemberKeys.PASSWORD_FILE);
        Files.delete(one.resolve(MemberKeys.AUTHORITY_FILE));
        assertRefused("no file", MemberKeys.AUTHORITY_FILE);
    }

    /** While one takes the place of another. */
    @Test
    public void severalAuthoritiesMayIssueCertificatesAndEachHasToBeOne() throws IOException {
        Path next = folder.getRoot().toPath().resolve("next");
        ClusterKeys.make(List.of(ONE), next);
        Path both = one.resolve(MemberKeys.AUTHORITY_FILE);
        String old = Files.readString(both);
        String fresh = Files.readString(next.resolve("ca.crt"));
        Files.writeString(both, old + fresh);
        assertEquals(List.of(authority(root).certificate(), authority(next).certificate()), MemberKeys.read(one).authorities());
        Files.writeString(one.resolve(MemberKeys.MEMBER_FILE), Files.readString(next.resolve("one").resolve(MemberKeys.MEMBER_FILE)));
        assertEquals(2, MemberKeys.read(one).authorities().size());
        Files.writeString(both, fresh);
        assertEquals(List.of(authority(next).certificate()), MemberKeys.read(one).authorities());
        Files.writeString(both, old);
        assertRefused("not issued by the authority", MemberKeys.MEMBER_FILE);
        Files.writeString(both, fresh + Files.readString(root.resolve("two").resolve(MemberKeys.MEMBER_FILE)));
        assertRefused("which is no authority", MemberKeys.AUTHORITY_FILE);
        Files.writeString(both, fresh + CertifiedKey.authority("old", Instant.parse("2020-01-01T00:00:00Z"), 1).certificatePem());
        assertRefused("expired on 2020-01-02", MemberKeys.AUTHORITY_FILE);
    }

    @Test
    public void certificatesThatAreOutOfDateOrOfAnotherAuthorityAreRefused() throws IOException {
        CertifiedKey authority = authority(root);
        write(authority.issue("one", List.of("one.example"), Instant.parse("2020-01-01T00:00:00Z"), 1));
        assertRefused("expired on 2020-01-02", MemberKeys.MEMBER_FILE);
        write(authority.issue("one", List.of("one.example"), Instant.now().plusSeconds(100_000), 1));
        assertRefused("valid from", MemberKeys.MEMBER_FILE);
        Path foreign = folder.getRoot().toPath().resolve("foreign");
        ClusterKeys.make(List.of(), foreign);
        write(authority(foreign).issue("one", List.of("one.example"), Instant.now(), 1));
        assertRefused("not issued by the authority", MemberKeys.MEMBER_FILE);
        write(authority.issue("one", List.of("one.example"), Instant.now(), 1));
        MemberKeys.read(one);
        // A member is no authority for others.
        CertifiedKey member = MemberKeys.certifiedKey(one, Files.readString(one.resolve(MemberKeys.MEMBER_FILE)),
                Files.readString(one.resolve(MemberKeys.MEMBER_FILE)));
        Files.writeString(one.resolve(MemberKeys.AUTHORITY_FILE), member.certificatePem());
        assertRefused("which is no authority", MemberKeys.AUTHORITY_FILE);
    }
}
