package org.alder.server.audit;

import java.nio.file.Path;

/**
 * What is audited, and where to. Immutable.
 *
 * @param file that lines are appended to; older ones stand beside it
 * @param fileBytes size at which the next file is begun
 * @param fileHours age at which the next file is begun; 0 = never
 * @param filesKept older files that stay; 0 = all
 * @param block whether requests wait while lines cannot be written; else lines are lost, and counted
 */
public record AuditSettings(AuditLevel level, Path file, long fileBytes, int fileHours, int filesKept, boolean block) {
    /** No audit log. */
    public static final AuditSettings OFF = new AuditSettings(AuditLevel.OFF, Path.of("audit.jsonl"), 1, 0, 0, false);
}
