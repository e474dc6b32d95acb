package org.alder.partition.store;

import java.io.IOException;
import java.util.Map;

/**
 * The definitions that clients added, the same on all members of a cluster: versions, each of which has all definitions, one after another.
 * A member has one of them, and the logs wait where they go on with a later one. Thread safe.
 */
public interface SharedSchema {
    /**
     * One of them.
     *
     * @param number      from 1, without gaps
     * @param behind      where the logs of partitions stood when it was made: what is before was written by the version before
     * @param definitions as a file of definitions that were added over LDAP (docs/format/online-schema.md)
     */
    record Version(long number, Map<String, Position> behind, byte[] definitions) {
    }

    /**
     * Of a log.
     *
     * @param epoch    of its leader
     * @param sequence its last transaction
     */
    record Position(long epoch, long sequence) {
    }

    /**
     * Whom a member has hold updates while it makes a version.
     *
     * @param turn    what {@link #turn} was before anybody was asked
     * @param leaders of the partitions that others lead, by the names of these; the other ones the member leads itself
     */
    record Held(long turn, Map<String, String> leaders) {
        /** A member that leads all partitions asks nobody. */
        public static final Held ALONE = new Held(-1, Map.of());
    }

    /** The newest one that is known here; null where there is none. @throws IOException where the cluster does not answer */
    Version newest() throws IOException;

    /** The one that follows a number, or where that is not kept any more the first one that is; null where none does. */
    Version next(long number) throws IOException;

    /**
     * Makes a version, if it is the next one, the turn has not ended, and those still lead the partitions that it is behind of who are said to, in the
     * epochs that it names: then nobody has written anything since.
     *
     * @return whether it did; else somebody else made another one, or leads, or has ended the turn
     * @throws IOException where that is not known, as the cluster does not answer
     * @throws org.alder.partition.error.StoreException of kind TOO_LARGE, naming the limit
     */
    boolean publish(Version version, Held held) throws IOException;

    /** The same by a member that leads all partitions. */
    default boolean publish(Version version) throws IOException {
        return publish(version, Held.ALONE);
    }

    /** Counts those who have waited for a version in vain. A number that is too low, as one may be that has just changed, makes no version. */
    long turn() throws IOException;

    /** When this returns no version is made in a turn any more, and {@link #newest} tells one that was. @throws IOException where that is not known */
    void endTurn(long turn) throws IOException;

    /** The version that this member has; 0 where it has none. */
    long adopted();

    /** Told when this member goes by a version, before it writes anything by it: what it writes from now on needs that one, and what does is applied. */
    void adopted(long number);

    /** Told why this member cannot go by the next version, null where nothing is in the way: meanwhile no log is applied here. */
    void hindered(String why);
}
