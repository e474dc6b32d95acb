package org.alder.server.audit;

import java.nio.file.Path;

/**
 * What is audited, and where to. Immutable.
 *
 * @param block whether requests wait while lines cannot be written; else lines are lost, and counted
 */
public record AuditSettings(AuditLevel level, LogFiles files, boolean block) {
    /** No audit log. */
    public static final AuditSettings OFF = new AuditSettings(AuditLevel.OFF, new LogFiles(Path.of("audit.jsonl"), 1, 0, 0), false);
}
