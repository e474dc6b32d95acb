package org.alder.partition.store;

import java.io.IOException;

/**
 * What all members of a cluster are configured with alike: versions, each of which has all of it, one after another. Any member makes them.
 * Thread safe.
 */
public interface SharedConfiguration {
    /**
     * One of them.
     *
     * @param number   from 1, without gaps
     * @param by       the member that made it
     * @param settings in the form of a configuration file (docs/format/replicated-log.md)
     */
    record Version(long number, String by, byte[] settings) {
    }

    /** The newest one; null where there is none. @throws IOException where the cluster does not answer */
    Version newest() throws IOException;

    /** The one that follows a number, or where that is not kept any more the first one that is; null where none does. */
    Version next(long number) throws IOException;

    /**
     * Makes a version, if it is the next one.
     *
     * @return whether it did; else somebody else made another one
     * @throws IOException where that is not known, as the cluster does not answer
     * @throws org.alder.partition.error.StoreException of kind TOO_LARGE, naming the limit
     */
    boolean publish(Version version) throws IOException;

    /** Told why this member cannot go by a version, null where nothing is in the way: others are told. */
    void hindered(String why);
}
