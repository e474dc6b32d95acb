package org.alder.server.config;

/** What a client may read that has not bound. */
public enum AnonymousAccess {
    /** The root DSE and the subschema subentry only. */
    ROOT_DSE,
    /** Every entry, but no password. */
    ALL
}
