package org.alder.server.directory;

/** Which entries a search returns, subentries being the ones that hold what is about a subtree (RFC 3672 1 and 3). */
public enum Visibility {
    /** Without the subentries control: subentries are found as the base entry only. */
    BY_SCOPE,
    /** No subentries. */
    ENTRIES,
    /** Subentries and nothing else. */
    SUBENTRIES
}
