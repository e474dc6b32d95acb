package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldif.LDIFReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The files that other servers print load whole: what they say is here, but for what the import says it leaves out. The heads of the
 * files of {@code src/test/resources/migration} say where they come from.
 */
public class ForeignFilesTest {
    private static final Path FILES = Path.of("src", "test", "resources", "migration");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path data() {
        return temporary.getRoot().toPath().resolve("data");
    }

    private Path configuration(String... lines) throws IOException {
        return Files.writeString(temporary.getRoot().toPath().resolve("conf.ldif"), "dn: cn=config\nobjectClass: alderServer\n"
                + String.join("\n", lines) + "\n");
    }

    private static Map<String, Entry> entries(Path ldif) throws Exception {
        Map<String, Entry> entries = new TreeMap<>();
        try (LDIFReader reader = new LDIFReader(ldif.toFile())) {
            for (Entry entry = reader.readEntry(); entry != null; entry = reader.readEntry()) {
                entries.put(entry.getParsedDN().toNormalizedString(), entry);
            }
        }
        return entries;
    }

    private Map<String, Entry> exported(Path configuration) throws Exception {
        Path file = temporary.getRoot().toPath().resolve("export.ldif");
        CommandRun.of("export", "--data", data(), "--conf", configuration, "--output", file).succeeds();
        return entries(file);
    }

    /** Loads a file, and looks for all that it says. @return what is there */
    private Map<String, Entry> load(Path file, Path configuration, int entries, String says, Set<String> others) throws Exception {
        CommandRun run = CommandRun.of("import", "--data", data(), "--conf", configuration, file).succeeds();
        assertTrue(run.toString(), run.out().contains("loaded " + entries + " entries\n"));
        assertTrue(run.toString(), run.out().contains(says));
        Map<String, Entry> there = exported(configuration);
        assertEquals(entries, there.size());
        for (Map.Entry<String, Entry> each : entries(file).entrySet()) {
            Entry found = there.get(each.getKey());
            for (Attribute attribute : each.getValue().getAttributes()) {
                if (found == null || !others.contains(attribute.getBaseName())) {
                    assertTrue(each.getKey(), found != null);
                    for (String value : attribute.getValues()) {
                        boolean isThere = attribute.getBaseName().equalsIgnoreCase("objectClass")
                                ? found.getAttribute("objectClass").hasValue(value.toLowerCase(Locale.ROOT))
                                        || found.getAttribute("objectClass").hasValue(value)
                                : found.hasAttributeValue(attribute.getName(), value);
                        assertTrue(each.getKey() + " has no " + attribute.getName() + ": " + value, isThere);
                    }
                }
            }
        }
        return there;
    }

    @Test
    public void whatSlapcatPrints() throws Exception {
        Path configuration = configuration("schemaFile: " + FILES.resolve("slapd/acme.schema").toAbsolutePath());
        Map<String, Entry> there = load(FILES.resolve("slapd/slapcat.ldif"), configuration, 18, "or they are worked out here: contextCSN 1,"
                + " memberOf 2\n", Set.of("contextCSN", "memberOf"));
        assertEquals("posixGroup", there.get("cn=staff,ou=groups,dc=example,dc=com").getAttributeValue("structuralObjectClass"));
        try (ServerProcess server = ServerProcess.start(data(), "--conf", configuration); LDAPConnection connection = server.admin()) {
            Entry bob = connection.getEntry("uid=bob,ou=staff,ou=people,dc=example,dc=com", "memberOf", "pwdFailureTime");
            assertEquals("cn=helpdesk,ou=groups,dc=example,dc=com", bob.getAttributeValue("memberOf"));
            assertEquals("a wrong password at slapd", 1, bob.getAttributeValues("pwdFailureTime").length);
            assertEquals(ResultCode.SUCCESS, connection.bind("uid=alice,ou=people,dc=example,dc=com", "alice-secret").getResultCode());
        }
    }

