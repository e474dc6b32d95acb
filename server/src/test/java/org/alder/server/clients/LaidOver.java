package org.alder.server.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs commands where packages are installed and configured that would change how this machine looks up its users: in mount and
 * process namespaces of their own, with folders laid over the machine's, of which nothing remains. {@code .ci/run} unpacks the
 * packages.
 */
final class LaidOver {
    private static final Path PACKAGES =
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
        run(Site.CAROL_PASSWORD + "\n" + changed + "\n" + changed + "\n", "setpriv", "--reuid=20003", "--regid=20000",
                "--clear-groups", "pamtester", "alder", "carol", "chauthtok").succeeds();
        run(Site.CAROL_PASSWORD + "\n", "pamtester", "alder", "carol", "authenticate")
                .failsWith("Authentication failure");
        run(changed + "\n", "pamtester", "alder", "carol", "authenticate").succeeds();
    }
}
