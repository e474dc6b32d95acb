package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.alder.partition.testing.Await;
import org.alder.server.FollowedContent;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Alder follows the log of changes of OpenLDAP's slapd, over restarts of both and a log that is gone: docs/following.md. */
public class FollowSlapdLogTest {
    private static final String SLAPD = "/usr/sbin/slapd";
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String MANAGER = "cn=Manager," + SUFFIX;
    private static final String PEOPLE = "ou=people," + SUFFIX;
    private static final String CONFIGURED = "cn=copy,cn=config";
    private static final String[] COMPARED = {"*", "entryUUID", "entryCSN", "creatorsName", "createTimestamp", "modifiersName", "modifyTimestamp"};
    private static final int PHOTO_BYTES = 100_000;
    private static final int CHANGES = 20;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void requireSlapd() throws Exception {
        // Not required of CI: its package would start it as a service.
        Program.assumePossible(Program.isOnPath(SLAPD), "slapd is not installed");
    }

    private List<String> slapd(Path home, Background.Address address) throws IOException {
        Files.createDirectories(home.resolve("db"));
        Files.createDirectories(home.resolve("log"));
        Path configuration = home.resolve("slapd.conf");
        Files.writeString(configuration, String.format(Locale.ROOT, """
                include /etc/ldap/schema/core.schema
                include /etc/ldap/schema/cosine.schema
                include /etc/ldap/schema/inetorgperson.schema
                modulepath /usr/lib/ldap
                moduleload back_mdb
                moduleload back_monitor
                moduleload syncprov
                moduleload accesslog
                database monitor
                database mdb
                suffix cn=accesslog
                rootdn cn=accesslog
                directory %3$s/log
                index entryCSN,objectClass,reqEnd,reqResult,reqStart eq
                overlay syncprov
                syncprov-nopresent TRUE
                syncprov-reloadhint TRUE
                access to * by dn.exact="%2$s" read
                limits dn.exact="%2$s" size=unlimited time=unlimited
                database mdb
                suffix "%1$s"
                rootdn "%2$s"
                rootpw secret
                directory %3$s/db
                index entryUUID,entryCSN,objectClass eq
                overlay syncprov
                syncprov-sessionlog 1000
                overlay accesslog
                logdb cn=accesslog
                logops writes
                logsuccess TRUE
                """, SUFFIX, MANAGER, home));
        return List.of(SLAPD, "-d", "0", "-f", configuration.toString(), "-h", "ldap://" + address);
    }

    private static LDAPConnection manager(Background.Address address) throws LDAPException {
        return new LDAPConnection(address.host(), address.port(), MANAGER, "secret");
    }

    private ServerProcess alder(Background.Address provider, String lines) throws IOException {
        Path home = folder.getRoot().toPath();
        Files.writeString(home.resolve("copy.password"), "secret");
        return ServerProcess.start(home.resolve("data"), "--conf", Files.writeString(home.resolve("config.ldif"), Site.PATIENCE
                + "\ndn: " + CONFIGURED + "\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\nfollowProvider: ldap://" + provider
                + "\nfollowBindDn: " + MANAGER + "\nfollowPasswordFile: copy.password\nfollowRetrySeconds: 1\nfollowLog: cn=accesslog\n" + lines));
    }

