package org.alder.server.audit;

import java.nio.file.Path;

/**
 * Where lines of a log stand, and how many of them. Immutable.
 *
 * @param file that lines are appended to; older ones stand beside it
 * @param fileBytes size at which the next file is begun
 * @param fileHours age at which the next file is begun; 0 = never
 * @param filesKept older files that stay; 0 = all
 */
public record LogFiles(Path file, long fileBytes, int fileHours, int filesKept) {
}
