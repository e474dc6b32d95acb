package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.SearchResultEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a start searches for shows nowhere as something that clients have asked for. */
public class WarmUpLogsTest {
    private static final String TOLD = "logLevel=info org.alder.server.WarmUp";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Test
    public void itIsNeitherLoggedNorCounted() throws Exception {
        Path data = temporary.getRoot().toPath().resolve("data");
        String said;
        try (ServerProcess server = ServerProcess.start(data, "--sample", 300, "--set", TOLD, "--set", "audit=all", "--set", "accessLog=all");
                LDAPConnection admin = server.admin()) {
            said = server.errorText();
            SearchResultEntry searches = admin.getEntry("cn=search,cn=operations,cn=Monitor");
            String[] results = searches.getAttributeValues("alderResults");
            assertTrue("before the first search of a client: " + searches,
                    results == null || Stream.of(results).allMatch(each -> each.endsWith(" 0")));
        }
        assertTrue(said, said.matches("(?s).*warmed up by [1-9]\\d* searches in \\d+ ms.*"));
        assertEquals("searches in the audit log", 1, kinds(data.resolve("audit/audit.jsonl")).stream().filter("search"::equals).count());
        assertEquals("searches in the access log", 1, kinds(data.resolve("access/access.jsonl")).stream().filter("search"::equals).count());
        try (ServerProcess server = ServerProcess.start(data, "--set", TOLD, "--set", "warmUpSeconds=0")) {
            assertFalse(server.errorText(), server.errorText().contains("warmed up"));
        }
    }

    private static List<String> kinds(Path log) throws Exception {
        return Files.readAllLines(log).stream().map(line -> line.replaceAll(".*\"kind\":\"(\\w+)\".*", "$1")).toList();
    }
}
