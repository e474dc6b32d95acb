package org.alder.server.auth.scheme;

/**
 * One way to keep a password (RFC 2307 5.3: a name in braces before the value). {@link PasswordSchemes} has all there are.
 * Implementations are thread safe.
 */
public interface PasswordScheme {
    /** The name between the braces, upper case. */
    String name();

    /**
     * @param encoded what follows the prefix
     * @return null for what is no hash of this scheme, is damaged, or would take more time or memory than a server can afford:
     *     it matches nothing
     */
    PasswordHash read(byte[] encoded);

    /** Whether what it keeps is what SCRAM needs. */
    default boolean isForScram() {
        return false;
    }
}
