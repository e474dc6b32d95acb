package org.alder.partition.bookkeeper.level;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.store.ClusterService.Build;

/**
 * Which build each member has been started with last, and, below the znode of each log, those that are here now, for as long as their sessions are
 * (docs/format/replicated-log.md; do not change without a new version). Stateless.
 */
public final class BuildNodes {
    private static final String FOLDER = "/alder/builds";
    private static final Pattern TEXT = Pattern.compile("alder-build 1\nbuild ([^\n]{1,100})\nlevels ([1-9][0-9]{0,8}) to ([1-9][0-9]{0,8})\n");
    private static final int MOST_NAME = 100;

    private BuildNodes() {
    }

    static String node(String member) {
        return FOLDER + "/" + member;
    }

    /** Below this are those that are here now, by the names of the members. @param log the path of its znode */
    public static String here(String log) {
        return log + "/builds";
    }

    public static byte[] bytes(Build build) {
        return ("alder-build 1\nbuild " + name(build) + "\nlevels " + build.oldestLevel() + " to " + build.newestLevel() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** In one line of at most 100 characters. */
    static String name(Build build) {
        String name = build.name().replaceAll("\\p{Cntrl}", "?");
        return name.substring(0, Math.min(name.length(), MOST_NAME));
    }

    /** Null where there is none, or none that can be read, as a later build may have written it. */
    private static Build parse(byte[] content) {
        Matcher text = TEXT.matcher(content == null ? "" : new String(content, StandardCharsets.UTF_8));
        return text.matches() ? new Build(text.group(1), Integer.parseInt(text.group(2)), Integer.parseInt(text.group(3))) : null;
    }

    /** That a member was started with last; null where it has told none. */
    public static Build last(ZooKeeperSession session, String member, Deadline deadline) throws IOException {
        return parse(session.watched(node(member), deadline));
    }

    /** That a member runs which stands for election in a log now; null where it tells none. */
    public static Build running(ZooKeeperSession session, String log, String member, Deadline deadline) throws IOException {
        return parse(session.watched(here(log) + "/" + member, deadline));
    }

    /** Of a member that was removed. */
    public static void remove(ZooKeeperSession session, String member, Deadline deadline) throws IOException {
        session.remove(node(member), deadline);
    }
}
