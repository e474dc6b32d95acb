package org.alder.server.assembly;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationText;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.config.SettingOverride;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a data folder remembers of its configuration, and what goes before it. */
public class StoredConfigurationTest {
    private static final String SERVER = "dn: cn=config\nobjectClass: alderServer\n";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path root;
    private DataFolder data;
    private StoredConfiguration stored;
    private String homeBefore;

    @Before
    public void open() throws IOException {
        // Where the installation's configuration is; tests run in their module's folder.
        homeBefore = System.getProperty("alder.home");
        System.setProperty("alder.home", "..");
        root = temporary.getRoot().toPath();
        data = new DataFolder(Files.createDirectory(root.resolve("data")));
        stored = new StoredConfiguration(data);
    }

    @After
    public void leaveHome() {
        if (homeBefore == null) {
            System.clearProperty("alder.home");
        } else {
            System.setProperty("alder.home", homeBefore);
        }
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(root.resolve(name), text);
    }

    private ServerConfiguration started(Path file) throws Exception {
        StoredConfiguration.Chosen chosen = stored.choose(file);
        stored.take(chosen);
        return chosen.text().configuration();
    }

    private void change(String... lines) throws Exception {
        ServerConfiguration had = stored.read().configuration();
        String text = new String(had.ldif(), StandardCharsets.UTF_8).replace("objectClass: alderServer\n",
                "objectClass: alderServer\n" + String.join("\n", lines) + "\n");
        stored.change(had.ldif(), text.getBytes(StandardCharsets.UTF_8), "a test");
    }

    private static int size(ServerConfiguration configuration) {
        return configuration.get(ServerKeys.SIZE_LIMIT);
    }

    @Test
    public void aStartWithTheSameFileOrWithoutOneChangesNothing() throws Exception {
        Path mine = file("my.ldif", SERVER + "sizeLimit: 5\ntlsAuthorityFile: certs/ca.pem\n");
        assertEquals(5, size(started(mine)));
        assertEquals("the same from any folder", root.resolve("certs/ca.pem").toString(),
                stored.choose(null).text().configuration().get(ServerKeys.TLS_AUTHORITY_FILE));
        change("timeLimitSeconds: 7");
        for (Path file : new Path[] {mine, null, mine}) {
            ServerConfiguration again = started(file);
            assertEquals(5, size(again));
            assertEquals(7, (int) again.get(ServerKeys.TIME_LIMIT_SECONDS));
        }
        Path same = file("same.ldif", "# the same in other words\n" + SERVER + "timeLimitSeconds: 600\ntlsAuthorityFile: certs/ca.pem\nsizeLimit: 5\n");
        assertEquals(7, (int) started(same).get(ServerKeys.TIME_LIMIT_SECONDS));
        assertEquals(1, stored.history().size());
    }

    @Test
    public void aFileThatSaysSomethingElseGoesBeforeAndWhatWasIsKept() throws Exception {
        Path mine = file("my.ldif", SERVER + "sizeLimit: 5\n");
        started(mine);
        change("timeLimitSeconds: 7");
        file("my.ldif", SERVER + "sizeLimit: 6\n");
        assertEquals("another verb does not take it", 6, size(stored.choose(mine).text().configuration()));
        assertEquals(5, size(stored.choose(null).text().configuration()));
        ServerConfiguration now = started(mine);
        assertEquals(6, size(now));
        assertEquals(600, (int) now.get(ServerKeys.TIME_LIMIT_SECONDS));
        StoredConfiguration.Past newest = stored.history().get(0);
        assertTrue(newest.summary(), newest.summary().matches("2 \\S+ a start with .*my.ldif: .cn=config=.sizeLimit, timeLimitSeconds.*"));
        assertEquals(7, (int) stored.before(newest).configuration().get(ServerKeys.TIME_LIMIT_SECONDS));
    }

    @Test
    public void theInstallationsFileIsNotPinned() throws Exception {
        started(null);
        assertEquals("only what differs", Map.of(), stored.read().configuration().settings().said());
        assertNull("it says what it said", stored.choose(null).source());
    }

    /** As an earlier program left it, which noted the file alone. */
    @Test
    public void anOlderFolderIsServedWithTheFileThatItNoted() throws Exception {
        Path mine = file("my.ldif", SERVER + "sizeLimit: 5\n");
        Files.writeString(root.resolve("data/last-configuration"), mine.toString());
        assertEquals(5, size(started(null)));
        assertTrue(stored.exists());
        Files.delete(mine);
        assertEquals(5, size(started(null)));
    }

    @Test
    public void aWrongFileIsNotTaken() throws Exception {
        started(file("my.ldif", SERVER + "sizeLimit: 5\n"));
        Path wrong = file("wrong.ldif", SERVER + "sizeLimit: many\n");
        String message = assertThrows(ConfigurationException.class, () -> stored.choose(wrong)).getMessage();
        assertTrue(message, message.contains("wrong.ldif, line 3, sizeLimit"));
        assertEquals(5, size(started(null)));
    }

    @Test
    public void whatCannotBeReadGivesWayToAFile() throws Exception {
        Path mine = file("my.ldif", SERVER + "sizeLimit: 5\n");
        started(mine);
        Files.writeString(data.configuration(), SERVER + "sizeLimit: many\n");
        String message = assertThrows(ConfigurationException.class, () -> started(mine)).getMessage();
        assertTrue(message, message.contains("config.ldif, line 3, sizeLimit"));
        assertEquals(6, size(started(file("my.ldif", SERVER + "sizeLimit: 6\n"))));
        assertEquals(6, size(started(null)));
        assertTrue(Files.readString(root.resolve("data/config.ldif.damaged")).contains("many"));
    }

