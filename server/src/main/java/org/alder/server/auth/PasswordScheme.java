package org.alder.server.auth;

/**
 * One way to keep a password (RFC 2307 5.3: a name in braces before the value). {@link PasswordSchemes} has all there are.
 * Implementations are thread safe.
 */
interface PasswordScheme {
    /** The name between the braces, upper case. */
    String name();

    /** The value to store: the prefix in braces included. */
    byte[] encode(byte[] password);

    /**
     * Takes a time that does not depend on where the two differ. What cannot be read matches nothing.
     *
     * @param encoded what follows the prefix
     */
    boolean matches(byte[] password, byte[] encoded);
}