    @Test
    public void what389Prints() throws Exception {
        Path configuration = configuration();
        // What db2ldif -r says of one entry is looked at below.
        Path file = FILES.resolve("389/db2ldif.ldif");
        CommandRun run = CommandRun.of("import", "--data", data(), file).succeeds();
        for (String line : List.of("loaded 8 entries", "dsEntryDN 1, entrydn 1, entryid 1, internalModifiersName 1, memberOf 1, nsRole 1,"
                + " numSubordinates 1, parentid 1", "groups without members, which need one here: 1 got the member \"\"",
                "the notes of replication were taken from 2 entries", "because they were deleted: 1 entry")) {
            assertTrue(line + " in " + run, run.out().contains(line));
        }
        assertTrue(run.err(), run.err().contains("1 entry with aci, which decides nothing here"));
        Map<String, Entry> there = exported(configuration);
        assertEquals("the same bits", "a2b33229-6e3b-11ea-8de0-c78c83e27eda", there.get("dc=example,dc=com").getAttributeValue("entryUUID"));
        Entry user = there.get("uid=demo_user,ou=people,dc=example,dc=com");
        assertEquals("its own", "48a1b4a6-6e3b-4c5e-9a4e-1f5f6a7b8c9d", user.getAttributeValue("entryUUID"));
        assertEquals("a2b3322f-6e3b11ea-8de0c78c-83e27eda", user.getAttributeValue("nsUniqueId"));
        assertEquals("20990101000000Z", user.getAttributeValue("passwordExpirationTime"));
        assertEquals("", there.get("cn=demo_group,ou=groups,dc=example,dc=com").getAttributeValue("member"));
        Entry replicated = there.get("cn=replicated,ou=people,dc=example,dc=com");
        assertEquals("replicated", replicated.getAttributeValue("cn"));
        assertEquals(List.of("neu"), List.of(replicated.getAttributeValues("description;lang-de")));
        assertFalse(replicated.hasAttribute("l"));
    }

    @Test
    public void whatOpenDjPrints() throws Exception {
        Map<String, Entry> there = load(FILES.resolve("opendj/export.ldif"), configuration(), 4, "ds-privilege-name 1, ds-sync-generation-id 1,"
                + " ds-sync-state 1, etag 1, isMemberOf 1\n", Set.of("ds-sync-generation-id", "ds-sync-state", "ds-privilege-name",
                        "isMemberOf", "etag", "ds-rlim-size-limit", "ds-rlim-time-limit"));
        Entry alice = there.get("uid=alice,ou=people,dc=example,dc=com");
        assertEquals("no limit", "-1", alice.getAttributeValue("nsSizeLimit"));
        assertEquals("30", alice.getAttributeValue("nsTimeLimit"));
    }

    @Test
    public void whatDirectoryStudioPrintsOfApacheDs() throws Exception {
        load(FILES.resolve("apacheds/export.ldif"), configuration(), 3, "accessControlSubentries 1, entryDN 1, entryParentId 3,"
                + " nbChildren 1, nbSubordinates 1\n", Set.of("accessControlSubentries", "entryDN", "entryParentId", "nbChildren",
                        "nbSubordinates", "subschemaSubentry"));
    }

    @Test
    public void aFileOfAnotherSuffixIsToldOnceWithTheOptionToAdd() throws Exception {
        Path file = Files.writeString(temporary.getRoot().toPath().resolve("org.ldif"), "dn: dc=example,dc=org\nobjectClass: domain\n"
                + "dc: example\n\ndn: ou=x,dc=example,dc=org\nobjectClass: organizationalUnit\nou: x\n");
        Path configuration = configuration("", "dn: cn=one,cn=config", "objectClass: alderPartition", "suffix: dc=example,dc=com", "",
                "dn: cn=two,cn=config", "objectClass: alderPartition", "suffix: dc=example,dc=org");
        CommandRun.of("import", "--data", data(), "--conf", configuration, "--suffix", "dc=example,dc=com", file).fails(1, "while reading "
                + file + ": line 1: the entries are those of \"dc=example,dc=org\", and not under this partition's suffix"
                + " \"dc=example,dc=com\": add --suffix \"dc=example,dc=org\". Nothing was loaded");
        CommandRun.of("import", "--data", data(), "--conf", configuration, "--suffix", "dc=example,dc=org", file).succeeds();
    }
}
