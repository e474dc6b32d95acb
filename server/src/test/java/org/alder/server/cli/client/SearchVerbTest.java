package org.alder.server.cli.client;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldif.LDIFReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.filter.FilterEncoder;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.text.JsonReader;
import org.alder.partition.text.JsonText;
import org.alder.server.TestServer;
import org.alder.server.cli.CommandRun;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code alder search} against a running server, with values that would like to steer a terminal. */
public class SearchVerbTest {
    private static final String HOSTILE = "uid=hostile,ou=users," + TestServer.SUFFIX;
    private static final String ESCAPES = "red \u001b[31m, back \r, bell \u0007, turned \u202e round, \u0085 and \u007f";
    private static final byte[] PICTURE = {(byte) 0xFF, (byte) 0xD8, 0, 27};

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;
    private Path password;

    @Before
    public void start() throws Exception {
        server = new TestServer();
        server.add(HOSTILE, "objectClass: inetOrgPerson", "uid: hostile", "cn: Ho, \"Stile\"", "cn: 山田太郎", "sn: first\nsecond",
                "description: " + ESCAPES, "mail: {base64}no", "cn;lang-de: Feindlich");
        try (LDAPConnection admin = server.admin()) {
            admin.modify(HOSTILE, new Modification(ModificationType.ADD, "jpegPhoto", PICTURE));
        }
        password = Files.writeString(folder.newFile("password").toPath(), TestServer.ADMIN_PASSWORD);
    }

    @After
    public void stop() {
        server.close();
    }

