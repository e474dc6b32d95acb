package org.alder.server.auth.scheme;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

/** Whatever stands in userPassword: it is tried as its scheme says and at a cost that is known before, or lets nobody in. */
public final class PasswordFuzz {
    private static final byte[] PASSWORD = {'s', 'e', 'c', 'r', 'e', 't'};

    private PasswordFuzz() {
    }

    public static void stored(byte[] input) {
        StoredPassword given = StoredPassword.given(input);
        StoredPassword stored = StoredPassword.stored(input);
        PasswordHash hash = stored.hash();
        if (stored.isLocked()) {
            assertEquals(null, hash);
            assertFalse(stored.matches(input));
        }
        if (given.isLocked()) {
            assertTrue("somebody locks an account, which is not locked", stored.isLocked());
        }
        stored.scramKeys();
        if (hash != null) {
            assertTrue("work " + hash.workNanos(), hash.workNanos() >= 0 && hash.workNanos() <= PasswordHash.MOST_WORK_NANOS);
            if (hash.isQuick()) {
                hash.test().test(PASSWORD);
                requireNotItsOwnPassword(stored, input);
            }
        }
    }

    /** The stored form of a password lets nobody in. */
    private static void requireNotItsOwnPassword(StoredPassword stored, byte[] input) {
        if (!stored.isClearText()) {
            assertFalse("what is stored is the password", stored.matches(input));
        }
    }
}
