package org.alder.server.clients;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.testing.Await;
import org.alder.server.ConfiguredServer;
import org.alder.server.TestServer;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** OpenLDAP's slapd as a copy of a part of the directory, kept by syncrepl (RFC 4533), also over its restart. */
public class SlapdTest {
    private static final String SLAPD = "/usr/sbin/slapd";
    private static final String FILTER = "(|(objectClass=dcObject)(objectClass=organizationalUnit)(objectClass=device))";

    @ClassRule
    public static final Site SITE = new Site(() -> {
        // Not required of CI: its package would start it as a service.
        Program.assumePossible(Program.isOnPath(SLAPD), "slapd is not installed");
        return null;
    });

    @Rule
    public final TemporaryFolder data = new TemporaryFolder();

    private static Map<String, String> content(LDAPConnection connection) throws LDAPException {
        Map<String, String> content = new TreeMap<>();
        for (SearchResultEntry entry : connection.search(Site.SUFFIX, SearchScope.SUB, FILTER, "entryUUID", "entryCSN", "cn")
                .getSearchEntries()) {
            content.put(entry.getDN(), entry.getAttributeValue("entryUUID") + " " + entry.getAttributeValue("entryCSN"));
        }
        return content;
    }

    private static Map<String, String> copyAt(Background.Address address) {
        try (LDAPConnection slapd = new LDAPConnection(address.host(), address.port(), "cn=Manager," + Site.SUFFIX, "secret")) {
            return content(slapd);
        } catch (LDAPException e) {
            return Map.of("error", e.getMessage());
        }
    }

    private static void awaitSame(LDAPConnection alder, Background.Address address) throws Exception {
        Map<String, String> expected = content(alder);
        Await.value("slapd to have " + expected, () -> copyAt(address), expected::equals);
    }

    private static void add(LDAPConnection alder, String name, String parent) throws LDAPException {
        alder.add(new Entry("cn=" + name + "," + parent, new Attribute("objectClass", "device"), new Attribute("cn", name)));
    }

    /** What starts a slapd that copies a server. @param folder of its own */
    private static List<String> command(Path folder, Background.Address address, String url, String password) throws IOException {
        Files.createDirectory(folder.resolve("db"));
        Path configuration = folder.resolve("slapd.conf");
        Files.writeString(configuration, String.format(Locale.ROOT, """
                include /etc/ldap/schema/core.schema
                include /etc/ldap/schema/cosine.schema
                modulepath /usr/lib/ldap
                moduleload back_mdb
                database mdb
                suffix "%1$s"
                rootdn "cn=Manager,%1$s"
                rootpw secret
                directory %2$s/db
                syncrepl rid=001 provider=%3$s type=refreshAndPersist retry="1 +" searchbase="%1$s" filter="%4$s"
                  bindmethod=simple binddn="cn=Directory Manager" credentials="%5$s" schemachecking=off
                  attrs="*,structuralObjectClass,entryUUID,entryCSN,creatorsName,createTimestamp,modifiersName,modifyTimestamp"
                """, Site.SUFFIX, folder, url, FILTER, password));
        return List.of(SLAPD, "-d", "0", "-f", configuration.toString(), "-h",  "ldap://" + address);
    }

    @Test
    public void slapdKeepsACopy() throws Exception {
        Path folder = SITE.newFolder();
        Background.Address address = Background.freeAddress();
        List<String> command = command(folder, address, SITE.url(), SITE.adminPassword());
        try (LDAPConnection alder = SITE.admin()) {
            String people = Site.PEOPLE;
            add(alder, "a", people);
            add(alder, "b", people);
            try (Background slapd = new Background(command, folder.resolve("first.out"))) {
                slapd.awaitListening(address);
                awaitSame(alder, address);
                add(alder, "c", Site.GROUPS);
                alder.modify("cn=a," + people, new Modification(ModificationType.ADD, "description", "x"));
                alder.delete("cn=b," + people);
                alder.modifyDN("cn=c," + Site.GROUPS, "cn=moved", true, people);
                awaitSame(alder, address);
            }
            alder.delete("cn=a," + people);
            add(alder, "d", people);
            try (Background slapd = new Background(command, folder.resolve("second.out"))) {
                slapd.awaitListening(address);
                awaitSame(alder, address);
            }
        }
    }

    /** It goes by one number that grows, and takes no change with a lesser one, whichever shard made it. After a restart it is told everything. */
    @Test
    public void slapdKeepsACopyOfAllShards() throws Exception {
        String shards = "\ndn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: " + Site.SUFFIX
                + "\ndistribution: hash\nshards: 3\nindex: objectClass eq\nindex: entryUUID eq\n";
        Path folder = data.newFolder("slapd").toPath();
        Background.Address address = Background.freeAddress();
        try (ConfiguredServer server = ConfiguredServer.start(data.getRoot().toPath(), ConfiguredServer.SERVER + shards);
                LDAPConnection alder = server.admin()) {
            alder.add("dn: " + Site.SUFFIX, "objectClass: organization", "objectClass: dcObject", "o: example", "dc: example");
            for (int i = 0; i < 20; i++) {
                add(alder, "d" + i, Site.SUFFIX);
            }
            List<String> command = command(folder, address, "ldap://127.0.0.1:" + server.port(), TestServer.ADMIN_PASSWORD);
            try (Background slapd = new Background(command, folder.resolve("first.out"))) {
                slapd.awaitListening(address);
                awaitSame(alder, address);
                for (int i = 0; i < 20; i++) {
                    add(alder, "below", "cn=d" + i + "," + Site.SUFFIX);
                    alder.modify("cn=d" + i + "," + Site.SUFFIX, new Modification(ModificationType.ADD, "description", "x"));
                    if (i % 3 == 0) {
                        alder.delete("cn=below,cn=d" + i + "," + Site.SUFFIX);
                    }
                }
                alder.modify(Site.SUFFIX, new Modification(ModificationType.ADD, "description", "x"));
                awaitSame(alder, address);
            }
            for (int i = 0; i < 20; i += 3) {
                alder.delete("cn=d" + i + "," + Site.SUFFIX);
            }
            add(alder, "new", Site.SUFFIX);
            try (Background slapd = new Background(command, folder.resolve("second.out"))) {
                slapd.awaitListening(address);
                awaitSame(alder, address);
                add(alder, "newer", Site.SUFFIX);
                awaitSame(alder, address);
                Await.value("slapd to be where Alder is", () -> contextCsn(address), contextCsn(alder)::equals);
            }
        }
    }

    private static String contextCsn(Background.Address address) throws LDAPException {
        try (LDAPConnection slapd = new LDAPConnection(address.host(), address.port(), "cn=Manager," + Site.SUFFIX, "secret")) {
            return contextCsn(slapd);
        }
    }

    private static String contextCsn(LDAPConnection server) throws LDAPException {
        return server.getEntry(Site.SUFFIX, "contextCSN").getAttributeValue("contextCSN");
    }
}
