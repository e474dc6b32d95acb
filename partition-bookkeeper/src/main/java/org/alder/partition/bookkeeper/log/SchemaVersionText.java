package org.alder.partition.bookkeeper.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SharedSchema.Position;
import org.alder.partition.store.SharedSchema.Version;

/** The znode of a version of the schema (docs/format/replicated-log.md; do not change without a new version). Stateless. */
final class SchemaVersionText {
    private static final String END = "definitions\n";
    private static final Pattern HEAD = Pattern.compile("alder-schema-version 1\nnumber ([0-9]{1,10})\n((?:behind [0-9]{1,18} [0-9]{1,18} [^\n]{1,255}\n){0,4096})");
    private static final Pattern BEHIND = Pattern.compile("behind ([0-9]+) ([0-9]+) ([^\n]+)\n");

    private SchemaVersionText() {
    }

    static byte[] bytes(Version version) {
        StringBuilder head = new StringBuilder("alder-schema-version 1\nnumber " + version.number() + '\n');
        new TreeMap<>(version.behind()).forEach((log, at) -> head.append("behind ").append(at.epoch()).append(' ').append(at.sequence()).append(' ')
                .append(log).append('\n'));
        byte[] before = head.append(END).toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(before, before.length + version.definitions().length);
        System.arraycopy(version.definitions(), 0, all, before.length, version.definitions().length);
        return all;
    }

    /** @throws StoreException of kind CORRUPT, naming the znode */
    static Version parse(byte[] bytes, String path) {
        // Each byte is a character, so that places in one are those in the other.
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\n' + END);
        Matcher head = HEAD.matcher(end < 0 ? "" : new String(bytes, 0, end + 1, StandardCharsets.UTF_8));
        if (!head.matches()) {
            NewerText.refuse(bytes, "alder-schema-version 1", path);
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + path + " is not that of a version of the schema: expected "
                    + "\"alder-schema-version 1\", the lines number and behind, and definitions");
        }
        Map<String, Position> behind = new TreeMap<>();
        for (Matcher line = BEHIND.matcher(head.group(2)); line.find();) {
            behind.put(line.group(3), new Position(Long.parseLong(line.group(1)), Long.parseLong(line.group(2))));
        }
        return new Version(Long.parseLong(head.group(1)), behind, Arrays.copyOfRange(bytes, end + 1 + END.length(), bytes.length));
    }
}
