package org.alder.server.clients;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.alder.partition.testing.Await;
import org.alder.server.FollowedContent;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Alder follows OpenLDAP's slapd with syncprov, over restarts of both, and another slapd follows Alder: docs/following.md. */
public class FollowSlapdTest {
    private static final String SLAPD = "/usr/sbin/slapd";
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String MANAGER = "cn=Manager," + SUFFIX;
    private static final String PEOPLE = "ou=people," + SUFFIX;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void requireSlapd() throws Exception {
        // Not required of CI: its package would start it as a service.
        Program.assumePossible(Program.isOnPath(SLAPD), "slapd is not installed");
    }

    /** One with an attribute type and an object class of its own. */
    private List<String> slapd(String name, Background.Address address, String database) throws IOException {
        Path home = folder.newFolder(name).toPath();
        Files.createDirectory(home.resolve("db"));
        Path configuration = home.resolve("slapd.conf");
        Files.writeString(configuration, String.format(Locale.ROOT, """
                include /etc/ldap/schema/core.schema
                include /etc/ldap/schema/cosine.schema
                include /etc/ldap/schema/inetorgperson.schema
                attributetype ( 1.3.6.1.4.1.32473.9.1 NAME 'acmeBadge' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
                attributetype ( 1.3.6.1.4.1.32473.9.2 NAME 'acmeDoor' SUP name )
                objectclass ( 1.3.6.1.4.1.32473.9.3 NAME 'acmeStaff' SUP top AUXILIARY MUST acmeBadge MAY acmeDoor )
                modulepath /usr/lib/ldap
                moduleload back_mdb
                moduleload syncprov
                database mdb
                suffix "%1$s"
                rootdn "%2$s"
                rootpw secret
                directory %3$s/db
                index entryUUID,entryCSN,objectClass eq
                %4$s
                """, SUFFIX, MANAGER, home, database));
        return List.of(SLAPD, "-d", "0", "-f", configuration.toString(), "-h", "ldap://" + address);
    }

    /** What makes a slapd's database a copy of an Alder's. */
    private static String consumer(int port, String password) {
        return String.format(Locale.ROOT, """
                syncrepl rid=001 provider=ldap://127.0.0.1:%1$d type=refreshAndPersist retry="1 +" searchbase="%2$s"
                  bindmethod=simple binddn="cn=Directory Manager" credentials="%3$s" schemachecking=off
                  attrs="*,structuralObjectClass,entryUUID,entryCSN,creatorsName,createTimestamp,modifiersName,modifyTimestamp"
                """, port, SUFFIX, password);
    }

