package org.alder.server.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.alder.partition.store.FeatureLevel;
import org.junit.Test;

/**
 * conf/config.ldif and docs/settings.md are made of the table of keys. After a change of the table:
 * {@code mvn -pl server -am test -Dtest=SettingsPagesTest -Dalder.test.args=-Dalder.settings.write=true}.
 */
public class SettingsPagesTest {
    private static final Path CONFIGURATION = Path.of("../conf/config.ldif");
    private static final Path PAGE = Path.of("../docs/settings.md");
    private static final int COLUMNS = 130;

    @Test
    public void theShippedConfigurationShowsEveryKeyWithItsDefault() throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "# Alder's configuration, with every key and its default. It is made of the table of keys, as is docs/settings.md.",
                "#",
                "# A key that is left out has the default shown here, and so has an entry: a configuration of your own names only what",
                "# differs:",
                "#     bin/alder start --conf my.ldif",
                "# Sizes in bytes may end in k, m or g (powers of 1024). A percentage is of the Java heap. Where a key may be given",
                "# several times, the word none stands for no value at all.", ""));
        entry(lines, ConfigurationReader.DEFAULT_SERVER.dn(), "alderServer", ServerKeys.all());
        lines.add("");
        lines.add("# One entry for each partition. A server may have several, with suffixes of their own.");
        entry(lines, ConfigurationReader.DEFAULT_PARTITION.dn(), "alderPartition", PartitionKeys.all());
        compare(CONFIGURATION, lines);
    }

    private static void entry(List<String> lines, String dn, String objectClass, List<Key<?>> keys) {
        lines.add("dn: " + dn);
        lines.add("objectClass: " + objectClass);
        for (Key<?> key : keys) {
            wrap(key.text()).forEach(line -> lines.add("# " + line));
            boolean suffix = key == PartitionKeys.SUFFIX;
            key.defaults().forEach(value -> lines.add(key + ": " + value));
            key.examples().forEach(value -> lines.add((suffix ? "" : "#") + key + ": " + value));
        }
    }

    private static List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.replace(" = ", "\u00a0=\u00a0").split(" ")) {
            if (line.length() + word.length() > COLUMNS - 3) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word.replace('\u00a0', ' '));
        }
        lines.add(line.toString());
        return lines;
    }

    @Test
    public void thePageOfSettingsNamesEveryKey() throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "# Settings", "",
                "The configuration is an LDIF file: one entry of objectClass `alderServer`, and one of objectClass `alderPartition` for"
                        + " each partition.",
                "[conf/config.ldif](../conf/config.ldif) has every key with its default. A key that is left out has that default, and so"
                        + " has an entry",
                "that is left out: a configuration of your own names only what differs. `bin/alder start --conf my.ldif` uses it, and the data"
                        + " folder remembers it.",
                "[configuration.md](configuration.md) says how, and how an administrator changes it while the server runs.", "",
                "Sizes in bytes may end in k, m or g (powers of 1024); a percentage is of the Java heap, which `ALDER_JAVA_OPTS=-Xmx4g`"
                        + " sets.",
                "Where a key may be given several times, the word `none` stands for no value at all. Keys do not distinguish upper and"
                        + " lower case.", "",
                "This page is made of the table of keys in the program.", "",
                "## The server: `alderServer`", ""));
        ServerKeys.all().forEach(key -> describe(lines, key));
        lines.add("## A partition: `alderPartition`");
        lines.add("");
        PartitionKeys.all().forEach(key -> describe(lines, key));
        lines.remove(lines.size() - 1);
        compare(PAGE, lines);
    }

    private static void describe(List<String> lines, Key<?> key) {
        lines.add("### " + key);
        lines.add("");
        wrap(key.text().replaceAll("([<>*|])", "\\\\$1")).forEach(lines::add);
        lines.add("");
        lines.add("- expected: " + (key.isSeveral() ? "any number of lines, each " : "")
                + (key.expected().matches("[a-z].*") ? key.expected() : "`" + key.expected() + "`"));
        lines.add("- default: " + (key.defaults().isEmpty() ? "none" : key.defaults().stream().map(value -> "`" + value + "`")
                .collect(Collectors.joining(", "))));
        if (!key.examples().isEmpty()) {
            lines.add("- example: " + key.examples().stream().map(value -> "`" + key + ": " + value + "`")
                    .collect(Collectors.joining(", ")));
        }
        lines.add("- another value takes effect " + key.effect().words());
        lines.add("- in a [cluster](cluster.md#the-configuration): " + key.holder().words() + (key.level() > FeatureLevel.FIRST ? ", from feature level " + key.level() + " on" : ""));
        lines.add("");
    }

    private static void compare(Path file, List<String> lines) throws IOException {
        String expected = String.join("\n", lines) + "\n";
        if (Boolean.getBoolean("alder.settings.write")) {
            Files.writeString(file, expected);
        }
        assertTrue(file + " is missing", Files.exists(file));
        assertEquals(file + " is not what the table of keys says: make it anew as the comment of this test says", expected,
                Files.readString(file));
    }
}
