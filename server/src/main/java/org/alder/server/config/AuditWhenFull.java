package org.alder.server.config;

/** What becomes of events for which the audit log has no room. */
public enum AuditWhenFull {
    DROP, BLOCK
}
