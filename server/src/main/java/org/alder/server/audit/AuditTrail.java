package org.alder.server.audit;

/**
 * Where it is told what happens while a request is answered that whoever runs the server has to know of, though the client does not:
 * each becomes a line of its own in the audit log, with who it was and which request. Thread safe, never fails.
 */
@FunctionalInterface
public interface AuditTrail {
    /** Tells nobody. */
    AuditTrail NONE = (kind, event, target, detail) -> { };

    /** What an event is about. */
    enum Kind {
        /** What a password policy does: locks, expires, refuses a password. */
        POLICY,
        /** What an identity asked for and may not do, or know of. */
        DENIAL,
        /** How the server is set up: its start and its end, its schema, its rules. */
        CONFIGURATION
    }

    /**
     * Tells one event.
     *
     * @param event what it is in one word, such as {@code accountLocked}
     * @param target the DN that it is about; null for none
     * @param detail for whoever reads it, without secrets; null for none
     */
    void tell(Kind kind, String event, String target, String detail);
}
