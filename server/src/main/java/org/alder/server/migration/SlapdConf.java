package org.alder.server.migration;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.text.Utf8;

/**
 * Reads slapd.conf (slapd.conf(5)) and the files that it includes: a line that begins with a blank goes on with the one before it, # at
 * the beginning is a comment. What one file may take is bounded, and a file that includes itself is refused. One thread.
 */
final class SlapdConf {
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_LINE_CHARACTERS = 1 << 20;
    private static final int MOST_FILES = 1000;

    private final List<ForeignSetting> settings = new ArrayList<>();
    private final Set<Path> open = new HashSet<>();
    private int files;

    private SlapdConf() {
    }

    static List<ForeignSetting> read(Path file) throws MigrationException {
        SlapdConf conf = new SlapdConf();
        conf.read(file, file.toString());
        return conf.settings;
    }

    /** The text of a file of no more than so many bytes. */
    static String text(Path file) throws MigrationException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new MigrationException(file + ": " + Files.size(file) + " bytes, expected no more than " + MOST_BYTES);
            }
            byte[] bytes = Files.readAllBytes(file);
            for (byte b : bytes) {
                if (b == 0) {
                    throw new MigrationException(file + ": there are NUL bytes in it, expected text");
                }
            }
            return Utf8.decode(bytes);
        } catch (CharacterCodingException e) {
            throw new MigrationException(file + ": it is not UTF-8, expected text", e);
        } catch (IOException e) {
            throw new MigrationException(file + ": cannot be read: " + e, e);
        }
    }

    private void read(Path file, String named) throws MigrationException {
        Path real = real(file);
        if (!open.add(real)) {
            throw new MigrationException(named + ": it includes itself");
        }
        if (++files > MOST_FILES) {
            throw new MigrationException(named + ": more than " + MOST_FILES + " files are included");
        }
        StringBuilder text = new StringBuilder();
        int begin = 0;
        int number = 0;
        for (String line : text(file).split("\r?\n|\r", -1)) {
            number++;
            boolean goesOn = !line.isEmpty() && (line.charAt(0) == ' ' || line.charAt(0) == '\t');
            if (!goesOn) {
                add(file, named, begin, text);
                text.setLength(0);
                begin = number;
            }
            if (text.length() + line.length() > MOST_LINE_CHARACTERS) {
                throw new MigrationException(named + ", line " + begin + ": expected a line of no more than " + MOST_LINE_CHARACTERS + " characters");
            }
            text.append(line);
        }
        add(file, named, begin, text);
        open.remove(real);
    }

    private static Path real(Path file) throws MigrationException {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            throw new MigrationException("there is no file " + file, e);
        }
    }

    private void add(Path file, String named, int line, StringBuilder text) throws MigrationException {
        String whole = text.toString().strip();
        if (whole.isEmpty() || whole.charAt(0) == '#') {
            return;
        }
        int end = 0;
        while (end < whole.length() && !Character.isWhitespace(whole.charAt(end))) {
            end++;
        }
        String rest = whole.substring(end).strip();
        ForeignSetting setting = new ForeignSetting(named, line, whole.substring(0, end), SlapdWords.of(rest), rest);
        if (!setting.name().equals("include")) {
            settings.add(setting);
            return;
        }
        Path included = file.toAbsolutePath().resolveSibling(setting.word(0));
        if (Files.isRegularFile(included)) {
            read(included, included.isAbsolute() && !Path.of(setting.word(0)).isAbsolute() ? file.resolveSibling(setting.word(0)).toString()
                    : included.toString());
        } else {
            settings.add(setting);
        }
    }
}
