package org.alder.partition.bookkeeper.election;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;

/**
 * What a member of a cluster tells the others of itself, about once a second, in a znode that goes when it does
 * (docs/format/replicated-log.md; do not change without a new version). Immutable.
 *
 * @param url      where it answers clients
 * @param role     of its store
 * @param epoch    the newest of the log that it knows
 * @param sequence the last transaction that its store shows
 * @param problem  why it applies nothing, or does not go by what the others go by, in one line; "-" where nothing is wrong
 */
public record MemberState(String url, Replica.Role role, long epoch, long sequence, String problem) {
    private static final int MOST_PROBLEM = 1000;
    private static final Pattern URL = Pattern.compile("[!-~]{1,255}");
    private static final Pattern TEXT = Pattern.compile("alder-member 1\nurl ([!-~]{1,255})\nrole (LEADER|REPLICA|FAILED) epoch ([0-9]{1,18}) "
            + "sequence ([0-9]{1,18})\nproblem ([^\n]{1,1000})\n");

    public MemberState {
        if (!URL.matcher(url).matches()) {
            throw new IllegalArgumentException("a URL of other than 1 to 255 printable ASCII characters: " + url);
        }
        problem = oneLine(problem);
    }

    private static String oneLine(String text) {
        String line = text == null || text.isBlank() ? "-" : text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() > MOST_PROBLEM ? line.substring(0, MOST_PROBLEM) : line;
    }

    byte[] bytes() {
        return ("alder-member 1\nurl " + url + "\nrole " + role + " epoch " + epoch + " sequence " + sequence + "\nproblem " + problem + '\n')
                .getBytes(StandardCharsets.UTF_8);
    }

    /** @throws StoreException of kind CORRUPT, naming the znode */
    public static MemberState parse(byte[] bytes, String path) {
        Matcher text = TEXT.matcher(new String(bytes, StandardCharsets.UTF_8));
        if (!text.matches()) {
            NewerText.refuse(bytes, "alder-member 1", path);
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + path + " is not that of a member: expected \"alder-member 1\" and "
                    + "the lines url, role and problem");
        }
        return new MemberState(text.group(1), Replica.Role.valueOf(text.group(2)), Long.parseLong(text.group(3)), Long.parseLong(text.group(4)),
                text.group(5));
    }
}
