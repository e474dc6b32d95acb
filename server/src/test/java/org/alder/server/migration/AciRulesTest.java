package org.alder.server.migration;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.server.TestServer;
import org.alder.server.access.AccessRuleParser;
import org.junit.Test;

/** ACIs of 389 and OpenDJ: what a rule says exactly becomes one, what denies never denies less, and the rest is named. */
public class AciRulesTest {
    private static final String PEOPLE = "ou=people,dc=example,dc=com";
    private static final String IN_PEOPLE = " in \"" + PEOPLE + "\"";

    private final MigrationReport report = new MigrationReport();

    private List<String> rules(boolean starMeansAll, String name, String holder, String... acis) throws Exception {
        AciRules rules = new AciRules(TestServer.SCHEMA, starMeansAll, List.of(Dn.parse(TestServer.SCHEMA, "dc=example,dc=com"),
                Dn.parse(TestServer.SCHEMA, "dc=example,dc=org")), report);
        for (String aci : acis) {
            rules.take(new ForeignSetting("f.ldif", 7, name, List.of(holder, aci), aci));
        }
        List<String> made = new ArrayList<>();
        for (AciRules.Line line : rules.lines()) {
            AccessRuleParser.parse(TestServer.SCHEMA, line.rule(), "");
            made.add(line.rule());
        }
        return made;
    }

    /** One permission with one target in the entry of people. */
    private void becomes(String target, String permission, String... rules) throws Exception {
        assertEquals(List.of(rules), rules(true, "aci", PEOPLE, target + "(version 3.0; acl \"a (b); c\"; " + permission + ";)"));
    }

    private void isListed(String why) {
        assertTrue(report.open().toString(), report.open().stream().anyMatch(each -> each.startsWith("f.ldif, line 7: aci ") && each.contains(why)));
    }

    @Test
    public void whatARuleSaysExactlyIsTakenOver() throws Exception {
        becomes("(targetattr=\"cn || sn\")", "allow (read, search, compare) userdn=\"ldap:///anyone\"", "grant view of cn, sn" + IN_PEOPLE + " to anyone");
        becomes("(targetattr = \"*\")", "allow(read) userdn = \"ldap:///all\"", "grant read of *, +" + IN_PEOPLE + " to users");
        becomes("(targetattr != \"userPassword||title\")", "allow (write) userdn = \"ldap:///self\"",
                "grant write of *, + except userPassword, title" + IN_PEOPLE + " to self");
        becomes("(targetattr=*)", "allow (write) groupdn=\"ldap:///cn=a,dc=example,dc=com || ldap:///cn=b%20c,dc=example,dc=com\"",
                "grant write of *, +" + IN_PEOPLE + " to (group \"cn=a,dc=example,dc=com\" or group \"cn=b c,dc=example,dc=com\")",
                "grant write of userPassword" + IN_PEOPLE + " to (group \"cn=a,dc=example,dc=com\" or group \"cn=b c,dc=example,dc=com\")");
        becomes("(target=\"ldap:///ou=x," + PEOPLE + "\")(targetscope=\"onelevel\")(targetfilter=\"(title=a)\")", "allow (delete) userdn=\"ldap:///all\"",
                "grant delete in one \"ou=x," + PEOPLE + "\" where (title=a) to users");
        becomes("(targetattr=\"title\")", "allow (write) userattr=\"manager#USERDN\" and (ip=\"10.1.*\" or ip=\"10.2.0.0/16,::1\") and not ssf<\"128\"",
                "grant write of title" + IN_PEOPLE + " to (namedBy manager and ((address 10.1.0.0/16 or (address 10.2.0.0/16 or address ::1))) and "
                        + "not (not ((ssf 128 and not address unix))))");
        becomes("(targetattr=\"title\")", "allow (read) userdn != \"ldap:///uid=a,dc=example,dc=com\" and authmethod=\"ssl\"",
                "grant read of title" + IN_PEOPLE + " to (not (dn \"uid=a,dc=example,dc=com\") and (mechanism EXTERNAL and tls))");
        becomes("(targetattr=\"title\")", "allow (read) userdn=\"ldap:///ou=x,dc=example,dc=com??sub?(objectClass=*)\"",
                "grant read of title" + IN_PEOPLE + " to dn subtree \"ou=x,dc=example,dc=com\"");
        assertEquals(List.of(), report.open());
    }

