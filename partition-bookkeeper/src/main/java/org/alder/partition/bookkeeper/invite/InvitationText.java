package org.alder.partition.bookkeeper.invite;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.error.StoreException;

/**
 * The znode of an invitation (docs/format/invitation.md; do not change without a new version).
 *
 * @param member the name of who is invited
 * @param asker  what it was given to, 16 bytes; null where nobody has asked
 */
record InvitationText(String member, byte[] asker, byte[] sealed) {
    private static final String END = "sealed\n";
    private static final Pattern HEAD = Pattern.compile("alder-invitation 1\nmember ([A-Za-z0-9-]{1,32})\nasker ([0-9a-f]{32}|-)\n");

    byte[] bytes() {
        byte[] head = ("alder-invitation 1\nmember " + member + "\nasker " + (asker == null ? "-" : HexFormat.of().formatHex(asker)) + '\n' + END)
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(head, head.length + sealed.length);
        System.arraycopy(sealed, 0, all, head.length, sealed.length);
        return all;
    }

    /** @throws StoreException of kind CORRUPT, or REFUSED where a newer build wrote it, naming the znode */
    static InvitationText parse(byte[] bytes, String path) {
        // Each byte is a character, so that places in one are those in the other.
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\n' + END);
        Matcher head = HEAD.matcher(end < 0 ? "" : text.substring(0, end + 1));
        if (!head.matches()) {
            NewerText.refuse(bytes, "alder-invitation 1", path);
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + path + " is not that of an invitation: expected \"alder-invitation 1\", the lines member"
                    + " and asker, and sealed");
        }
        byte[] asker = head.group(2).equals("-") ? null : HexFormat.of().parseHex(head.group(2));
        return new InvitationText(head.group(1), asker, Arrays.copyOfRange(bytes, end + 1 + END.length(), bytes.length));
    }
}
