package org.alder.server.auth;

/** One way to keep a password (RFC 2307 5.3: a name in braces before the hashed value). Implementations are thread safe. */
public interface PasswordScheme {
    /** The name between the braces, upper case; empty for clear text. */
    String name();

    /** The value to store: the prefix in braces included. */
    byte[] encode(byte[] password);

    /**
     * Takes a time that does not depend on where the two differ.
     *
     * @param encoded what follows the prefix
     */
    boolean matches(byte[] password, byte[] encoded);
}
