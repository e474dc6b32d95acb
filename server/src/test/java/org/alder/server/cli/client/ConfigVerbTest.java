package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alder.partition.testing.Await;
import org.alder.partition.text.JsonReader;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code bin/alder config}, with and without a server that runs. */
public class ConfigVerbTest {
    private static final String SERVER = "dn: cn=config\nobjectClass: alderServer\n";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path root;
    private Path data;

    @Before
    public void make() throws IOException {
        root = temporary.getRoot().toPath();
        data = Files.createDirectory(root.resolve("d"));
    }

    private CommandRun config(Object... arguments) {
        Object[] all = new Object[arguments.length + 3];
        all[0] = "config";
        all[1] = "--data";
        all[2] = data;
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return CommandRun.of(all);
    }

    @Test
    public void withoutAServerTheFolderIsChanged() throws Exception {
        Path mine = Files.writeString(root.resolve("my.ldif"), SERVER + "sizeLimit: 5\n");
        config("set", "--conf", mine, "timeLimitSeconds=7", "accessRule=grant view to anyone", "accessRule=default").succeeds();
        CommandRun shown = config("show").succeeds();
        assertTrue(shown.out(), shown.out().contains("\nsizeLimit: 5\n") && shown.out().contains("\ntimeLimitSeconds: 7\n"));
        CommandRun differences = config("diff").succeeds();
        assertTrue(differences.out(), differences.out().contains("cn=config timeLimitSeconds: 7, by default 600\n")
                && differences.out().contains("cn=config accessRule: grant view to anyone | default, by default default\n"));
        assertFalse(differences.out(), differences.out().contains("listenPort"));
        assertTrue(config("diff", mine).succeeds().out().contains("cn=config timeLimitSeconds: 7, there 600\n"));
        config("set", "engine=memory").succeeds();
        assertTrue(config("show").succeeds().out().contains("engine: memory"));
        config("undo").succeeds();
        assertFalse(config("show").succeeds().out().contains("engine: memory"));
        config("set", "timeLimitSeconds=").succeeds();
        assertFalse(config("show").succeeds().out().contains("timeLimitSeconds"));
        config("undo").succeeds();
        String undone = config("undo").succeeds().out();
        assertTrue(undone, undone.matches("(?s)no server answers on .*/ldapi: from the next start on it is as before change 1: 20\\d\\d-.*: cn=config: .*"));
        config("undo").fails(1, "there is no change");
    }

    @Test
    public void whatCannotBeUsedIsRefused() throws Exception {
        config("set", "sizeLimit=many").fails(1, "sizeLimit: \"many\" is not a whole number");
        config("set", "colour=red").fails(1, "unknown key colour");
        config("set", "sizeLimit=1", "compression=none").fails(2, "one entry at a time");
        config("set", "accessRule=everything").fails(1, "accessRule");
        config("set", "unique=nowhere").fails(1, "the schema has no attribute nowhere");
        config("set").fails(2, "expected KEY=VALUE");
        config("check").fails(2, "expected one FILE");
        Path wrong = Files.writeString(root.resolve("wrong.ldif"), SERVER + "accessRule: everything\n");
        config("check", wrong).fails(1, "wrong.ldif, line 3, accessRule");
        config("check", Files.writeString(root.resolve("right.ldif"), SERVER + "sizeLimit: 5\n")).succeeds();
        config("show").fails(1, "there are no data in " + data);
    }

