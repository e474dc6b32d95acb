package org.alder.partition.bookkeeper.bookie;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which bookie a member's disk holds. One whose disk was wiped must not come back under its name: asked for an entry that it had, it would answer that there
 * never was one, and whoever ends a ledger would leave out what was acknowledged. So it gets a number that nobody had, and the old one stays away for ever.
 * Stateless.
 */
public final class BookieDisk {
    private static final Logger LOG = LoggerFactory.getLogger(BookieDisk.class);
    private static final int LIMIT_MILLIS = 120_000;
    private static final int MOST_BYTES = 64 << 10;
    /** In BookKeeper's cookie, which is text. */
    private static final Pattern OWN = Pattern.compile("(?m)^bookieHost: \"([^\"\\n]{1,255})\"$");

    private BookieDisk() {
    }

    /**
     * The number under which a member's bookie starts, by its folder and ZooKeeper.
     *
     * @throws StoreException of kind REFUSED where the folder is that of a bookie which was replaced, or a part of it is gone
     */
    public static int number(Path folder, String member, ZooKeeperSession session) throws IOException {
        Deadline deadline = Deadline.in(LIMIT_MILLIS);
        BookieNodes nodes = new BookieNodes(session);
        nodes.isBack(member, deadline);
        String journal = idIn(folder.resolve("journal"));
        String ledgers = idIn(folder.resolve("ledgers"));
        if (journal == null && ledgers == null) {
            int number = nodes.draw(member, deadline);
            if (number > 1) {
                LOG.warn("The bookie of {} has lost what was in {}: it comes back empty, as {}, and what it lacks is copied from the others", member, folder,
                        BookieNodes.id(member, number));
            }
            return number;
        }
        if (journal == null || !journal.equals(ledgers)) {
            throw new StoreException(StoreException.Kind.REFUSED, "a part of the bookie in " + folder + " is gone: journal is that of " + journal + ", ledgers"
                    + " that of " + ledgers + ". Where what is missing does not come back, move the folder away and start again: a bookie comes back empty then,"
                    + " and what it lacks is copied from the others");
        }
        int number = nodes.confirm(member, number(journal, member, folder), deadline);
        if (!journal.equals(BookieNodes.id(member, number))) {
            throw new StoreException(StoreException.Kind.REFUSED, folder + " is that of the bookie " + journal + ", in whose place " + BookieNodes.id(member, number)
                    + " came since then, as where a disk was not mounted at an earlier start. Bring back the folder of that one, or move this one away and start"
                    + " again: a bookie comes back empty then, and what it lacks is copied from the others");
        }
        return number;
    }

    /** Whether a folder is that of a bookie, and whole. */
    static boolean isOf(Path folder, String id) throws IOException {
        return id.equals(idIn(folder.resolve("journal"))) && id.equals(idIn(folder.resolve("ledgers")));
    }

    private static int number(String id, String member, Path folder) {
        String number = id.startsWith(member + ".") ? id.substring(member.length() + 1) : id.equals(member) ? "1" : "";
        if (!number.matches("[1-9][0-9]{0,8}")) {
            throw new StoreException(StoreException.Kind.REFUSED, folder + " is that of the bookie " + id + ", not of the member " + member);
        }
        return Integer.parseInt(number);
    }

    /** Null where a folder is not that of a bookie. */
    private static String idIn(Path folder) throws IOException {
        Path cookie = folder.resolve("current").resolve("VERSION");
        if (!Files.isRegularFile(cookie)) {
            return null;
        }
        Matcher own = Files.size(cookie) > MOST_BYTES ? null : OWN.matcher(Files.readString(cookie, StandardCharsets.ISO_8859_1));
        if (own == null || !own.find()) {
            throw new StoreException(StoreException.Kind.CORRUPT, cookie + " does not name the bookie whose it is: expected a line bookieHost: \"NAME\"");
        }
        return own.group(1);
    }
}
