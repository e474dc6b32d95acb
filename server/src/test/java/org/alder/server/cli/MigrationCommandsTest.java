package org.alder.server.cli;

import static org.junit.Assert.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The commands of docs/migration.md, section by section, with the files of src/test/resources/migration in the place of those that they name. */
public class MigrationCommandsTest {
    private static final Path FILES = Path.of("src", "test", "resources", "migration");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private static List<String> commands(String section) throws Exception {
        String page = Files.readString(Path.of("../docs/migration.md"));
        String from = page.substring(page.indexOf("\n## " + section + "\n") + 4);
        String own = from.substring(0, from.indexOf("\n## "));
        return own.lines().filter(line -> line.startsWith("bin/alder ")).map(line -> line.substring("bin/alder ".length())).toList();
    }

    private int run(String section, Map<String, String> files) throws Exception {
        Path folder = temporary.newFolder(section.replace(' ', '-')).toPath();
        int run = 0;
        for (String command : commands(section)) {
            List<String> words = new ArrayList<>();
            for (String word : Arrays.asList(command.split(" "))) {
                // Each configuration has a folder of its own, for its schema.
                words.add(files.containsKey(word) ? FILES.resolve(files.get(word)).toString() : word.equals("DIR") ? folder.resolve("data").toString()
                        : word.equals("alder.ldif") ? Files.createDirectories(folder.resolve("conf" + (run == 2 ? 2 : 1))).resolve(word).toString() : word);
            }
            CommandRun.of(words.toArray()).succeeds();
            run++;
        }
        return run;
    }

    @Test
    public void openLdap() throws Exception {
        assertEquals(3, run("OpenLDAP", Map.of("/etc/ldap/slapd.d", "slapd/slapd.d", "/etc/ldap/slapd.conf", "slapd/slapd.conf", "example.ldif",
                "slapd/slapcat.ldif")));
    }

    @Test
    public void directoryServer389() throws Exception {
        assertEquals(2, run("389 Directory Server", Map.of("/etc/dirsrv/slapd-INSTANCE/dse.ldif", "389/server/dse.ldif", "example.ldif",
                "389/server/db2ldif.ldif")));
    }

    @Test
    public void openDj() throws Exception {
        assertEquals(2, run("OpenDJ", Map.of("/opt/opendj/config/config.ldif", "opendj/server/config.ldif", "example.ldif",
                "opendj/server/export.ldif")));
    }

    @Test
    public void apacheDs() throws Exception {
        assertEquals(2, run("ApacheDS", Map.of("/var/lib/apacheds/default/conf", "apacheds/server/config.ldif", "example.ldif",
                "apacheds/server/export.ldif")));
    }
}
