package org.alder.server.auth;

/**
 * How passwords are hashed and checked. Immutable.
 *
 * @param threads that do nothing else
 * @param mostWaiting requests that wait for them
 */
public record PasswordSettings(int threads, int mostWaiting) {
    public static final PasswordSettings STANDARD =
            new PasswordSettings(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), 1000);

    public PasswordSettings withThreads(int other) {
        return new PasswordSettings(other, mostWaiting);
    }

    public PasswordSettings withMostWaiting(int other) {
        return new PasswordSettings(threads, other);
    }
}
