package org.alder.server.cli.data;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.MatchedValuesFilter;
import com.unboundid.ldap.sdk.controls.MatchedValuesRequestControl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A group of 50,000 members, which are not in its record, through the command line. No test changes the data. */
public class LargeGroupTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String GROUP = "cn=staff," + SUFFIX;
    private static final int MEMBERS = 50_000;

    @ClassRule
    public static final TemporaryFolder TEMPORARY = new TemporaryFolder();
    private static Path data;

    @BeforeClass
    public static void load() {
        data = folder("data");
        CommandRun.importing(data, ldif()).succeeds();
    }

    private static Path folder(String name) {
        return TEMPORARY.getRoot().toPath().resolve(name);
    }

    /** Every third is spelt otherwise than its normal form. */
    private static String member(int number) {
        return (number % 3 == 0 ? "UID=User." : "uid=user.") + number + ",ou=users," + SUFFIX;
    }

    private static Set<String> members() {
        return IntStream.range(0, MEMBERS).mapToObj(LargeGroupTest::member).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String ldif() {
        return "dn: " + SUFFIX + "\nobjectClass: domain\ndc: example\n\n"
                + "dn: " + GROUP + "\nobjectClass: groupOfNames\ncn: staff\ndescription: everybody\n"
                + members().stream().map(member -> "member: " + member + "\n").collect(Collectors.joining())
                + "\ndn: cn=few," + SUFFIX + "\nobjectClass: groupOfNames\ncn: few\nmember: " + GROUP + "\n";
    }

    private static byte[] export(Path from) throws IOException {
        Path output = Files.createTempFile(TEMPORARY.getRoot().toPath(), "export", ".ldif");
        CommandRun.of("export", "--data", from, "--output", output).succeeds();
        return Files.readAllBytes(output);
    }

    /** The members of the group in LDIF, each once. */
    private static Set<String> membersIn(byte[] ldif) {
        String text = new String(ldif, StandardCharsets.UTF_8);
        int start = text.indexOf("dn: " + GROUP + "\n");
        List<String> found = text.substring(start, text.indexOf("\n\n", start)).lines()
                .filter(line -> line.startsWith("member: ")).map(line -> line.substring("member: ".length())).toList();
        Set<String> distinct = new TreeSet<>(found);
        assertEquals("a member is there twice", found.size(), distinct.size());
        return distinct;
    }

    @Test
    public void exportAndImportBringAllMembersBack() throws IOException {
        byte[] exported = export(data);
        assertEquals(members(), membersIn(exported));
        assertTrue(new String(exported, StandardCharsets.UTF_8).contains("\ndescription: everybody\n"));
        Path second = folder("second");
        CommandRun.importing(second, new String(exported, StandardCharsets.UTF_8)).succeeds();
        CommandRun.of("verify", "--data", second).succeeds();
        assertArrayEquals(exported, export(second));
    }

    @Test
    public void allMembersOrThoseThatMatchOverTheWire() throws IOException, LDAPException {
        Path copy = copyOf("served");
        try (ServerProcess server = ServerProcess.start(copy); LDAPConnection connection = server.admin()) {
            assertEquals(members(), new TreeSet<>(Set.of(connection.getEntry(GROUP).getAttributeValues("member"))));
            SearchRequest request = new SearchRequest(GROUP, SearchScope.BASE, "(objectClass=*)");
            request.addControl(new MatchedValuesRequestControl(true,
                    MatchedValuesFilter.createEqualityFilter("member", "uid=user.33333, ou=users," + SUFFIX),
                    MatchedValuesFilter.createEqualityFilter("member", member(MEMBERS))));
            SearchResultEntry entry = connection.searchForEntry(request);
            assertArrayEquals(new String[] {member(33_333)}, entry.getAttributeValues("member"));
            assertEquals(1, entry.getAttributes().size());
            connection.modify(GROUP, new Modification(ModificationType.DELETE, "member", member(1), member(2)),
                    new Modification(ModificationType.ADD, "member", "cn=new," + SUFFIX));
        }
        Set<String> expected = new HashSet<>(members());
        expected.removeAll(Set.of(member(1), member(2)));
        expected.add("cn=new," + SUFFIX);
        assertEquals(expected, membersIn(export(copy)));
        CommandRun.of("verify", "--data", copy).succeeds();
    }

    private static Path copyOf(String name) throws IOException {
        Path copy = folder(name);
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(data.relativize(file)));
            }
        }
        return copy;
    }

    private static Path file(Path data, String name) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
        }
    }

    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 0x20;
        Files.write(file, bytes);
    }

    private static void assertNames(Path file, CommandRun run) {
        assertEquals(run.toString(), 1, run.status());
        assertTrue(run.toString(), (run.out() + run.err()).contains(file.toString()));
    }

    @Test
    public void aDamagedKeyTableIsNamedAndBuiltAnew() throws IOException {
        assertIsBuiltAnew("index-hierarchy.keys");
    }

    @Test
    public void theIndexOfTheMembersIsBuiltFromTheValueTable() throws IOException {
        assertIsBuiltAnew("index-member.db");
    }

    private static void assertIsBuiltAnew(String name) throws IOException {
        Path copy = copyOf("with damaged " + name);
        Path damaged = file(copy, name);
        damage(damaged);
        assertNames(damaged, CommandRun.of("verify", "--data", copy));
        CommandRun repaired = CommandRun.of("verify", "--repair", "--data", copy).succeeds();
        assertTrue(repaired.toString(), repaired.out().contains("REPAIRED"));
        CommandRun.of("verify", "--data", copy).succeeds();
        assertEquals(members(), membersIn(export(copy)));
    }

    @Test
    public void aDamagedValueTableIsNamedAndNotBuiltAnew() throws IOException {
        Path copy = copyOf("without values");
        Path damaged = file(copy, "index-values.db");
        byte[] whole = Files.readAllBytes(damaged);
        damage(damaged);
        assertNames(damaged, CommandRun.of("verify", "--data", copy));
        CommandRun refused = CommandRun.of("verify", "--repair", "--data", copy);
        assertNames(damaged, refused);
        assertFalse(refused.toString(), refused.out().contains("REPAIRED"));
        assertTrue(refused.toString(), refused.err().contains("this cannot be repaired"));
        Files.write(damaged, whole);
        CommandRun.of("verify", "--data", copy).succeeds();
    }
}
