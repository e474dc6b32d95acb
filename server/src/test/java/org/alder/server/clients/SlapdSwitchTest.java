package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.testing.Await;
import org.alder.server.FollowedContent;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The steps of docs/following.md from OpenLDAP's slapd to Alder, and back to slapd, while a client goes on changing entries: it meets some seconds in which
 * nobody takes that, and nothing that it was told is lost.
 */
public class SlapdSwitchTest {
    private static final String SUFFIX = SlapdServer.SUFFIX;
    private static final String PEOPLE = "ou=people," + SUFFIX;
    private static final int USERS = 30;
    /** As many changes as hold some of each kind. */
    private static final int SOME = 40;
    /** Rules do not hold for administrators: the client is none. */
    private static final String RULES = "accessRule: grant all to dn \"" + SwitchingClient.NAME + "\"\naccessRule: grant authenticate to anyone\n";
    private static final String RULES_OF_SLAPD = "access to attrs=userPassword by dn.exact=\"" + SwitchingClient.NAME
            + "\" write by * auth\naccess to * by dn.exact=\"" + SwitchingClient.NAME + "\" write by * read\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void requireSlapd() {
        SlapdServer.require();
    }

    private Path path(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private SlapdServer slapd(String name, String database) throws IOException {
        return SlapdServer.in(folder.newFolder(name).toPath(), database + RULES_OF_SLAPD);
    }

    private static void fill(LDAPConnection server) throws LDAPException {
        server.add(SUFFIX, new Attribute("objectClass", "top", "organization", "dcObject"), new Attribute("dc", "example"), new Attribute("o", "Example"));
        server.add(PEOPLE, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "people"));
        server.add(SwitchingClient.NAME, new Attribute("objectClass", "top", "person"), new Attribute("cn", "client"), new Attribute("sn", "Client"),
                new Attribute("userPassword", SwitchingClient.HASHED_PASSWORD));
        for (int i = 0; i < USERS; i++) {
            user(server, i);
        }
    }

    private static void user(LDAPConnection server, int number) throws LDAPException {
        server.add("uid=p" + number + "," + PEOPLE, new Attribute("objectClass", "top", "person", "organizationalPerson", "inetOrgPerson"),
                new Attribute("uid", "p" + number), new Attribute("cn", "Person " + number), new Attribute("sn", "Person"), new Attribute("userPassword", "{SSHA}A6k5Bw=="));
    }

    private static String figure(LDAPConnection alder, String name) throws LDAPException {
        SearchResultEntry entry = alder.getEntry("cn=partition-1,cn=Monitor");
        return entry.getAttributeValue(name);
    }

    /** What is there of the client's. */
    private static Map<String, String> described(LDAPConnection server) throws LDAPException {
        Map<String, String> found = new TreeMap<>();
        for (SearchResultEntry entry : server.search(SwitchingClient.BASE, SearchScope.SUB, "(description=*)", "description").getSearchEntries()) {
            found.put(entry.getDN(), entry.getAttributeValue("description"));
        }
        return found;
    }

    /** Up to where a server is; null where a copy does not know yet. */
    private static String context(LDAPConnection server) throws LDAPException {
        SearchResultEntry suffix = server.getEntry(SUFFIX, "contextCSN");
        return suffix == null ? null : suffix.getAttributeValue("contextCSN");
    }

    private Path password() throws IOException {
        return Files.writeString(path("copy.password"), SlapdServer.PASSWORD);
    }

    private void follow(Path data, SlapdServer provider) throws IOException {
        CommandRun.of("follow", "--data", data, "ldap://" + provider.address(), "--base", SUFFIX, "-D", SlapdServer.MANAGER, "-y", password(), "--wait").succeeds();
    }

    @Test
    public void aClientGoesOnOverSwitchesToAlderAndBack() throws Exception {
        SlapdServer first = slapd("first", SlapdServer.PROVIDER);
        Path data = path("data");
        Path configuration = Files.writeString(path("alder.ldif"), Site.PATIENCE + "passwordScheme: keep\n" + RULES
                + "\ndn: cn=own,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\n");
        try (ServerProcess alder = ServerProcess.start(data, "--conf", configuration); LDAPConnection ours = alder.admin();
                SwitchingClient client = new SwitchingClient(first.address(), new Background.Address("127.0.0.1", alder.port()))) {
            try (Background slapd = first.start(); LDAPConnection theirs = first.manager()) {
                fill(theirs);
                client.start();
                follow(data, first);
                client.awaitChanges(SOME);
                assertEquals("Alder refers to slapd", 0, client.changesAt(1));
                toAlder(first, theirs, ours, client, data);
            }
            client.awaitChanges(SOME);
            SlapdServer second = slapd("second", SlapdServer.copyOfAlder(alder.port(), Files.readString(data.resolve("admin.password"))) + SlapdServer.PROVIDER);
            client.alsoAt(second.address());
            try (Background slapd = second.start(); LDAPConnection theirs = second.manager()) {
                client.awaitChanges(SOME);
                assertEquals("slapd is a copy", 0, client.changesAt(2));
                standStill(theirs, ours, client);
                client.pause();
            }
            second.configure(SlapdServer.PROVIDER + RULES_OF_SLAPD);
            try (Background slapd = second.start(); LDAPConnection theirs = second.manager()) {
                follow(data, second);
                client.resume();
                client.awaitChangesAt(2, SOME);
                client.close();
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                assertEquals(client.expected(), described(ours));
                assertTrue("some of each kind", client.expected().size() > SOME);
            }
        }
    }

    /** Step 5 of the page. */
    private void toAlder(SlapdServer first, LDAPConnection theirs, LDAPConnection ours, SwitchingClient client, Path data) throws Exception {
        first.makeReadOnly();
        String newest = context(theirs);
        Await.value(newest, () -> figure(ours, "alderFollowPosition"), position -> position.contains(newest));
        client.awaitRefusals();
        assertEquals(FollowedContent.of(theirs, SUFFIX), FollowedContent.of(ours, SUFFIX));
        CommandRun.of("follow", "--data", data, "stop", "--base", SUFFIX).succeeds();
        client.awaitChangesAt(1, SOME);
        assertEquals("slapd is as it was", newest, context(theirs));
    }

    /** The way back: Alder takes nothing more, and slapd has all. */
    private void standStill(LDAPConnection theirs, LDAPConnection ours, SwitchingClient client) throws Exception {
        ours.modify("cn=config", new Modification(ModificationType.REPLACE, "accessRule", "deny add, write, selfWrite, delete, rename to anyone",
                "grant all to dn \"" + SwitchingClient.NAME + "\"", "grant authenticate to anyone"));
        client.awaitRefusals();
        Await.value("slapd to be where Alder is", () -> context(theirs), context(ours)::equals);
        assertEquals(FollowedContent.of(ours, SUFFIX), FollowedContent.of(theirs, SUFFIX));
        assertEquals(client.expected(), described(theirs));
    }

    /** The steps of the page: a copy from a file first, then following, then the switch. */
    @Test
    public void whatWasImportedIsNotWrittenAgain() throws Exception {
        SlapdServer provider = slapd("provider", SlapdServer.PROVIDER);
        Path data = path("data");
        try (Background slapd = provider.start(); LDAPConnection theirs = provider.manager()) {
            fill(theirs);
            Path ldif = path("all.ldif");
            provider.export(ldif);
            CommandRun.of("import", "--data", data, ldif).succeeds();
            user(theirs, 100);
            theirs.delete("uid=p9," + PEOPLE);
            try (ServerProcess alder = ServerProcess.start(data); LDAPConnection ours = alder.admin()) {
                follow(data, provider);
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                assertEquals(List.of("0", "1", "1"), Arrays.asList(figure(ours, "alderFollowModified"), figure(ours, "alderFollowAdded"),
                        figure(ours, "alderFollowDeleted")));
            }
        }
    }
}