    @Test
    public void subtypesAreMeantByRulesAndNotByInstructions() throws Exception {
        becomes("(targetattr=\"telephoneNumber\")", "allow (read) userdn=\"ldap:///all\"",
                "grant read of telephoneNumber except c-TelephoneNumber" + IN_PEOPLE + " to users");
        becomes("(targetattr!=\"telephoneNumber\")", "deny (read) userdn=\"ldap:///all\"", "deny read of *, +" + IN_PEOPLE + " to users");
    }

    @Test
    public void withoutTargetattrOnlyEntriesAreMeant() throws Exception {
        becomes("", "allow (read, search, write) userdn=\"ldap:///anyone\"");
        becomes("", "allow (all) userdn=\"ldap:///all\"", "grant add of userPassword" + IN_PEOPLE + " to users",
                "grant add, delete, rename" + IN_PEOPLE + " to users");
        becomes("", "deny (all) userdn=\"ldap:///all\"", "deny add, delete, rename" + IN_PEOPLE + " to users");
    }

    @Test
    public void allDoesNotMeanProxyAndWhoIsNamedByAnAttributeAddsNothing() throws Exception {
        becomes("(targetattr=\"cn\")", "allow (all, proxy) userattr=\"manager#USERDN\"", "grant view, write of cn" + IN_PEOPLE + " to namedBy manager",
                "grant delete" + IN_PEOPLE + " to namedBy manager");
        isListed("proxy is asked of the entries there");
        isListed("add: for whom an attribute names");
    }

    @Test
    public void denyingComesFirst() throws Exception {
        assertEquals(List.of("deny read of cn" + IN_PEOPLE + " to not (users)", "grant read of cn" + IN_PEOPLE + " to anyone"),
                rules(true, "aci", PEOPLE, "(targetattr=\"cn\")(version 3.0; acl \"a\"; allow (read) userdn=\"ldap:///anyone\";)",
                        "(targetattr=\"cn\")(version 3.0; acl \"b\"; deny (read) userdn!=\"ldap:///all\";)"));
    }

    @Test
    public void whatCannotBeSaidGrantsNothing() throws Exception {
        String[][] table = {
            {"(target=\"ldap:///uid=*," + PEOPLE + "\")", "userdn=\"ldap:///all\"", "there are no patterns of DNs"},
            {"(target!=\"ldap:///" + PEOPLE + "\")", "userdn=\"ldap:///all\"", "target!="},
            {"(target=\"ldap:///dc=example,dc=org\")", "userdn=\"ldap:///all\"", "not below it"},
            {"(target=\"ldap:///ou=Groups,($dn),dc=example,dc=com\")", "userdn=\"ldap:///all\"", "macros have no counterpart"},
            {"(targetfilter!=\"(title=a)\")", "userdn=\"ldap:///all\"", "neither true nor false"},
            {"(targattrfilters=\"add=title:(title=a)\")", "userdn=\"ldap:///all\"", "targattrfilters has no counterpart"},
            {"(target_to=\"ldap:///" + PEOPLE + "\")", "userdn=\"ldap:///all\"", "target_to has no counterpart"},
            {"", "userdn=\"ldap:///parent\"", "there is no such subject"},
            {"", "userdn=\"ldap:///uid=*,dc=example,dc=com\"", "patterns and searches"},
            {"", "userdn=\"ldap:///dc=example,dc=com??sub?(title=a)\"", "subjects have no filter"},
            {"", "roledn=\"ldap:///cn=r,dc=example,dc=com\"", "roles do nothing here"},
            {"", "userattr=\"owner#GROUPDN\"", "only ATTRIBUTE#USERDN"},
            {"", "userattr=\"parent[0,1].manager#USERDN\"", "only ATTRIBUTE#USERDN"},
            {"", "userdn=\"ldap:///all\" and timeofday < \"1700\"", "timeofday"},
            {"", "userdn=\"ldap:///all\" and dayofweek=\"Mon\"", "dayofweek"},
            {"", "userdn=\"ldap:///all\" and dns=\"*.example.com\"", "dns"},
            {"", "userdn=\"ldap:///all\" and userdn=\"ldap:///self\" or ip=\"10.*\"", "and beside or"},
            {"", "groupdn=\"ldap:///ou=groups,dc=example,dc=com??sub?(cn=*)\"", "patterns and searches"},
            {"", "userdn=\"ldap:///all", "not readable"},
        };
        for (String[] row : table) {
            becomes(row[0] + "(targetattr=\"cn\")", "allow (read, add) " + row[1]);
            isListed(row[2]);
        }
        becomes("(targetattr=\"user*\")", "allow (read) userdn=\"ldap:///all\"");
        isListed("user* has no counterpart");
        becomes("(targetattr=\"nosuch\")", "allow (read) userdn=\"ldap:///all\"");
        isListed("no attribute here, so it is left out: nosuch");
    }

