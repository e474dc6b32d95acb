package org.alder.server.clients;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** PostgreSQL's authentication method {@code ldap} in its forms. */
public class PostgresTest {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    @ClassRule
    public static final Site SITE = new Site(PostgresTest::requirePostgres);

    private static String programs;
    private static Path folder;

    private static Void requirePostgres() throws IOException {
        if (Files.isDirectory(INSTALLED)) {
            try (Stream<Path> versions = Files.list(INSTALLED)) {
                programs = versions.map(version -> version.resolve("bin"))
                        .filter(bin -> Files.isExecutable(bin.resolve("initdb"))).map(Path::toString)
                        .max(String::compareTo).orElse(null);
            }
        }
        Program.require(programs != null, "PostgreSQL (Debian: apt-get install postgresql)");
        return null;
    }

    @BeforeClass
    public static void makeCluster() throws Exception {
        folder = Files.createTempDirectory(Path.of("/tmp"), "postgres");
        if (isRoot()) {
            Program.run(List.of("chown", "postgres", folder.toString())).succeeds();
        }
        asOwner("initdb", "-D", folder.resolve("data").toString(), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync",
                "--locale=C.UTF-8").succeeds();
    }

    @AfterClass
    public static void removeCluster() throws Exception {
        if (folder != null) {
            Program.run(List.of("rm", "-rf", folder.toString())).succeeds();
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** PostgreSQL does not run as root. */
    private static Program.Outcome asOwner(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(isRoot() ? List.of("runuser", "-u", "postgres", "--") : List.of());
        // What the library for LDAP reads in place of /etc/ldap/ldap.conf.
        command.addAll(List.of("env", "-u", "LDAPNOINIT", "LDAPCONF=" + folder.resolve("ldap.conf")));
        command.add(programs + "/" + program);
        command.addAll(List.of(arguments));
        return Program.run(command, Map.of(), "", folder);
    }

    /** Runs the server with one of the recipe's configurations while the logins are tried. */
    private static void with(String block, Logins logins) throws Exception {
        with(SITE.recipe("postgresql"), block, logins);
    }

    private static void with(Recipe recipe, String block, Logins logins) throws Exception {
        Path data = folder.resolve("data");
        String rules = "local all all trust\n" + recipe.block("pg_hba.conf (" + block + ")");
        recipe.write("/etc/ldap/ldap.conf", folder);
        Files.writeString(data.resolve("pg_hba.conf"), rules);
        Background.Address address = Background.freeAddress();
        asOwner("pg_ctl", "-D", data.toString(), "-w", "-t", Integer.toString(Await.SECONDS), "-l", folder.resolve("log").toString(), "-o",
                "-c listen_addresses=" + address.host() + " -c fsync=off -c authentication_timeout=600 -c unix_socket_directories=" + folder + " -p "
                + address.port(), "start").succeeds();
        try {
            for (String role : List.of("alice", "bob", "\"alice@example.com\"", "dave")) {
                asOwner("psql", "-h", folder.toString(), "-p", Integer.toString(address.port()), "-U", "postgres", "-c",
                        "create role " + role + " login");
            }
            logins.attempt(address);
        } finally {
            asOwner("pg_ctl", "-D", data.toString(), "-w", "-t", Integer.toString(Await.SECONDS), "-m", "immediate", "stop").succeeds();
        }
    }

    private interface Logins {
        void attempt(Background.Address address) throws Exception;
    }

    private static Program.Outcome login(Background.Address address, String user, String password) throws Exception {
        return Program.run(List.of(programs + "/psql", "-h", address.host(), "-p", Integer.toString(address.port()), "-U", user,
                "-d", "postgres", "-Atc", "select current_user"), Map.of("PGPASSWORD", password), "", Path.of("/"));
    }

    @Test
    public void bind() throws Exception {
        with("bind", address -> {
            assertEquals("alice\n", login(address, "alice", Site.ALICE_PASSWORD).succeeds());
            assertEquals("bob\n", login(address, "bob", Site.BOB_PASSWORD).succeeds());
            login(address, "alice", "wrong").failsWith("LDAP authentication failed");
            login(address, "dave", "x").failsWith("LDAP authentication failed");
        });
    }

    @Test
    public void searchAndBind() throws Exception {
        with("search and bind", address -> {
            assertEquals("bob\n", login(address, "bob", Site.BOB_PASSWORD).succeeds());
            login(address, "bob", Site.ALICE_PASSWORD).failsWith("LDAP authentication failed");
            login(address, "dave", "x").failsWith("LDAP authentication failed");
        });
    }

    @Test
    public void ldaps() throws Exception {
        with("ldaps", address -> {
            assertEquals("alice\n", login(address, "alice", Site.ALICE_PASSWORD).succeeds());
            login(address, "alice", "wrong").failsWith("LDAP authentication failed");
        });
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        with(SITE.recipe("postgresql").with(Site.AUTHORITY, SITE.stranger()), "bind",
                address -> login(address, "alice", Site.ALICE_PASSWORD).failsWith("LDAP authentication failed"));
    }

    @Test
    public void filter() throws Exception {
        with("filter", address -> {
            assertEquals("alice\n", login(address, "alice", Site.ALICE_PASSWORD).succeeds());
            assertEquals("alice@example.com\n", login(address, "alice@example.com", Site.ALICE_PASSWORD).succeeds());
            login(address, "alice@example.com", "wrong").failsWith("LDAP authentication failed");
        });
    }
}
