package org.alder.ldif;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class RejectFileTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void isNotCreatedWithoutRejects() throws Exception {
        Path path = folder.getRoot().toPath().resolve("r.ldif");
        try (RejectFile rejects = new RejectFile(path)) {
            assertEquals(0, rejects.count());
            assertNull(rejects.path());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    public void holdsReasonAndRawText() throws Exception {
        Path path = folder.getRoot().toPath().resolve("r.ldif");
        try (RejectFile rejects = new RejectFile(path);
             LdifReader reader = Ldif.reader("version: 1\ndn: cn=a\nbad\r\n\ndn: cn=b\nsn\n f:: x")) {
            for (int i = 0; i < 2; i++) {
                LdifException bad = assertThrows(LdifException.class, reader::next);
                rejects.reject(bad, reader);
                reader.resume();
            }
            rejects.reject(new LdifEntry("cn=c", List.of(LdifAttribute.of("cn", "c"))), "no such\nparent");
            assertEquals(3, rejects.count());
            assertEquals(path, rejects.path());
        }
        assertEquals("""
            # line 3: expected 'attribute: value', found "bad"
            dn: cn=a
            bad\r

            # line 6: expected base64 in groups of 4 characters, padded with '=', found 1 characters: "x"
            dn: cn=b
            sn
             f:: x

            # line 0: no such parent
            dn: cn=c
            cn: c

            """, Files.readString(path));
    }

    @Test
    public void canBeLoadedAgainWhenCorrected() throws Exception {
        Path path = folder.getRoot().toPath().resolve("r.ldif");
        try (RejectFile rejects = new RejectFile(path); LdifReader reader = Ldif.reader("dn: cn=a\ncn; a\n\ndn: cn=b\ncn; b\n")) {
            for (int i = 0; i < 2; i++) {
                rejects.reject(assertThrows(LdifException.class, reader::next), reader);
                reader.resume();
            }
        }
        List<LdifRecord> corrected = Ldif.read(Files.readString(path).replace("cn;", "cn:"));
        assertEquals(List.of("cn=a", "cn=b"), corrected.stream().map(LdifRecord::dn).toList());
    }

    @Test
    public void doesNotRepeatOversizeRecords() throws Exception {
        Path path = folder.getRoot().toPath().resolve("r.ldif");
        LdifOptions small = LdifOptions.DEFAULT.withMaxRecordBytes(10);
        try (RejectFile rejects = new RejectFile(path);
             LdifReader reader = new LdifReader(new ByteArrayInputStream(Ldif.bytes("dn: cn=abcdefgh\ncn: a\n")), small)) {
            rejects.reject(assertThrows(LdifException.class, reader::next), reader);
        }
        assertEquals(List.of(), Ldif.read(Files.readString(path)));
    }

    @Test
    public void neverOverwritesAFile() throws Exception {
        Path path = folder.newFile("r.ldif").toPath();
        try (RejectFile rejects = new RejectFile(path)) {
            rejects.reject(1, "reason", new byte[0]);
            assertEquals("r.ldif.1", rejects.path().getFileName().toString());
        }
        assertEquals(0, Files.size(path));
    }

    @Test
    public void noFileIsMadeBesideADevice() throws Exception {
        Path device = Path.of("/dev/null");
        assumeTrue(Files.isWritable(device));
        try (RejectFile rejects = new RejectFile(device)) {
            rejects.reject(1, "no", new byte[0]);
            assertEquals(device, rejects.path());
        }
    }

    @Test
    public void aStreamStaysOpen() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RejectFile rejects = RejectFile.on(out)) {
            rejects.reject(7, "no", Ldif.bytes("dn: cn=a\n"));
            assertNull(rejects.path());
        }
        assertEquals("# line 7: no\ndn: cn=a\n\n", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    public void onlyTheOwnerReadsWhatHoldsEntries() throws Exception {
        Path path = folder.getRoot().toPath().resolve("r.ldif");
        assumeTrue(path.getFileSystem().supportedFileAttributeViews().contains("posix"));
        try (RejectFile rejects = new RejectFile(path)) {
            rejects.reject(1, "no", new byte[0]);
        }
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }

    @Test
    public void aReasonDoesNotRepeatALongName() throws Exception {
        Path path = folder.getRoot().toPath().resolve("r.ldif");
        try (RejectFile rejects = new RejectFile(path)) {
            rejects.reject(1, "entry \"" + "ou=a,".repeat(10_000) + "\": no", new byte[0]);
        }
        assertTrue(Files.size(path) < 1200);
    }
}