    @Test
    public void whatDeniesNeverDeniesLess() throws Exception {
        becomes("(target=\"ldap:///uid=*,ou=x," + PEOPLE + "\")(targetattr=\"cn\")", "deny (read) userdn=\"ldap:///all\"",
                "deny read of cn in \"ou=x," + PEOPLE + "\" to users");
        isListed("deny denies more here, so that nobody gets more than he had: target=");
        becomes("(targetfilter!=\"(title=a)\")(targetattr=\"cn\")", "deny (read) userdn=\"ldap:///all\"", "deny read of cn" + IN_PEOPLE + " to users");
        becomes("(targetattr=\"cn\")", "deny (write) userdn=\"ldap:///all\" and timeofday < \"1700\"", "deny rename" + IN_PEOPLE + " to anyone",
                "deny write, selfWrite of cn" + IN_PEOPLE + " to anyone");
        becomes("(targetattr=\"user*\")", "deny (read) userdn=\"ldap:///all\"", "deny read of *, +" + IN_PEOPLE + " to users");
        becomes("(targetattr=\"cn\")", "deny (steal) userdn=\"ldap:///all\"", "deny all" + IN_PEOPLE + " to anyone");
        becomes("(targetattr=\"cn\"", "deny (read) userdn=\"ldap:///all\"", "deny all" + IN_PEOPLE + " to anyone");
        isListed("it may deny something, so all is denied at and below");
    }

    @Test
    public void globalOnesMeanEachSuffixAndThoseOfOtherPlacesNothing() throws Exception {
        assertEquals(List.of("grant read of * in \"dc=example,dc=com\" to anyone", "grant read of * in \"dc=example,dc=org\" to anyone"),
                rules(false, "globalaci", "cn=Access Control Handler,cn=config",
                        "(targetattr=\"*\")(version 3.0; acl \"a\"; allow (read) userdn=\"ldap:///anyone\";)",
                        "(target=\"ldap:///cn=schema\")(targetattr=\"*\")(version 3.0; acl \"a\"; allow (read) userdn=\"ldap:///anyone\";)"));
        assertEquals("of the root DSE, and of the old configuration", List.of(), rules(true, "aci", "",
                "(targetattr=\"*\")(version 3.0; acl \"a\"; allow (read) userdn=\"ldap:///anyone\";)"));
        assertEquals(List.of(), rules(true, "aci", "cn=monitor", "(targetattr=\"*\")(version 3.0; acl \"a\"; allow (read) userdn=\"ldap:///anyone\";)"));
    }
}
