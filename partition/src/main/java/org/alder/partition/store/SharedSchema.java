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

    /** The newest one that is known here; null where there is none. @throws IOException where the cluster does not answer */
    Version newest() throws IOException;

    /** The one that follows a number, or where that is not kept any more the first one that is; null where none does. */
    Version next(long number) throws IOException;

    /**
     * Makes a version, if it is the next one, and this member still leads all partitions that it is behind of, in the epochs that it names:
     * then nobody has written anything since.
     *
     * @return whether it did; else somebody else made another one, or leads
     * @throws IOException where that is not known, as the cluster does not answer
     * @throws org.alder.partition.error.StoreException of kind TOO_LARGE, naming the limit
     */
    boolean publish(Version version) throws IOException;

    /** The version that this member has; 0 where it has none. */
    long adopted();

    /** Told before this member goes by a version: what it writes from now on needs that one. */
    void adopted(long number);

    /** Told why this member cannot go by the next version, null where nothing is in the way: meanwhile no log is applied here. */
    void hindered(String why);
}
