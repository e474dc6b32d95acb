package org.alder.server.policy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class LoginRulesTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final String ENTRY = "cn=policy";

    private static PasswordPolicy lockout(String source, int failures, long countSeconds, long seconds, long mostSeconds) {
        return new PasswordPolicy(source, PasswordPolicy.Change.FREE, PasswordPolicy.Aging.NONE,
                new PasswordPolicy.Lockout(true, failures, countSeconds, seconds, mostSeconds, 0, 0, failures + 12));
    }

    private static PasswordPolicy aging(PasswordPolicy.Aging aging) {
        return new PasswordPolicy(ENTRY, PasswordPolicy.Change.FREE, aging, PasswordPolicy.Lockout.NONE);
    }

    private static AccountState wrong(PasswordPolicy policy, AccountState state, long second) {
        return LoginRules.wrong(policy, state, NOW.plusSeconds(second)).next();
    }

    private static boolean isLogin(PasswordPolicy policy, AccountState state, long second) {
        return LoginRules.right(policy, state, NOW.plusSeconds(second)).isLogin();
    }

    private static AccountState disabled() {
        return new AccountState(null, null, null, List.of(), List.of(), false, null, null, null, true, AccountState.Inherited.NOTHING);
    }

    private static AccountState window(Instant start, Instant end) {
        return new AccountState(null, null, null, List.of(), List.of(), false, null, start, end, false, AccountState.Inherited.NOTHING);
    }

    @Test
    public void tenFailuresLockAndEachOneAfterThatForTwiceAsLong() {
        PasswordPolicy policy = PasswordPolicy.STANDARD;
        AccountState state = AccountState.EMPTY;
        for (int i = 0; i < 9; i++) {
            state = wrong(policy, state, i);
            assertTrue(isLogin(policy, state, i));
        }
        long second = 9;
        for (long locked = 60; second < 30_000; locked = Math.min(2 * locked, 3600)) {
            state = wrong(policy, state, second);
            assertFalse(isLogin(policy, state, second + locked - 1));
            assertEquals("a locked account takes no notice", state, wrong(policy, state, second + locked - 1));
            assertTrue("after " + locked, isLogin(policy, state, second + locked));
            second += locked;
        }
        assertEquals(AccountState.EMPTY, LoginRules.right(policy, state, NOW.plusSeconds(second)).next());
    }

    @Test
    public void failuresCountForAnInterval() {
        PasswordPolicy policy = lockout(ENTRY, 3, 100, 0, 0);
        AccountState state = wrong(policy, wrong(policy, AccountState.EMPTY, 0), 50);
        assertNull(wrong(policy, state, 100).lockedSince());
        assertEquals(NOW.plusSeconds(99), wrong(policy, state, 99).lockedSince());
        assertFalse("until an administrator unlocks it", isLogin(policy, wrong(policy, state, 99), 1_000_000_000));
        assertEquals(2, wrong(policy, state, 100).failures().size());
    }

    @Test
    public void failuresInOneMomentAreSeveral() {
        assertEquals(2, wrong(PasswordPolicy.STANDARD, wrong(PasswordPolicy.STANDARD, AccountState.EMPTY, 0), 0).failures().stream()
                .distinct().count());
    }

    @Test
    public void aPolicyEntrySaysHowLongItsLocksLast() {
        AccountState state = AccountState.EMPTY.withLock(NOW, NOW.plusSeconds(7));
        PasswordPolicy policy = lockout(ENTRY, 3, 0, 100, 100);
        assertFalse(isLogin(policy, state, 99));
        assertTrue(isLogin(policy, state, 100));
    }

    @Test
    public void aLockThatAnotherServerHasLeftLastsUnderThePolicyOfTheConfiguration() {
        AccountState state = AccountState.EMPTY.withLock(NOW, null);
        assertFalse(isLogin(PasswordPolicy.STANDARD, state, 1_000_000_000));
        assertTrue("there is no lockout", isLogin(PasswordPolicy.NONE, state, 0));
    }

    @Test
    public void whatIsOutOfUseIsSoUnderEveryPolicyAndForEveryProof() {
        for (PasswordPolicy policy : List.of(PasswordPolicy.NONE, PasswordPolicy.STANDARD, lockout(ENTRY, 3, 0, 1, 1))) {
            for (AccountState state : List.of(disabled(), AccountState.EMPTY.locked(), window(NOW.plusSeconds(1), null),
                    window(null, NOW))) {
                assertFalse(isLogin(policy, state, 0));
                assertFalse(LoginRules.proven(policy, state, NOW).isLogin());
                assertEquals(state, wrong(policy, state, 0));
            }
            assertTrue(isLogin(policy, window(NOW, NOW.plusSeconds(1)), 0));
            assertTrue(LoginRules.proven(policy, window(NOW, NOW.plusSeconds(1)), NOW).isLogin());
        }
        AccountState wrongPasswords = AccountState.EMPTY.withLock(NOW, NOW.plusSeconds(100));
        assertTrue("a certificate is no guess", LoginRules.proven(PasswordPolicy.STANDARD, wrongPasswords, NOW).isLogin());
    }

    @Test
    public void delaysDouble() {
        PasswordPolicy policy = new PasswordPolicy(ENTRY, PasswordPolicy.Change.FREE, PasswordPolicy.Aging.NONE,
                new PasswordPolicy.Lockout(false, 0, 0, 0, 0, 2, 5, 5));
        AccountState once = wrong(policy, AccountState.EMPTY, 0);
        assertFalse(isLogin(policy, once, 1));
        assertTrue(isLogin(policy, once, 2));
        AccountState twice = wrong(policy, once, 2);
        assertFalse(isLogin(policy, twice, 5));
        assertTrue(isLogin(policy, twice, 6));
        AccountState thrice = wrong(policy, twice, 6);
        assertTrue("never longer than pwdMaxDelay", isLogin(policy, thrice, 11));
    }

    @Test
    public void passwordsExpireAfterAWarningAndHaveGraceLogins() {
        PasswordPolicy policy = aging(new PasswordPolicy.Aging(1000, 100, 2, 50, 0));
        AccountState state = AccountState.EMPTY.withPassword(NOW, false);
        assertEquals(PolicyNotice.NONE, LoginRules.right(policy, state, NOW.plusSeconds(899)).notice());
        assertEquals(100, LoginRules.right(policy, state, NOW.plusSeconds(900)).notice().expiresInSeconds());
        LoginRules.Verdict first = LoginRules.right(policy, state, NOW.plusSeconds(1000));
        assertEquals(1, first.notice().graceLoginsLeft());
        assertFalse("grace has its time", isLogin(policy, first.next(), 1050));
        LoginRules.Verdict second = LoginRules.right(policy, first.next(), NOW.plusSeconds(1049));
        assertEquals(0, second.notice().graceLoginsLeft());
        LoginRules.Verdict third = LoginRules.right(policy, second.next(), NOW.plusSeconds(1049));
        assertFalse(third.isLogin());
        assertEquals(PolicyError.PASSWORD_EXPIRED, third.notice().error());
        assertTrue("a password of unknown age", isLogin(policy, AccountState.EMPTY, 1_000_000));
        assertTrue("a new password", isLogin(policy, second.next().withPassword(NOW.plusSeconds(1049), false), 1049));
    }

    @Test
    public void aResetPasswordIsChangedFirst() {
        LoginRules.Verdict verdict = LoginRules.right(PasswordPolicy.STANDARD, AccountState.EMPTY.withPassword(NOW, true), NOW);
        assertTrue(verdict.isLogin());
        assertEquals(PolicyError.CHANGE_AFTER_RESET, verdict.notice().error());
        assertTrue("until it is changed", verdict.next().reset());
    }

    @Test
    public void idleAccountsAreLocked() {
        PasswordPolicy policy = aging(new PasswordPolicy.Aging(0, 0, 0, 0, 100));
        AccountState state = AccountState.EMPTY.withLastSuccess(NOW);
        assertTrue(isLogin(policy, state, 99));
        assertFalse(isLogin(policy, state, 100));
        assertFalse(LoginRules.proven(policy, state, NOW.plusSeconds(100)).isLogin());
        assertTrue("nobody knows since when", isLogin(policy, AccountState.EMPTY, 100));
    }

    @Test
    public void aNewPasswordEndsNoLockOfAnAdministrator() {
        assertFalse(isLogin(PasswordPolicy.NONE, AccountState.EMPTY.locked().withPassword(NOW, false), 0));
        assertTrue(isLogin(PasswordPolicy.STANDARD, AccountState.EMPTY.withLock(NOW, null).withPassword(NOW, false), 0));
    }

    /** Whoever guesses, as fast as he likes, has not more guesses that count than the policy says. */
    @Test
    public void guessesAreBounded() {
        Random random = Seed.random(LoginRulesTest.class);
        for (int run = 0; run < 100; run++) {
            AccountState state = AccountState.EMPTY;
            int guesses = 0;
            for (long second = 0; second < 86_400; second += random.nextInt(100)) {
                AccountState next = wrong(PasswordPolicy.STANDARD, state, second);
                guesses += next.equals(state) ? 0 : 1;
                state = next;
            }
            assertTrue("guesses in a day: " + guesses, guesses <= 10 + 6 + 24);
        }
    }
}
