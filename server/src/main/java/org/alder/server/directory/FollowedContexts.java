package org.alder.server.directory;

import java.util.Map;
import org.alder.partition.dn.Dn;

/** Which naming contexts are copies of another server's, where alone they can be changed. Thread safe. */
@FunctionalInterface
public interface FollowedContexts {
    /** Of a server whose contexts are all its own. */
    FollowedContexts NONE = suffix -> null;

    /** What is known of a copy. */
    interface Copy {
        /** The URL of the server that it is of. */
        String provider();

        /** Whether who wants to change it is referred there, not refused. */
        boolean refers();

        /** How far it is, for the monitor, by the names of attributes. */
        Map<String, String> figures();
    }

    /** Null for a context that is no copy. */
    Copy of(Dn suffix);
}
