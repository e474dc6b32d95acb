package org.alder.server.auth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.alder.server.auth.Passwords.Condition;
import org.junit.Test;

public class PasswordsTest {
    private final Passwords passwords =
            new Passwords(PasswordSettings.STANDARD.withScheme(NewPasswordScheme.SSHA512));

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private boolean matches(String password, String stored) {
        return passwords.verify(utf8(password), List.of(utf8(stored)));
    }

    @Test
    public void verifiesClearText() {
        assertTrue(matches("password", "password"));
        assertFalse(matches("passwore", "password"));
        assertFalse(matches("", "password"));
    }

    /** Made with Python's hashlib, over "password" and over "password" and the salt "abcd". */
    @Test
    public void verifiesHashesOfOtherServers() {
        for (String stored : List.of("{MD5}X03MO1qnZdYdgyfeuILPmQ==", "{SMD5}++18jMg8ZSwt3EL7ARFIjWFiY2Q=",
                "{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=", "{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk",
                "{SHA256}XohImNooBHFR0OVvjcYpJ3NgPQ1qq73WKhHvch0VQtg=",
                "{SSHA256}l75GB5qSAnGMk6pHkEbQMHdXfrN4UPsCCvHmONwtiZJhYmNk",
                "{SHA384}qLZLq9CsqRpZvbt3YbQh1PK7OCgNOnW6DyHyvrxFWD1EbFmGYMlM5oDEfRnDB4On",
                "{SSHA384}ofE319p/KZhASkDXwATNVnt9NPn7/Ger/1dQRH90EzUQIbf4ysXsVhYvaHVa9Sf3YWJjZA==",
                "{SHA512}sQnzu7wkTrgkQZF+0G1hi5AI3Qmzvv0bXgc5THBqi7mAsdd4Xll27ASbRt9fEyavWi6m0QP9B8lThf+rDKy8hg==",
                "{SSHA512}Uf9hUCsD8LPiFdVuiWijY6jdFDWZgsYK08iXrK5Huga/AshiRE8Ek0rFW6L+fNoxkqfy5NNYrAbxUYiXJ5cmNmFiY2Q=")) {
            assertTrue(stored, matches("password", stored));
            String lowerCase = stored.substring(0, stored.indexOf('}')).toLowerCase(Locale.ROOT);
            assertTrue(stored, matches("password", lowerCase + stored.substring(stored.indexOf('}'))));
            assertFalse(stored, matches("Password", stored));
            assertFalse(stored, matches(stored, stored));
        }
    }

    @Test
    public void clearTextMaySayThatItIsClearText() {
        assertTrue(matches("secret", "{CLEARTEXT}secret"));
        assertTrue(matches("secret", "{ClearText}secret"));
        assertFalse(matches("{CLEARTEXT}secret", "{CLEARTEXT}secret"));
        byte[] stored = passwords.toStored(utf8("{CLEARTEXT}secret"));
        assertTrue(passwords.verify(utf8("secret"), List.of(stored)));
        assertFalse(passwords.verify(utf8("{CLEARTEXT}secret"), List.of(stored)));
    }

    @Test
    public void damagedHashesMatchNothing() {
        for (String stored : List.of("{SSHA}", "{SSHA}!!!", "{SSHA}AAAA", "{SHA}", "{SHA}AAAA", "{SHA}" + "A".repeat(40),
                "{SSHA512}", "{MD5}AAAA", "{SHA256}" + "A".repeat(30), "{SSHA}!2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk")) {
            assertFalse(stored, matches("password", stored));
            assertFalse(stored, matches("", stored));
        }
    }

