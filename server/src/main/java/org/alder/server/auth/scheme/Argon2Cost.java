package org.alder.server.auth.scheme;

/**
 * What one Argon2 hash takes (RFC 9106 3.1). Immutable.
 *
 * @param kibibytes of memory
 * @param passes over it
 * @param lanes that could be worked on at once; here they are worked on one after the other
 */
public record Argon2Cost(int kibibytes, int passes, int lanes) {
    /** The first of the choices that OWASP's cheat sheet on password storage gives. */
    public static final Argon2Cost STANDARD = new Argon2Cost(19 << 10, 2, 1);

    private static final int LEAST_KIBIBYTES_OF_LANE = 8;
    private static final int MOST_LANES = 255;

    /** The most memory that a server with this heap lends to a hash. */
    public static int mostKibibytes() {
        return HashMemory.mostKibibytes();
    }

    /** Whether Argon2 is defined for it. */
    public boolean isPossible() {
        return passes >= 1 && lanes >= 1 && lanes <= MOST_LANES && kibibytes >= LEAST_KIBIBYTES_OF_LANE * lanes;
    }
}
