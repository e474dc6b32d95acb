package org.alder.server.audit;

/** What a request asks for, as the audit log tells it. Immutable. */
public interface AuditedRequest {
    /** From which level on it is told, whatever comes of it. */
    AuditLevel level();

    /** Writes what is asked for. On the thread of the audit log, which has time. */
    void describe(AuditLine line);
}
