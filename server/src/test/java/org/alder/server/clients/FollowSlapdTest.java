package org.alder.server.clients;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
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

/** Alder follows OpenLDAP's slapd with syncprov, over restarts of both, and another slapd follows Alder: docs/following.md. In chains of three, too. */
public class FollowSlapdTest {
    private static final String SUFFIX = SlapdServer.SUFFIX;
    private static final String MANAGER = SlapdServer.MANAGER;
    private static final String PEOPLE = "ou=people," + SUFFIX;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void requireSlapd() {
        SlapdServer.require();
    }

    private SlapdServer slapd(String name, String database) throws IOException {
        return SlapdServer.in(folder.newFolder(name).toPath(), database);
    }

    private static void fill(LDAPConnection slapd) throws LDAPException {
        slapd.add(SUFFIX, new Attribute("objectClass", "top", "organization", "dcObject"), new Attribute("dc", "example"), new Attribute("o", "Example"));
        slapd.add(PEOPLE, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "people"));
        for (int i = 0; i < 40; i++) {
            slapd.add(person(i));
        }
    }

    private static Entry person(int number) {
        return new Entry("uid=p" + number + "," + PEOPLE, new Attribute("objectClass", "top", "person", "organizationalPerson", "inetOrgPerson"), new Attribute("uid", "p" + number),
                new Attribute("cn", "Person " + number), new Attribute("sn", "Person"), new Attribute("userPassword", "{SSHA}A6k5Bw=="));
    }

    private ServerProcess alder(Path data, SlapdServer provider) throws IOException {
        return alder(data, provider, "");
    }

    private ServerProcess alder(Path data, SlapdServer provider, String lines) throws IOException {
        Path home = folder.getRoot().toPath();
        Files.writeString(home.resolve("copy.password"), SlapdServer.PASSWORD);
        return ServerProcess.start(data, "--conf", Files.writeString(home.resolve("config.ldif"), Site.PATIENCE
                + "\ndn: cn=copy,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\nfollowProvider: ldap://" + provider.address()
                + "\nfollowBindDn: " + MANAGER + "\nfollowPasswordFile: copy.password\nfollowRetrySeconds: 1\n" + lines));
    }

    private static String figure(LDAPConnection alder, String name) throws LDAPException {
        SearchResultEntry entry = alder.getEntry("cn=partition-1,cn=Monitor");
        return entry.getAttributeValue(name);
    }

    @Test
    public void alderKeepsACopyOfSlapdAndSlapdOneOfAlder() throws Exception {
        keepCopies("");
    }

    @Test
    public void alderWithShardsKeepsACopyOfSlapdAndSlapdOneOfAlder() throws Exception {
        keepCopies("distribution: hash\nshards: 3\n");
    }

    /** @param lines of Alder's partition */
    private void keepCopies(String lines) throws Exception {
        SlapdServer provider = slapd("provider", SlapdServer.PROVIDER);
        Path data = folder.getRoot().toPath().resolve("data");
        String password;
        try (Background slapd = provider.start(); LDAPConnection theirs = provider.manager()) {
            fill(theirs);
            try (ServerProcess alder = alder(data, provider, lines); LDAPConnection ours = alder.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                Await.value("following", () -> figure(ours, "alderFollowState"), "following"::equals);
                theirs.modify("uid=p1," + PEOPLE, new Modification(ModificationType.ADD, "description", "changed"));
                theirs.delete("uid=p2," + PEOPLE);
                theirs.modifyDN("uid=p3," + PEOPLE, "uid=q3", true);
                theirs.add("ou=staff," + SUFFIX, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "staff"));
                theirs.modifyDN(PEOPLE, "ou=people", true, "ou=staff," + SUFFIX);
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                theirs.modify("uid=p4,ou=people,ou=staff," + SUFFIX, new Modification(ModificationType.ADD, "objectClass", "acmeStaff"),
                        new Modification(ModificationType.ADD, "acmeBadge", "7"));
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
            // What changes while nobody follows, by slapd's log of the session.
            theirs.delete("uid=p5,ou=people,ou=staff," + SUFFIX);
            theirs.modifyDN("uid=q3,ou=people,ou=staff," + SUFFIX, "uid=p2", true);
            try (ServerProcess alder = alder(data, provider, lines); LDAPConnection ours = alder.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
            theirs.delete("uid=p6,ou=people,ou=staff," + SUFFIX);
        }
        // Restarted, slapd does not know what was deleted, and names what is there.
        try (Background slapd = provider.start(); LDAPConnection theirs = provider.manager(); ServerProcess alder = alder(data, provider, lines);
                LDAPConnection ours = alder.admin()) {
            password = Files.readString(data.resolve("admin.password"));
            FollowedContent.awaitSame(theirs, ours, SUFFIX);
            SlapdServer behind = slapd("consumer", SlapdServer.copyOfAlder(alder.port(), password));
            try (Background consumer = behind.start(); LDAPConnection last = behind.manager()) {
                FollowedContent.awaitSame(theirs, last, SUFFIX);
                theirs.modify("uid=p7,ou=people,ou=staff," + SUFFIX, new Modification(ModificationType.ADD, "description", "through"));
                theirs.delete("uid=p8,ou=people,ou=staff," + SUFFIX);
                FollowedContent.awaitSame(theirs, last, SUFFIX);
            }
        }
    }

    private ServerProcess own(Path data) throws IOException {
        return ServerProcess.start(data, "--conf", Files.writeString(folder.getRoot().toPath().resolve("own.ldif"), Site.PATIENCE
                + "\ndn: cn=own,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\n"));
    }

    /**
     * Of all kinds, with moves of an entry and of a whole subtree. slapd 2.5.13 cannot move an entry below which an older one was moved ("DN index add
     * failed"), and neither can a copy at slapd.
     *
     * @param from of five people that no other change was about
     */
    private static void change(LDAPConnection server, int from) throws LDAPException {
        server.modify("uid=p" + from + "," + PEOPLE, new Modification(ModificationType.ADD, "description", "through", "a\nb"),
                new Modification(ModificationType.REPLACE, "sn", "Other"));
        server.delete("uid=p" + (from + 1) + "," + PEOPLE);
        server.modifyDN("uid=p" + (from + 2) + "," + PEOPLE, "uid=q" + from, true);
        server.modifyDN("uid=p" + (from + 3) + "," + PEOPLE, "uid=p" + (from + 1), false);
        String team = "ou=team" + from + "," + SUFFIX;
        String inner = "ou=inner" + from;
        server.add(unit(team, "team" + from));
        server.modifyDN("uid=p" + (from + 4) + "," + PEOPLE, "uid=p" + (from + 4), true, team);
        server.add(unit(inner + "," + team, "inner" + from));
        server.add(unit("ou=more," + inner + "," + team, "more"));
        server.modifyDN(inner + "," + team, inner, true, PEOPLE);
        server.modifyDN("uid=p" + (from + 4) + "," + team, "uid=q" + (from + 4), true, PEOPLE);
        server.delete(team);
        server.add(person(100 + from));
    }

    private static Entry unit(String dn, String name) {
        return new Entry(dn, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", name));
    }

    @Test
    public void alderKeepsACopyOfASlapdThatIsACopyOfAnAlder() throws Exception {
        Path home = folder.getRoot().toPath();
        Path data = home.resolve("first");
        try (ServerProcess first = own(data); LDAPConnection theirs = first.admin()) {
            fill(theirs);
            SlapdServer between = slapd("between", SlapdServer.copyOfAlder(first.port(), Files.readString(data.resolve("admin.password"))) + "overlay syncprov\n");
            try (Background slapd = between.start(); ServerProcess last = alder(home.resolve("last"), between); LDAPConnection ours = last.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                change(theirs, 1);
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
        }
    }

    /** The last of them is also away for a while, and the one between is started anew. */
    @Test
    public void slapdKeepsACopyOfASlapdThatIsACopyOfAnAlder() throws Exception {
        Path data = folder.getRoot().toPath().resolve("first");
        try (ServerProcess first = own(data); LDAPConnection theirs = first.admin()) {
            fill(theirs);
            SlapdServer between = slapd("between", SlapdServer.copyOfAlder(first.port(), Files.readString(data.resolve("admin.password"))) + SlapdServer.PROVIDER);
            SlapdServer behind = slapd("behind", SlapdServer.copyOf(between));
            try (Background middle = between.start(); LDAPConnection there = between.manager()) {
                try (Background last = behind.start(); LDAPConnection copy = behind.manager()) {
                    FollowedContent.awaitSame(theirs, copy, SUFFIX);
                    change(theirs, 1);
                    FollowedContent.awaitSame(theirs, there, SUFFIX);
                    FollowedContent.awaitSame(theirs, copy, SUFFIX);
                }
                change(theirs, 11);
                FollowedContent.awaitSame(theirs, there, SUFFIX);
                try (Background last = behind.start(); LDAPConnection copy = behind.manager()) {
                    FollowedContent.awaitSame(theirs, copy, SUFFIX);
                }
            }
            change(theirs, 21);
            try (Background middle = between.start(); Background last = behind.start(); LDAPConnection copy = behind.manager()) {
                FollowedContent.awaitSame(theirs, copy, SUFFIX);
                theirs.modify("uid=p0," + PEOPLE, new Modification(ModificationType.ADD, "description", "last"));
                FollowedContent.awaitSame(theirs, copy, SUFFIX);
            }
        }
    }

    /** Alder is also away for a while, and the one between is started anew. */
    @Test
    public void alderKeepsACopyOfASlapdThatIsACopyOfASlapd() throws Exception {
        Path data = folder.getRoot().toPath().resolve("data");
        SlapdServer provider = slapd("provider", SlapdServer.PROVIDER);
        SlapdServer between = slapd("between", SlapdServer.copyOf(provider) + SlapdServer.PROVIDER);
        try (Background slapd = provider.start(); LDAPConnection theirs = provider.manager()) {
            fill(theirs);
            try (Background middle = between.start()) {
                try (ServerProcess alder = alder(data, between); LDAPConnection ours = alder.admin()) {
                    FollowedContent.awaitSame(theirs, ours, SUFFIX);
                    change(theirs, 1);
                    FollowedContent.awaitSame(theirs, ours, SUFFIX);
                }
                change(theirs, 11);
                try (ServerProcess alder = alder(data, between); LDAPConnection ours = alder.admin()) {
                    FollowedContent.awaitSame(theirs, ours, SUFFIX);
                }
            }
            change(theirs, 21);
            try (Background middle = between.start(); ServerProcess alder = alder(data, between); LDAPConnection ours = alder.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                theirs.delete("uid=p30," + PEOPLE);
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
        }
    }
}
