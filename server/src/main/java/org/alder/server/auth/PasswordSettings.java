package org.alder.server.auth;

import org.alder.server.auth.scheme.Argon2Cost;

/**
 * How passwords are hashed and checked. Immutable.
 *
 * @param threads that do nothing else
 * @param mostWaiting requests that wait for them
 * @param scheme of new passwords
 * @param argon2 what a hash of Argon2id takes
 * @param pbkdf2Rounds of PBKDF2, also in SCRAM
 * @param upgrade whether a weaker hash is replaced when its user has logged in
 * @param readyHashes who may store hashes
 */
public record PasswordSettings(int threads, int mostWaiting, NewPasswordScheme scheme, Argon2Cost argon2, int pbkdf2Rounds,
                               boolean upgrade, ReadyHashes readyHashes) {
    public static final PasswordSettings STANDARD = new PasswordSettings(
            Math.max(1, Runtime.getRuntime().availableProcessors() / 2), 1000, NewPasswordScheme.ARGON2ID, Argon2Cost.STANDARD,
            210_000, true, ReadyHashes.ADMINISTRATOR);

    /** Rounds of SCRAM: Cyrus SASL's clients, ldapsearch among them, refuse more. */
    int scramRounds() {
        return Math.min(pbkdf2Rounds, 1 << 16);
    }

    public PasswordSettings withThreads(int other) {
        return new PasswordSettings(other, mostWaiting, scheme, argon2, pbkdf2Rounds, upgrade, readyHashes);
    }

    public PasswordSettings withMostWaiting(int other) {
        return new PasswordSettings(threads, other, scheme, argon2, pbkdf2Rounds, upgrade, readyHashes);
    }

    public PasswordSettings withScheme(NewPasswordScheme other) {
        return new PasswordSettings(threads, mostWaiting, other, argon2, pbkdf2Rounds, upgrade, readyHashes);
    }

    public PasswordSettings withArgon2(Argon2Cost other) {
        return new PasswordSettings(threads, mostWaiting, scheme, other, pbkdf2Rounds, upgrade, readyHashes);
    }

    public PasswordSettings withPbkdf2Rounds(int other) {
        return new PasswordSettings(threads, mostWaiting, scheme, argon2, other, upgrade, readyHashes);
    }

    public PasswordSettings withUpgrade(boolean other) {
        return new PasswordSettings(threads, mostWaiting, scheme, argon2, pbkdf2Rounds, other, readyHashes);
    }

    public PasswordSettings withReadyHashes(ReadyHashes other) {
        return new PasswordSettings(threads, mostWaiting, scheme, argon2, pbkdf2Rounds, upgrade, other);
    }
}