    private static LDAPConnection manager(Background.Address address) throws LDAPException {
        return new LDAPConnection(address.host(), address.port(), MANAGER, "secret");
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

    private ServerProcess alder(Path data, Background.Address provider) throws IOException {
        Path home = folder.getRoot().toPath();
        Files.writeString(home.resolve("copy.password"), "secret");
        return ServerProcess.start(data, "--conf", Files.writeString(home.resolve("config.ldif"), Site.PATIENCE
                + "\ndn: cn=copy,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\nfollowProvider: ldap://" + provider
                + "\nfollowBindDn: " + MANAGER + "\nfollowPasswordFile: copy.password\nfollowRetrySeconds: 1\n"));
    }

    private static String figure(LDAPConnection alder, String name) throws LDAPException {
        SearchResultEntry entry = alder.getEntry("cn=partition-1,cn=Monitor");
        return entry.getAttributeValue(name);
    }

    @Test
    public void alderKeepsACopyOfSlapdAndSlapdOneOfAlder() throws Exception {
        Background.Address address = Background.freeAddress();
        List<String> command = slapd("provider", address, "overlay syncprov\nsyncprov-sessionlog 100");
        Path data = folder.getRoot().toPath().resolve("data");
        String password;
        try (Background slapd = new Background(command, folder.getRoot().toPath().resolve("first.out"))) {
            slapd.awaitListening(address);
            try (LDAPConnection theirs = manager(address)) {
                fill(theirs);
                try (ServerProcess alder = alder(data, address); LDAPConnection ours = alder.admin()) {
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
                try (ServerProcess alder = alder(data, address); LDAPConnection ours = alder.admin()) {
                    FollowedContent.awaitSame(theirs, ours, SUFFIX);
                }
                theirs.delete("uid=p6,ou=people,ou=staff," + SUFFIX);
            }
        }
        // Restarted, slapd does not know what was deleted, and names what is there.
        try (Background slapd = new Background(command, folder.getRoot().toPath().resolve("second.out"));
                ServerProcess alder = alder(data, address); LDAPConnection ours = alder.admin()) {
            slapd.awaitListening(address);
            password = Files.readString(data.resolve("admin.password"));
            try (LDAPConnection theirs = manager(address)) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                Background.Address behind = Background.freeAddress();
                List<String> second = slapd("consumer", behind, consumer(alder.port(), password));
                try (Background consumer = new Background(second, folder.getRoot().toPath().resolve("consumer.out"))) {
                    consumer.awaitListening(behind);
                    try (LDAPConnection last = manager(behind)) {
                        FollowedContent.awaitSame(theirs, last, SUFFIX);
                        theirs.modify("uid=p7,ou=people,ou=staff," + SUFFIX, new Modification(ModificationType.ADD, "description", "through"));
                        theirs.delete("uid=p8,ou=people,ou=staff," + SUFFIX);
                        FollowedContent.awaitSame(theirs, last, SUFFIX);
                    }
                }
            }
        }
    }

    @Test
    public void alderKeepsACopyOfASlapdThatIsACopyOfAnAlder() throws Exception {
        Path home = folder.getRoot().toPath();
        Path data = home.resolve("first");
        Path configuration = Files.writeString(home.resolve("first.ldif"), Site.PATIENCE + "\ndn: cn=own,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\n");
        try (ServerProcess first = ServerProcess.start(data, "--conf", configuration); LDAPConnection theirs = first.admin()) {
            fill(theirs);
            Background.Address between = Background.freeAddress();
            List<String> command = slapd("between", between, consumer(first.port(), Files.readString(data.resolve("admin.password"))) + "overlay syncprov\n");
            try (Background slapd = new Background(command, home.resolve("between.out")).awaitListening(between);
                    ServerProcess last = alder(home.resolve("last"), between); LDAPConnection ours = last.admin()) {
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
                theirs.modify("uid=p1," + PEOPLE, new Modification(ModificationType.ADD, "description", "through"));
                theirs.delete("uid=p2," + PEOPLE);
                theirs.modifyDN("uid=p3," + PEOPLE, "uid=q3", true);
                theirs.add(person(50));
                FollowedContent.awaitSame(theirs, ours, SUFFIX);
            }
        }
    }

    /** The steps of the page: a copy from a file first, then following, then the switch. */
    @Test
    public void movesFromSlapdWithoutAPause() throws Exception {
        Background.Address address = Background.freeAddress();
        List<String> command = slapd("provider", address, "overlay syncprov\nsyncprov-sessionlog 100");
        Path home = folder.getRoot().toPath();
        Path data = home.resolve("data");
        try (Background slapd = new Background(command, home.resolve("slapd.out"))) {
            slapd.awaitListening(address);
            try (LDAPConnection theirs = manager(address)) {
                fill(theirs);
                Path ldif = home.resolve("all.ldif");
                Process slapcat = new ProcessBuilder("/usr/sbin/slapcat", "-f", command.get(4), "-l", ldif.toString())
                        .redirectErrorStream(true).redirectOutput(home.resolve("slapcat.out").toFile()).start();
                assertEquals(0, Await.end("slapcat", slapcat));
                CommandRun.of("import", "--data", data, ldif).succeeds();
                theirs.add(person(100));
                theirs.delete("uid=p9," + PEOPLE);
                try (ServerProcess alder = ServerProcess.start(data); LDAPConnection ours = alder.admin()) {
                    Path password = Files.writeString(home.resolve("copy.password"), "secret");
                    CommandRun.of("follow", "--data", data, "ldap://" + address, "--base", SUFFIX, "-D", MANAGER, "-y", password, "--wait").succeeds();
                    FollowedContent.awaitSame(theirs, ours, SUFFIX);
                    assertEquals("what was imported is not written again", "0", figure(ours, "alderFollowModified"));
                    assertEquals("1", figure(ours, "alderFollowAdded"));
                    assertEquals("1", figure(ours, "alderFollowDeleted"));
                    try {
                        ours.delete("uid=p1," + PEOPLE);
                    } catch (LDAPException e) {
                        assertEquals(ResultCode.REFERRAL, e.getResultCode());
                    }
                    CommandRun.of("follow", "--data", data, "stop", "--base", SUFFIX).succeeds();
                    ours.delete("uid=p1," + PEOPLE);
                }
            }
        }
    }
}
