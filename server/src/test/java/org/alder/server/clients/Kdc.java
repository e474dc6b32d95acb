package org.alder.server.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * MIT's KDC and what belongs to it, in a folder of its own: nothing of this machine's Kerberos is read or changed. {@code .ci/run}
 * unpacks the packages.
 */
final class Kdc implements AutoCloseable {
    private static final Path PACKAGES = LaidOver.PACKAGES.resolve("krb5kdc");

    private final Path folder;
    private final Map<String, String> environment;
    private final Background server;

    static Void require() {
        Program.require(Files.isExecutable(program("sbin/krb5kdc")) && Files.isExecutable(program("bin/kinit"))
                && Program.isOnPath("ldapwhoami"), "ldap-utils, and krb5-kdc, krb5-admin-server, krb5-user and"
                + " libsasl2-modules-gssapi-mit unpacked in " + PACKAGES + " (see .ci/run)");
        return null;
    }

    private static Path program(String name) {
        return PACKAGES.resolve("usr").resolve(name);
    }

    /** The folder of libraries of this kind of machine. */
    private static Path libraries() throws IOException {
        try (Stream<Path> folders = Files.list(PACKAGES.resolve("usr/lib"))) {
            return folders.filter(each -> Files.isDirectory(each.resolve("sasl2"))).findFirst().orElseThrow();
        }
    }

    /** @param folder an empty one, for all that the KDC and its clients keep */
    Kdc(Path folder) throws Exception {
        this.folder = folder;
        Background.Address address = Background.freeAddress();
        Path libraries = libraries();
        Files.writeString(folder.resolve("krb5.conf"), String.format(Locale.ROOT, """
                [libdefaults]
                default_realm = EXAMPLE.COM
                dns_lookup_kdc = false
                dns_lookup_realm = false
                dns_canonicalize_hostname = false
                rdns = false
                udp_preference_limit = 1
                [realms]
                EXAMPLE.COM = {
                  kdc = %1$s
                }
                PARTNER.COM = {
                  kdc = %1$s
                }
                [domain_realm]
                localhost = EXAMPLE.COM
                """, address));
        Files.writeString(folder.resolve("kdc.conf"), String.format(Locale.ROOT, """
                [kdcdefaults]
                kdc_listen = %1$s
                kdc_tcp_listen = %1$s
                [realms]
                EXAMPLE.COM = {
                  database_module = files
                  key_stash_file = %2$s/stash
                  acl_file = %2$s/acl
                }
                PARTNER.COM = {
                  database_module = partner
                  key_stash_file = %2$s/partner.stash
                  acl_file = %2$s/acl
                }
                [dbmodules]
                db_module_dir = %3$s/krb5/plugins/kdb
                files = {
                  db_library = db2
                  database_name = %2$s/principal
                }
                partner = {
                  db_library = db2
                  database_name = %2$s/partner
                }
                [logging]
                kdc = FILE:%2$s/kdc.log
                admin_server = FILE:%2$s/kadmin.log
                """, address, folder, libraries));
        environment = Map.of("KRB5_CONFIG", folder.resolve("krb5.conf").toString(),
                "KRB5_KDC_PROFILE", folder.resolve("kdc.conf").toString(), "KRB5CCNAME", "FILE:" + folder.resolve("tickets"),
                "PATH", program("sbin") + ":" + program("bin") + ":" + System.getenv("PATH"),
                "LD_LIBRARY_PATH", libraries.toString(), "SASL_PATH", libraries.resolve("sasl2").toString(),
                "LDAPCONF", Files.writeString(folder.resolve("ldap.conf"), "SASL_NOCANON on\n").toString(), "HOME", folder.toString());
        for (String realm : List.of("EXAMPLE.COM", "PARTNER.COM")) {
            run("", "kdb5_util", "-r", realm, "create", "-s", "-P", "master").succeeds();
            run("", "kadmin.local", "-r", realm, "-q", "addprinc -pw trust krbtgt/EXAMPLE.COM@PARTNER.COM").succeeds();
        }
        List<String> command = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of("krb5kdc", "-n", "-r", "EXAMPLE.COM", "-r", "PARTNER.COM"));
        server = new Background(command, folder.resolve("kdc.out")).awaitListening(address);
    }

    /** For a program that shall know this realm. */
    Program.Outcome run(String input, String... command) throws IOException, InterruptedException {
        List<String> withFile = new ArrayList<>(List.of("env", "-u", "LDAPNOINIT"));
        withFile.addAll(List.of(command));
        return Program.run(withFile, environment, input, folder);
    }

    void kadmin(String query) throws IOException, InterruptedException {
        run("", "kadmin.local", "-q", query).succeeds();
    }

    /** Of the realm whose users the first one trusts. */
    void addPartner(String user, String password) throws IOException, InterruptedException {
        run("", "kadmin.local", "-r", "PARTNER.COM", "-q", "addprinc -pw " + password + " " + user).succeeds();
    }

    void addUser(String principal, String password) throws IOException, InterruptedException {
        kadmin("addprinc -pw " + password + " " + principal);
    }

    /** From now on programs have this user's ticket. */
    void login(String principal, String password) throws IOException, InterruptedException {
        run(password + "\n", "kinit", principal).succeeds();
    }

    /** Where the tickets of who has logged in are. */
    Path tickets() {
        return folder.resolve("tickets");
    }

    Path configuration() {
        return folder.resolve("krb5.conf");
    }

    @Override
    public void close() {
        server.close();
    }
}
