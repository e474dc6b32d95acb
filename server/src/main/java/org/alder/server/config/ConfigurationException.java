package org.alder.server.config;

/**
 * A configuration that cannot be used. The message names the file, the entry, the key and the value, and says what was expected.
 */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Kind {
        /** A key that there is not. */
        UNKNOWN_KEY,
        /** A value that is not what its key expects. */
        SYNTAX,
        /** Values that do not go together, or cannot be used here. */
        UNUSABLE
    }

    private final Kind kind;

    public ConfigurationException(String message) {
        this(Kind.UNUSABLE, message);
    }

    ConfigurationException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public ConfigurationException(String message, Throwable cause) {
        super(message, cause);
        this.kind = Kind.UNUSABLE;
    }

    public Kind kind() {
        return kind;
    }
}
