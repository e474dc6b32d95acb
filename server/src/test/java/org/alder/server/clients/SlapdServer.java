package org.alder.server.clients;

import static org.junit.Assert.assertEquals;

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

/**
 * OpenLDAP's slapd in a folder, with one database, and an attribute type and an object class of its own. It can be started and stopped any number of
 * times, also with other lines for its database.
 */
final class SlapdServer {
    static final String SUFFIX = "dc=example,dc=com";
    static final String MANAGER = "cn=Manager," + SUFFIX;
    static final String PASSWORD = "secret";
    /** Lines that make the database a provider, which remembers what was deleted until it is stopped. */
    static final String PROVIDER = "overlay syncprov\nsyncprov-sessionlog 100\n";
    private static final String PROGRAM = "/usr/sbin/slapd";
    /** The database's entry in slapd's configuration. */
    private static final String CONFIGURED = "olcDatabase={1}mdb,cn=config";

    private final Path home;
    private final Background.Address address;
    private int starts;

    private SlapdServer(Path home, Background.Address address) {
        this.home = home;
        this.address = address;
    }

    static void require() {
        // Not required of CI: its package would start it as a service.
        Program.assumePossible(Program.isOnPath(PROGRAM), "slapd is not installed");
    }

    /**
     * Not started.
     *
     * @param home     an empty folder
     * @param database lines for the database
     */
    static SlapdServer in(Path home, String database) throws IOException {
        Files.createDirectory(home.resolve("db"));
        SlapdServer server = new SlapdServer(home, Background.freeAddress());
        server.configure(database);
        return server;
    }

    /** For the next start. */
    void configure(String database) throws IOException {
        Files.writeString(configuration(), String.format(Locale.ROOT, """
                include /etc/ldap/schema/core.schema
                include /etc/ldap/schema/cosine.schema
                include /etc/ldap/schema/inetorgperson.schema
                attributetype ( 1.3.6.1.4.1.32473.9.1 NAME 'acmeBadge' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
                attributetype ( 1.3.6.1.4.1.32473.9.2 NAME 'acmeDoor' SUP name )
                objectclass ( 1.3.6.1.4.1.32473.9.3 NAME 'acmeStaff' SUP top AUXILIARY MUST acmeBadge MAY acmeDoor )
                modulepath /usr/lib/ldap
                moduleload back_mdb
                moduleload syncprov
                database config
                rootdn cn=config
                rootpw %5$s
                database mdb
                suffix "%1$s"
                rootdn "%2$s"
                rootpw %5$s
                directory %3$s/db
                index entryUUID,entryCSN,objectClass eq
                %4$s
                """, SUFFIX, MANAGER, home, database, PASSWORD));
    }

    private Path configuration() {
        return home.resolve("slapd.conf");
    }

    /** Lines that make a database a copy of an Alder's, as docs/synchronization.md has them. */
    static String copyOfAlder(int port, String password) {
        return copyOf("127.0.0.1:" + port, "cn=Directory Manager", password);
    }

    /** Lines that make a database a copy of that of another slapd. */
    static String copyOf(SlapdServer provider) {
        return copyOf(provider.address.toString(), MANAGER, PASSWORD);
    }

    private static String copyOf(String address, String name, String password) {
        return String.format(Locale.ROOT, """
                syncrepl rid=001 provider=ldap://%1$s type=refreshAndPersist retry="1 +" searchbase="%2$s"
                  bindmethod=simple binddn="%3$s" credentials="%4$s" schemachecking=off
                  attrs="*,structuralObjectClass,entryUUID,entryCSN,creatorsName,createTimestamp,modifiersName,modifyTimestamp"
                """, address, SUFFIX, name, password);
    }

    Background.Address address() {
        return address;
    }

    /** Until it is closed; it listens. */
    Background start() throws Exception {
        return new Background(List.of(PROGRAM, "-d", "0", "-f", configuration().toString(), "-h", "ldap://" + address), home.resolve("output" + ++starts))
                .awaitListening(address);
    }

    LDAPConnection manager() throws LDAPException {
        return new LDAPConnection(address.host(), address.port(), MANAGER, PASSWORD);
    }

    /** Clients cannot change its entries any more, until the next start. */
    void makeReadOnly() throws LDAPException {
        try (LDAPConnection configuring = new LDAPConnection(address.host(), address.port(), "cn=config", PASSWORD)) {
            configuring.modify(CONFIGURED, new Modification(ModificationType.REPLACE, "olcReadOnly", "TRUE"));
        }
    }

    /** As LDIF, also while it runs. */
    void export(Path ldif) throws IOException, InterruptedException {
        Process slapcat = new ProcessBuilder("/usr/sbin/slapcat", "-f", configuration().toString(), "-b", SUFFIX, "-l", ldif.toString())
                .redirectErrorStream(true).redirectOutput(home.resolve("slapcat.out").toFile()).start();
        assertEquals(0, Await.end("slapcat", slapcat));
    }
}
