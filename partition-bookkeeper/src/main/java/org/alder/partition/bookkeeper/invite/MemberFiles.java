package org.alder.partition.bookkeeper.invite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.Folders;
import org.alder.partition.jdbm.disk.AtomicFile;

/**
 * The files of a new member, by their names below its folder: one after the other, each behind a line {@code file NAME BYTES} (docs/format/invitation.md; do not
 * change without a new version). Immutable.
 */
record MemberFiles(Map<String, byte[]> byName) {
    /** By which the member joins. */
    static final String CLUSTER_FILE = "member.conf";
    /** Relative to that file. */
    static final String KEYS = "keys";
    /** The last one is that by which the member joins: where it is there, so are the others. */
    private static final List<String> NAMES = List.of(KEYS + "/" + MemberKeys.MEMBER_FILE, KEYS + "/" + MemberKeys.AUTHORITY_FILE,
            KEYS + "/" + MemberKeys.PASSWORD_FILE, CLUSTER_FILE);
    private static final Pattern LINE = Pattern.compile("file ([a-z./]{1,32}) ([0-9]{1,6})");

    byte[] text() {
        StringBuilder text = new StringBuilder();
        // Each byte is a character.
        byName.forEach((name, content) -> text.append("file ").append(name).append(' ').append(content.length).append('\n')
                .append(new String(content, StandardCharsets.ISO_8859_1)));
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** @throws StoreException of kind REFUSED, as where a newer build has made it */
    static MemberFiles parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        Map<String, byte[]> files = new LinkedHashMap<>();
        int at = 0;
        while (at < bytes.length) {
            int end = text.indexOf('\n', at);
            Matcher line = LINE.matcher(end < 0 ? "" : text.substring(at, end));
            if (!line.matches() || !NAMES.contains(line.group(1)) || Integer.parseInt(line.group(2)) > bytes.length - end - 1) {
                throw fault("something else at byte " + at);
            }
            at = end + 1 + Integer.parseInt(line.group(2));
            if (files.put(line.group(1), Arrays.copyOfRange(bytes, end + 1, at)) != null) {
                throw fault("a second " + line.group(1));
            }
        }
        if (!files.containsKey(CLUSTER_FILE)) {
            throw fault("no " + CLUSTER_FILE);
        }
        return new MemberFiles(files);
    }

    private static StoreException fault(String found) {
        return new StoreException(StoreException.Kind.REFUSED, "the invitation does not have what this build expects, the files " + NAMES + ", but " + found
                + ": is this the build of the other members?");
    }

    /** For the owner alone, and durably. */
    void write(Path folder) throws IOException {
        for (String name : NAMES) {
            if (byName.containsKey(name)) {
                Path file = folder.resolve(name);
                Folders.create(file.getParent());
                AtomicFile.onDisk().replace(file, byName.get(name));
            }
        }
    }
}
