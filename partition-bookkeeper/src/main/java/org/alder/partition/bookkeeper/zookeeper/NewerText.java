package org.alder.partition.bookkeeper.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.error.StoreException;

/** What newer builds wrote into znodes, whose first line is a word and the number of a version. Stateless. */
public final class NewerText {
    private static final Pattern FIRST_LINE = Pattern.compile("([a-z-]+) ([0-9]{1,9})");

    private NewerText() {
    }

    /**
     * For a text that is not as expected.
     *
     * @param expected the first line of the version that this build reads
     * @throws StoreException of kind REFUSED, naming both versions, where the text is of a later one
     */
    public static void refuse(byte[] text, String expected, String path) {
        Matcher found = FIRST_LINE.matcher(new String(text, StandardCharsets.US_ASCII).lines().findFirst().orElse(""));
        Matcher own = FIRST_LINE.matcher(expected);
        if (found.matches() && own.matches() && found.group(1).equals(own.group(1)) && Integer.parseInt(found.group(2)) > Integer.parseInt(own.group(2))) {
            throw new StoreException(StoreException.Kind.REFUSED, "znode " + path + " has version " + found.group(2) + " of " + own.group(1)
                    + ", which a newer build of Alder wrote; this one reads up to version " + own.group(2) + ": start this member with the newer build");
        }
    }
}
