package org.alder.partition.bookkeeper.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SharedConfiguration.Version;

/** The znode of a version of the configuration (docs/format/replicated-log.md; do not change without a new version). Stateless. */
final class ConfigurationVersionText {
    private static final String END = "settings\n";
    private static final Pattern HEAD = Pattern.compile("alder-configuration-version 1\nnumber ([0-9]{1,10})\nby ([!-~]{1,255})\n");

    private ConfigurationVersionText() {
    }

    static byte[] bytes(Version version) {
        byte[] head = ("alder-configuration-version 1\nnumber " + version.number() + "\nby " + version.by() + '\n' + END).getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(head, head.length + version.settings().length);
        System.arraycopy(version.settings(), 0, all, head.length, version.settings().length);
        return all;
    }

    /** @throws StoreException of kind CORRUPT, or REFUSED where a newer build wrote it, naming the znode */
    static Version parse(byte[] bytes, String path) {
        // Each byte is a character, so that places in one are those in the other.
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\n' + END);
        Matcher head = HEAD.matcher(end < 0 ? "" : text.substring(0, end + 1));
        if (!head.matches()) {
            NewerText.refuse(bytes, "alder-configuration-version 1", path);
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + path + " is not that of a version of the configuration: expected "
                    + "\"alder-configuration-version 1\", the lines number and by, and settings");
        }
        return new Version(Long.parseLong(head.group(1)), head.group(2), Arrays.copyOfRange(bytes, end + 1 + END.length(), bytes.length));
    }
}
