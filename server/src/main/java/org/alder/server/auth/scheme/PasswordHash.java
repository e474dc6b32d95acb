package org.alder.server.auth.scheme;

import java.util.function.Predicate;

/**
 * What a stored password is made of, read and found to be within bounds. Immutable.
 *
 * @param scheme that reads it
 * @param workNanos about how long a processor takes to try one password; hashes that need much memory count threefold, since
 *     whoever tries many cannot do so at once
 * @param test whether a password is this one; takes a time that does not depend on where the two differ
 */
public record PasswordHash(PasswordScheme scheme, long workNanos, Predicate<byte[]> test) {
    /** Beyond, nobody waits for it: it would be a way to stop the server. */
    public static final long MOST_WORK_NANOS = 10_000_000_000L;
    private static final long QUICK_NANOS = 100_000;
    private static final int MEMORY_FACTOR = 3;

    /** @return null if the work is too much */
    static PasswordHash of(PasswordScheme scheme, double workNanos, Predicate<byte[]> test) {
        return workNanos > MOST_WORK_NANOS ? null : new PasswordHash(scheme, (long) workNanos, test);
    }

    /** One that needs this memory while a password is tried. @return null if the work or the memory is too much */
    static PasswordHash of(PasswordScheme scheme, double workNanos, long kibibytes, Predicate<byte[]> test) {
        return kibibytes > HashMemory.mostKibibytes() ? null
                : of(scheme, MEMORY_FACTOR * workNanos, password -> HashMemory.with(kibibytes, () -> test.test(password)));
    }

    /** Whether nobody notices how long it takes. */
    public boolean isQuick() {
        return workNanos <= QUICK_NANOS;
    }
}
