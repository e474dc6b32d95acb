package org.alder.server.assembly;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alder.partition.file.FileReplacement;
import org.alder.partition.file.Folders;
import org.alder.partition.text.Utf8;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ConfigurationText;
import org.alder.server.config.ServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration that a data folder has of its own, config.ldif, and in config-history what it was before each of the last
 * {@value #MOST_KEPT} changes: files of the same form, numbered, whose first line says of the change when it was made, by whom, and
 * what it was. The history is written first, so that a crash leaves the configuration as it was or as it became, whole, and at most a
 * piece of history that says what is there anyway. Used by one thread at a time.
 */
public final class StoredConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(StoredConfiguration.class);
    static final int MOST_KEPT = 50;
    /** Of what is read into memory when a server starts, and shown to whoever asks. */
    private static final int MOST_BYTES = 4 << 20;
    private static final int MOST_SUMMARY = 500;
    private static final Pattern PAST_NAME = Pattern.compile("([0-9]{1,9})\\.ldif");
    private static final String HEAD = "# The configuration of this data folder. The server writes this file: use bin/alder config, or modify"
            + " cn=config over LDAP.\n";

    private final DataFolder data;
    private final Path file;
    private final Path history;
    private final FileReplacement files;

    /**
     * What the configuration was once.
     *
     * @param summary of the change that ended it: its number, when it was made, by whom, and what it was
     */
    public record Past(int number, String summary, Path file) {
    }

    public StoredConfiguration(DataFolder data) {
        this(data, data.files());
    }

    /** @param files writes them */
    public StoredConfiguration(DataFolder data, FileReplacement files) {
        this.data = data;
        this.file = data.configuration();
        this.history = data.configurationHistory();
        this.files = files;
    }

    DataFolder data() {
        return data;
    }

    /** Whether the folder has one. */
    public boolean exists() {
        return Files.exists(file);
    }

    /** @throws ConfigurationException naming file and line, if there is none or it cannot be read */
    public ConfigurationText read() throws ConfigurationException {
        return ConfigurationReader.text(file);
    }

    /** What a verb goes by, and whether it is another one than the folder has. @param source where it was said; null if the folder said it */
    public record Chosen(ConfigurationText text, Path source) {
    }

    /**
     * What a verb goes by: the folder's own configuration, unless it is given a file that says something else than the one that the
     * folder's was taken from. Without a file that is the installation's, if the folder has none, or took that.
     *
     * @param given null for none
     * @throws ConfigurationException naming file and line
     */
    public Chosen choose(Path given) throws ConfigurationException, IOException {
        String origin = data.lastConfiguration();
        Path source = given;
        if (given == null && !exists() && origin != null && Files.exists(Path.of(origin))) {
            source = Path.of(origin);
        } else if (given == null && (!exists() || DataFolder.installedConfiguration().toAbsolutePath().normalize().toString().equals(origin))) {
            source = DataFolder.installedConfiguration();
        }
        ConfigurationText text = source == null ? null : ConfigurationReader.text(source);
        if (text != null && source.equals(DataFolder.installedConfiguration())) {
            // It says what every default is, which is nothing to hold on to.
            text = text.withoutDefaults();
        }
        if (text == null || exists() && text.fingerprint().equals(data.lastConfigurationFingerprint())) {
            return new Chosen(read(), null);
        }
        return new Chosen(text, source);
    }

    /** Makes what was chosen the folder's own, if it was said elsewhere; says in the log what of it is new. */
    public void take(Chosen chosen) throws ConfigurationException, IOException {
        if (chosen.source() == null) {
            return;
        }
        ConfigurationText said = chosen.text().with(List.of());
        ServerConfiguration taken = said.absolute().configuration();
        if (!exists()) {
            replace(taken.ldif());
        } else {
            replaceDiffering(chosen.source(), taken);
        }
        data.rememberConfiguration(chosen.source(), said.fingerprint());
    }

    private void replaceDiffering(Path source, ServerConfiguration taken) throws ConfigurationException, IOException {
        ServerConfiguration had;
        try {
            had = read().configuration();
        } catch (ConfigurationException e) {
            Path damaged = file.resolveSibling(file.getFileName() + ".damaged");
            LOG.warn("{}; {} goes before it, and it is kept as {}", e.getMessage(), source, damaged);
            files.replace(damaged, Files.readAllBytes(file));
            replace(taken.ldif());
            return;
        }
        Map<String, List<String>> differences = had.differences(taken);
        if (differences.isEmpty()) {
            return;
        }
        LOG.info("{} goes before what {} said up to now: {}", source, file, differences);
        change(had.ldif(), taken.ldif(), Instant.now().truncatedTo(ChronoUnit.SECONDS) + " a start with " + source + ": " + differences);
    }

    /**
     * Nobody has changed the file by other means than this class: what they changed would be lost.
     *
     * @param expected what it says as far as the server knows
     * @throws ConfigurationException if it says something else, or cannot be read
     */
    void requireUnchanged(ConfigurationText expected) throws ConfigurationException {
        if (exists() && !read().fingerprint().equals(expected.fingerprint())) {
            throw new ConfigurationException(file + " says something else than the server goes by: somebody has changed the file, which the"
                    + " next start takes; expected the file as it was");
        }
    }

    /** The newest change first. */
    public List<Past> history() throws IOException {
        List<Past> all = new ArrayList<>();
        if (Files.isDirectory(history)) {
            try (Stream<Path> each = Files.list(history)) {
                for (Path path : each.toList()) {
                    Matcher name = PAST_NAME.matcher(path.getFileName().toString());
                    if (name.matches()) {
                        all.add(new Past(Integer.parseInt(name.group(1)), summary(path), path));
                    }
                }
            }
        }
        all.sort(Comparator.comparingInt(Past::number).reversed());
        return all;
    }

    /** The name of the file where it does not say what it is: one that is damaged keeps no server from starting. */
    private static String summary(Path past) {
        String name = past.getFileName().toString();
        try (InputStream in = Files.newInputStream(past)) {
            String line = Utf8.shown(in.readNBytes(2 + 4 * MOST_SUMMARY)).lines().findFirst().orElse("");
            return line.startsWith("# ") ? line.substring(2) : name;
        } catch (IOException e) {
            LOG.warn("a former configuration cannot be read: {}", e.toString());
            return name;
        }
    }

    /** What the configuration was before that change. */
    public ConfigurationText before(Past past) throws ConfigurationException {
        ConfigurationText text = ConfigurationReader.text(past.file());
        return text.in(file.toAbsolutePath().getParent());
    }

    /**
     * Puts another one in its place, durably.
     *
     * @param before  what it says now
     * @param after   what it says then
     * @param summary of the change: when, by whom, what
     * @throws IOException after which it is as it was, unless the message says that it could not be put back
     * @throws ConfigurationException if it is too large
     */
    public void change(byte[] before, byte[] after, String summary) throws IOException, ConfigurationException {
        if (after.length > MOST_BYTES) {
            throw new ConfigurationException("the configuration would have " + after.length + " bytes, expected at most " + MOST_BYTES);
        }
        List<Past> known = history();
        int number = known.isEmpty() ? 1 : known.get(0).number() + 1;
        Path past = history.resolve(number + ".ldif");
        Folders.create(history);
        String shown = number + " " + Utf8.shown(summary.getBytes(StandardCharsets.UTF_8)).replaceAll("[\\r\\n]", " ");
        try {
            files.replace(past, join("# " + (shown.length() > MOST_SUMMARY ? shown.substring(0, MOST_SUMMARY) + "..." : shown) + "\n", before));
            replace(after);
        } catch (IOException e) {
            Files.deleteIfExists(past);
            throw e;
        }
        known.subList(Math.min(known.size(), MOST_KEPT - 1), known.size()).forEach(StoredConfiguration::forget);
    }

    /** The configuration is another one already: this must not fail. */
    private static void forget(Past past) {
        try {
            Files.deleteIfExists(past.file());
        } catch (IOException e) {
            LOG.warn("a former configuration cannot be removed, and stays in the history: {}", e.toString());
        }
    }

    /** Takes the newest change back, and forgets it. @param content what the configuration was before it */
    public void undo(Past newest, byte[] content) throws IOException {
        replace(content);
        forget(newest);
    }

    private void replace(byte[] content) throws IOException {
        byte[] before = exists() ? Files.readAllBytes(file) : null;
        try {
            files.replace(file, join(HEAD, content));
        } catch (IOException e) {
            if (before != null && !files.putBack(file, before, e)) {
                throw new IOException(e.getMessage() + "; nor can it be put back, and the next start may find the change in " + file, e);
            }
            throw e;
        }
    }

    private static byte[] join(String line, byte[] content) {
        byte[] head = line.getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[head.length + content.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(content, 0, all, head.length, content.length);
        return all;
    }
}