    @Test
    public void whatIsInAnUnknownSchemeIsNoPasswordAndStaysAsItIs() {
        for (String stored : List.of("{SASL}user@REALM", "{K5KEY}", "{MD9}x", "{SHA512.HEX}00", "{x-a_b}c", "{SSHA512/64}c")) {
            byte[] value = utf8(stored);
            assertFalse(stored, matches(stored, stored));
            assertFalse(stored, matches(stored.substring(stored.indexOf('}') + 1), stored));
            assertFalse(stored, matches("", stored));
            assertSame(stored, value, passwords.toStored(value));
            assertFalse(stored, passwords.isClearText(value));
            assertEquals(Condition.UNKNOWN_SCHEME, Passwords.report(value).condition());
            assertTrue(stored, stored.toUpperCase(Locale.ROOT).startsWith("{" + Passwords.report(value).scheme() + "}"));
        }
    }

    @Test
    public void lockedValuesAreNoPasswords() {
        for (String stored : List.of("*", "!", "!!", "*LK*", "*NP*", "!{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk", "!!{CRYPT}x")) {
            byte[] value = utf8(stored);
            assertFalse(stored, matches(stored, stored));
            assertFalse(stored, matches(stored.substring(1), stored));
            assertFalse(stored, matches("password", stored));
            assertSame(stored, value, passwords.toStored(value));
            assertEquals(stored, Condition.LOCKED, Passwords.report(value).condition());
        }
        assertFalse("stored, it is locked", matches("!summer", "!summer"));
        assertTrue("given, it is a password", passwords.verify(utf8("!summer"), List.of(passwords.toStored(utf8("!summer")))));
    }

    @Test
    public void bracesWithoutASchemeAreClearText() {
        for (String password : List.of("{", "{}", "{}x", "{no scheme}x", "{caf\u00e9}x", "{unclosed", "a{SSHA}b", "*x", "x", "}")) {
            assertTrue(password, matches(password, password));
            byte[] stored = passwords.toStored(utf8(password));
            assertTrue(password, new String(stored, StandardCharsets.UTF_8).startsWith("{SSHA512}"));
            assertTrue(password, passwords.verify(utf8(password), List.of(stored)));
        }
    }

    @Test
    public void newPasswordsAreSaltedHashes() {
        byte[] one = passwords.toStored(utf8("secret"));
        byte[] other = passwords.toStored(utf8("secret"));
        assertTrue(new String(one, StandardCharsets.US_ASCII).startsWith("{SSHA512}"));
        assertNotEquals(new String(one, StandardCharsets.US_ASCII), new String(other, StandardCharsets.US_ASCII));
        assertTrue(passwords.verify(utf8("secret"), List.of(one)));
        assertFalse(passwords.verify(utf8("Secret"), List.of(one)));
        assertSame("what is hashed stays", one, passwords.toStored(one));
    }

    @Test
    public void oneOfSeveralValuesIsEnoughAndNoneIsNot() {
        assertTrue(passwords.verify(utf8("b"), List.of(utf8("a"), utf8("b"))));
        assertFalse(passwords.verify(utf8("b"), List.of()));
        assertFalse(passwords.verify(new byte[] {0}, List.of()));
    }

    @Test
    public void generatedPasswordsDiffer() {
        String one = new String(passwords.generate(16, false), StandardCharsets.US_ASCII);
        assertEquals(16, one.length());
        assertNotEquals(one, new String(passwords.generate(16, false), StandardCharsets.US_ASCII));
    }

    /** A user who had stored many could have each of them tried against each that he wanted deleted, and nobody else logged in meanwhile. */
    @Test
    public void fewOfManySlowHashesAreTriedForOneThatIsToBeDeleted() {
        Passwords slow = new Passwords(PasswordSettings.STANDARD);
        List<byte[]> stored = new ArrayList<>();
        for (int i = 0; i < Passwords.MOST_SLOW; i++) {
            stored.add(slow.hashed(utf8("other" + i)));
        }
        stored.add(slow.hashed(utf8("own")));
        assertNull(passwords.storedFormOf(utf8("own"), stored));
        assertSame(stored.get(5), passwords.storedFormOf(utf8("own"), stored.subList(1, 6)));
        byte[] quick = utf8("{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M=");
        stored.add(quick);
        assertSame("quick ones are all tried", quick, passwords.storedFormOf(utf8("test"), stored));
        assertNull("a stored form is no password", passwords.storedFormOf(quick, stored));
    }
}