    private static void fill(LDAPConnection slapd) throws LDAPException {
        slapd.add(SUFFIX, new Attribute("objectClass", "top", "organization", "dcObject"), new Attribute("dc", "example"), new Attribute("o", "Example"));
        slapd.add(PEOPLE, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "people"));
        for (int i = 0; i < 20; i++) {
            add(slapd, i);
        }
        slapd.modify(person(0), new Modification(ModificationType.ADD, "jpegPhoto", photo()));
        slapd.add("cn=staff," + PEOPLE, new Attribute("objectClass", "top", "groupOfNames"), new Attribute("cn", "staff"), new Attribute("member", person(0)));
    }

    private static byte[] photo() {
        byte[] photo = new byte[PHOTO_BYTES];
        System.arraycopy(new byte[] {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, (byte) 0xE0, 0, 16, 'J', 'F', 'I', 'F'}, 0, photo, 0, 10);
        return photo;
    }

    private static String person(int number) {
        return "uid=p" + number + "," + PEOPLE;
    }

    private static void add(LDAPConnection slapd, int number) throws LDAPException {
        slapd.add(person(number), new Attribute("objectClass", "top", "person", "organizationalPerson", "inetOrgPerson"), new Attribute("uid", "p" + number), new Attribute("cn", "Person " + number),
                new Attribute("sn", "Person"), new Attribute("userPassword", "{SSHA}A6k5Bw=="));
    }

    private static Modification with(ModificationType type, String attribute, String... values) {
        return new Modification(type, attribute, values);
    }

    private static String figure(LDAPConnection alder, String name) throws LDAPException {
        return alder.getEntry("cn=partition-1,cn=Monitor").getAttributeValue(name);
    }

    /** The figure counts refreshes of the entries and of the log. */
    private static void awaitRefreshes(LDAPConnection alder, String expected) throws Exception {
        Await.value(expected + " refreshes", () -> figure(alder, "alderFollowState") + figure(alder, "alderFollowRefreshes"), ("following" + expected)::equals);
    }

    private static void awaitSame(LDAPConnection theirs, LDAPConnection ours) throws Exception {
        FollowedContent.awaitSame(theirs, ours, SUFFIX, COMPARED);
    }

    /** What slapd has sent until a copy has so many changes of the entry with the photo. */
    private static long bytes(LDAPConnection theirs, LDAPConnection ours, String prefix) throws Exception {
        String counter = "cn=Bytes,cn=Statistics,cn=Monitor";
        long before = theirs.getEntry(counter, "monitorCounter").getAttributeValueAsLong("monitorCounter");
        for (int i = 1; i <= CHANGES; i++) {
            theirs.modify(person(0), with(ModificationType.REPLACE, "telephoneNumber", prefix + i));
        }
        Await.value("the last change", () -> ours.getEntry(person(0)).getAttributeValue("telephoneNumber"), (prefix + CHANGES)::equals);
        return theirs.getEntry(counter, "monitorCounter").getAttributeValueAsLong("monitorCounter") - before;
    }

    private static void change(LDAPConnection theirs, int from) throws LDAPException {
        theirs.modify(person(from), with(ModificationType.ADD, "description", "a", "b\nc"), with(ModificationType.ADD, "title", "t1"),
                with(ModificationType.DELETE, "description", "a"), with(ModificationType.ADD, "title", "t2"), with(ModificationType.REPLACE, "l;lang-de", "Ort"));
        theirs.modify(person(from), with(ModificationType.DELETE, "title", "T1"), with(ModificationType.REPLACE, "userPassword"));
        theirs.modify(person(from), with(ModificationType.ADD, "objectClass", "extensibleObject"), with(ModificationType.ADD, "c", "DE"));
        theirs.modify("cn=staff," + PEOPLE, with(ModificationType.ADD, "member", person(from + 1)), with(ModificationType.ADD, "member", person(from + 2)));
        theirs.modify("cn=staff," + PEOPLE, with(ModificationType.DELETE, "member", person(from + 1)));
        theirs.modifyDN(person(from), "uid=q" + from, true);
        theirs.modify("uid=q" + from + "," + PEOPLE, with(ModificationType.ADD, "description", "after"));
        theirs.delete(person(from + 1));
        theirs.modifyDN(person(from + 2), "uid=p" + (from + 1), false);
        add(theirs, 100 + from);
        theirs.modify(person(100 + from), with(ModificationType.ADD, "description", "added"));
        theirs.add("ou=x" + from + "," + SUFFIX, new Attribute("objectClass", "top", "organizationalUnit"), new Attribute("ou", "x" + from));
        theirs.modifyDN("ou=x" + from + "," + SUFFIX, "ou=y" + from, true);
        theirs.modifyDN(person(100 + from), "uid=p" + (100 + from), true, "ou=y" + from + "," + SUFFIX);
        theirs.delete(person(from + 3));
    }

    @Test
    public void followsTheLogAndFallsBackToTheEntries() throws Exception {
        follow("");
    }

    @Test
    public void shardsFollowTheLog() throws Exception {
        follow("distribution: hash\nshards: 3\n");
    }

    /** @param lines of the copy's partition */
    private void follow(String lines) throws Exception {
        Background.Address address = Background.freeAddress();
        Path home = folder.newFolder("provider").toPath();
        List<String> command = slapd(home, address);
        try (Background slapd = new Background(command, home.resolve("first.out")).awaitListening(address); LDAPConnection theirs = manager(address)) {
            fill(theirs);
            try (ServerProcess alder = alder(address, lines); LDAPConnection ours = alder.admin()) {
                awaitSame(theirs, ours);
                awaitRefreshes(ours, "2");
                change(theirs, 1);
                awaitSame(theirs, ours);
                long byLog = bytes(theirs, ours, "1");
                awaitSame(theirs, ours);
                ours.modify(CONFIGURED, new Modification(ModificationType.DELETE, "followLog"));
                Await.value("following", () -> figure(ours, "alderFollowState"), "following"::equals);
                long byEntries = bytes(theirs, ours, "2");
                System.out.printf(Locale.ROOT, "%d changes of an entry with a photo of %,d bytes: slapd sent %,d bytes by its log, %,d by entries%n", CHANGES, PHOTO_BYTES,
                        byLog, byEntries);
                assertTrue(byLog + " and " + byEntries, byLog * 10 < byEntries);
            }
            change(theirs, 5);
            try (ServerProcess alder = alder(address, lines); LDAPConnection ours = alder.admin()) {
                awaitSame(theirs, ours);
                awaitRefreshes(ours, "1");
                assertNull(figure(ours, "alderFollowReason"));
            }
            change(theirs, 9);
        }
        // Restarted with a log that is new, slapd can say by its entries alone what changed before.
        for (Path file : List.of(home.resolve("log/data.mdb"), home.resolve("log/lock.mdb"))) {
            Files.delete(file);
        }
        try (ServerProcess alder = alder(address, lines); LDAPConnection ours = alder.admin();
                Background slapd = new Background(command, home.resolve("second.out")).awaitListening(address); LDAPConnection theirs = manager(address)) {
            change(theirs, 13);
            awaitSame(theirs, ours);
            theirs.modify(person(0), with(ModificationType.ADD, "description", "last"));
            awaitSame(theirs, ours);
            assertEquals("following", figure(ours, "alderFollowState"));
        }
    }
}
