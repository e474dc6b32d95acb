package org.alder.server.wire;

/** Whose passwords are taken on a connection that nothing protects. */
public enum PlaintextBind {
    NONE,
    /** Of clients on this machine. */
    LOCAL,
    ALL
}
