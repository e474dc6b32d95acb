package org.alder.server.auth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.Test;

public class PasswordsTest {
    private final Passwords passwords = new Passwords();

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

    /** Made with: openssl dgst -sha1 -binary, over "password" and over "password" and the salt "abcd". */
    @Test
    public void verifiesHashesOfOtherServers() {
        assertTrue(matches("password", "{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g="));
        assertTrue(matches("password", "{sha}W6ph5Mm5Pz8GgiULbPgzG37mj9g="));
        assertTrue(matches("password", "{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk"));
        assertFalse(matches("Password", "{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g="));
    }

    @Test
    public void damagedHashesMatchNothing() {
        for (String stored : List.of("{SSHA}", "{SSHA}!!!", "{SSHA}AAAA", "{SHA}", "{SHA}AAAA", "{SHA}" + "A".repeat(40))) {
            assertFalse(stored, matches("password", stored));
            assertFalse(stored, matches("", stored));
        }
    }

    @Test
    public void aPrefixThatIsNoSchemeIsPartOfTheClearText() {
        assertTrue(matches("{MD9}x", "{MD9}x"));
        assertTrue(matches("{", "{"));
        assertFalse(passwords.isHashed(utf8("{MD9}x")));
    }

    @Test
    public void newPasswordsAreSaltedHashes() {
        byte[] one = passwords.toStored(utf8("secret"));
        byte[] other = passwords.toStored(utf8("secret"));
        assertTrue(new String(one, StandardCharsets.US_ASCII).startsWith("{SSHA}"));
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
        String one = new String(passwords.generate(), StandardCharsets.US_ASCII);
        assertEquals(16, one.length());
        assertNotEquals(one, new String(passwords.generate(), StandardCharsets.US_ASCII));
    }
}
