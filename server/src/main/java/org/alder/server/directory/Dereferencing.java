package org.alder.server.directory;

/** When a search goes from an alias to what it stands for (RFC 4511 4.5.1.3). */
public enum Dereferencing {
    NEVER, IN_SEARCHING, FINDING_BASE, ALWAYS;

    /** @return null if there is no such code */
    public static Dereferencing ofCode(int code) {
        return code < 0 || code >= values().length ? null : values()[code];
    }

    public boolean inSearching() {
        return this == IN_SEARCHING || this == ALWAYS;
    }

    public boolean findingBase() {
        return this == FINDING_BASE || this == ALWAYS;
    }
}
