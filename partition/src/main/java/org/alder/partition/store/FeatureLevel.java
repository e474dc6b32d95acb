package org.alder.partition.store;

/**
 * What the members of a cluster may write where others read it: a number that all of them share, so that members with an older build understand those with a newer one while
 * the one build takes the place of the other (docs/cluster-upgrade.md). A level holds for records of the log, segments that others copy, znodes and questions among members. It
 * only grows, when an administrator says so. A server that stands alone writes as {@link #NEWEST} says.
 *
 * <p>What a build writes in another way than those before, or writes newly, begins with a level of its own here, and whoever writes it asks for the level first. Nobody asks for it
 * who reads: a build reads what all levels have that it knows.
 */
public final class FeatureLevel {
    /** As builds wrote that did not know of levels: groups of version 3, their entries in a log of version 1 or 2, segments of version 3, lists of ledgers of version 2. */
    public static final int FIRST = 1;
    /** Segments of version 4, which have their entries coded, and their names in a column; lists of ledgers of version 3, which name the level: builds of before the levels refuse them. */
    public static final int CODED_ENTRIES = 2;
    /** Members that hold some of the logs' stores alone, and ask others for the rest: builds of before answer no questions about what a store holds, and hold all. */
    public static final int PLACED_STORES = 3;
    /** Values that are unique in several logs, entries that are moved from one to another, transactions of several, and copies of other servers in them: builds of before do not ask who writes the others, nor answer it. */
    public static final int ASKED_WRITERS = 4;
    /** That this build knows. */
    public static final int NEWEST = ASKED_WRITERS;

    private FeatureLevel() {
    }

    /** From when on there is something that a cluster has not yet, for people. @param now the level that it has */
    public static String since(int level, int now) {
        return "from feature level " + level + " on, and the cluster has " + now + ": \"cluster upgrade\" raises it when all members have a build that knows it";
    }
}