    private CommandRun search(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("search", "--url", "ldap://127.0.0.1:" + server.port(), "--password-file", password,
                "--data", folder.getRoot().toPath().resolve("none")));
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray());
    }

    private static void assertHarmless(String text) {
        assertTrue(text, text.codePoints().allMatch(c -> c == '\n' || !JsonText.isDangerous(c)));
    }

    @Test
    public void ldifIsReadBackAsItWasStored() throws Exception {
        String out = search("-b", TestServer.SUFFIX, "(uid=hostile)").succeeds().out();
        assertHarmless(out);
        try (LDIFReader reader = new LDIFReader(new ByteArrayInputStream(out.getBytes(StandardCharsets.UTF_8)))) {
            Entry entry = reader.readEntry();
            assertEquals(HOSTILE, entry.getDN());
            assertEquals(ESCAPES, entry.getAttributeValue("description"));
            assertEquals(List.of("Ho, \"Stile\"", "山田太郎"), List.of(entry.getAttributeValues("cn")));
            assertArrayEquals(PICTURE, entry.getAttributeValueBytes("jpegPhoto"));
            assertEquals(null, reader.readEntry());
        }
        String names = search("-b", "ou=users," + TestServer.SUFFIX, "-s", "one", "(uid=user.1*)", "1.1").succeeds().out();
        assertEquals("user.1, and 10 to 19", 11, names.lines().filter(line -> line.startsWith("dn: uid=user.1")).count());
        assertFalse(names, names.contains("objectClass"));
    }

    @Test
    public void jsonHasEveryValue() {
        String out = search("--json", "(uid=hostile)", "cn", "sn", "description", "jpegPhoto").succeeds().out();
        assertHarmless(out);
        Map<?, ?> found = (Map<?, ?>) JsonReader.parse(out);
        assertEquals(HOSTILE, found.get("dn"));
        Map<?, ?> attributes = (Map<?, ?>) found.get("attributes");
        assertEquals(List.of(ESCAPES), attributes.get("description"));
        assertEquals(List.of("first\nsecond"), attributes.get("sn"));
        assertEquals(List.of(Map.of("base64", Base64.getEncoder().encodeToString(PICTURE))), attributes.get("jpegPhoto"));
    }

    private static String encoded(String text) {
        return "{base64}" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    public void csvHasAFieldForEachAttribute() {
        String out = search("-f", "csv", "(uid=hostile)", "uid", "cn", "surname", "mail", "description", "title").succeeds().out();
        assertHarmless(out);
        assertEquals("dn,uid,cn,surname,mail,description,title\n\"" + HOSTILE + "\",hostile,\"Ho, \"\"Stile\"\"\n山田太郎\nFeindlich\","
                + encoded("first\nsecond") + ',' + encoded("{base64}no") + ',' + encoded(ESCAPES) + ",\n", out);
        search("-f", "csv", "(uid=user.1)").fails(2, "name them behind the filter");
        search("-f", "csv", "(uid=user.1)", "cn", "+").fails(2, "name them behind the filter");
    }

    @Test
    public void aTableCutsWhatIsLong() {
        String out = search("-f", "table", "--column", "24", "(|(uid=hostile)(uid=user.1))", "cn", "description").succeeds().out();
        assertHarmless(out);
        List<String> lines = out.lines().toList();
        assertEquals(out, 3, lines.size());
        assertTrue(out, lines.get(0).startsWith("dn                        cn"));
        String hostile = lines.stream().filter(line -> line.startsWith("uid=hostile,")).findFirst().orElseThrow();
        assertTrue(out, hostile.startsWith("uid=hostile,ou=users,dc…  Ho, \"Stile\"; 山田太郎; …"));
        assertTrue(out, hostile.endsWith("red \\u001b[31m, back \\u…"));
        CommandRun all = search("-f", "table", "--column", "0", "(uid=hostile)").succeeds();
        assertTrue(all.out(), all.out().contains("turned \\u202e round") && all.out().contains("(4 bytes)"));
        assertEquals("without names the attributes of the first entries", "", all.err());
        long users = search("-f", "table", "(uid=user.*)", "uid").succeeds().out().lines().count();
        assertEquals(TestServer.USERS + 1, users);
    }

    @Test
    public void theEndIsSaid() {
        CommandRun first = search("--limit", "3", "(uid=user.*)", "uid").succeeds();
        assertEquals(3, first.out().lines().filter(line -> line.startsWith("dn: ")).count());
        assertEquals("alder: these are the first 3: there are more\n", first.err());
        assertTrue(search("(uid=nobody)").succeeds().err().contains("nothing is found"));
        assertEquals("", search("--json", "(uid=nobody)").succeeds().err() + search("--json", "(uid=nobody)").out());
        search("-b", "ou=nowhere," + TestServer.SUFFIX, "(uid=x)").fails(1, "result 32 (noSuchObject)");
        search("(uid=x").fails(2, "expected");
        search("--limit", "-1").fails(2, "--limit -1");
        search("--json", "-f", "csv", "(uid=x)", "cn").fails(2, "leave one of the two out");
        search("-f", "xml").fails(2, "expected one of ldif, table, json, csv");
        search("-s", "deep").fails(2, "expected one of base, one, sub, children");
    }

    @Test
    public void whoAsksIsWhoIsNamed() throws Exception {
        Path users = Files.writeString(folder.newFile("user").toPath(), TestServer.USER_PASSWORD);
        CommandRun own = CommandRun.of("search", "-H", "ldap://127.0.0.1:" + server.port(), "-D", TestServer.userDn(2), "-y", users, "--data",
                folder.getRoot(), "-b", TestServer.userDn(2), "-s", "base", "(objectClass=*)", "uid", "userPassword").succeeds();
        assertTrue(own.out(), own.out().contains("uid: user.2\n") && !own.out().contains("userPassword"));
        CommandRun anonymous = CommandRun.of("search", "-H", "ldap://127.0.0.1:" + server.port(), "-D", "", "--data", folder.getRoot(), "-b", "",
                "-s", "base", "(objectClass=*)", "namingContexts").succeeds();
        assertTrue(anonymous.out(), anonymous.out().contains("namingContexts: " + TestServer.SUFFIX + "\n"));
    }

    @Test
    public void filtersAreSentAsAnotherClientSendsThem() throws Exception {
        for (String filter : List.of("(uid=alice)", "(&(sn=smith)(|(l=b*)(!(cn=*x*y*z)))(mail=*))", "(createTimestamp>=20260101000000Z)",
                "(uidNumber<=7)", "(cn~=jon)", "(cn:caseExactMatch:=Jon)", "(:dn:2.4.6.8:=x)", "(sn:dn:=\\2a\\c3\\a9)", "(&)", "(|)")) {
            BerWriter out = new BerWriter(16);
            FilterEncoder.write(FilterParser.parse(filter), out);
            assertArrayEquals(filter, Filter.create(filter).encode().encode(), out.toByteArray());
        }
    }
}
