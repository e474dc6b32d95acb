package org.alder.server.migration;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alder.server.TestServer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Access rules of slapd in the forms that people write, and that slapd.d keeps them in. */
public class SlapdAccessTest {
    private static final String PEOPLE = "ou=people,dc=example,dc=com";
    private static final String PASSWORDS = "access to attrs=userPassword by self write by anonymous auth by * none\n";
    private static final String READS = "grant only view in ";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path file;
    private List<String> open;

    @Before
    public void file() {
        file = temporary.getRoot().toPath().resolve("slapd.conf");
    }

    /** Rules that are not about authenticating. */
    private List<String> rules(String access) throws IOException, MigrationException {
        Files.writeString(file, "database mdb\nsuffix \"dc=example,dc=com\"\n" + access);
        Migration.Source source = Migration.read(file, List.of());
        MigratedConfiguration made = new MigratedConfiguration(TestServer.SCHEMA, Map.of(), List.of(), file.resolveSibling("trial.ldif"));
        MigrationReport report = new MigrationReport();
        new SlapdMigration(made, source.rules(), report).run(source.settings());
        made.requireWhole();
        open = report.open();
        List<String> rules = new ArrayList<>();
        for (String line : made.text().split("\n")) {
            if (line.startsWith("accessRule: ") && !line.contains("authenticate") && line.contains("dc=example,dc=com")) {
                rules.add(line.substring("accessRule: ".length()));
            }
        }
        return rules;
    }

    private void isPlace(String what, String place) throws Exception {
        assertEquals(what, List.of(READS + place + " to anyone"), rules("access to " + what + " by * read\n"));
    }

    @Test
    public void expressionsThatMeanAPlaceBecomeThatPlace() throws Exception {
        isPlace("dn.regex=\"^(.+,)?" + PEOPLE + "$\"", "\"" + PEOPLE + "\"");
        isPlace("dn.regex=\"(.*,)?" + PEOPLE + "\"", "\"" + PEOPLE + "\"");
        isPlace("dn.regex=\"^([^,]+,)*" + PEOPLE + "$\"", "\"" + PEOPLE + "\"");
        isPlace("dn.regex=\".*,ou=People, dc=example,dc=com\"", "children \"ou=People, dc=example,dc=com\"");
        isPlace("dn.regex=\"^(.+)," + PEOPLE + "$\"", "children \"" + PEOPLE + "\"");
        isPlace("dn.regex=\"^[^,]+," + PEOPLE + "$\"", "one \"" + PEOPLE + "\"");
        isPlace("dn.regex=\"^" + PEOPLE + "$\"", "base \"" + PEOPLE + "\"");
        isPlace("dn.regex=\"^uid=([^,]+)," + PEOPLE + "$\"", "one \"" + PEOPLE + "\" where (uid=*)");
    }

    @Test
    public void thoseThatMeanMoreDenyAllThatTheyMayMean() throws Exception {
        for (String expression : List.of("uid=[^,]+," + PEOPLE, "^([^,]+,)?" + PEOPLE + "$", "^uid=.+," + PEOPLE + "$", "^cn=(a|b)," + PEOPLE)) {
            assertEquals(expression, List.of("deny all in \"" + PEOPLE + "\" to anyone"), rules("access to dn.regex=\"" + expression + "\" by * read\n"));
            assertTrue(open.toString(), open.stream().anyMatch(each -> each.contains("there are no regular expressions")));
        }
        assertEquals(List.of("deny all in \"dc=example,dc=com\" to anyone"), rules("access to dn.regex=\".*,ou=people,dc=exam\" by * read\n"));
    }

    @Test
    public void valuesAsSlapdKeepsThem() throws Exception {
        for (String style : List.of("val", "val.exact")) {
            assertEquals(List.of("grant only view of title values (title=boss) in \"dc=example,dc=com\" to users",
                    "deny all of title values (title=boss) in \"dc=example,dc=com\" to anyone"),
                    rules("access to attrs=title " + style + "=\"boss\" by users read by * none\n"));
        }
    }

    @Test
    public void entryAndChildrenTogetherAreTheRightToAddAndDelete() throws Exception {
        assertEquals(List.of("grant add, delete, rename in children \"" + PEOPLE + "\" to dn \"uid=a," + PEOPLE + "\""),
                rules("access to dn.subtree=\"" + PEOPLE + "\" attrs=entry,children by dn.exact=\"uid=a," + PEOPLE + "\" write by * read\n"));
    }

    /** slapd shows and lets write the value alone that is one's own DN. */
    @Test
    public void selfwriteMeansNoOthersValues() throws Exception {
        assertEquals(List.of("grant only selfWrite of member in \"dc=example,dc=com\" to users", "deny all of member in \"dc=example,dc=com\" to anyone"),
                rules("access to attrs=member by users selfwrite\n"));
        assertEquals(List.of("deny all in \"dc=example,dc=com\" to users", "deny all in \"dc=example,dc=com\" to anyone"),
                rules("access to * by users selfwrite\n"));
        assertEquals(List.of("deny all of member in \"dc=example,dc=com\" to users", "deny all of member in \"dc=example,dc=com\" to anyone"),
                rules("access to attrs=member by users selfread\n"));
    }

    /** slapd asks for the right to the entry, too, which lines without attributes say. */
    @Test
    public void whoMayReadAnAttributeIsNotShownEntriesThatALaterLineHides() throws Exception {
        String hr = "access to dn.subtree=\"ou=hr,dc=example,dc=com\" filter=\"(title=x)\" by group=\"cn=hr,dc=example,dc=com\" write by users search by * none\n";
        String place = " in \"ou=hr,dc=example,dc=com\" where (title=x) to ";
        List<String> rules = rules("access to attrs=cn by users read by * none\n" + hr);
        assertEquals(List.of("deny read of *, +" + place + "users and not (group \"cn=hr,dc=example,dc=com\")",
                "deny read of *, +" + place + "not (group \"cn=hr,dc=example,dc=com\")", "grant only view of cn in \"dc=example,dc=com\" to users"),
                rules.subList(0, 3));
        assertEquals("nobody reads more than himself", "grant only view, write of userPassword in \"dc=example,dc=com\" to self", rules(PASSWORDS + hr).get(0));
        assertEquals("nor elsewhere", "grant only view of cn in \"" + PEOPLE + "\" to users",
                rules("access to dn.subtree=\"" + PEOPLE + "\" attrs=cn by users read by * none\n" + hr).get(0));
    }

    @Test
    public void whereThatCannotBeSaidItIsTold() throws Exception {
        List<String> rules = rules("access to attrs=cn by * read\naccess to dn.subtree=\"" + PEOPLE + "\" by * read\naccess to * by users read by * none\n");
        assertEquals("grant only view of cn in \"dc=example,dc=com\" to anyone", rules.get(0));
        assertTrue(open.toString(), open.stream().anyMatch(each -> each.contains("line 5: access to *") && each.contains("is shown the names of entries")));
        rules(PASSWORDS + "access to dn.subtree=\"" + PEOPLE + "\" by * read\naccess to * by users read by * none\n");
        assertTrue(open.toString(), open.stream().noneMatch(each -> each.contains("is shown the names")));
    }
}
