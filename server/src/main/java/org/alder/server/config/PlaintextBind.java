package org.alder.server.config;

/** Whose passwords are taken in clear. */
public enum PlaintextBind {
    /** Of clients on this machine. */
    LOCAL,
    ALL
}
