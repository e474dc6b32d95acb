package org.alder.ldif;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LdifReaderTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    // ---- RFC 2849, examples

    @Test
    public void readsTwoEntriesAfterVersion() throws Exception {
        List<LdifRecord> records = Ldif.read("""
            version: 1
            dn: cn=Barbara Jensen, ou=Product Development, dc=airius, dc=com
            objectclass: top
            cn: Barbara Jensen
            description: A big sailing fan.

            dn: cn=Bjorn Jensen, ou=Accounting, dc=airius, dc=com
            objectclass: top
            telephonenumber: +1 408 555 1212
            """);
        assertEquals(2, records.size());
        assertEquals("cn=Barbara Jensen, ou=Product Development, dc=airius, dc=com", records.get(0).dn());
        assertEquals(2, records.get(0).line());
        assertEquals(7, records.get(1).line());
        assertEquals(List.of(LdifAttribute.of("objectclass", "top"), LdifAttribute.of("telephonenumber", "+1 408 555 1212")),
            ((LdifEntry) records.get(1)).attributes());
    }

    @Test
    public void joinsFoldedLines() throws Exception {
        LdifEntry entry = Ldif.entry("""
            version: 1
            dn:cn=Barbara Jensen, ou=Product Development, dc=airius, dc=com
            objectclass:top
            description:Babs is a big sailing fan, and travels extensively in sea
             rch of perfect sailing conditions.
            title:Product Manager, Rod and Reel Division""");
        assertEquals("Babs is a big sailing fan, and travels extensively in search of perfect sailing conditions.",
            entry.attributes().get(1).text());
        assertEquals("Product Manager, Rod and Reel Division", entry.attributes().get(2).text());
    }

    @Test
    public void decodesBase64AlsoWhenFolded() throws Exception {
        LdifEntry entry = Ldif.entry("""
            dn: cn=Gern Jensen, ou=Product Testing, dc=airius, dc=com
            cn: Gern Jensen
            description:: V2hhdCBhIGNhcmVmdWwgcmVhZGVyIHlvdSBhcmUhICBUaGlzIHZhbHVlIGlzIGJhc2
             UtNjQtZW5jb2RlZCBiZWNhdXNlIGl0IGhhcyBhIGNvbnRyb2wgY2hhcmFjdGVyIGluIGl0IChhIENS
             KS4NICBCeSB0aGUgd2F5LCB5b3Ugc2hvdWxkIHJlYWxseSBnZXQgb3V0IG1vcmUu
            """);
        assertEquals("What a careful reader you are!  This value is base-64-encoded because it has a control character "
            + "in it (a CR).\r  By the way, you should really get out more.", entry.attributes().get(1).text());
    }

    @Test
    public void decodesUtf8DnAndKeepsOptions() throws Exception {
        LdifEntry entry = Ldif.entry("""
            dn:: b3U95Za25qWt6YOoLG89QWlyaXVz
            # dn:: ou=<JapaneseOU>,o=Airius
            objectclass: top
            ou;lang-ja:: 5Za25qWt6YOo
            ou;lang-ja;phonetic:: 44GI44GE44GO44KH44GG44G2
            """);
        assertEquals("ou=\u55b6\u696d\u90e8,o=Airius", entry.dn());
        assertEquals("ou;lang-ja", entry.attributes().get(1).description());
        assertEquals("\u55b6\u696d\u90e8", entry.attributes().get(1).text());
        assertEquals("ou;lang-ja;phonetic", entry.attributes().get(2).description());
    }

    @Test
    public void readsChangeRecords() throws Exception {
        List<LdifRecord> records = Ldif.read("""
            version: 1
            # Add a new entry
            dn: cn=Fiona Jensen, ou=Marketing, dc=airius, dc=com
            changetype: add
            objectclass: top

            dn: cn=Robert Jensen, ou=Marketing, dc=airius, dc=com
            changetype: delete

            dn: cn=Paul Jensen, ou=Product Development, dc=airius, dc=com
            changetype: modrdn
            newrdn: cn=Paula Jensen
            deleteoldrdn: 1

            dn: ou=PD Accountants, ou=Product Development, dc=airius, dc=com
            changetype: moddn
            newrdn: ou=Product Development Accountants
            deleteoldrdn: 0
            newsuperior: ou=Accounting, dc=airius, dc=com

            dn: cn=Paula Jensen, ou=Product Development, dc=airius, dc=com
            changetype: modify
            add: postaladdress
            postaladdress: 123 Anystreet $ Sunnyvale, CA $ 94086
            -
            delete: description
            -
            replace: telephonenumber
            telephonenumber: +1 408 555 1234
            telephonenumber: +1 408 555 5678
            -
            delete: facsimiletelephonenumber
            facsimiletelephonenumber: +1 408 555 9876
            -
            increment: uidNumber
            uidNumber: 1
            """);
        assertEquals(List.of(LdifAttribute.of("objectclass", "top")), ((LdifEntry) records.get(0)).attributes());
        assertEquals(new LdifDelete(7, "cn=Robert Jensen, ou=Marketing, dc=airius, dc=com", List.of()), records.get(1));
        LdifModifyDn renamed = (LdifModifyDn) records.get(2);
        assertEquals("cn=Paula Jensen", renamed.newRdn());
        assertTrue(renamed.deleteOldRdn());
        assertNull(renamed.newSuperior());
        LdifModifyDn moved = (LdifModifyDn) records.get(3);
        assertFalse(moved.deleteOldRdn());
        assertEquals("ou=Accounting, dc=airius, dc=com", moved.newSuperior());
        assertEquals(List.of(
            modification(LdifModify.Kind.ADD, "postaladdress", "123 Anystreet $ Sunnyvale, CA $ 94086"),
            modification(LdifModify.Kind.DELETE, "description"),
            modification(LdifModify.Kind.REPLACE, "telephonenumber", "+1 408 555 1234", "+1 408 555 5678"),
            modification(LdifModify.Kind.DELETE, "facsimiletelephonenumber", "+1 408 555 9876"),
            modification(LdifModify.Kind.INCREMENT, "uidNumber", "1")), ((LdifModify) records.get(4)).modifications());
    }

    @Test
    public void readsControls() throws Exception {
        List<LdifRecord> records = Ldif.read("""
            dn: ou=Product Development, dc=airius, dc=com
            control: 1.2.840.113556.1.4.805 true
            control: 1.2.3
            control: 1.2.4 false: text
            control: 1.2.5 true:: AAE=
            control: 1.2.6:
            changetype: delete
            """);
        assertEquals(List.of(new LdifControl("1.2.840.113556.1.4.805", true, null), new LdifControl("1.2.3", false, null),
            new LdifControl("1.2.4", false, Ldif.bytes("text")), new LdifControl("1.2.5", true, new byte[] {0, 1}),
            new LdifControl("1.2.6", false, new byte[0])), records.get(0).controls());
    }

    // ---- the shape of files

    @Test
    public void givesTheSameWithCrLfBomBlankLinesAndWithoutFinalNewline() throws Exception {
        String text = "dn: cn=a\ncn: a\nsn: b\n  folded\n\ndn: cn=b\ncn: b\n";
        List<LdifAttribute> expected = ((LdifEntry) Ldif.read(text).get(0)).attributes();
        for (String variant : List.of(text.replace("\n", "\r\n"), "\uFEFF" + text,
            "\n\n\r\n" + text.replace("\n\n", "\n\n\r\n\n"),
            text.substring(0, text.length() - 1), "\uFEFFversion: 1\r\n\r\n" + text.replace("\n", "\r\n"), text + "\n\r\n\n",
            "# only a comment\n# and another\n\n" + text, text + "\n# trailing comment\n  folded comment")) {
            List<LdifRecord> records = Ldif.read(variant);
            assertEquals(variant, 2, records.size());
            assertEquals(variant, expected, ((LdifEntry) records.get(0)).attributes());
            assertEquals(variant, "cn=b", records.get(1).dn());
        }
    }

    @Test
    public void emptyInputsHaveNoRecords() throws Exception {
        for (String text : List.of("", "\n", "\r\n\r\n", "version: 1\n", "version: 1\n\n", "# x\n y\n", "\uFEFF", "\r")) {
            assertEquals(text, List.of(), Ldif.read(text));
        }
    }

    @Test
    public void skipsFoldedCommentsInsideARecord() throws Exception {
        LdifEntry entry = Ldif.entry("# c\n  d\ndn: cn=a\n# cn: no\n  cn: no\ncn: yes\n#last");
        assertEquals(List.of(LdifAttribute.of("cn", "yes")), entry.attributes());
        assertEquals(3, entry.line());
    }

    @Test
    public void acceptsConcatenatedFilesWithTheirVersions() throws Exception {
        assertEquals(2, Ldif.read("version: 1\ndn: cn=a\ncn: a\n\nversion: 1\n\ndn: cn=b\ncn: b\n").size());
    }

    @Test
    public void readsGzipAlsoOfSeveralMembers() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (String part : List.of("dn: cn=a\ncn: a\n", "\ndn: cn=b\ncn: b\n")) {
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(Ldif.bytes(part));
            }
        }
        assertEquals(2, Ldif.read(packed.toByteArray(), LdifOptions.DEFAULT).size());
        byte[] torn = Arrays.copyOf(packed.toByteArray(), 20);
        assertThrows(IOException.class, () -> Ldif.read(torn, LdifOptions.DEFAULT));
    }

    @Test
    public void countsTheBytesOfItsInput() throws Exception {
        String text = "dn: cn=a\ncn: a\n";
        LdifReader reader = Ldif.reader(text);
        while (reader.next() != null) {
            assertTrue(reader.bytesRead() > 0);
        }
        assertEquals(text.length(), reader.bytesRead());
    }

    @Test
    public void readsAcrossBufferBordersWhateverTheReadsReturn() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            text.append("dn: cn=").append(i).append("\r\ncn: ").append(i).append("\r\ndescription: ")
                .append("x".repeat(i % 97)).append("\r\n \r\n y\r\n\r\n");
        }
        InputStream dribble = new ByteArrayInputStream(Ldif.bytes(text.toString())) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, 7));
            }
        };
        LdifReader reader = new LdifReader(dribble);
        for (int i = 0; i < 3000; i++) {
            LdifEntry entry = (LdifEntry) reader.next();
            assertEquals("cn=" + i, entry.dn());
            assertEquals(6L * i + 1, entry.line());
            assertEquals("x".repeat(i % 97) + "y", entry.attributes().get(1).text());
        }
        assertNull(reader.next());
    }

    @Test
    public void growsForARecordLargerThanItsBuffer() throws Exception {
        String value = "0123456789".repeat(100_000);
        LdifEntry entry = (LdifEntry) Ldif.read(
            "dn: cn=a\ncn: a\n\ndn: cn=b\ndescription: " + value + "\n\ndn: cn=c\ncn: c").get(1);
        assertEquals(value, entry.attributes().get(0).text());
    }

    // ---- values

    @Test
    public void stripsLeadingSpacesOnlyAndKeepsEmptyValues() throws Exception {
        LdifEntry entry = Ldif.entry("dn:   cn=a\na:    x y \nb:\nc: \nd::\ne:: \nf:\tx\ng: <:x\n");
        List<String> values = entry.attributes().stream().map(LdifAttribute::text).toList();
        assertEquals(List.of("x y ", "", "", "", "", "\tx", "<:x"), values);
    }

    @Test
    public void keepsNulInBase64AndRawUtf8InText() throws Exception {
        LdifEntry entry = Ldif.entry("dn: cn=M\u00fcller\nphoto:: AAD/AA==\ncn: M\u00fcller\n");
        assertEquals("cn=M\u00fcller", entry.dn());
        assertArrayEquals(new byte[] {0, 0, (byte) 0xff, 0}, entry.attributes().get(0).value());
        assertEquals("M\u00fcller", entry.attributes().get(1).text());
    }

    @Test
    public void readsTheEmptyDn() throws Exception {
        assertEquals("", Ldif.entry("dn:\nobjectClass: top\n").dn());
    }

    @Test
    public void keywordsHaveNoCase() throws Exception {
        assertEquals("cn=a", Ldif.read("Version: 1\nDN: cn=a\nChangeType: DELETE\n").get(0).dn());
    }

    @Test
    public void followsFileUrlsOnlyWhenAllowed() throws Exception {
        Path photo = folder.newFile("a photo.jpg").toPath();
        Files.write(photo, new byte[] {0, 13, 10});
        String text = "dn: cn=a\njpegPhoto:< " + photo.toUri() + "\n";
        assertRefused(text, 2, "not enabled", "jpg");
        LdifOptions following = LdifOptions.DEFAULT.withFileUrls(true);
        LdifEntry entry = (LdifEntry) Ldif.read(Ldif.bytes(text), following).get(0);
        assertArrayEquals(new byte[] {0, 13, 10}, entry.attributes().get(0).value());
        for (String url : List.of("http://localhost/x", "file:x", "file://host/x", "x", "", "file:///no/such/file", "file:/%00",
            photo.getParent().toUri().toString(), "file:///a b")) {
            LdifException e = assertThrows(url, LdifException.class,
                () -> Ldif.read(Ldif.bytes("dn: cn=a\njpegPhoto:< " + url + "\n"), following));
            assertTrue(e.getMessage(), e.getMessage().contains("URL"));
        }
        assertThrows(LdifException.class, () -> Ldif.read(Ldif.bytes(text), following.withMaxValueBytes(2)));
    }

    /** What is not UTF-8 became U+FFFD, and so the name of another file, or another text. */
    @Test
    public void whatIsNotUtf8IsNoText() throws Exception {
        Files.write(folder.newFile("\uFFFD").toPath(), new byte[] {1});
        byte[] text = Ldif.bytes("dn: cn=a\njpegPhoto:< " + folder.getRoot().toPath().toUri() + "?\n");
        text[text.length - 2] = (byte) 0xFF;
        LdifException e = assertThrows(LdifException.class, () -> Ldif.read(text, LdifOptions.DEFAULT.withFileUrls(true)));
        assertTrue(e.getMessage(), e.getMessage().contains("line 2: expected a URL in UTF-8"));
        LdifEntry entry = Ldif.entry("dn: cn=a\njpegPhoto:: /w==\n");
        IllegalStateException refusal = assertThrows(IllegalStateException.class, () -> entry.attributes().get(0).text());
        assertEquals("line 2: the value of jpegPhoto is not UTF-8: \"\\xff\"", refusal.getMessage());
    }

    // ---- bad input

    @Test
    public void namesLineTextAndExpectation() throws Exception {
        LdifException e = assertThrows(LdifException.class, () -> Ldif.read(
            Ldif.bytes("dn: cn=a\ncn: a\nno colon here\n"), LdifOptions.DEFAULT.withSource("users.ldif")));
        assertEquals("users.ldif line 3: expected 'attribute: value', found \"no colon here\"", e.getMessage());
        assertEquals(3, e.line());
        assertEquals("users.ldif", e.source());
    }

    @Test
    public void refusesWhatIsNotLdif() {
        assertRefused("cn: a\n", 1, "'dn:'", "cn: a");
        assertRefused("version: 2\ndn: cn=a\ncn: a\n", 1, "version: 1", "version: 2");
        assertRefused("version: 1\nversion: 1\n", 2, "'dn:'", "version");
        assertRefused(" dn: cn=a\ncn: a\n", 1, "continuation", " dn: cn=a");
        assertRefused("dn: cn=a\n", 1, "at least one attribute", "end of the record");
        assertRefused("dn: cn=a\ncn: a\ndn: cn=b\ncn: b\n", 3, "blank line missing", "dn: cn=b");
        assertRefused("dn: cn=a\ncn: a\nchangetype: add\n", 3, "cannot stand here", "changetype");
        assertRefused("dn: cn=a\ncn;: a\n", 2, "attribute", "cn;");
        assertRefused("dn: cn=a\ncn;;x: a\n", 2, "attribute", "cn;;x");
        assertRefused("dn: cn=a\ncn x: a\n", 2, "attribute", "cn x");
        assertRefused("dn: cn=a\n: a\n", 2, "attribute", ": a");
        assertRefused("dn: cn=a\n-\n", 2, "attribute", "-");
        assertRefused("dn: cn=a\ncn: a\rb\n", 2, "CR", "a\\x0db");
        assertRefused("dn: cn=a\ncn: a\0b\n", 2, "NUL", "a\\x00b");
        assertRefused("dn: cn=a\ncn:: YQ=\n", 2, "groups of 4", "YQ=");
        assertRefused("dn: cn=a\ncn:: Y*==\n", 2, "base64", "Y*==");
        assertRefused("dn: cn=a\ncn:: YQ==YQ==\n", 2, "base64", "YQ==");
        assertRefused("dn:: /w==\ncn: a\n", 1, "UTF-8", "/w==");
        assertRefused("dn:: Y\ncn: a\n", 1, "groups of 4", "Y");
    }

    @Test
    public void refusesBadChangeRecords() {
        assertRefused("dn: cn=a\nchangetype: drop\n", 2, "add, delete, modify", "drop");
        assertRefused("dn: cn=a\nchangetype: add\n", 2, "at least one attribute", "end of the record");
        assertRefused("dn: cn=a\nchangetype: delete\ncn: a\n", 3, "end of the record", "cn: a");
        assertRefused("dn: cn=a\nchangetype: modify\nmove: cn\n", 3, "'add:'", "move");
        assertRefused("dn: cn=a\nchangetype: modify\nadd: c n\n", 3, "attribute description", "c n");
        assertRefused("dn: cn=a\nchangetype: modify\nadd: cn\nsn: a\n", 4, "'cn'", "sn: a");
        assertRefused("dn: cn=a\nchangetype: modrdn\n", 2, "'newrdn:'", "end of the record");
        assertRefused("dn: cn=a\nchangetype: modrdn\nnewrdn: cn=b\n", 3, "'deleteoldrdn:'", "end of the record");
        assertRefused("dn: cn=a\nchangetype: modrdn\nnewrdn: cn=b\ndeleteoldrdn: yes\n", 4, "deleteoldrdn: 0", "");
        assertRefused("dn: cn=a\nchangetype: modrdn\nnewrdn: cn=b\ndeleteoldrdn: 1\nx: y\n", 5, "'newsuperior:'", "x: y");
        assertRefused("dn: cn=a\ncontrol: 1.2.3\ncn: a\n", 3, "'changetype:'", "cn: a");
        assertRefused("dn: cn=a\ncontrol: abc\nchangetype: delete\n", 2, "control: OID", "abc");
        assertRefused("dn: cn=a\ncontrol: " + "1.".repeat(50_000) + "\nchangetype: delete\n", 2, "control: OID", "1.1");
        assertRefused("dn: cn=a\ncontrol: 1.2 maybe\nchangetype: delete\n", 2, "control: OID", "maybe");
        assertRefused("dn: cn=a\ncontrol: 1.2 true x\nchangetype: delete\n", 2, "control: OID", "true x");
        assertRefused("dn: cn=a\ncontrol:\nchangetype: delete\n", 2, "control: OID", "control:");
    }

    @Test
    public void shortensTheOffendingText() {
        LdifException e = assertThrows(LdifException.class, () -> Ldif.read("dn: cn=a\n" + "x".repeat(5000) + "\n"));
        assertTrue(e.getMessage(), e.getMessage().length() < 200);
        assertTrue(e.getMessage(), e.getMessage().contains("5000 bytes"));
    }

    @Test
    public void resumesAtTheNextRecord() throws Exception {
        LdifReader reader = Ldif.reader("dn: cn=a\ncn: a\n\n# about b\ndn: cn=b\n# in b\nbad\n folded\n\n\ndn: cn=c\ncn: c\n");
        assertEquals("cn=a", reader.next().dn());
        assertEquals("dn: cn=a\ncn: a\n", new String(reader.rawRecord(), StandardCharsets.UTF_8));
        assertEquals(7, assertThrows(LdifException.class, reader::next).line());
        assertEquals("dn: cn=b\n# in b\nbad\n folded\n", new String(reader.rawRecord(), StandardCharsets.UTF_8));
        assertThrows(IllegalStateException.class, reader::next);
        reader.resume();
        LdifRecord last = reader.next();
        assertEquals("cn=c", last.dn());
        assertEquals(11, last.line());
        assertNull(reader.next());
        assertNull(reader.next());
    }

    @Test
    public void limitsValues() throws Exception {
        LdifOptions small = LdifOptions.DEFAULT.withMaxValueBytes(8);
        assertEquals(1, Ldif.read(Ldif.bytes("dn: cn=a\ncn: 12345678\ncn:: MTIzNDU2Nzg=\n"), small).size());
        for (String line : List.of("cn: 123456789", "cn:: MTIzNDU2Nzg5", "cn:: " + "MTIz".repeat(1000))) {
            LdifException e = assertThrows(LdifException.class, () -> Ldif.read(Ldif.bytes("dn: cn=a\n" + line), small));
            assertEquals(2, e.line());
            assertTrue(e.getMessage(), e.getMessage().contains("at most 8 bytes"));
        }
    }

    @Test
    public void limitsRecordsAndResumesBehindThem() throws Exception {
        for (String big : List.of("dn: cn=b\n" + "cn: 0123456789\n".repeat(20_000), "dn: " + "x".repeat(300_000) + "\n",
            "dn: cn=b\ncn: " + "x".repeat(120) + "\n", "dn: cn=b\r\n" + "cn: x\r\n".repeat(20))) {
            String text = "dn: cn=a\ncn: a\n\n\n" + big + "\ndn: cn=c\ncn: c\n";
            LdifReader reader = Ldif.reader(Ldif.bytes(text), LdifOptions.DEFAULT.withMaxRecordBytes(100));
            assertEquals("cn=a", reader.next().dn());
            LdifException e = assertThrows(LdifException.class, reader::next);
            assertEquals(5, e.line());
            assertTrue(e.getMessage(), e.getMessage().contains("at most 100 bytes"));
            assertFalse(reader.isRawRecordComplete());
            assertTrue(new String(reader.rawRecord(), StandardCharsets.UTF_8).startsWith("dn: "));
            reader.resume();
            assertTrue(reader.isRawRecordComplete());
            LdifRecord last = reader.next();
            assertEquals("cn=c", last.dn());
            assertEquals(text.substring(0, text.indexOf("dn: cn=c")).chars().filter(c -> c == '\n').count() + 1, last.line());
            assertNull(reader.next());
        }
    }

    @Test
    public void anOversizeRecordAtTheEndEndsTheInput() throws Exception {
        LdifReader reader = Ldif.reader(new byte[200_000], LdifOptions.DEFAULT.withMaxRecordBytes(100));
        assertThrows(LdifException.class, reader::next);
        reader.resume();
        assertNull(reader.next());
    }

    private static LdifModify.Modification modification(LdifModify.Kind kind, String description, String... values) {
        return new LdifModify.Modification(kind, description, Arrays.stream(values).map(Ldif::bytes).toList());
    }

    private static void assertRefused(String text, long line, String expected, String found) {
        LdifException e = assertThrows(text, LdifException.class, () -> Ldif.read(text));
        assertEquals(e.getMessage(), line, e.line());
        assertTrue(e.getMessage(), e.expected().contains(expected));
        assertTrue(e.getMessage(), e.found().contains(found));
    }
}
