package org.alder.server.cli.data;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** import | export brings every entry back, byte for byte. */
public class RoundTripTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String OTHER_SPELLING = "CN=\\23 1 ,  OU = People, DC=Example,DC=com";
    private static final String PERSON = "objectClass: top\nobjectClass: person\n"
            + "objectClass: organizationalPerson\nobjectClass: inetOrgPerson\n";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** A JFIF header, and then anything. */
    private static byte[] jpeg(int length) {
        byte[] bytes = random(length);
        byte[] header = {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, (byte) 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0};
        System.arraycopy(header, 0, bytes, 0, header.length);
        return bytes;
    }

    private static String handWritten() {
        return "# A comment before the version\nversion: 1\n# and one,\n  folded, after it\n\n"
                + "dn: " + SUFFIX + "\nobjectClass: domain\nobjectClass: top\ndc: example\n"
                + "description: first\ndescription: another\n\n"
                + "dn: ou=people," + SUFFIX + "\nchangetype: add\nobjectClass: organizationalUnit\n"
                + "objectClass: top\nou: people\n"
                + "# a comment inside\ndescription:    spaces before\ndescription:: " + base64("  around  ") + "\n"
                + "description: fol\n ded here\n  and here\ndescription:: " + base64("two\nlines\r\n") + "\n\n\n\n"
                + "dn:: " + base64("cn=Jiří Černý+uid=jc,ou=people," + SUFFIX) + "\n" + PERSON
                + "CN:: " + base64("Jiří Černý") + "\ncn;lang-cs;x-a:: " + base64("Jiříček") + "\n"
                + "cn;lang-de: Georg\nuid: jc\n"
                + "sn:: " + base64("Černý") + "\nuserPassword:\nuserPassword:: " + base64(random(300)) + "\nmail:\nmail: a@b\n"
                + "userCertificate;binary:: MAMCAQE=\njpegPhoto:: " + base64(jpeg(20)) + "\n"
                + "jpegPhoto:: " + base64(jpeg(70_000)) + "\ndescription: : colon\ndescription:: " + base64("< less") + "\n"
                + "description:: " + base64("\u0000zero") + "\nseeAlso: CN=Some\\2C one ,  OU=People,DC=Example,dc=com\n\n"
                + "dn: cn=A\\, \\\"B\\\" \\+ \\3d\\#\\20,ou=people," + SUFFIX + "\n" + PERSON + "cn:: " + base64("A, \"B\" + =# ")
                + "\nsn: x\n\n"
                + "dn: " + OTHER_SPELLING + "\n" + PERSON + "cn: #  1\nsn: x\n\n"
                + "dn: uid=big,ou=people," + SUFFIX + "\n" + PERSON + "uid: big\ncn: Big\nsn: Big\njpegPhoto:: "
                + folded(base64(jpeg(3 << 20))) + "\n\n"
                + "dn: uid=kept,ou=people," + SUFFIX + "\n" + PERSON + "uid: kept\ncn: Kept\nsn: Kept\n"
                + "entryUUID: 6c1f0b0a-27ab-4b25-9d05-0123456789ab\ncreateTimestamp: 20010203040506Z\n"
                + "creatorsName: cn=Old,o=Elsewhere\n"
                + "modifyTimestamp: 20070809101112Z\nmodifiersName: cn=Other\n\n"
                + "dn: ou=below,uid=kept,ou=people," + SUFFIX + "\nchangetype: add\n"
                + "objectClass: organizationalUnit\nobjectClass: top\nou: below\n";
    }

    private static String folded(String line) {
        return line.replaceAll("(.{70})", "$1\n ");
    }

    private static Map<String, LdifEntry> entries(byte[] ldif) throws IOException, LdifException {
        Map<String, LdifEntry> entries = new LinkedHashMap<>();
        try (LdifReader reader = new LdifReader(new ByteArrayInputStream(ldif))) {
            for (LdifRecord record = reader.next(); record != null; record = reader.next()) {
                entries.put(record.dn(), (LdifEntry) record);
            }
        }
        return entries;
    }

    private Path data(String name) {
        return temporary.getRoot().toPath().resolve(name);
    }

    /** One that loads clear-text passwords as they are. */
    private Path configuration() throws IOException {
        return Files.writeString(temporary.getRoot().toPath().resolve("keep.ldif"), Files.readString(Path.of("../conf/config.ldif"))
                .replaceFirst("(?m)^#?importPasswordScheme: .*$", "importPasswordScheme: keep"));
    }

    private byte[] export(Path data) throws IOException {
        Path output = Files.createTempFile(temporary.getRoot().toPath(), "export", ".ldif");
        CommandRun.of("export", "--data", data, "--conf", configuration(), "--output", output).succeeds();
        return Files.readAllBytes(output);
    }

    private byte[] throughAnotherFolder(byte[] exported) throws IOException {
        Path second = data("second");
        CommandRun.reading(exported, "import", "--data", second, "--conf", configuration(), "-").succeeds();
        CommandRun.of("verify", "--data", second, "--conf", configuration()).succeeds();
        return export(second);
    }

    @Test
    public void everyValueComesBackByteForByte() throws IOException, LdifException {
        byte[] input = handWritten().getBytes(StandardCharsets.UTF_8);
        Path first = data("first");
        CommandRun.reading(input, "import", "--data", first, "--conf", configuration(), "-").succeeds();
        byte[] exported = export(first);
        Map<String, LdifEntry> found = entries(exported);
        Map<String, LdifEntry> given = entries(input);
        assertEquals(given.keySet().stream().map(RoundTripTest::asStored).toList(), List.copyOf(found.keySet()));
        for (LdifEntry entry : given.values()) {
            assertEquals(entry.dn(), grouped(entry.attributes()), grouped(userOrGiven(found.get(asStored(entry.dn())), entry)));
        }
        assertArrayEquals(exported, throughAnotherFolder(exported));
    }

    /** An entry keeps the spelling of its own RDN; the rest of its DN is spelled as its superiors are. */
    private static String asStored(String dn) {
        return dn.equals(OTHER_SPELLING) ? "CN=\\23 1,ou=people," + SUFFIX : dn;
    }

    /** What the input names; the server adds operational attributes that are not there. */
    private static List<LdifAttribute> userOrGiven(LdifEntry found, LdifEntry given) {
        Set<String> added = new HashSet<>(Set.of("structuralObjectClass", "entryUUID", "entryCSN", "creatorsName",
                "createTimestamp",
                "modifiersName", "modifyTimestamp"));
        given.attributes().forEach(attribute -> added.remove(attribute.description()));
        return found.attributes().stream().filter(attribute -> !added.contains(attribute.description())).toList();
    }

    /** The values of an attribute in their order, the attributes in no order. */
    private static Map<String, List<LdifAttribute>> grouped(List<LdifAttribute> attributes) {
        Map<String, List<LdifAttribute>> result = new LinkedHashMap<>();
        attributes.forEach(each -> result.computeIfAbsent(each.description(), description -> new ArrayList<>()).add(each));
        return result;
    }

    @Test
    public void hashedPasswordsAndMovedEntries() throws IOException, LDAPException, LDIFException, LdifException {
        Path first = data("first");
        String younger = "ou=younger," + SUFFIX;
        try (ServerProcess server = ServerProcess.start(first, "--sample", 3); LDAPConnection connection = server.admin()) {
            connection.add("dn: " + younger, "objectClass: organizationalUnit", "ou: younger");
            connection.add("dn: ou=youngest," + younger, "objectClass: organizationalUnit", "ou: youngest");
            connection.modify("dn: uid=user.2,ou=users," + SUFFIX, "changetype: modify", "replace: userPassword",
                    "userPassword: new");
            connection.modify("dn: uid=user.1,ou=users," + SUFFIX, "changetype: modify", "replace: userPassword",
                    "userPassword: password");
            connection.modifyDN("uid=user.2,ou=users," + SUFFIX, "uid=moved", true, "ou=youngest," + younger);
            connection.modifyDN("ou=users," + SUFFIX, "ou=users", false, younger);
        }
        byte[] exported = export(first);
        List<String> names = List.copyOf(entries(exported).keySet());
        assertEquals(13, names.size());
        for (String name : names) {
            String parent = name.substring(name.indexOf(',') + 1);
            assertTrue(name + " comes before its parent in " + names,
                    name.equals(SUFFIX) || names.indexOf(parent) >= 0 && names.indexOf(parent) < names.indexOf(name));
        }
        assertTrue(names.toString(), names.contains("uid=moved,ou=youngest," + younger)
                && names.contains("uid=user.1,ou=users," + younger));
        assertArrayEquals(exported, throughAnotherFolder(exported));
        try (ServerProcess server = ServerProcess.start(data("second"));
                LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port())) {
            connection.bind("uid=moved,ou=youngest," + younger, "new");
            connection.bind("uid=user.1,ou=users," + younger, "password");
        }
    }

    @Test
    public void manyEntriesOfTheSampleComeBack() throws IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        Path sample = data("sample.ldif");
        CommandRun.of("generate", "--entries", 3000, "--output", sample).succeeds();
        expected.write(Files.readAllBytes(sample));
        Path first = data("first");
        CommandRun.of("import", "--data", first, "--conf", configuration(), sample).succeeds();
        byte[] exported = export(first);
        String withoutOperational = new String(exported, StandardCharsets.UTF_8).replaceAll(
                "(?m)^(structuralObjectClass|entryUUID|creatorsName|createTimestamp|"
                + "modifiersName|modifyTimestamp|entryCSN): .*\n", "");
        assertEquals(expected.toString(StandardCharsets.UTF_8), withoutOperational);
        assertArrayEquals(exported, throughAnotherFolder(exported));
    }
}
