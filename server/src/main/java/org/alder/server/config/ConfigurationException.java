package org.alder.server.config;

/**
 * A configuration that cannot be used. The message names the file, the entry, the key and the value, and says what was expected.
 */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    public ConfigurationException(String message) {
        super(message);
    }

    public ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