    @Test(timeout = Await.MILLIS)
    public void aRunningServerIsToldOverLdap() throws Exception {
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection admin = server.admin()) {
            Object url = "ldap://127.0.0.1:" + server.port();
            CommandRun set = config("set", "--url", url, "sizeLimit=5", "workerQueue=77").succeeds();
            assertTrue(set.out(), set.out().contains("takes effect at the next start: workerQueue"));
            assertEquals("5", admin.getEntry("cn=config").getAttributeValue("sizeLimit"));
            CommandRun shown = config("show").succeeds();
            assertTrue(shown.toString(), shown.out().contains("\nsizeLimit: 5\n"));
            config("set", "--url", url, "sizeLimit=many").fails(1, "is not a whole number");
            config("undo", "--url", url).succeeds();
            assertFalse(admin.getEntry("cn=config").hasAttribute("sizeLimit"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatARunningServerSaysOrRefusesIsNotReplacedByTheFolder() throws Exception {
        Path other = root.resolve("other");
        Path wrong = Files.writeString(root.resolve("wrong"), "wrong");
        CommandRun.of("config", "set", "--data", other, "sizeLimit=7").succeeds();
        try (ServerProcess server = ServerProcess.start(data, "--set", "timeLimitSeconds=77")) {
            Object url = "ldap://127.0.0.1:" + server.port();
            assertTrue(config("show").succeeds().out().contains("\ntimeLimitSeconds: 77\n"));
            assertTrue(config("diff").succeeds().out().contains("cn=config timeLimitSeconds: 77, by default 600\n"));
            String shown = CommandRun.of("config", "show", "--data", other, "--url", url, "--password-file", data.resolve("admin.password")).succeeds().out();
            assertTrue(shown, shown.contains("timeLimitSeconds: 77") && !shown.contains("sizeLimit"));
            for (String action : List.of("show", "diff", "undo")) {
                assertEquals("", config(action, "--url", url, "--password-file", wrong).fails(1, "result 49").out());
                assertEquals("", config(action, "--password-file", wrong).fails(1, "result 49").out());
                assertEquals("", config(action, "--bind-dn", "").fails(1, "result").out());
            }
            CommandRun.of("config", "add-partition", "sales", "suffix=dc=sales", "--data", data).succeeds();
            CommandRun.of("config", "set", "sales/compression=zstd", "--data", other, "--url", url, "--password-file", data.resolve("admin.password")).succeeds();
            CommandRun.of("config", "set", "compression=zstd", "--data", other, "--url", url, "--password-file", data.resolve("admin.password"))
                    .fails(1, "the configuration has several partitions");
            config("check", wrong, "--url", url).fails(2, "check: looks at the data folder, and asks no server");
        }
        config("show", "--url", "ldap://127.0.0.1:1").fails(1, "no server answers");
    }

    /** Of programs. */
    @Test
    public void asJson() throws Exception {
        config("set", "sizeLimit=5", "accessRule=grant view to anyone", "accessRule=default").succeeds();
        List<Map<?, ?>> shown = objects(config("show", "--json").succeeds());
        assertEquals(List.of("cn=config", "cn=example,cn=config"), shown.stream().map(each -> each.get("dn")).toList());
        assertEquals(List.of("5"), shown.get(0).get("sizeLimit"));
        List<Map<?, ?>> differences = objects(config("diff", "--json").succeeds());
        assertEquals(Map.of("dn", "cn=config", "key", "accessRule", "values", List.of("grant view to anyone", "default"), "defaults",
                List.of("default")), differences.get(0));
        assertEquals("sizeLimit", differences.get(1).get("key"));
        Path two = Files.writeString(root.resolve("two.ldif"), SERVER + "\ndn: cn=other,cn=config\nobjectClass: alderPartition\nsuffix: dc=other\n");
        assertTrue(objects(config("diff", two, "--json").succeeds()).contains(Map.of("dn", "cn=other,cn=config")));
    }

    private static List<Map<?, ?>> objects(CommandRun run) {
        return run.out().lines().<Map<?, ?>>map(line -> (Map<?, ?>) JsonReader.parse(line)).toList();
    }

    @Test
    public void partitionsComeAndGoWithoutAServer() throws Exception {
        config("add-partition", "sales", "suffix=dc=sales", "index=uid eq", "index=cn eq").succeeds();
        CommandRun shown = config("show").succeeds();
        assertTrue(shown.out(), shown.out().contains("dn: cn=sales,cn=config\nobjectClass: alderPartition\nsuffix: dc=sales\n")
                && shown.out().contains("index: uid eq\nindex: cn eq\n") && shown.out().contains("dn: cn=example,cn=config\n"));
        config("add-partition", "SALES", "suffix=dc=other").fails(1, "already");
        config("add-partition", "other", "suffix=dc=sales").fails(1, "another partition has the suffix");
        config("add-partition", "other", "index=uid eq").fails(1, "expected a suffix");
        config("add-partition", "a/b", "suffix=dc=other").fails(1, "may have letters");
        config("add-partition", "other").fails(2, "expected NAME suffix=DN");
        config("add-partition", "other", "example/suffix=dc=other").fails(2, "expected KEY=VALUE");
        config("remove-partition", "other").fails(1, "there is no partition other");
        config("remove-partition", "example").succeeds();
        config("remove-partition", "sales").fails(1, "the only partition");
        config("undo").succeeds();
        config("remove-partition", "sales").succeeds();
        assertFalse(config("show").succeeds().out().contains("sales"));
    }

    @Test(timeout = Await.MILLIS)
    public void partitionsComeAndGoOverLdap() throws Exception {
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection admin = server.admin()) {
            config("add-partition", "sales", "suffix=dc=sales", "index=uid eq").succeeds();
            admin.add("dn: dc=sales", "objectClass: domain", "dc: sales");
            CommandRun removed = config("remove-partition", "sales").succeeds();
            assertTrue(removed.out(), removed.out().contains("stay in ") && Files.isDirectory(data.resolve("partitions/sales")));
            config("remove-partition", "sales").fails(1, "noSuchObject");
            config("undo").succeeds();
            assertEquals("dc=sales", admin.getEntry("dc=sales").getDN());
        }
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection admin = server.admin()) {
            assertEquals("dc=sales", admin.getEntry("dc=sales").getDN());
        }
    }

    /** Changes of the folder would be lost with the server's next one, or take effect at a start that nobody expects them of. */
    @Test(timeout = Await.MILLIS)
    public void theFolderOfAServerThatListensElsewhereIsLeftAlone() throws Exception {
        config("set", "sizeLimit=5").succeeds();
        try (ServerProcess server = ServerProcess.start(data)) {
            Path socket = data.resolve("ldapi");
            assertTrue("the server listens in its folder", Files.deleteIfExists(socket));
            String before = Files.readString(data.resolve("config.ldif"));
            String inUse = "the data folder " + data + " is in use by another process (pid " + server.pid() + "). If it is a server, it does not answer on "
                    + socket + ": ";
            for (List<String> change : List.of(List.of("config", "set", "sizeLimit=6"), List.of("config", "add-partition", "sales", "suffix=dc=sales"),
                    List.of("config", "remove-partition", "example"), List.of("config", "undo"), List.of("index", "add", "title"),
                    List.of("index", "remove", "uid"))) {
                heldAgainst(change, inUse + "name its address with --url, or stop it first");
            }
            heldAgainst(List.of("follow", "ldap://127.0.0.1:1", "--base", "dc=copy"), inUse + "stop it first, or ");
            Path ldif = Files.writeString(root.resolve("sales.ldif"), "dn: dc=sales\nobjectClass: domain\ndc: sales\n");
            Path other = Files.writeString(root.resolve("other.ldif"), SERVER + "\ndn: cn=sales,cn=config\nobjectClass: alderPartition\nsuffix: dc=sales\n");
            heldAgainst(List.of("import", "--conf", other.toString(), ldif.toString()), "the data folder " + data + " is in use by another process");
            assertEquals(before, Files.readString(data.resolve("config.ldif")));
            config("set", "sizeLimit=6", "--url", "ldap://127.0.0.1:" + server.port()).succeeds();
        }
        config("set", "sizeLimit=7").succeeds();
    }

    private void heldAgainst(List<String> change, String message) {
        List<String> arguments = new ArrayList<>(change);
        arguments.addAll(List.of("--data", data.toString()));
        CommandRun.of(arguments.toArray()).fails(1, message);
    }
}
