package org.alder.server.tls;

import java.nio.file.Path;

/** A file of keys, certificates or revocations that cannot be used. The message names the file, and says what was expected. */
public final class TlsFileException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Path file;

    TlsFileException(Path file, String problem) {
        this(file, problem, null);
    }

    TlsFileException(Path file, String problem, Throwable cause) {
        super(file + ": " + problem, cause);
        this.file = file;
    }

    /** Which one it is. */
    public Path file() {
        return file;
    }
}
