package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchResultEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.partition.testing.Await;
import org.alder.server.FollowedContent;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Alder follows two suffixes of 389 Directory Server, over restarts of both: docs/following.md. */
public class FollowNetscapeTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String PEOPLE = "ou=people," + SUFFIX;
    private static final String OTHER = "o=acme";
    private static final String[] COMPARED = {"*", "aci", "nsUniqueId", "nsAccountLock", "creatorsName", "createTimestamp", "modifiersName", "modifyTimestamp"};

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void requireIt() {
        // Not required of CI: its package would start it as a service.
        NetscapeServer.require();
    }

    private ServerProcess alder(NetscapeServer provider) throws IOException {
        Path home = folder.getRoot().toPath();
        Files.writeString(home.resolve("copy.password"), NetscapeServer.PASSWORD);
        StringBuilder configuration = new StringBuilder(Site.PATIENCE);
        for (String suffix : new String[] {SUFFIX, OTHER}) {
            configuration.append("\ndn: cn=").append(suffix.substring(suffix.indexOf('=') + 1).replace(",dc=", "-")).append(",cn=config\nobjectClass: alderPartition\nsuffix: ")
                    .append(suffix).append("\nfollowProvider: ldap://").append(provider.address()).append("\nfollowBindDn: ").append(NetscapeServer.MANAGER)
                    .append("\nfollowPasswordFile: copy.password\nfollowRetrySeconds: 1\n");
        }
        return ServerProcess.start(home.resolve("data"), "--conf", Files.writeString(home.resolve("config.ldif"), configuration));
    }

    private static String figure(LDAPConnection alder, String name) throws LDAPException {
        return alder.getEntry("cn=partition-1,cn=Monitor").getAttributeValue(name);
    }

    /** As its own tools make them: domain, people, groups, rules. */
    private static void fill(NetscapeServer server, LDAPConnection theirs) throws LDAPException {
        server.addSuffix(theirs, "userRoot", SUFFIX, new Attribute("objectClass", "top", "domain"), new Attribute("dc", "example"),
                new Attribute("aci", "(targetattr=\"*\")(version 3.0; acl \"Admins\"; allow (all) groupdn = \"ldap:///cn=admins," + PEOPLE + "\";)"));
        server.addSuffix(theirs, "acme", OTHER, new Attribute("objectClass", "top", "organization"), new Attribute("o", "acme"));
        theirs.add(PEOPLE, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "people"));
        for (int i = 0; i < 12; i++) {
            add(theirs, i);
        }
        theirs.add("cn=admins," + PEOPLE, new Attribute("objectClass", "top", "groupOfNames", "nsMemberOf"), new Attribute("cn", "admins"),
                new Attribute("member", person(0), person(1)));
        theirs.add("cn=staff," + PEOPLE, new Attribute("objectClass", "top", "groupOfUniqueNames"), new Attribute("cn", "staff"),
                new Attribute("uniqueMember", person(2)));
    }

    private static String person(int number) {
        return "uid=p" + number + "," + PEOPLE;
    }

    private static void add(LDAPConnection theirs, int number) throws LDAPException {
        theirs.add(person(number), new Attribute("objectClass", "top", "nsPerson", "nsAccount", "nsOrgPerson", "posixAccount"), new Attribute("uid", "p" + number),
                new Attribute("cn", "Person " + number), new Attribute("displayName", "Person " + number), new Attribute("uidNumber", "100" + number),
                new Attribute("gidNumber", "100"), new Attribute("homeDirectory", "/home/p" + number), new Attribute("userPassword", "secret"));
    }

    private static void modify(LDAPConnection theirs, String dn, String attribute, String value) throws LDAPException {
        theirs.modify(dn, new Modification(ModificationType.REPLACE, attribute, value));
    }

    private static void awaitSame(LDAPConnection theirs, LDAPConnection ours) throws Exception {
        FollowedContent.awaitSame(theirs, ours, SUFFIX, COMPARED);
        FollowedContent.awaitSame(theirs, ours, OTHER, COMPARED);
    }

    private static void awaitFollowing(LDAPConnection ours) throws Exception {
        Await.value("following", () -> figure(ours, "alderFollowState"), "following"::equals);
    }

    @Test
    public void alderKeepsACopyOf389() throws Exception {
        NetscapeServer server = NetscapeServer.in(folder.newFolder("provider").toPath());
        try (Background running = server.start(); LDAPConnection theirs = server.manager()) {
            fill(server, theirs);
            try (ServerProcess alder = alder(server); LDAPConnection ours = alder.admin()) {
                awaitSame(theirs, ours);
                awaitFollowing(ours);
                modify(theirs, person(0), "description", "changed");
                theirs.delete(person(1));
                theirs.modifyDN(person(2), "uid=q2", true);
                add(theirs, 20);
                theirs.add("ou=sales," + OTHER, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "sales"));
                theirs.add("ou=staff," + SUFFIX, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "staff"));
                theirs.modifyDN(PEOPLE, "ou=people", true, "ou=staff," + SUFFIX);
                theirs.modifyDN("ou=people,ou=staff," + SUFFIX, "ou=people", true, SUFFIX);
                modify(theirs, person(3), "nsAccountLock", "true");
                awaitSame(theirs, ours);
            }
            changeUnseen(theirs);
            try (ServerProcess alder = alder(server); LDAPConnection ours = alder.admin()) {
                awaitSame(theirs, ours);
                awaitFollowing(ours);
                SearchResultEntry changed = ours.getEntry(person(4), "*", "+");
                assertEquals("cn=directory manager", changed.getAttributeValue("creatorsName"));
                assertNotNull(changed.getAttributeValue("modifyTimestamp"));
                assertNull(figure(ours, "alderFollowReason"));
            }
            modify(theirs, person(7), "description", "before the restart");
            theirs.delete(person(8));
        }
        try (ServerProcess alder = alder(server); LDAPConnection ours = alder.admin(); Background again = server.start(); LDAPConnection theirs = server.manager()) {
            awaitSame(theirs, ours);
            modify(theirs, person(9), "description", "after the restart");
            awaitSame(theirs, ours);
            awaitFollowing(ours);
        }
    }

    /** While nobody follows. */
    private static void changeUnseen(LDAPConnection theirs) throws LDAPException {
        modify(theirs, person(4), "description", "unseen");
        theirs.delete(person(5));
        theirs.modifyDN(person(6), "uid=q6", true);
        add(theirs, 30);
        theirs.modify("cn=staff," + PEOPLE, new Modification(ModificationType.ADD, "uniqueMember", person(4)));
        modify(theirs, OTHER, "description", "unseen");
        theirs.add("ou=moved," + SUFFIX, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "moved"));
        theirs.modifyDN(person(30), "uid=p30", true, "ou=moved," + SUFFIX);
    }
}