    @Test
    public void theHistoryIsBoundedAndItsOldestPartsGo() throws Exception {
        started(file("my.ldif", SERVER));
        for (int i = 1; i <= StoredConfiguration.MOST_KEPT + 5; i++) {
            ServerConfiguration had = stored.read().configuration();
            stored.change(had.ldif(), (SERVER + "sizeLimit: " + i + "\n").getBytes(StandardCharsets.UTF_8), "line\nbreak " + i);
        }
        List<StoredConfiguration.Past> history = stored.history();
        assertEquals(StoredConfiguration.MOST_KEPT, history.size());
        assertEquals(StoredConfiguration.MOST_KEPT + 5, history.get(0).number());
        assertTrue(history.get(0).summary(), history.get(0).summary().endsWith("break " + (StoredConfiguration.MOST_KEPT + 5)));
        assertEquals(StoredConfiguration.MOST_KEPT + 4, size(stored.before(history.get(0)).configuration()));
    }

    /** A folder of that name can be neither read nor removed, and stands for whatever the disk may do to a history. */
    @Test
    public void aDamagedHistoryIsInNobodysWay() throws Exception {
        started(file("my.ldif", SERVER));
        Path history = Files.createDirectory(data.configurationHistory());
        Files.write(Files.createDirectory(history.resolve("1.ldif")).resolve("inside"), new byte[1]);
        Files.write(history.resolve("2.ldif"), new byte[] {'#', ' ', (byte) 0xff, (byte) 0xfe, '\n', (byte) 0xc0});
        Files.write(history.resolve("3.ldif"), new byte[0]);
        assertEquals(List.of(3, 2, 1), stored.history().stream().map(StoredConfiguration.Past::number).toList());
        assertEquals(List.of("3.ldif", "\ufffd\ufffd", "1.ldif"), stored.history().stream().map(StoredConfiguration.Past::summary).toList());
        for (int i = 1; i <= StoredConfiguration.MOST_KEPT; i++) {
            ServerConfiguration had = stored.read().configuration();
            stored.change(had.ldif(), (SERVER + "sizeLimit: " + i + "\n").getBytes(StandardCharsets.UTF_8), "change " + i);
            assertEquals(i, size(stored.read().configuration()));
        }
        assertEquals(StoredConfiguration.MOST_KEPT + 1, stored.history().size());
        StoredConfiguration.Past newest = stored.history().get(0);
        stored.undo(newest, stored.before(newest).configuration().ldif());
        assertEquals(StoredConfiguration.MOST_KEPT - 1, size(stored.read().configuration()));
    }

    @Test
    public void optionsGoBeforeVariablesAndTheseBeforeTheFileButAreNotStored() throws Exception {
        Path mine = file("my.ldif", SERVER + "sizeLimit: 5\n");
        StoredConfiguration.Chosen chosen = stored.choose(mine);
        List<SettingOverride> variables = SettingOverride.ofEnvironment(Map.of("ALDER_SET_SIZELIMIT", "6", "ALDER_SET_timeLimitSeconds", "7",
                "ALDER_SET_example__durability", "none", "ALDER_SET_limitRule", "size=1 to users\nsize=2 to anonymous", "OTHER", "x"));
        List<SettingOverride> options = SettingOverride.ofOptions(List.of("timeLimitSeconds=8", "accessRule=grant view to anyone", "accessRule=default",
                "engine=memory"));
        ConfigurationText text = chosen.text().with(Stream.concat(variables.stream(), options.stream()).toList());
        ServerConfiguration found = text.configuration();
        assertEquals(6, size(found));
        assertEquals(8, (int) found.get(ServerKeys.TIME_LIMIT_SECONDS));
        assertEquals(2, found.get(ServerKeys.LIMIT_RULE).size());
        assertEquals(2, found.get(ServerKeys.ACCESS_RULE).size());
        assertEquals("memory", found.partitions().get(0).settings().said().get("engine").get(0));
        assertEquals("none", found.partitions().get(0).settings().said().get("durability").get(0));
        stored.take(new StoredConfiguration.Chosen(text, chosen.source()));
        assertEquals(5, size(stored.read().configuration()));
        assertNotNull(stored.read().configuration().partitions().get(0));
    }

    @Test
    public void anOverrideThatCannotBeNamesItself() throws Exception {
        ConfigurationText text = stored.choose(file("my.ldif", SERVER)).text();
        refused(text, SettingOverride.ofOptions(List.of("sizeLimit=many")), "--set, sizeLimit: \"many\" is not");
        refused(text, SettingOverride.ofOptions(List.of("colour=red")), "--set, unknown key colour");
        refused(text, SettingOverride.ofOptions(List.of("second/engine=memory")), "--set, engine: the configuration has no partition second");
        refused(text, SettingOverride.ofOptions(List.of("sizeLimit=1", "SIZELIMIT=2")), "sizeLimit is given 2 times");
        refused(text, SettingOverride.ofEnvironment(Map.of("ALDER_SET_LISTENPORT", "x")), "ALDER_SET_LISTENPORT, listenPort: \"x\" is not");
        assertThrows(ConfigurationException.class, () -> SettingOverride.ofOptions(List.of("=1")));
    }

    private static void refused(ConfigurationText text, List<SettingOverride> overrides, String words) {
        String message = assertThrows(ConfigurationException.class, () -> text.with(overrides).configuration()).getMessage();
        assertTrue(message, message.contains(words));
    }
}
