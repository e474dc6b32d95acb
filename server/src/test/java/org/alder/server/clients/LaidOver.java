package org.alder.server.clients;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;

/**
 * Runs commands where packages are installed and configured that would change how this machine looks up its users: in mount and
 * process namespaces of their own, with folders laid over the machine's, of which nothing remains. {@code .ci/run} unpacks the
 * packages.
 */
final class LaidOver {
    static final Path PACKAGES =
            Path.of(System.getenv().getOrDefault("ALDER_CLIENT_PACKAGES", "/var/cache/alder-clients"));
    private static final List<String> NAMESPACES =
            List.of("unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child");

    private final String name;
    private final Path configuration;

    /**
     * @param name of the script in {@code src/test/resources/clients} and of the folder of packages
     * @param configuration the folder with the files the script installs
     */
    LaidOver(String name, Path configuration) {
        this.name = name;
        this.configuration = configuration;
    }

    /**
     * Skips the test where there are no such packages, or no namespaces for this user.
     *
     * @param programs what else it takes
     */
    static Void require(String name, String... programs) throws IOException, InterruptedException {
        List<String> mount = new ArrayList<>(NAMESPACES);
        mount.addAll(List.of("mount", "-t", "tmpfs", "none", "/mnt"));
        Program.assumePossible(Program.isOnPath("unshare") && Program.run(mount).status() == 0,
                name + ": this user may not make mount namespaces");
        Path program = PACKAGES.resolve(name).resolve("usr/sbin").resolve(name);
        Program.require(Files.isExecutable(program) && Stream.of(programs).allMatch(Program::isOnPath), String.join(", ", programs)
                + " and the packages of " + name + ", unpacked in " + PACKAGES.resolve(name) + " (see .ci/run)");
        return null;
    }

    /** @param input what the command reads from its standard input */
    Program.Outcome run(String input, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(NAMESPACES);
        all.add(Path.of("src", "test", "resources", "clients", name + ".sh").toAbsolutePath().toString());
        all.add(PACKAGES.resolve(name).toString());
        all.add(configuration.toString());
        all.addAll(List.of(command));
        return Program.run(all, Map.of(), input, Path.of("/"));
    }

    String output(String... command) throws IOException, InterruptedException {
        return run("", command).succeeds();
    }

    void letsUsersInByTheirPasswords() throws IOException, InterruptedException {
        run(Site.ALICE_PASSWORD + "\n", "pamtester", "alder", "alice", "authenticate", "acct_mgmt").succeeds();
        run(Site.BOB_PASSWORD + "\n", "pamtester", "alder", "bob", "authenticate").succeeds();
        run("wrong\n", "pamtester", "alder", "alice", "authenticate").failsWith("Authentication failure");
    }

    /** Carol changes her password herself, and only the new one lets her in. */
    void changesCarolsPassword() throws IOException, InterruptedException {
        String changed = "Fr3sh-and-l0ng-enough";
        changePassword("carol", 20003, Site.CAROL_PASSWORD, changed);
        run(Site.CAROL_PASSWORD + "\n", "pamtester", "alder", "carol", "authenticate")
                .failsWith("Authentication failure");
        run(changed + "\n", "pamtester", "alder", "carol", "authenticate").succeeds();
    }

    private void changePassword(String name, int number, String from, String to) throws IOException, InterruptedException {
        run(from + "\n" + to + "\n" + to + "\n", "setpriv", "--reuid=" + number, "--regid=20000", "--clear-groups", "pamtester", "alder",
                name, "chauthtok").succeeds();
    }

    /** Who gets a password from the administrator is told to change it, may do so, and is let in until it expires; who is locked is not. */
    void keepsThePasswordPolicy(Site site) throws Exception {
        String dora = "uid=dora," + Site.PEOPLE;
        String given = "G1ven-to-D.";
        String own = "Fr3sh-and-l0ng-enough";
        try (LDAPConnection admin = site.admin()) {
            admin.add("dn: " + dora, "objectClass: inetOrgPerson", "objectClass: posixAccount", "objectClass: shadowAccount", "uid: dora",
                    "cn: Dora Doyle", "sn: Doyle", "uidNumber: 20004", "gidNumber: 20000", "homeDirectory: /home/dora", "userPassword: " + given);
            admin.modify(dora, new Modification(ModificationType.REPLACE, "pwdReset", "TRUE"));
            run(given + "\n", "pamtester", "alder", "dora", "authenticate", "acct_mgmt").failsWith("new one required");
            changePassword("dora", 20004, given, own);
            run(own + "\n", "pamtester", "alder", "dora", "authenticate", "acct_mgmt").succeeds();
            admin.add("dn: cn=short," + Site.SUFFIX, "objectClass: namedObject", "objectClass: pwdPolicy", "cn: short", "pwdAttribute: userPassword",
                    "pwdMaxAge: 1");
            admin.modify(dora, new Modification(ModificationType.REPLACE, "pwdPolicySubentry", "cn=short," + Site.SUFFIX));
            Await.until("the password to have expired",
                    () -> run(own + "\n", "pamtester", "alder", "dora", "authenticate", "acct_mgmt").status() != 0);
            admin.modify(dora, new Modification(ModificationType.DELETE, "pwdPolicySubentry"));
            admin.modify(dora, new Modification(ModificationType.REPLACE, "pwdAccountLockedTime", "000001010000Z"));
            run(own + "\n", "pamtester", "alder", "dora", "authenticate").failsWith("pamtester: ");
            run("", "pamtester", "alder", "dora", "acct_mgmt").failsWith("Permission denied");
        }
    }
}
