package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.dn.Dn;
import org.alder.partition.schema.AttributeType;
import org.alder.server.TestServer;
import org.alder.server.auth.Identity;
import org.junit.Test;

/** docs/access-rules-migration.md: each of its rules is one, and its whole example decides as the servers did that it comes from. */
public class MigrationPageTest {
    private static final Path PAGE = Path.of("../docs/access-rules-migration.md");
    private static final Pattern IN_TABLES = Pattern.compile("`((?:grant|deny) [a-z][^`]*)`");
    private static final Pattern IN_EXAMPLES = Pattern.compile("(?m)^accessRule: (.*)$");

    private static List<String> rules(Pattern pattern) throws IOException {
        List<String> rules = new ArrayList<>();
        Matcher matcher = pattern.matcher(Files.readString(PAGE));
        while (matcher.find()) {
            rules.add(matcher.group(1));
        }
        return rules;
    }

    @Test
    public void eachRuleOfTheTablesIsOne() throws IOException {
        List<String> rules = rules(IN_TABLES);
        assertTrue(rules.size() + " rules", rules.size() > 50);
        for (String rule : rules) {
            assertEquals(rule, AccessOracleTest.parsed(List.of(rule)).get(0).text());
        }
    }

    private static Dn dn(String rdn) {
        return TestServer.dn(rdn + "," + TestServer.SUFFIX);
    }

    private static EntryRights rights(List<AccessRule> rules, String who, String entry) {
        AccessPolicy policy = new AccessPolicy(TestServer.SCHEMA, List.of(TestServer.dn(TestServer.SUFFIX)), rules,
                member -> member.equals(dn("uid=helper")) ? Set.of(dn("cn=helpdesk"))
                        : member.equals(dn("uid=clerk")) ? Set.of(dn("cn=hr")) : Set.of());
        Identity identity = who.isEmpty() ? Identity.ANONYMOUS : new Identity(dn(who), false);
        return policy.of(new Requester(identity, null)).byName(dn(entry));
    }

    @Test
    public void theWholeExampleDecidesAsBefore() throws IOException {
        List<AccessRule> rules = AccessOracleTest.parsed(rules(IN_EXAMPLES));
        AttributeType password = TestServer.SCHEMA.attributeType("userPassword");
        AttributeType title = TestServer.SCHEMA.attributeType("title");
        String[][] table = {
            // who, entry, reads title, writes title, writes userPassword, logs in
            {"", "uid=a", "no", "no", "no", "yes"},
            {"uid=a", "uid=a", "yes", "yes", "yes", "yes"},
            {"uid=a", "uid=b", "yes", "no", "no", "yes"},
            {"uid=helper", "uid=b", "yes", "no", "yes", "yes"},
            {"uid=a", "uid=c,ou=hr", "no", "no", "no", "yes"},
            {"uid=helper", "uid=c,ou=hr", "no", "no", "yes", "yes"},
            {"uid=clerk", "uid=c,ou=hr", "yes", "yes", "no", "yes"},
        };
        for (String[] row : table) {
            EntryRights rights = rights(rules, row[0], row[1]);
            String about = row[0] + " and " + row[1];
            assertEquals(about, row[2].equals("yes"), rights.reading().mayRead(title));
            assertEquals(about, row[3].equals("yes"), rights.may(Right.WRITE, title));
            assertEquals(about, row[4].equals("yes"), rights.may(Right.WRITE, password));
            assertEquals(about, row[5].equals("yes"), rights.may(Right.AUTHENTICATE));
            assertTrue(about, !rights.reading().mayRead(password));
        }
    }
}
