package org.alder.server.migration.x501;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.server.TestServer;
import org.alder.server.access.AccessRuleParser;
import org.junit.Test;

/** ACI items of ApacheDS: what rules say exactly becomes some, in the order of X.501, what denies never denies less, and the rest is named. */
public class X501RulesTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final Dn SUBENTRY = TestServer.dn("cn=rules," + SUFFIX);
    private static final String READS = "grantRead, grantReturnDN, grantBrowse, grantFilterMatch, grantCompare";
    private static final String ALL = "{ entry, allUserAttributeTypesAndValues }";

    private X501Rules<String> rules = new X501Rules<>(TestServer.SCHEMA);
    private int items;

    private static String item(int precedence, String level, String users, String protectedItems, String grants) {
        return "{ identificationTag \"a tag\", precedence " + precedence + ", authenticationLevel " + level + ", itemOrUserFirst userFirst: { userClasses "
                + users + ", userPermissions { { protectedItems " + protectedItems + ", grantsAndDenials { " + grants + " } } } } }";
    }

    private void take(String item) {
        take("{}", item);
    }

    private void take(String specification, String item) {
        rules.takePrescriptive("item " + ++items, SUBENTRY, specification, item);
    }

    private List<String> made() throws Exception {
        List<String> made = new ArrayList<>();
        for (X501Rules.Rule<String> rule : rules.rules()) {
            AccessRuleParser.parse(TestServer.SCHEMA, rule.text(), "");
            made.add(rule.text());
        }
        return made;
    }

    private void becomes(String... expected) throws Exception {
        assertEquals(List.of(expected), made());
        rules = new X501Rules<>(TestServer.SCHEMA);
        items = 0;
    }

    private void becomesWithout(String open, String... expected) throws Exception {
        List<String> made = made();
        assertTrue(rules.open().toString(), rules.open().values().stream().flatMap(Set::stream).anyMatch(each -> each.contains(open)));
        assertEquals(List.of(expected), made);
        rules = new X501Rules<>(TestServer.SCHEMA);
        items = 0;
    }

    @Test
    public void allUsersReadEverything() throws Exception {
        take(item(14, "simple", "{ allUsers }", ALL, READS));
        assertEquals(Map.of(), rules.open());
        becomes("grant view of * in \"dc=example,dc=com\" to users");
        take(item(14, "none", "{ allUsers }", ALL, "grantRead, grantReturnDN, grantBrowse"));
        becomes("grant read of * in \"dc=example,dc=com\" to anyone");
    }

    @Test
    public void itemFirstSaysTheSame() throws Exception {
        take("{ identificationTag \"b\", precedence 1, authenticationLevel simple, itemOrUserFirst itemFirst: { protectedItems " + ALL
                + ", itemPermissions { { userClasses { allUsers }, grantsAndDenials { " + READS + " } }, { precedence 2, userClasses { name {"
                + " \"uid=bad,dc=example,dc=com\" } }, grantsAndDenials { denyRead, denyBrowse } } } } }");
        becomes("deny view of *, + in \"dc=example,dc=com\" to dn \"uid=bad,dc=example,dc=com\" or anonymous", "grant view of * in \"dc=example,dc=com\" to users");
    }

    @Test
    public void aDenialOfTheSamePrecedenceIsBeatenByAMoreSpecificUserAndBeatsOthers() throws Exception {
        take(item(10, "simple", "{ allUsers }", ALL, READS));
        take(item(10, "none", "{ allUsers }", "{ attributeType { userPassword, telephoneNumber } }", "denyRead, denyCompare, denyFilterMatch"));
        take(item(10, "simple", "{ userGroup { \"cn=hr,dc=example,dc=com\" } }", ALL, READS));
        becomes("grant view of * in \"dc=example,dc=com\" to group \"cn=hr,dc=example,dc=com\"",
                "deny view of userPassword, telephoneNumber in \"dc=example,dc=com\" to users", "grant view of * in \"dc=example,dc=com\" to users");
    }

    @Test
    public void whatManyGroupsMayIsARuleForEach() throws Exception {
        for (int i = 100; i < 200; i++) {
            take(item(i, "none", "{ userGroup { \"cn=g" + i + ",dc=example,dc=com\" } }", ALL, "grantBrowse, grantReturnDN, grantRead"));
        }
        List<String> made = made();
        assertEquals(100, made.size());
        assertEquals("grant read of * in \"dc=example,dc=com\" to group \"cn=g199,dc=example,dc=com\"", made.get(0));
    }

    @Test
    public void onesOwnPassword() throws Exception {
        take(item(20, "simple", "{ thisEntry }", "{ entry }", "grantModify"));
        take(item(20, "simple", "{ thisEntry }", "{ attributeType { userPassword }, allAttributeValues { userPassword } }", "grantAdd, grantRemove"));
        becomes("grant write of userPassword in \"dc=example,dc=com\" to self");
        take(item(20, "simple", "{ thisEntry }", "{ attributeType { userPassword }, allAttributeValues { userPassword } }", "grantAdd, grantRemove"));
        becomesWithout("grantAdd, grantRemove came to no right");
    }

    @Test
    public void administratorsOfASubtree() throws Exception {
        take("{ base \"ou=people\", minimum 1 }", item(30, "simple", "{ userGroup { \"cn=admins,dc=example,dc=com\" } }", ALL, READS
                + ", grantAdd, grantRemove, grantModify, grantRename, grantExport, grantImport, grantDiscloseOnError"));
        String tail = " in children \"ou=people,dc=example,dc=com\" to group \"cn=admins,dc=example,dc=com\"";
        assertEquals(Map.of(), rules.open());
        becomes("grant view of *" + tail, "grant write, add of *" + tail, "grant write, add of userPassword" + tail, "grant delete, rename" + tail);
    }

    @Test
    public void placesOfSpecificationsEntriesAndSubentries() throws Exception {
        String reads = item(1, "none", "{ allUsers }", ALL, READS);
        take("{ maximum 0 }", reads);
        becomes("grant view of * in base \"dc=example,dc=com\" to anyone");
        take("{ minimum 1, maximum 1 }", reads);
        becomes("grant view of * in one \"dc=example,dc=com\" to anyone");
        take("{ specificationFilter and:{ item:person, not:item:2.5.6.14 } }", reads);
        becomes("grant view of * in \"dc=example,dc=com\" where (&(objectClass=person)(!(objectClass=2.5.6.14))) to anyone");
        rules.takeOfEntry("item", SUBENTRY, reads.replace("grantRead", "grantAdd, grantImport, grantRename, grantRead"));
        becomes("grant view of * in base \"cn=rules,dc=example,dc=com\" to anyone");
        rules.takeOfSubentries("item", SUBENTRY.parent(), reads);
        becomes("grant view of * in one \"dc=example,dc=com\" where (objectClass=subentry) to anyone");
        take("{ minimum 2 }", reads);
        becomesWithout("minimum 2 has no counterpart");
        take("{ minimum 2, maximum 1 }", reads);
        becomesWithout("its subtreeSpecification has a minimum above its maximum, so it holds for no entry");
        take("{ specificExclusions { chopBefore: \"ou=a\" } }", reads);
        becomesWithout("specificExclusions have no counterpart");
        take("{ specificationFilter item:unicorn }", reads);
        becomesWithout("unicorn is no object class here");
    }

    @Test
    public void users() throws Exception {
        take(item(1, "none", "{ subtree { { base \"ou=a,dc=example,dc=com\" }, { base \"ou=b,dc=example,dc=com\", maximum 0 } } }", ALL, READS));
        becomes("grant view of * in \"dc=example,dc=com\" to dn subtree \"ou=a,dc=example,dc=com\" or dn \"ou=b,dc=example,dc=com\"");
        take(item(1, "none", "{ parentOfEntry }", ALL, READS));
        becomesWithout("parentOfEntry: there is no such subject");
        take(item(1, "strong", "{ allUsers }", ALL, READS));
        becomesWithout("authenticationLevel strong: name the mechanisms");
        take(item(1, "none", "{}", ALL, READS));
        becomes();
    }

    @Test
    public void aDenialThatCannotBeSaidDeniesMore() throws Exception {
        take(item(1, "none", "{ allUsers }", ALL, READS));
        take("{ base \"ou=a\", specificExclusions { chopAfter: \"ou=b\" } }", item(2, "simple", "{ parentOfEntry }",
                "{ attributeValue { title=boss, sn=x } }", "denyRead"));
        becomesWithout("denies more here", "grant search of * in \"dc=example,dc=com\" to anyone",
                "deny compare, read of *, + in \"ou=a,dc=example,dc=com\" to anyone",
                "grant compare, read of * in \"dc=example,dc=com\" to anyone");
    }

    @Test
    public void whatCannotBeReadGrantsNothingAndIfItMayDenyDeniesAll() throws Exception {
        String[][] table = {
            {"", "column 1: expected {"},
            {"{", "column 2: expected a component"},
            {"{ identificationTag \"a", "expected a quotation mark at the end"},
            {"{ identificationTag \"a\" } x", "column 27: expected the end"},
            {"{ precedence 256 }", "expected precedence and a number of no more than 255"},
            {"{ precedence 1, precedence 2 }", "precedence stands there twice"},
            {item(1, "none", "{ everybody }", ALL, READS), "everybody is no user class"},
            {item(1, "none", "{ allUsers }", "{ everything }", READS), "everything is no protected item"},
            {item(1, "none", "{ allUsers }", ALL, "grantWrite"), "\"grantWrite\" is nothing to grant or deny"},
            {item(1, "some", "{ allUsers }", ALL, READS), "expected authenticationLevel and none, simple or strong"},
            {item(1, "none", "{ name { \"x y\" } }", ALL, READS), "\"x y\" is no name here"},
            {"{".repeat(10_000), "expected no more than 32 braces"},
            {"{ a (".repeat(10_000), "expected a closing parenthesis"},
            {"x".repeat(1 << 17), "131072 characters, expected no more than 65536"},
        };
        for (String[] row : table) {
            take(row[0]);
            becomesWithout(row[1]);
            take(item(255, "none", "{ allUsers }", ALL, READS));
            take("{ base \"ou=a\" }", row[0] + "deny");
            becomesWithout("it may deny something, so all is denied where it is", "deny view of *, + in \"ou=a,dc=example,dc=com\" to anyone",
                    "grant view of * in \"dc=example,dc=com\" to anyone");
        }
        take("{ base \"x\" }", item(1, "none", "{ allUsers }", ALL, READS));
        becomesWithout("subtreeSpecification \"x,dc=example,dc=com\" is no name here");
    }

    @Test
    public void manyItemsAreBounded() throws Exception {
        for (int i = 0; i < 700; i++) {
            take(item(i % 256, "none", "{ name { \"uid=a" + i + ",dc=example,dc=com\" } }", "{ entry }", "grantBrowse, grantReturnDN"));
            take(item(i % 256, "none", "{ name { \"uid=b" + i + ",dc=example,dc=com\" } }", "{ allUserAttributeTypesAndValues }", "grantRead"));
        }
        becomesWithout("more than 1000 permissions: all items grant nothing");
        for (int i = 0; i < 400; i++) {
            take(item(i % 256, "none", "{ userGroup { \"cn=a" + i + ",dc=example,dc=com\" } }", "{ entry }", "grantBrowse, grantReturnDN"));
            take(item(i % 256, "none", "{ userGroup { \"cn=b" + i + ",dc=example,dc=com\" } }", "{ allUserAttributeTypesAndValues }", "grantRead"));
        }
        becomesWithout("more than 400 rules would come of these items");
    }
}
