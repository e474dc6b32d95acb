package org.alder.server.migration;

/** A configuration of another server that cannot be read. The message names file and line, what was found and what was expected. */
public final class MigrationException extends Exception {
    private static final long serialVersionUID = 1L;

    MigrationException(String message) {
        super(message);
    }

    MigrationException(String message, Throwable cause) {
        super(message, cause);
    }
}
