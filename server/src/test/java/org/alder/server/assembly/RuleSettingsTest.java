package org.alder.server.assembly;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.alder.partition.error.DirectoryException;
import org.alder.server.TestServer;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.PartitionConfiguration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The rules between entries as the configuration says them. */
public class RuleSettingsTest {
    private static final Path SHIPPED = Path.of("../conf/config.ldif");

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    private PartitionFolder partition(String text) throws IOException, ConfigurationException, DirectoryException {
        Path file = folder.newFile(System.nanoTime() + ".ldif").toPath();
        Files.writeString(file, text);
        PartitionConfiguration configuration = ConfigurationReader.read(file).partitions().get(0);
        return new PartitionFolder(TestServer.SCHEMA, configuration, new DataFolder(folder.getRoot().toPath()));
    }

    private static String shippedWith(String line) throws IOException {
        return Files.readString(SHIPPED).stripTrailing() + "\n" + line + "\n";
    }

    @Test
    public void theShippedExamplesCanBeSwitchedOn() throws Exception {
        String examples = Files.readAllLines(SHIPPED).stream()
                .map(line -> line.matches("#(unique|constraint|autoNumber|referencePlaceholder): .*") ? line.substring(1) : line)
                .collect(Collectors.joining("\n"));
        partition(examples + "\n");
    }

    @Test
    public void whatCannotBeIsRefused() throws Exception {
        for (String line : List.of("unique: pager|has no equality index", "unique: nothing|the schema has no attribute nothing",
                "unique: uid base=nothing|", "unique: uid filter=(uid)|", "autoNumber: uid 1-2|no numbers",
                "autoNumber: uidNumber 1-2 class=nothing|no object class nothing", "referencePlaceholder: nothing|",
                "constraint: nothing size 1|the schema has no attribute nothing")) {
            String[] parts = {line.substring(0, line.lastIndexOf('|')), line.substring(line.lastIndexOf('|') + 1)};
            String text = shippedWith(parts[0]);
            ConfigurationException refused = assertThrows(line, ConfigurationException.class, () -> partition(text));
            String key = line.substring(0, line.indexOf(':'));
            int number = text.substring(0, text.lastIndexOf(parts[0])).split("\n", -1).length;
            assertTrue(refused.getMessage(), refused.getMessage().contains(".ldif, line " + number + ", " + key + ": "));
            assertTrue(refused.getMessage(), refused.getMessage().contains(parts[1]));
        }
    }

    @Test
    public void anUnknownEngineIsRefusedByItsLine() throws Exception {
        ConfigurationException refused = assertThrows(ConfigurationException.class,
                () -> partition(Files.readString(SHIPPED).replace("engine: jdbm", "engine: paper")));
        assertTrue(refused.getMessage(), refused.getMessage().matches(".*\\.ldif, line \\d+, engine: \"paper\" is not one of .*jdbm.*"));
    }

    @Test
    public void malformedLinesAreRefused() throws Exception {
        for (String line : List.of("unique: uid near=x", "constraint: mail", "constraint: mail shape round",
                "constraint: mail regex (",
                "constraint: mail count many", "constraint: mail size -1", "autoNumber: uidNumber", "autoNumber: uidNumber 5-4",
                "autoNumber: uidNumber 1-9 magic=7", "referencesMustExist: perhaps")) {
            String text = line.startsWith("references") ? Files.readString(SHIPPED).replace("referencesMustExist: false", line)
                    : shippedWith(line);
            ConfigurationException refused = assertThrows(line, ConfigurationException.class, () -> partition(text));
            assertTrue(refused.getMessage(), refused.getMessage().contains(line.substring(0, line.indexOf(':'))));
        }
    }
}
