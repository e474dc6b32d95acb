package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alder.partition.testing.Await;
import org.alder.partition.text.JsonReader;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** With {@code --json}, what verbs print on standard output is an object a line, and nothing else. */
public class JsonResultsTest {
    private static final String PEOPLE = "dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n\n"
            + "dn: cn=alice,dc=example,dc=com\nobjectClass: person\ncn: alice\nsn: One\n\n";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private List<Map<?, ?>> objects(Path data, Object... arguments) {
        Object[] all = new Object[arguments.length + 3];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(new Object[] {"--json", "--data", data}, 0, all, arguments.length, 3);
        CommandRun run = CommandRun.of(all).succeeds();
        assertEquals(run.toString(), "", run.err());
        assertFalse(run.toString(), run.out().isEmpty());
        return run.out().lines().<Map<?, ?>>map(line -> (Map<?, ?>) JsonReader.parse(line)).toList();
    }

    @Test
    public void everyLineIsAnObject() {
        Path data = temporary.getRoot().toPath().resolve("data");
        CommandRun.importing(data, PEOPLE).succeeds();
        assertEquals(true, objects(data, "verify").get(0).get("clean"));
        assertEquals(2.0, objects(data, "status").get(0).get("entries"));
        Map<?, ?> schema = objects(data, "schema").get(0);
        assertTrue(schema.toString(), (Double) schema.get("attributeTypes") > 100 && schema.get("attributeTypesNew").equals(0.0));
        Map<?, ?> plan = objects(data, "explain", "(cn=alice)").get(0);
        assertEquals(plan.toString(), 1.0, plan.get("matches"));
        assertTrue(plan.toString(), plan.get("plan") instanceof List<?> lines && !lines.isEmpty());
        List<Map<?, ?>> rights = objects(data, "explain", "--as", "", "(cn=alice)");
        assertEquals(0.0, rights.get(0).get("matches"));
        assertEquals("cn=alice,dc=example,dc=com", rights.get(1).get("entry"));
        assertEquals(false, rights.get(1).get("found"));
        assertTrue(rights.get(1).toString(), rights.get(1).get("rights") instanceof List<?> rows && rows.size() > 3);
        assertEquals(1.0, objects(data, "compact").get(0).get("segments"));
        assertTrue((Double) calibration().get("argon2Bytes") > 0);
    }

    @Test
    public void backupsAndTheConfigurationTellFactsToo() throws IOException {
        Path root = temporary.getRoot().toPath();
        Path data = root.resolve("data");
        CommandRun.importing(data, PEOPLE).succeeds();
        Path backups = root.resolve("backups");
        String point = (String) objects(data, "backup", "--to", backups, "--progress", "none").get(0).get("point");
        Map<?, ?> checked = parsed(CommandRun.of("backup", "verify", "--from", backups, "--progress", "none", "--json"));
        assertEquals(List.of(point), checked.get("points"));
        CommandRun.of("config", "set", "--data", data, "sizeLimit=7").succeeds();
        assertEquals(List.of(point), objects(data, "backup", "--to", backups, "--keep", 1, "--progress", "none").get(0).get("removed"));
        assertEquals(true, checked.get("whole"));
        Path restored = root.resolve("restored");
        Map<?, ?> back = parsed(CommandRun.of("restore", "--from", backups, "--data", restored, "--progress", "none", "--json"));
        assertEquals(2.0, back.get("entries"));
        assertEquals(restored.toString(), back.get("folder"));
        assertEquals(List.of(), back.get("filesToPutWhereTheyBelong"));
        assertEquals(false, objects(data, "config", "set", "sizeLimit=500").get(0).get("byServer"));
        assertEquals(true, objects(data, "config", "undo").get(0).get("changed"));
        Path other = Files.writeString(root.resolve("other.ldif"), "dn: cn=config\nobjectClass: alderServer\n");
        assertEquals(true, objects(data, "config", "check", other).get(0).get("usable"));
    }

    @Test(timeout = Await.MILLIS)
    public void aStartTellsWhereItListensAndThePasswordsOfTheSample() throws Exception {
        Path root = temporary.getRoot().toPath();
        Process server = ServerProcess.command(List.of("start", "--json", "--sample", "20", "--port", "0", "--data", root.resolve("sample").toString()))
                .redirectError(root.resolve("errors").toFile()).start();
        try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
            Map<?, ?> first = (Map<?, ?>) JsonReader.parse(out.readLine());
            assertTrue(first.toString(), first.get("listening").toString().startsWith("ldap://"));
            Map<?, ?> account = first;
            while (!account.containsKey("account")) {
                account = (Map<?, ?>) JsonReader.parse(out.readLine());
            }
            assertTrue(account.toString(), account.get("account").toString().endsWith("dc=example,dc=com") && account.get("password").toString().length() > 8);
        } finally {
            server.destroy();
            Await.end("the server", server);
        }
    }

    private static Map<?, ?> parsed(CommandRun run) {
        return (Map<?, ?>) JsonReader.parse(run.succeeds().out());
    }

    private Map<?, ?> calibration() {
        return (Map<?, ?>) JsonReader.parse(CommandRun.of("calibrate", "--millis", 1, "--json").succeeds().out());
    }
}
