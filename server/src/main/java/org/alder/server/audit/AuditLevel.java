package org.alder.server.audit;

/** How much the audit log is told; each has what those before it have. */
public enum AuditLevel {
    /** Nothing: there is no audit log. */
    OFF,
    /** Logins, what was denied, what password policies do, and how the server is set up. */
    SECURITY,
    /** Each update, too. */
    WRITES,
    /** Each request. */
    ALL
}
